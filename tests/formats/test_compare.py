"""What differs between two prompts, in words that people read."""

from typing import Any

import pytest
from hypothesis import given

from prompt_adapters import FewShot, History, Image, Message, Prompt, Text, ToolCall, Variable
from prompt_adapters.formats.compare import Difference, compare
from prompt_adapters.turns import Turn
from strategies import GIF, PNG, prompts

BASE: dict[str, Any] = {"messages": [("system", "Be brief."), ("user", "Hi {{ x }}"), ("assistant", "Yes?")]}
LINES = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n"
PHOTO = {"type": "image", "variable": "photo"}

# The arguments of two prompts, and what is said of them
CASES: dict[str, tuple[dict[str, Any], dict[str, Any], list[str]]] = {
    "nothing": (BASE, BASE, []),
    "a text": (
        BASE,
        {"messages": [("system", "Be long."), *BASE["messages"][1:]]},
        ["message 1 (system) changed:\n  -Be brief.\n  \\ no newline at the end\n  +Be long.\n"
         "  \\ no newline at the end"],
    ),
    "a line of many": (
        {"user": LINES},
        {"user": LINES.replace("two", "2").replace("nine", "9")},
        ["message 1 (user) changed:\n   one\n  -two\n  +2\n   three\n   four\n  …\n   seven\n   eight\n  -nine\n  +9"],
    ),
    "only the last newline": (
        {"user": "a\n"}, {"user": "a"}, ["message 1 (user) changed:\n  -a\n  +a\n  \\ no newline at the end"]
    ),
    "line ends": ({"user": "a\nb\n"}, {"user": "a\r\nb\n"}, ["message 1 (user) changed:\n  -a\n  +a\\r\n   b"]),
    "what is not to be seen": (
        {"user": "a\x1b[31m\n"}, {"user": "a\u200b\n"}, ["message 1 (user) changed:\n  -a\\x1b[31m\n  +a\\u200b"]
    ),
    "a message in the middle": (
        BASE,
        {"messages": [BASE["messages"][0], ("user", "New"), *BASE["messages"][1:]]},
        ["message 2 (user) added: 'New'", ],
    ),
    "a message less": (
        BASE, {"messages": BASE["messages"][1:]}, ["message 1 (system) removed: 'Be brief.'"]
    ),
    "another role": (
        {"messages": [("system", "a"), ("user", "b")]},
        {"messages": [("developer", "a"), ("user", "b")]},
        ["message 1 (system) removed: 'a'", "message 1 (developer) added: 'a'"],
    ),
    "a block": (
        {"user": ["Look:", PHOTO, "Well?"]},
        {"user": ["Look:", PHOTO | {"index": 1}, "And?"]},
        ["message 1 (user), block 2 changed: image photo → image photo[1]",
         "message 1 (user), block 3 changed:\n  -Well?\n  \\ no newline at the end\n  +And?"],
    ),
    "blocks more and less": (
        {"user": ["a", PHOTO]},
        {"user": [PHOTO, "b {{ y }}"]},
        ["message 1 (user), block 1 removed: 'a'", "message 1 (user), block 2 added: 'b {{ y }}'",
         "variable 'y' added: required"],
    ),
    "a photo": (
        {"messages": [Message("user", [Image(PNG)])]},
        {"messages": [Message("user", [Image(GIF)])]},
        [f"message 1 (user) changed: {Image(PNG).describe()} → {Image(GIF).describe()}"],
    ),
    "literal for a template": (
        {"messages": [("user", "a")]}, {"messages": [Message("user", ["a"])]}, ["message 1 (user) changed: "]
    ),
    "a mark of caching": (
        {"messages": [Message("user", [Text("a")])]},
        {"messages": [Message("user", [Text("a", cache=True)])]},
        ["message 1 (user) changed: "],
    ),
    "a tool call": (
        {"messages": [("user", "a"), Message("assistant", [ToolCall("1", "f", {"a": 1})])]},
        {"messages": [("user", "a"), Message("assistant", [ToolCall("1", "f", {"a": 2})])]},
        ["message 2 (assistant) changed: ToolCall(id='1', name='f', arguments={\"a\": 1}) → ToolCall("],
    ),
    "a history": (
        {"messages": [History("chat"), ("user", "a")]},
        {"messages": [History("chat", required=False), ("user", "a")]},
        ["message 1 (history) changed: ", "variable 'chat', required changed: true → false"],
    ),
    "blanks between blocks": (
        {"messages": [Turn("user", ["a", PHOTO])]},
        {"messages": [Turn("user", ["a", PHOTO], spaced=False)]},
        ["message 1 (user) changed: Turn("],
    ),
    "examples": (
        {"user": "a", "few_shot": FewShot([("a", "b"), ("c", "d"), ("e", "f")])},
        {"user": "a", "few_shot": FewShot([("c", "D"), ("e", "f"), ("g", "h")], "append_to_user_prompt")},
        ['the format of the few-shot examples changed: "converse" → "append_to_user_prompt"',
         "few-shot example 1, input changed:\n  -a", "few-shot example 1, output changed:\n  -b",
         "few-shot example 2 removed: 'c' → 'd'", "few-shot example 3 added: 'g' → 'h'"],
    ),
    "examples at all": (
        {"user": "a"}, {"user": "a", "few_shot": FewShot([("a", "b")])},
        ["the few-shot examples added: 1 (converse)"],
    ),
    "variables": (
        {"user": "{{ a }} {{ b }}", "variables": [Variable("b", default="x"), Variable("c", description="C")]},
        {"user": "{{ a }} {{ d }}", "variables": [Variable("c", description="See"), Variable("a", type="text")]},
        ["message 1 (user) changed:", "variable 'b' removed: optional",
         "variable 'c', description changed: \"C\" → \"See\"", "variable 'a', type added: \"text\"",
         "variable 'd' added: required"],
    ),
    "the order of variables": (
        {"user": "a", "variables": ["x", "y"]}, {"user": "a", "variables": ["y", "x"]},
        ["the order of the variables changed: x, y → y, x"],
    ),
    "fields": (
        {"user": "a", "name": "n", "version": "1", "parameters": {"a": 1, "b": [1]},
         "metadata": {"k": {"x": 1, "y": 2}}},
        {"user": "a", "version": "2", "model": "m", "parameters": {"b": [1, "é"], "c": None},
         "metadata": {"k": {"y": 2, "x": True}}},
        ['the name removed: "n"', 'the version changed: "1" → "2"', 'the model added: "m"', "parameter 'a' removed: 1",
         "parameter 'b' changed: [1] → [1, \"é\"]", "parameter 'c' added: null",
         "metadata 'k' changed: {\"x\": 1, \"y\": 2} → {\"x\": true, \"y\": 2}"],
    ),
    "the syntax": ({"user": "a"}, {"user": "a", "syntax": "plain"}, ['the syntax changed: "jinja" → "plain"']),
}  # fmt: skip


@pytest.mark.parametrize(("before", "after", "said"), CASES.values(), ids=CASES)
def test_differences(before: dict[str, Any], after: dict[str, Any], said: list[str]) -> None:
    found = compare(Prompt(**before), Prompt(**after))
    assert len(found) == len(said), [str(difference) for difference in found]
    for difference, text in zip(found, said, strict=True):
        assert str(difference).startswith(text)
        assert difference.kind == ("removed" if not difference.after else "changed" if difference.before else "added")


@given(before=prompts(), after=prompts())
def test_equal_prompts_have_no_difference_and_others_have_one(before: Prompt, after: Prompt) -> None:
    assert compare(before, before) == ()
    found = compare(before, after)
    assert (found == ()) is (before == after)
    assert all(line.replace("\t", "").isprintable() for one in found for line in str(one).split("\n"))
    assert (compare(after, before) == ()) is (found == ())


def test_a_small_edit_is_one_difference() -> None:
    before = Prompt(messages=[("user" if n % 2 == 0 else "assistant", f"text {n} {{{{ x }}}}") for n in range(500)])
    entries = list(before.messages)
    entries[250] = Turn("user", "changed {{ x }}")
    after = before.replace(messages=[*entries[:100], *entries[101:]])
    assert [(d.where, d.kind) for d in compare(before, after)] == [
        ("message 101 (user)", "removed"),
        ("message 250 (user)", "changed"),
    ]


def test_a_difference_is_a_value() -> None:
    (one,) = compare(Prompt(user="a"), Prompt(user="b"))
    assert one == Difference(
        "message 1 (user)",
        "changed",
        "'a'",
        "'b'",
        ("-a", "\\ no newline at the end", "+b", "\\ no newline at the end"),
    )
