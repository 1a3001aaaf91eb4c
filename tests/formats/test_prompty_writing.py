"""What a prompty keeps of a prompt, and what it does not."""

from pathlib import Path
from typing import Any

import pytest

from prompt_adapters import (
    Audio,
    Document,
    FewShot,
    History,
    Image,
    Message,
    Prompt,
    Text,
    ToolCall,
    Variable,
    Video,
    load_prompt,
    save_prompt,
)
from prompt_adapters.errors import PromptFormatError
from prompt_adapters.formats.prompty import held
from prompt_adapters.turns import Turn
from strategies import MP4, PDF, PNG, WAV

LINK = "https://example.org/a.png"

# What cannot be held: (prompt, phrases)
LOSSES: dict[str, tuple[Prompt, tuple[str, ...]]] = {
    "video": (
        Prompt(messages=[Turn("user", ["a", {"type": "video", "variable": "v"}], spaced=False)]),
        ("message 1 (user), block 2: a slot for video content, 'v'",),
    ),
    "element": (
        Prompt(messages=[Turn("user", ["a", {"type": "image", "variable": "v", "index": 1}], spaced=False)]),
        ("message 1 (user), block 2: a slot for image content, 'v', element 1",),
    ),
    "two kinds": (
        Prompt(messages=[Turn("user", [{"type": k, "variable": "v"} for k in ("image", "audio")], spaced=False)]),
        ("message 1 (user), block 2: a slot for audio content, 'v'",),
    ),
    "media at a provider": (
        Prompt(messages=[Turn("user", ["a", Image.from_uploaded("file-1")], spaced=False)]),
        ("message 1 (user), block 2: a part, image",),
    ),
    "detail": (
        Prompt(messages=[Turn("user", ["a", Image(PNG, detail="low")], spaced=False)]),
        ("message 1 (user), block 2: what is said of the image beside its content",),
    ),
    "a fixed video": (
        Prompt(messages=[Turn("user", ["a", Video(MP4)], spaced=False)]),
        ("message 1 (user), block 2: a part, video",),
    ),
    "separators": (
        Prompt(user=["a", {"type": "image", "variable": "v"}]),
        ("message 1 (user): the bounds between its blocks",),
    ),
    "cache": (
        Prompt(messages=[Turn("user", [{"type": "text", "content": "a", "cache": True}])]),
        ("message 1 (user), block 1: the end of a cacheable prefix",),
    ),
    "cache of a message": (
        Prompt(messages=[Message("user", "a", cache=True)]),
        ("message 1 (user): the end of a cacheable prefix",),
    ),
    "name": (Prompt(messages=[Message("user", "a", name='B"o')]), ("message 1 (user): its name 'B\"o'",)),
    "tool call": (
        Prompt(messages=[Message("assistant", [Text("a"), ToolCall("1", "f", {})])]),
        ("message 1 (assistant), block 2: a part, tool call",),
    ),
    "tool result": (
        Prompt(messages=[("user", "a"), Message("tool", "b")]),
        ("message 2 (tool), the result of a tool",),
    ),
    "last messages": (
        Prompt(messages=[("user", "a"), History("h", last=2)]),
        ("message 2 (history 'h'): that only the last 2 messages are taken",),
    ),
    "history that is text too": (
        Prompt(messages=[("user", "{{ h }}"), History("h")]),
        ("message 2 (history 'h'), whose name is no Jinja variable, or is one that stands elsewhere too",),
    ),
    "marker": (
        Prompt(messages=[("user", "a\n# System :\nb")]),
        ("message 1 (user): line 2, '# System :', which would begin a message",),
    ),
    "marker beside one in a comment": (
        Prompt(messages=[("user", "{#\nuser:\n#}a\nuser:\n b\nassistant:\nc")]),
        (
            "message 1 (user): line 4, 'user:', which would begin a message",
            "message 1 (user): line 6, 'assistant:', which would begin a message",
        ),
    ),
    "blank lines": (Prompt(messages=[("user", "\na\n")]), ("message 1 (user): the line breaks round its text",)),
    "empty": (Prompt(messages=[("user", "a"), ("user", "{# b #}")]), ("message 2 (user), which is empty",)),
    "shared name": (
        Prompt(messages=[("user", "{% set x = 1 %}a"), ("user", "{{ x }}")]),
        ("message 2 (user), which needs the variable 'x', and message 1 (user) sets one of this name",),
    ),
    "examples": (
        Prompt(user="a", few_shot=FewShot([{"input": "i", "output": "o"}])),
        ("the few-shot examples as such: they become turns",),
    ),
    "type": (
        Prompt(user="{{ x }}", variables=[Variable("x", type="image")]),
        ("variable 'x': its type 'image'",),
    ),
    "default of a medium": (
        Prompt(
            messages=[Turn("user", [{"type": "image", "variable": "v"}], spaced=False)],
            variables=[Variable("v", default="a")],
        ),
        ("variable 'v': its default, as it is a medium",),
    ),
    "metadata": (
        Prompt(user="a", metadata={"version": "1"}),
        ("the metadata 'version', '1', since the prompt's version stands there",),
    ),
    "reference": (
        Prompt(user="a", name="${env:A}", parameters={"b": "${file:b}"}),
        ("the name '${env:A}', which would name something to be read",
         "the parameter 'b', which would name something to be read"),
    ),
}  # fmt: skip


@pytest.mark.parametrize(("prompt", "phrases"), LOSSES.values(), ids=LOSSES)
def test_what_cannot_be_held(prompt: Prompt, phrases: tuple[str, ...], tmp_path: Path) -> None:
    kept, losses = held(prompt)
    assert losses == phrases
    assert held(kept) == (kept, ())
    path = tmp_path / "a.prompty"
    with pytest.raises(PromptFormatError) as caught:
        save_prompt(prompt, path)
    assert all(phrase in caught.value.reason for phrase in phrases)
    assert not path.exists()
    save_prompt(kept, path)
    assert load_prompt(path) == kept


def test_nothing_is_left() -> None:
    with pytest.raises(PromptFormatError, match="which is empty"):
        held(Prompt(messages=[("user", "{# a #}")]))


# What is held in other words.
HELD: dict[str, Prompt] = {
    "percent": Prompt(user="%x% {{ y }} {% z", syntax="percent"),
    "plain": Prompt(user="{{ x }} {# y", syntax="plain"),
    "f-string": Prompt(user="{x} {{y}}", syntax="f-string"),
    "fixed media": Prompt(
        messages=[Turn("user", ["a", Image(PNG), Audio(WAV), Document(PDF), Image.from_url(LINK)], spaced=False)]
    ),
    "signs at the ends": Prompt(messages=[("system", "{%- if x -%}a{%- endif -%}"), ("user", "{{- y -}}")]),
    "an undeclared slot": Prompt(
        messages=[Turn("user", [{"type": "image", "variable": "v"}], spaced=False), ("user", "a")]
    ),
    "leftovers that are none": Prompt(user="a", metadata={"prompty": {"model": {"id": "x"}}, "description": 3}),
    "a name": Prompt(messages=[Message("user", "{{ a }}", name="Ada L.")]),
}


@pytest.mark.parametrize("prompt", HELD.values(), ids=HELD)
def test_what_is_held_in_other_words(prompt: Prompt) -> None:
    kept, losses = held(prompt)
    assert losses == () or prompt is HELD["an undeclared slot"]
    assert held(kept) == (kept, ())
    values: dict[str, Any] = {
        name: "V" for name in ("x", "y") if name in {variable.name for variable in prompt.variables}
    }
    values |= {"v": Image(PNG)} if prompt is HELD["an undeclared slot"] else {}
    assert [(m.role, m.name, _joined(m)) for m in kept.render(values)] == [
        (m.role, m.name, _joined(m)) for m in prompt.render(values)
    ]


def _joined(message: Message) -> list[object]:
    return [part.text if isinstance(part, Text) else part for part in message.parts]
