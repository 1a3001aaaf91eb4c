"""Blocks in other libraries' words whose texts are templates."""

import base64
import copy
import io
import pickle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image as Pillow

from prompt_adapters import (
    Audio,
    Document,
    Image,
    Message,
    Prompt,
    Text,
    ToolCall,
    Variable,
    load_prompt,
    save_prompt,
)
from prompt_adapters.errors import (
    MediaError,
    MissingVariableError,
    PromptAdapterError,
    PromptFormatError,
    TemplateError,
)
from prompt_adapters.patterns import Pattern
from prompt_adapters.prompt import Turn
from strategies import PDF, PNG, WAV

URL = "https://example.org/a.png"
PHOTO, LINK = Image(PNG), Image(URL)
DATA = PHOTO.as_data_url()
B64 = base64.b64encode(PNG).decode()


def block_prompt(data: dict[str, Any], syntax: str = "f-string", **fields: Any) -> Prompt:
    return Prompt(messages=[Turn("user", [Pattern(data)], spaced=False)], syntax=syntax, **fields)


def parts(data: dict[str, Any], values: dict[str, Any], syntax: str = "f-string") -> tuple[Any, ...]:
    (message,) = block_prompt(data, syntax).render(values)
    return message.parts


IMAGE_URL = {"type": "image_url", "image_url": {"url": "{u}", "detail": "{d}"}}
V1 = {"type": "image", "base64": "{b}", "mime_type": "{m}"}
TEXTS: dict[str, tuple[dict[str, Any], dict[str, Any], Any]] = {
    "a data URL": ({"type": "image_url", "image_url": "{u}"}, {"u": DATA}, PHOTO),
    "a link": ({"type": "image_url", "image_url": {"url": "{u}"}}, {"u": URL}, LINK),
    "a detail": (IMAGE_URL, {"u": URL, "d": "low"}, LINK.replace(detail="low")),
    "pieces of a data URL": (
        {"type": "image_url", "image_url": {"url": "data:{m};base64,{b}"}}, {"m": "image/png", "b": B64}, PHOTO
    ),
    "a piece of a link": ({"type": "image", "url": "https://example.org/{n}.png"}, {"n": "a"}, LINK),
    "a number in a link": ({"type": "image", "url": "https://example.org/{n}"}, {"n": 3}, Image("https://example.org/3")),
    "base64": (V1, {"b": B64, "m": "image/png"}, PHOTO),
    "an id": ({"type": "image", "file_id": "{f}"}, {"f": "file-1"}, Image.from_uploaded("file-1")),
    "a bucket": ({"type": "media", "mime_type": "image/png", "file_uri": "{u}"}, {"u": "gs://b/a.png"}, Image("gs://b/a.png")),
    "audio": (
        {"type": "input_audio", "input_audio": {"data": "{d}", "format": "wav"}},
        {"d": base64.b64encode(WAV).decode()}, Audio(WAV),
    ),
    "a file": (
        {"type": "file", "file": {"file_data": "data:{m};base64,{b}", "filename": "{n}.pdf"}},
        {"m": "application/pdf", "b": base64.b64encode(PDF).decode(), "n": "q3"}, Document(PDF, name="q3.pdf"),
    ),
    "Anthropic's": (
        {"type": "image", "source": {"type": "base64", "media_type": "{m}", "data": "{b}"}},
        {"b": B64, "m": "image/png"}, PHOTO,
    ),
    "Bedrock's": ({"image": {"format": "png", "source": {"bytes": "{b}"}}}, {"b": B64}, PHOTO),
    "a cache mark": (
        {"type": "image", "url": "{u}", "cache_control": {"type": "ephemeral"}}, {"u": URL}, LINK.replace(cache=True)
    ),
    "a call": (
        {"type": "tool_use", "id": "{i}", "name": "f", "input": {"q": "{q}", "n": 1, "l": ["{q}"]}},
        {"i": "1", "q": "{x}"}, ToolCall("1", "f", {"q": "{x}", "n": 1, "l": ["{x}"]}),
    ),
}  # fmt: skip


@pytest.mark.parametrize(("data", "values", "part"), TEXTS.values(), ids=TEXTS)
def test_a_block_is_what_it_is_with_its_texts_filled_in(
    data: dict[str, Any], values: dict[str, Any], part: Any
) -> None:
    assert parts(data, values) == (part,)


@pytest.mark.parametrize("syntax", ["f-string", "braces", "jinja", "plain", "percent"])
def test_texts_are_written_in_the_syntax_of_the_prompt(syntax: str) -> None:
    slot = {"jinja": "{{ u }}", "plain": "{{u}}", "percent": "%u%"}.get(syntax, "{u}")
    data = {"type": "image_url", "image_url": {"url": slot}}
    assert parts(data, {"u": URL}, syntax) == (LINK,)
    assert parts(data, {"u": [PHOTO, DATA, URL]}, syntax) == (PHOTO, PHOTO, LINK)


def picture() -> Any:
    return Pillow.new("RGB", (1, 1))


def png(image: Any) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()


MEDIA: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "a part": (PHOTO, (PHOTO,)),
    "bytes": (PNG, (PHOTO,)),
    "an object": ({"base64": B64, "mime_type": "image/png"}, (PHOTO,)),
    "an object with a link": ({"url": URL}, (LINK,)),
    "an object with an id": ({"file_id": "file-1"}, (Image.from_uploaded("file-1"),)),
    "a list of all": ([PHOTO, DATA, {"url": URL}, PNG], (PHOTO, PHOTO, LINK, PHOTO)),
    "no photo": ([], ()),
}


@pytest.mark.parametrize(("value", "expected"), MEDIA.values(), ids=MEDIA)
@pytest.mark.parametrize(
    "data", [{"type": "image_url", "image_url": "{u}"}, {"type": "image", "base64": "{u}"}], ids=str
)
def test_a_slot_in_place_of_the_medium_takes_media(data: dict[str, Any], value: Any, expected: tuple[Any, ...]) -> None:
    if data["type"] == "image" and isinstance(value, list):
        value = [B64 if item == DATA else item for item in value]
    assert parts(data, {"u": value}) == expected


def test_a_picture_is_a_medium() -> None:
    (part,) = parts({"type": "image", "url": "{u}"}, {"u": picture()})
    assert isinstance(part, Image)


def test_what_the_block_says_holds_for_a_medium() -> None:
    marked = {**IMAGE_URL, "cache_control": {"type": "ephemeral"}}
    assert parts(marked, {"u": PHOTO, "d": "high"}) == (PHOTO.replace(detail="high", cache=True),)
    assert parts(marked, {"u": PHOTO.replace(detail="low"), "d": "high"}) == (PHOTO.replace(detail="low", cache=True),)
    file = {"type": "file", "mime_type": "application/pdf", "base64": "{b}", "filename": "{n}"}
    assert parts(file, {"b": Document(PDF), "n": "a.pdf"}) == (Document(PDF, name="a.pdf"),)


REFUSED: dict[str, tuple[dict[str, Any], dict[str, Any], type[Exception], str]] = {
    "a path": ({"type": "image", "url": "{u}"}, {"u": "/etc/hostname"}, MediaError, "neither a URL nor a data URL"),
    "a file URL": ({"type": "image", "url": "{u}"}, {"u": "file:///etc/hostname"}, MediaError, "use http"),
    "a path as base64": ({"type": "image", "base64": "{u}"}, {"u": "/etc/hostname"}, MediaError, "is not"),
    "a path in an object": (
        {"type": "image", "url": "{u}"}, {"u": {"path": "/etc/hostname"}}, PromptFormatError, "malformed"
    ),
    "another kind": (
        {"type": "image", "url": "{u}"}, {"u": Audio(WAV)}, TemplateError,
        "variable 'u' must hold image content, or its URL or data, not audio content",
    ),
    "another kind in a data URL": (
        {"type": "image", "url": "{u}"}, {"u": Audio(WAV).as_data_url()}, MediaError, "not an image"
    ),
    "a medium in a text": (
        {"type": "image", "url": "https://example.org/{u}"}, {"u": PHOTO}, TemplateError, "stands inside a text"
    ),
    "an object of no use": ({"type": "image", "url": "{u}"}, {"u": object()}, TemplateError, "not object"),
    "an empty URL": ({"type": "image", "url": "{u}"}, {"u": ""}, MediaError, "neither a URL nor a data URL"),
    "nothing": ({"type": "image", "url": "{u}"}, {}, MissingVariableError, "'u'"),
    "None": ({"type": "image", "url": "{u}"}, {"u": None}, MissingVariableError, "'u'"),
    "a detail that is none": (IMAGE_URL, {"u": URL, "d": "quite"}, PromptFormatError, "detail is one of"),
}  # fmt: skip


@pytest.mark.parametrize(("data", "values", "error", "reason"), REFUSED.values(), ids=REFUSED)
def test_what_a_block_cannot_take_is_refused(
    data: dict[str, Any], values: dict[str, Any], error: type[Exception], reason: str
) -> None:
    with pytest.raises(error) as caught:
        parts(data, values)
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)
    if not isinstance(caught.value, MissingVariableError):
        assert "block 1" in str(caught.value)


@given(st.text())
def test_no_value_makes_another_block(value: str) -> None:
    data = {"type": "tool_use", "id": "1", "name": "f", "input": {"q": "{q}"}}
    try:
        assert parts(data, {"q": value}) == (ToolCall("1", "f", {"q": value}),)
    except PromptAdapterError:  # half of a surrogate pair
        assert any("\ud800" <= character <= "\udfff" for character in value)


def test_an_optional_medium_may_be_absent() -> None:
    prompt = block_prompt({"type": "image", "url": "{u}"}, variables=[Variable("u", required=False)])
    assert prompt.render({})[0].parts == ()


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ({"type": "hologram", "x": "{u}"}, "'hologram'"),
        ({"type": "{kind}", "url": "{u}"}, "'{kind}'"),
        ({"type": "image", "base64": b"x", "mime_type": "{m}"}, "plain JSON data, with media as base64"),
        ([], "a block is an object, not list"),
    ],
    ids=["unknown", "a type that a value would choose", "bytes", "a list"],
)
def test_what_is_no_block_is_refused_when_it_is_made(data: Any, reason: str) -> None:
    with pytest.raises(PromptFormatError) as caught:
        Pattern(data)
    assert reason in str(caught.value)


def test_variables_stand_in_order_of_appearance() -> None:
    prompt = block_prompt({"type": "image", "source": {"type": "base64", "media_type": "{m}", "data": "{b}"}})
    assert [variable.name for variable in prompt.variables] == ["m", "b"]


PLACES = [
    ({"type": "image_url", "image_url": "{u}"}, "u"),
    ({"type": "image_url", "image_url": {"url": "{u}", "detail": "{d}"}}, "u"),
    ({"type": "image", "mime_type": "{m}", "base64": "{b}"}, "b"),
    ({"type": "image", "url": "https://example.org/{u}"}, None),
    ({"type": "tool_use", "id": "{i}", "name": "f", "input": {}}, None),
]


@pytest.mark.parametrize(("data", "name"), PLACES, ids=str)
def test_the_variable_that_brings_the_medium_is_known(data: dict[str, Any], name: str | None) -> None:
    assert Pattern(data).medium("f-string") == name


def test_jinja_that_works_on_the_value_takes_texts_only() -> None:
    data = {"type": "image", "url": "{{ u | trim }}"}
    assert parts(data, {"u": f" {URL} "}, "jinja") == (LINK,)
    with pytest.raises(TemplateError):
        parts(data, {"u": PHOTO}, "jinja")


def test_it_is_a_value() -> None:
    pattern = Pattern({"type": "image", "url": "{u}"})
    assert pattern == Pattern({"url": "{u}", "type": "image"})
    assert pattern != Pattern({"type": "image", "url": "{v}"})
    assert hash(pattern) == hash(pickle.loads(pickle.dumps(pattern)))
    assert copy.deepcopy(pattern) == pickle.loads(pickle.dumps(pattern)) == pattern
    pattern.data["url"] = "changed"
    assert pattern.data["url"] == "{u}"
    assert repr(pattern) == "a block of type 'image' with templates"


@pytest.mark.parametrize("data", [V1, IMAGE_URL, {"type": "file", "mime_type": "{m}", "base64": "{b}"}], ids=str)
def test_a_prompt_with_such_blocks_is_kept_as_json(data: dict[str, Any]) -> None:
    prompt = Prompt(messages=[Turn("user", ["{q}", Pattern(data)], spaced=False)], syntax="f-string")
    again = Prompt.from_json(prompt.to_json())
    assert again == prompt
    assert again.digest == prompt.digest
    assert again.messages[0].blocks[1].pattern == Pattern(data)  # type: ignore[union-attr]  # it is a turn


def test_no_separators_stand_between_blocks_that_are_not_spaced() -> None:
    blocks = ["{q}", Pattern({"type": "image", "url": "{u}"}), "{q}"]
    close = Prompt(messages=[Turn("user", blocks, spaced=False)], syntax="f-string")
    spaced = Prompt(messages=[Turn("user", blocks)], syntax="f-string")
    values = {"q": "?", "u": URL}
    assert close.render(values) == (Message("user", ["?", LINK, "?"]),)
    assert spaced.render(values) == (Message("user", ["?", Text("\n"), LINK, Text("\n\n"), "?"]),)
    assert close != spaced
    assert Prompt.from_json(close.to_json()) == close


def test_a_file_without_such_blocks_refuses_them(tmp_path: Path) -> None:
    turn = Turn("user", ["{{ q }}", Pattern({"type": "image", "url": "{{ u }}"})], spaced=False)
    prompt = Prompt(messages=[turn], name="judge", version="1")
    with pytest.raises(PromptFormatError, match=r"message 1 \(user\), block 2: a block of type 'image' with templates"):
        save_prompt(prompt, tmp_path / "judge.yaml", format="asset")
    save_prompt(prompt, tmp_path / "judge")
    assert load_prompt(tmp_path / "judge") == prompt
