"""The suites of dotprompt's specification, met in two ways: as prompts, and by Google's library.

Each run tells how many cases passed, and names those that are not supported; none may fail.
"""

import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from prompt_adapters import History, Message, Prompt, Text
from prompt_adapters.content.parts import MediaPart
from prompt_adapters.content.source import Link
from prompt_adapters.errors import PromptAdapterError, PromptFormatError
from prompt_adapters.formats.dotprompt import dump, held, parse
from prompt_adapters.formats.dotprompt_front import declared, read, split
from prompt_adapters.formats.dotprompt_rendering import render_template
from prompt_adapters.formats.picoschema import json_schema

SUITES = Path(__file__).parent.parent / "data" / "conformance" / "dotprompt"
ROLES = {"assistant": "model"}


class Case(NamedTuple):
    """One test with the data of its suite."""

    suite: Mapping[str, Any]
    test: Mapping[str, Any]

    @property
    def template(self) -> str:
        return str(self.suite["template"])

    def data(self, key: str) -> dict[str, Any]:
        return {**self.suite.get("data", {}).get(key, {}), **self.test.get("data", {}).get(key, {})}

    @property
    def values(self) -> dict[str, Any]:
        defaults = self.test.get("options", {}).get("input", {}).get("default", {})
        return {**read(split(self.template, None)).defaults, **defaults, **self.data("input")}

    @property
    def past(self) -> list[tuple[str, str]]:
        given = [*self.suite.get("data", {}).get("messages", []), *self.test.get("data", {}).get("messages", [])]
        return [(message["role"], message["content"][0]["text"]) for message in given]

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The messages that are expected, without marks of what they are for."""
        expected = self.test["expect"].get("messages", [])
        return [{"role": message["role"], "content": message["content"]} for message in expected]


def _cases() -> dict[str, Case]:
    found = {}
    for path in sorted(SUITES.rglob("*.yaml")):
        for suite in yaml.safe_load(path.read_text(encoding="utf-8")):
            for test in suite["tests"]:
                found[f"{path.stem}/{suite['name']}: {test['desc']}"] = Case(suite, test)
    return found


CASES = _cases()
RENDERED = {name: case for name, case in CASES.items() if case.messages}

SECTION = "the helper 'section' has no place in a prompt"
CONTEXT = "has no place in a prompt; make it a variable"
PARTIAL = "a partial, cannot be read"
TYPED = "a link says the type that its suffix tells"
# suite: why what its cases ask for is not supported by a prompt
AS_A_PROMPT = {
    "section/basic_section": SECTION,
    "section/nested_sections": SECTION,
    "metadata/metadata_state": CONTEXT,
    "metadata/metadata_context_variables": CONTEXT,
    "partials/basic_partial": PARTIAL,
    "partials/partial_with_context": PARTIAL,
    "partials/resolved_partial": PARTIAL,
    "partials/nested_resolved_partial": PARTIAL,
    "partials/partial_with_license_header": PARTIAL,
    "partials/partial_with_hash_comment": PARTIAL,
    "role/system_only_prompt": "earlier messages come where the file has {{history}}",
    "media/url_only": TYPED,
}
BY_THE_LIBRARY = {
    "section/basic_section": "{{section 'intro'}} has no place in a message",
    "section/nested_sections": "{{section 'outer'}} has no place in a message",
    "media/url_only": TYPED,
}


def shown(messages: Iterable[Message]) -> list[dict[str, Any]]:
    """Messages as the suites write them."""
    return [
        {"role": ROLES.get(message.role, message.role), "content": [_part(part) for part in message.parts]}
        for message in messages
    ]


def _part(part: object) -> dict[str, Any]:
    if isinstance(part, Text):
        return {"text": part.text}
    assert isinstance(part, MediaPart)
    assert isinstance(part.source, Link)
    mime = {} if part.source.mime is None else {"contentType": part.source.mime}
    return {"media": {"url": part.source.url, **mime}}


def check_messages(case: Case, found: list[dict[str, Any]]) -> None:
    """That these are the expected messages.

    Raises:
        PromptFormatError: They differ by the type of a link alone, which its suffix tells.
    """
    if found == case.messages:
        return
    expected = [part["media"] for message in case.messages for part in message["content"] if "media" in part]
    for message in found:
        for part in message["content"]:
            if "media" in part and "contentType" not in expected.pop(0):
                part["media"].pop("contentType")
    assert found == case.messages
    raise PromptFormatError(None, None, TYPED)


def as_a_prompt(case: Case) -> None:
    _check_front(case)
    if not case.messages:
        with pytest.raises(PromptFormatError, match="there is no prompt text"):
            parse(case.template)
        return
    prompt = parse(case.template)
    assert held(prompt) == (prompt, ())
    assert parse(dump(prompt)) == prompt
    if case.past and not any(isinstance(entry, History) for entry in prompt.messages):
        raise PromptFormatError(None, None, AS_A_PROMPT["role/system_only_prompt"])
    check_messages(
        case, shown(_filled(prompt, case).render(case.data("input") | ({"history": case.past} if case.past else {})))
    )


def _filled(prompt: Prompt, case: Case) -> Prompt:
    """The prompt with the defaults that the caller gives."""
    given = case.test.get("options", {}).get("input", {}).get("default", {})
    front = read(split(case.template, None))
    return prompt.replace(variables=declared(front.schema, {**front.defaults, **given}, ())) if given else prompt


def _check_front(case: Case) -> None:
    expect = case.test["expect"]
    parts = split(case.template, None)
    data, front = parts.data, read(parts)
    assert expect.get("model", front.fields.get("model")) == front.fields.get("model")
    assert expect.get("config", data.get("config")) == data.get("config")
    assert expect.get("raw", data) == data
    assert expect.get("ext", front.metadata.get("ext")) == front.metadata.get("ext")
    for side in ("input", "output"):
        if "schema" in expect.get(side, {}):
            assert json_schema(data[side]["schema"], case.suite.get("schemas")) == expect[side]["schema"]


def by_the_library(case: Case) -> None:
    partials = {**case.suite.get("partials", {}), **case.suite.get("resolverPartials", {})}
    body = split(case.template, None).body
    messages = render_template(body, case.values, history=case.past, context=case.data("context"), partials=partials)
    check_messages(case, shown(messages))


RUNS: dict[str, tuple[Callable[[Case], None], Mapping[str, Case], Mapping[str, str], int]] = {
    "as prompts": (as_a_prompt, CASES, AS_A_PROMPT, 32),
    "by Google's library": (by_the_library, RENDERED, BY_THE_LIBRARY, 25),
}


def unsupported(run: Callable[[Case], None], name: str, case: Case, known: Mapping[str, str]) -> str | None:
    """Why a case is not supported; None when it passes."""
    reason = known.get(name.partition(":")[0])
    if reason is None:
        run(case)
        return None
    with pytest.raises(PromptFormatError) as caught:
        run(case)
    assert reason in caught.value.reason
    return reason


@pytest.mark.parametrize(
    ("way", "name"), [(way, name) for way, (_, cases, _, _) in RUNS.items() for name in cases], ids=str
)
def test_case(way: str, name: str) -> None:
    run, cases, known, _ = RUNS[way]
    unsupported(run, name, cases[name], known)


@pytest.mark.parametrize("way", RUNS)
def test_cases_are_counted(way: str, capsys: pytest.CaptureFixture[str]) -> None:
    run, cases, known, passing = RUNS[way]
    reasons: dict[str, str] = {}
    failed: list[str] = []
    for name, case in cases.items():
        try:
            if (reason := unsupported(run, name, case, known)) is not None:
                reasons[name] = reason
        except (AssertionError, PromptAdapterError, pytest.fail.Exception):
            failed.append(name)
    passed = len(cases) - len(reasons) - len(failed)
    lines = [f"dotprompt's specification, {way}: {len(cases)} cases, passed {passed}, unsupported {len(reasons)}, "]
    lines[0] += f"failed {len(failed)}"
    lines += [f"  unsupported: {name} ({reason})" for name, reason in reasons.items()]
    with capsys.disabled():
        sys.stdout.write("\n" + "\n".join(lines) + "\n")
    assert failed == []
    assert passed == passing
    assert {name.partition(":")[0] for name in reasons} == known.keys()
