"""The core cases of Mustache's specification, and a run of them that counts."""

import html
import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from prompt_adapters import Prompt, Variable
from prompt_adapters.errors import PromptAdapterError, PromptFormatError, TemplateError

SPECS = Path(__file__).parent.parent / "data" / "conformance" / "mustache"
ROOT = "names nothing"
ESCAPED = "nothing is escaped as HTML"
# case: why it is not supported
UNSUPPORTED = {
    "interpolation: HTML Escaping": ESCAPED,
    "interpolation: Implicit Iterators - HTML Escaping": ROOT,
    "interpolation: Implicit Iterators - Basic Interpolation": ROOT,
    "interpolation: Implicit Iterators - Triple Mustache": ROOT,
    "interpolation: Implicit Iterators - Ampersand": ROOT,
    "interpolation: Implicit Iterators - Basic Integer Interpolation": ROOT,
    "sections: Implicit Iterator - HTML Escaping": ESCAPED,
    "sections: Implicit Iterator - Root-level": ROOT,
}


class Case(NamedTuple):
    """One test of the specification."""

    template: str
    data: Mapping[str, Any]
    expected: str


def _cases() -> dict[str, Case]:
    found = {}
    for path in sorted(SPECS.glob("*.json")):
        for test in json.loads(path.read_text(encoding="utf-8"))["tests"]:
            data = test["data"] if isinstance(test["data"], dict) else {}
            found[f"{path.stem}: {test['name']}"] = Case(test["template"], data, test["expected"])
    return found


CASES = _cases()


def rendered(prompt: Prompt, data: Mapping[str, Any]) -> str:
    """The text of a prompt whose variables may all be left out."""
    optional = [Variable(variable.name, required=False) for variable in prompt.variables]
    known = {variable.name for variable in optional}
    values = {name: value for name, value in data.items() if name in known}
    return "".join(message.text for message in prompt.replace(variables=optional).render(values))


def unsupported(render: Callable[[Case], str], name: str) -> str | None:
    """Why a case is not supported; None when it passes."""
    case, reason = CASES[name], UNSUPPORTED.get(name)
    if reason == ESCAPED:
        assert render(case) == html.unescape(case.expected) != case.expected
    elif reason is not None:
        with pytest.raises((TemplateError, PromptFormatError), match=reason):
            render(case)
    else:
        assert render(case) == case.expected
    return reason


def count(render: Callable[[Case], str], way: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Run all cases, tell how they ended, and let none fail."""
    reasons: dict[str, str] = {}
    failed: list[str] = []
    for name in CASES:
        try:
            if (reason := unsupported(render, name)) is not None:
                reasons[name] = reason
        except (AssertionError, PromptAdapterError, pytest.fail.Exception):
            failed.append(name)
    passed = len(CASES) - len(reasons) - len(failed)
    told = f"{len(CASES)} cases, passed {passed}, unsupported {len(reasons)}, failed {len(failed)}"
    lines = [f"Mustache's specification, {way}: {told}"]
    lines += [f"  unsupported: {name} ({reason})" for name, reason in reasons.items()]
    with capsys.disabled():
        sys.stdout.write("\n" + "\n".join(lines) + "\n")
    assert failed == []
    assert reasons == UNSUPPORTED
    assert passed == 102
