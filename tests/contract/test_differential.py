"""The same conversations through LiteLLM and LangChain's packages: equal, or different for a reason that is kept.

`differences.yaml` holds the reasons. Each has a kind, and what the kind says is tested on every pair that it is given
for. A difference without a reason fails, and a reason whose difference is gone fails too.
"""

from __future__ import annotations

import base64
import json
import logging
import socket
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import pytest
import yaml

from comparable import comparable, conversation
from other_converters import LIBRARIES
from prompt_adapters.adapters import adapter_for
from prompt_adapters.content.parts import Document, Image, Part, Text, ToolCall, ToolResult, Video
from prompt_adapters.content.source import Inline, Link, Uploaded
from prompt_adapters.errors import PromptAdapterError

_Key: TypeAlias = tuple[str, str, str]
HERE = Path(__file__).parent
REASONS: dict[str, Any] = yaml.safe_load((HERE / "differences.yaml").read_text(encoding="utf-8"))
TARGETS = [(library, style) for library, (_, styles) in LIBRARIES.items() for style in styles]
_CACHE_MARKS = ("cache_control", "cachePoint", "prompt_cache_breakpoint")
_MOST_MARKS = 4  # for every provider that has them
_SIGNED = ("adds", "changes", "drops", "impossible", "invalid")
_DEMANDED: Mapping[str, Mapping[str, Any]] = {
    "anthropic_style": {"model": "m", "max_tokens": 1},
    "bedrock_style": {},
    "google_style": {},
}


class Sent(NamedTuple):
    """What one side makes of a conversation: the part of the request, or the error in place of it."""

    said: dict[str, Any] | None
    error: Exception | None = None


class Pair:
    """What both sides make of a conversation.

    Attributes:
        case: The conversation and the shape.
        ours: What this package makes of it.
        theirs: What the library makes of it.
        strayed: Where the library wanted to connect to.
        notes: What making LangChain's messages of it changed.
    """

    def __init__(self, library: str, case: Any, model: str) -> None:
        self.case, self.style = case, case.style
        messages = case.conversation.messages
        options = {name: v for name, v in case.conversation.options.items() if name != "unknown_parameters"}
        self.ours = _tried(lambda: adapter_for(model, **options).build_body(messages), self.style)
        convert, _ = LIBRARIES[library]
        with _no_network() as self.strayed, _notes() as self.notes:
            self.theirs = _tried(lambda: convert(self.style, model, messages), self.style)

    @cached_property
    def outcome(self) -> str:
        ours, theirs = self.ours.said, self.theirs.said
        if ours is None or theirs is None:
            return "refused by both" if ours is theirs and not self.strayed else "different"
        return "equal" if comparable(self.style, ours) == comparable(self.style, theirs) else "different"

    def lost(self) -> list[str]:
        """What the author wrote that the library leaves out; of what we refuse, anything."""
        ours = None if self.ours.said is None else list(_tokens(self.ours.said))
        theirs = list(_tokens(self.theirs.said))
        written = [words for message in self.case.conversation.messages for words in _message_words(message)]
        lost = [w[0] for w in written if (ours is None or _present(w, ours)) and not _present(w, theirs)]
        return lost + [mark for mark in _CACHE_MARKS if ours and _marks(mark, ours) > _marks(mark, theirs)]

    def added(self) -> list[str]:
        """The texts and names in the library's request that the author did not write."""
        words = [w for message in self.case.conversation.messages for ws in _message_words(message) for w in ws]
        names = [w.rpartition("=")[2] for w in words]
        found = []
        for token in _tokens(self.theirs.said):
            key, _, value = token.partition("=")
            if key in ("name", "filename", "title") and not any(name and name in value for name in names):
                found.append(token)
            if key in ("text", "content") and not any(word and word in value for word in words):
                found.append(token)
        return found

    def faults(self, strict: Any) -> list[str]:
        """What is wrong with the library's request under the official types."""
        assert self.theirs.said is not None
        said = comparable(self.style, self.theirs.said) if self.style == "google_style" else self.theirs.said
        found: list[str] = strict.BODY_FAULTS[self.style]({**_DEMANDED.get(self.style, {"model": "m"}), **said})
        return found

    def __repr__(self) -> str:
        return f"\n  ours   {self.ours}\n  theirs {self.theirs}"


def _tried(make: Callable[[], Mapping[str, Any]], style: str) -> Sent:
    try:
        return Sent(conversation(style, make()))
    except ImportError:
        raise  # that is no answer
    except Exception as error:  # noqa: BLE001 - whatever the library raises is its answer
        return Sent(None, error)


def _tokens(value: Any, key: str = "") -> Iterator[str]:
    """The names and the values in a request, one after the other."""
    if isinstance(value, dict):
        for name, item in value.items():
            yield f"{name}:"
            yield from _tokens(item, name)
    elif isinstance(value, list):
        for item in value:
            yield from _tokens(item, key)
    else:
        yield f"{key}={value}"


def _present(words: tuple[str, ...], tokens: list[str]) -> bool:
    return any(word in token for word in words for token in tokens)


def _marks(mark: str, tokens: list[str]) -> int:
    return tokens.count(f"{mark}:")


def _message_words(message: Any) -> Iterator[tuple[str, ...]]:
    """What the author wrote in a message: of each thing the ways in which it may be told."""
    if message.role == "developer":
        yield ("role=developer",)
    if message.name:
        yield (f"name={message.name}",)
    for part in message.parts:
        yield from _part_words(part)


def _part_words(part: Part) -> Iterator[tuple[str, ...]]:
    match part:
        case Text():
            yield (part.text.strip(),)
        case ToolCall():
            yield (part.id,)
            yield (f"name={part.name}", f"tool_name={part.name}")
        case ToolResult():
            for inner in part.parts:
                yield from _part_words(inner)
            if part.error:
                yield ("is_error=True", "status=error", "error=")
        case _:
            yield from _media_words(part)


def _media_words(part: Any) -> Iterator[tuple[str, ...]]:
    match part.source:
        case Inline(data=data, mime=mime):
            text = (data.decode().strip(),) if mime.startswith("text/") else ()
            yield (base64.b64encode(data).decode(), *text)
        case Link(url=uri) | Uploaded(uri=uri):
            yield (uri,)
    match part:
        case Document():
            for name in filter(None, (part.title, part.name)):
                yield (name, Path(name).stem)
        case Image(detail=str() as detail):
            yield (f"detail={detail}",)
        case Video(start=start) if start is not None:
            yield (f"{start:g}s",)


# What a reason may say


def _has_sign(pair: Pair, signs: list[str]) -> bool:
    """Whether one side alone says so; of a refusal, its text."""
    if isinstance(pair.ours.error, PromptAdapterError):
        return any(sign in str(pair.ours.error) for sign in signs)
    ours, theirs = (json.dumps(side.said, ensure_ascii=False) for side in (pair.ours, pair.theirs))
    return any((sign in ours) != (sign in theirs) for sign in signs)


def _is_among(signs: list[str], found: list[str]) -> bool:
    """Whether what was found has one of the signs."""
    return any(sign in item for sign in signs for item in found)


def is_true(kind: str, pair: Pair, signs: list[str], strict: Any) -> bool:
    """Whether a pair is different in the way that the kind names."""
    if kind == "asked":  # an option, or a fact about the named model, that they do not know
        return bool(pair.case.conversation.options or pair.case.conversation.models)
    if kind == "portable":  # LangChain's messages are for every provider, and we said what that changes
        return bool(pair.notes) or isinstance(pair.theirs.error, PromptAdapterError)
    if pair.theirs.said is None:
        if pair.strayed:
            return kind == "downloads"  # they fetch a link by themselves
        return kind == "refuses" and pair.ours.said is not None  # they refuse what the provider takes
    match kind:
        case "drops":  # they leave out what the author wrote
            return _is_among(signs, pair.lost())
        case "adds":  # they put in what the author did not write
            return _is_among(signs, pair.added())
        case "invalid":  # what they send is wrong under the provider's own types
            return _is_among(signs, pair.faults(strict))
        case "too_many_marks":
            return any(_marks(mark, list(_tokens(pair.theirs.said))) > _MOST_MARKS for mark in _CACHE_MARKS)
        case "impossible":  # they send what the provider is documented not to take
            return pair.ours.said is None and _has_sign(pair, signs)
        case "changes":  # they say something else than the author
            return pair.ours.said is not None and _has_sign(pair, signs)
        case "form":  # both say the same, in ways that are documented
            return pair.ours.said is not None and not pair.lost() and not pair.faults(strict)
    raise AssertionError(f"there is no kind {kind!r}")


@pytest.fixture(scope="session")
def pairs(request: pytest.FixtureRequest) -> dict[_Key, Pair]:
    """Every conversation for every library and shape."""
    conftest = request.config.pluginmanager.get_plugin(str(HERE / "conftest.py"))
    assert conftest is not None
    found: dict[_Key, Pair] = {}
    for case in conftest.CASES:
        for library, (_, styles) in LIBRARIES.items():
            if case.style in styles:
                model = case.conversation.models.get(case.style, conftest.MODELS[case.style])
                found[library, case.style, case.name] = Pair(library, case, model)
    return found


@contextmanager
def _no_network() -> Iterator[list[Any]]:
    """Nothing leaves the machine; what wanted to is kept."""
    strayed: list[Any] = []

    def connect(self: socket.socket, address: Any) -> None:
        strayed.append(address)
        raise ConnectionRefusedError(f"a test must not connect to {address}")

    def resolve(host: Any, *args: Any, **kwargs: Any) -> Any:
        strayed.append(host)
        raise socket.gaierror(f"a test must not look up {host}")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", connect)
        patch.setattr(socket, "getaddrinfo", resolve)
        yield strayed


@contextmanager
def _notes() -> Iterator[list[str]]:
    """What this package logs."""
    logger, notes = logging.getLogger("prompt_adapters"), list[str]()
    handler = logging.Handler()
    handler.emit = lambda record: notes.append(record.getMessage())  # type: ignore[method-assign]  # one call, one line
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    try:
        yield notes
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)


# The tests


def reasons_for(key: _Key) -> list[str]:
    """The reasons that are kept for a pair."""
    library, style, name = key
    return [
        reason
        for reason, row in REASONS.items()
        if any(fnmatchcase(name, pattern) for pattern in row["pairs"].get(library, {}).get(style, ()))
    ]


def told(faulty: Mapping[Any, Any]) -> str:
    """The pairs in question, as a person reads them."""
    return "\n".join(f"{' '.join(key)}: {repr(pair)[:3000]}" for key, pair in faulty.items())


@pytest.mark.parametrize(("library", "style"), TARGETS)
def test_what_is_different_has_a_reason(library: str, style: str, pairs: dict[_Key, Pair]) -> None:
    unexplained = {
        key: pair
        for key, pair in pairs.items()
        if key[:2] == (library, style) and pair.outcome == "different" and not reasons_for(key)
    }
    assert not unexplained, told(unexplained)


@pytest.mark.parametrize("reason", REASONS)
def test_a_reason_is_true_of_its_pairs(reason: str, pairs: dict[_Key, Pair], strict: Any) -> None:
    row = REASONS[reason]
    untrue: dict[Any, Any] = {}
    for library, style, pattern in _patterns(row):
        known = {key: pair for key, pair in pairs.items() if key[:2] == (library, style)}
        meant = {key: pair for key, pair in known.items() if fnmatchcase(key[2], pattern)}
        untrue |= {} if meant else {(library, style, pattern): "there is no such conversation"}
        for key, pair in meant.items():
            if pair.outcome != "different" or not is_true(row["kind"], pair, row.get("sign", []), strict):
                untrue[key] = pair
    assert not untrue, told(untrue)


def _patterns(row: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    for library, by_style in row["pairs"].items():
        for style, patterns in by_style.items():
            for pattern in patterns:
                yield library, style, pattern


def test_reasons_are_told_in_whole() -> None:
    for reason, row in REASONS.items():
        signed = {"sign"} if row["kind"] in _SIGNED else set()
        assert row.keys() == {"kind", "why", "source", "pairs"} | signed, reason
        assert row["why"].endswith("."), reason
        assert row["source"].startswith("https://"), reason
        assert {(library, style) for library, style, _ in _patterns(row)} <= set(TARGETS), reason


def test_the_counts_add_up(pairs: dict[_Key, Pair], capsys: pytest.CaptureFixture[str]) -> None:
    counts = Counter((*key[:2], pair.outcome) for key, pair in pairs.items())
    named = sum(1 for key, pair in pairs.items() if pair.outcome == "different" and reasons_for(key))
    total = Counter[str]()
    lines = []
    for library, style in TARGETS:
        row = {outcome: counts[library, style, outcome] for outcome in ("equal", "refused by both", "different")}
        total.update(row)
        lines.append(f"{library:10} {style:23} " + "  ".join(f"{n:3} {outcome}" for outcome, n in row.items()))
    with capsys.disabled():
        print("", *lines, f"all: {dict(total)}, {named} of them with a reason", sep="\n")  # noqa: T201 - to be read
    assert named == total["different"]
    assert total.total() == len(pairs)
    assert total["equal"] > named  # otherwise nothing is compared


@pytest.mark.parametrize(
    ("style", "one", "other"),
    [
        ("google_style", {"inline_data": {"data": "-_8="}}, {"inlineData": {"data": "+/8="}}),
        ("openai_style", {"content": "a"}, {"content": [{"type": "text", "text": "a"}]}),
        ("openai_style", {"arguments": '{"a": 1}'}, {"arguments": '{"a":1}'}),
        ("mistral_style", {"image_url": "x"}, {"image_url": {"url": "x"}}),
        ("anthropic_style", {"is_error": False}, {}),
        ("ollama_style", {"content": "a", "images": []}, {"content": "a"}),
    ],
)
def test_what_is_spelled_in_two_ways_is_equal(style: str, one: dict[str, Any], other: dict[str, Any]) -> None:
    assert comparable(style, {"messages": [one]}) == comparable(style, {"messages": [other]})


@pytest.mark.parametrize(
    ("style", "one", "other"),
    [
        ("openai_style", {"content": "a"}, {"content": "b"}),
        ("openai_style", {"content": "a"}, {"content": "a "}),
        ("openai_style", {"role": "user"}, {"role": "system"}),
        ("openai_style", {"content": "ab"}, {"content": [{"type": "text", "text": c} for c in "ab"]}),
        ("openai_style", {"arguments": '{"a": 1}'}, {"arguments": '{"a": "1"}'}),
        ("google_style", {"args": {"a_b": 1}}, {"args": {"aB": 1}}),
        ("anthropic_style", {"is_error": True}, {}),
        ("ollama_style", {"images": ["a", "b"]}, {"images": ["b", "a"]}),
    ],
)
def test_what_is_said_otherwise_is_not(style: str, one: dict[str, Any], other: dict[str, Any]) -> None:
    assert comparable(style, {"messages": [one]}) != comparable(style, {"messages": [other]})
