"""What differs between what two prompts say, in whatever words each is written."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings

from prompt_adapters import FewShot, History, Image, Message, Prompt, ToolCall, Variable, load_prompt, save_prompt
from prompt_adapters.errors import PromptFormatError
from prompt_adapters.formats import FORMATS, held_by
from prompt_adapters.formats.comparable import differences
from prompt_adapters.patterns import Pattern
from prompt_adapters.prompt import Block, Turn
from strategies import PNG, prompts

PHOTO = {"type": "image", "variable": "photo"}
LINK = "https://example.org/a.png"


def _url(template: str, **more: str) -> Pattern:
    return Pattern({"type": "image_url", "image_url": {"url": template, **more}})


SAME: dict[str, tuple[Prompt, Prompt]] = {
    "another syntax": (Prompt(user="Hi {{ x }} 5%"), Prompt(user="Hi %x% 5%%", syntax="percent")),
    "braces": (Prompt(user="{x} {{y}}", syntax="f-string"), Prompt(user="{{ x }} {y}", syntax="plain")),
    "blanks in a slot": (Prompt(user="{{x}}"), Prompt(user="{{  x }}")),
    "no slots": (Prompt(user="Hi"), Prompt(user="Hi", syntax="none")),
    "a literal message": (Prompt(user="Hi {x}"), Prompt(messages=[Message("user", "Hi {x}")])),
    "a block": (Prompt(user="Hi"), Prompt(user=["Hi"])),
    "a block for a slot": (
        Prompt(user="a {{ photo }}", variables=[Variable("photo", type="image")]),
        Prompt(messages=[Turn("user", ["a ", PHOTO], spaced=False)]),
    ),
    "separators": (Prompt(user="a\nb"), Prompt(user=["a", "b"])),
    "separators beside the end of a prefix": (
        Prompt(messages=[Turn("user", [Block("text", template="a", cache=True), "b"])]),
        Prompt(messages=[Turn("user", [Block("text", template="a", cache=True), "\n", "b"], spaced=False)]),
    ),
    "braces of Mustache": (
        Prompt(user="{{#a}}{{b}}{{& c}}{{/a}}", syntax="mustache"),
        Prompt(user="{{#a}}{{{b}}}{{{c}}}{{/a}}", syntax="mustache", variables=["a", "b", "c"]),
    ),
    "a message in a block": (
        Prompt(messages=[Message("assistant", ToolCall("c", "f", {}))]),
        Prompt(messages=[Turn("assistant", [ToolCall("c", "f", {})])]),
    ),
    "a declaration": (Prompt(user="{{ x }}"), Prompt(user="{{ x }}", variables=["x"])),
    "the order of declarations": (
        Prompt(user="{{ x }}{{ y }}", variables=["x", "y"]),
        Prompt(user="{{ x }}{{ y }}", variables=["y", "x"]),
    ),
    "the type of a history": (
        Prompt(messages=[History("chat"), ("user", "a")]),
        Prompt(messages=[History("chat"), ("user", "a")], variables=[Variable("chat", type="messages")]),
    ),
    "an image": (Prompt(user=[Image(PNG)]), Prompt(messages=[Message("user", [Image(PNG)])])),
    "an image as the default of a variable": (
        Prompt(messages=[Message("user", ["Look:", Image.from_url(LINK)])]),
        Prompt(
            messages=[Turn("user", ["Look:", Pattern({"type": "image", "url": "{{ image_1 }}"})], spaced=False)],
            variables=[Variable("image_1", type="image", default=LINK)],
        ),
    ),
    "texts beside each other and an image": (
        Prompt(messages=[Message("user", ["Why?", " \n", Image(PNG)])]),
        Prompt(messages=[Turn("user", ["Why? \n", Image(PNG)], spaced=False)]),
    ),
    "a template of nothing": (
        Prompt(messages=[Turn("user", ["Why?", "", PHOTO], spaced=False)]),
        Prompt(messages=[Turn("user", ["Why?", PHOTO], spaced=False)]),
    ),
    "an address for a slot": (
        Prompt(messages=[Turn("user", ["Look:", PHOTO], spaced=False)]),
        Prompt(messages=[Turn("user", ["Look:", _url("%photo%")], spaced=False)], syntax="percent"),
    ),
}
DIFFERENT: dict[str, tuple[Prompt, Prompt, list[str]]] = {
    "a text": (Prompt(user="Hi"), Prompt(user="Ho"), ["message 1 (user)"]),
    "a slot": (
        Prompt(user="{{ x }}"),
        Prompt(user="%y%", syntax="percent"),
        ["message 1 (user)", "variable 'x'", "variable 'y'"],
    ),
    "a turn": (Prompt(user="Hi"), Prompt("Be brief.", "Hi"), ["message 1 (system)"]),
    "a parameter": (Prompt(user="a"), Prompt(user="a", parameters={"n": 1}), ["parameter 'n'"]),
    "metadata": (Prompt(user="a"), Prompt(user="a", metadata={"n": 1}), ["metadata 'n'"]),
    "a model": (Prompt(user="a", model="b"), Prompt(user="a", model="c"), ["the model"]),
    "a default": (
        Prompt(user="{{ x }}"),
        Prompt(user="{{ x }}", variables=[Variable("x", default=1)]),
        ["variable 'x', required", "variable 'x', default"],
    ),
    "an example": (Prompt(user="a", few_shot=FewShot([("b", "c")])), Prompt(user="a"), ["the few-shot examples"]),
    "logic": (Prompt(user="{% if x %}a{% endif %}"), Prompt(user="a"), ["message 1 (user)", "variable 'x'"]),
    "sections of Mustache": (
        Prompt(user="{{#a}}b{{/a}}", syntax="mustache"),
        Prompt(user="{{^a}}b{{/a}}", syntax="mustache"),
        ["message 1 (user)"],
    ),
    "an image": (Prompt(user=[Image(PNG)]), Prompt(user=[Image(PNG, detail="low")]), ["message 1 (user)"]),
    "an empty text": (
        Prompt(messages=[Message("user", [Image(PNG), ""])]),
        Prompt(messages=[Message("user", [Image(PNG)])]),
        ["message 1 (user), block 2"],
    ),
    "the detail of a slot": (
        Prompt(user=[PHOTO]),
        Prompt(user=[_url("{{ photo }}", detail="low")]),
        ["message 1 (user)", "variable 'photo', type"],
    ),
    "a part of an address": (
        Prompt(user=[PHOTO]),
        Prompt(user=[_url("https://example.org/{{ photo }}")]),
        ["message 1 (user)", "variable 'photo', type"],
    ),
    "an image beside a default of another one": (
        Prompt(user=[Image.from_url(LINK)]),
        Prompt(user=[_url("{{ x }}")], variables=[Variable("x", type="image", default=f"{LINK}?2")]),
        ["message 1 (user)"],
    ),
    "the default of a variable that both have": (
        Prompt(user=[_url("{{ x }}")], variables=[Variable("x", type="image", default=LINK)]),
        Prompt(user=[_url("{{ x }}")], variables=[Variable("x", type="image", default=f"{LINK}?2")]),
        ["variable 'x', default"],
    ),
    "a syntax that cannot be said otherwise": (
        Prompt(user="%true%", syntax="percent"),
        Prompt(user="{{ x }}"),
        ["the syntax", "message 1 (user)", "variable 'true'", "variable 'x'"],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("one", "other"), SAME.values(), ids=SAME)
def test_the_same_in_other_words(one: Prompt, other: Prompt) -> None:
    assert differences(one, other) == differences(other, one) == ((), None)
    assert differences(one, one) == ((), None)


@pytest.mark.parametrize(("one", "other", "expected"), DIFFERENT.values(), ids=DIFFERENT)
def test_what_differs(one: Prompt, other: Prompt, expected: list[str]) -> None:
    assert [found.where for found in differences(one, other).differences] == expected
    assert differences(other, one).differences


def test_texts_are_shown_as_both_have_them() -> None:
    one, other = Prompt(user="Hi %x%", syntax="percent"), Prompt(user="Ho %x%", syntax="percent")
    assert differences(one, other).syntax is None
    assert differences(one, other).differences[0].lines[0] == "-Hi %x%"
    mixed = differences(one, Prompt(user="Ho {{ x }}"))
    assert mixed.syntax == "jinja"
    assert mixed.differences[0].lines[0] == "-Hi {{ x }}"


@pytest.mark.parametrize("name", FORMATS)
def test_across_formats(name: str, tmp_path: Path) -> None:
    prompt = Prompt("Be {{ how }}.", "Why {{ topic }}, in 50 %?\n")
    kept, losses = held_by(prompt, name)
    path = tmp_path / f"a{(FORMATS[name].suffixes or ('.json',))[0]}"
    save_prompt(kept, path, name)
    assert losses or not differences(prompt, load_prompt(path, name)).differences


def _has(value: Any, *words: str) -> bool:
    text = str(value)
    return any(word in text for word in words)


@settings(max_examples=120, deadline=None)
@given(prompts())
def test_what_a_format_holds_whole_says_the_same(prompt: Prompt) -> None:
    data = prompt.to_json()
    assume(not _has(data, "'text': ''", "'template': ''"))
    for name in FORMATS:
        try:
            kept, losses = held_by(prompt, name)
        except PromptFormatError:
            continue
        assert losses or differences(prompt, kept).differences == ()
