"""What a template says about its variables."""

from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from prompt_adapters import Audio, History, Image, Prompt, Variable
from prompt_adapters.errors import MediaError
from prompt_adapters.langchain.inputs import Inputs, MediaInput

PROMPT = Prompt(
    messages=[
        ("system", "{{ a }}{% if b %}{{ b }}{% endif %}"),
        History("h"),
        History("o", required=False),
        (
            "user",
            ["{{ c }}", {"type": "image", "variable": "photo"}, {"type": "audio", "variable": "sounds", "index": 1}],
        ),
    ],
    variables=[Variable("film", type="video"), Variable("note", type="text")],
)


def test_variables_in_order() -> None:
    inputs = Inputs.of([PROMPT], ())
    assert inputs.required == ["a", "h", "c", "photo", "sounds"]
    assert inputs.optional == ["film", "note", "b", "o"]
    assert list(inputs.types) == ["h", "o", "photo", "sounds", "film"]
    assert {name: media.kind for name, media in inputs.media.items()} == {
        "photo": "image", "sounds": "audio", "film": "video"
    }  # fmt: skip


def test_partial_variables_are_no_inputs() -> None:
    inputs = Inputs.of([PROMPT], {"a": "x", "o": []})
    assert inputs.required == ["h", "c", "photo", "sounds"]
    assert inputs.optional == ["film", "note", "b"]


def test_what_any_prompt_requires_is_required() -> None:
    optional = Prompt(user="{% if x %}{{ x }}{% endif %}{{ y }}")
    required = Prompt(user="{{ x }}{{ z }}")
    assert Inputs.of([optional, required], ()).required == ["x", "y", "z"]


def test_a_medium_is_given_as_a_part_or_as_data_without_a_path(photo: Image) -> None:
    data = photo.as_data_url().partition(",")[2]
    adapter: TypeAdapter[Any] = TypeAdapter(Inputs.of([PROMPT], ()).types["photo"])
    assert adapter.validate_python(photo) == photo
    assert adapter.validate_python({"base64": data}) == photo
    assert adapter.validate_python([photo, {"url": "https://example.org/a.png"}]) == [
        photo, Image("https://example.org/a.png")
    ]  # fmt: skip
    assert adapter.validate_json('{"file_id": "file-1"}') == Image.from_uploaded("file-1")
    assert adapter.dump_python(photo, mode="json") == {"type": "image", "mime": "image/png", "base64": data}


@pytest.mark.parametrize("value", ["/etc/hostname", "https://example.org/a.png", 7, {"path": "a.png"}], ids=repr)
def test_nothing_else_is_a_medium(value: Any) -> None:
    adapter: TypeAdapter[Any] = TypeAdapter(Inputs.of([PROMPT], ()).types["photo"])
    with pytest.raises((ValidationError, ValueError)):
        adapter.validate_python(value)


def test_a_medium_of_another_kind_is_refused(photo: Image, sound: Audio) -> None:
    with pytest.raises(ValueError, match=r"give Audio\(...\), not Image"):
        MediaInput("audio").read(photo)
    with pytest.raises(MediaError):
        MediaInput("image").read({"base64": sound.as_data_url().partition(",")[2]})


def test_lists_of_which_an_element_is_used_are_lists() -> None:
    types = Inputs.of([PROMPT], ()).types
    assert TypeAdapter(types["sounds"]).json_schema()["type"] == "array"
    assert len(TypeAdapter(types["photo"]).json_schema()["anyOf"]) == 2
    assert TypeAdapter(types["h"]).json_schema()["type"] == "array"


def test_annotations_compare_by_kind() -> None:
    assert MediaInput("image") == MediaInput("image")
    assert MediaInput("image") != MediaInput("audio")
    assert len({MediaInput("image"), MediaInput("image")}) == 1
