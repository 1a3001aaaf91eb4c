"""What a template says about its variables."""

from typing import Any

import pytest
from langchain_core.messages import HumanMessage
from pydantic import TypeAdapter, ValidationError

from prompt_adapters import Audio, History, Image, Prompt, Variable
from prompt_adapters.errors import MediaError
from prompt_adapters.langchain import AdapterPromptTemplate
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
    inputs = Inputs.of([PROMPT], {})
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
    assert Inputs.of([optional, required], {}).required == ["x", "y", "z"]


def test_a_medium_is_given_as_a_part_or_as_data_without_a_path(photo: Image) -> None:
    data = photo.as_data_url().partition(",")[2]
    adapter: TypeAdapter[Any] = TypeAdapter(Inputs.of([PROMPT], {}).types["photo"])
    assert adapter.validate_python(photo) == photo
    assert adapter.validate_python({"base64": data}) == photo
    assert adapter.validate_python([photo, {"url": "https://example.org/a.png"}]) == [
        photo, Image("https://example.org/a.png")
    ]  # fmt: skip
    assert adapter.validate_json('{"file_id": "file-1"}') == Image.from_uploaded("file-1")
    assert adapter.dump_python(photo, mode="json") == {"type": "image", "mime": "image/png", "base64": data}


@pytest.mark.parametrize("value", ["/etc/hostname", "https://example.org/a.png", 7, {"path": "a.png"}], ids=repr)
def test_nothing_else_is_a_medium(value: Any) -> None:
    adapter: TypeAdapter[Any] = TypeAdapter(Inputs.of([PROMPT], {}).types["photo"])
    with pytest.raises((ValidationError, ValueError)):
        adapter.validate_python(value)


def test_a_medium_of_another_kind_is_refused(photo: Image, sound: Audio) -> None:
    with pytest.raises(ValueError, match=r"give Audio\(...\), not Image"):
        MediaInput("audio").read(photo)
    with pytest.raises(MediaError):
        MediaInput("image").read({"base64": sound.as_data_url().partition(",")[2]})


def test_lists_of_which_an_element_is_used_are_lists() -> None:
    types = Inputs.of([PROMPT], {}).types
    assert TypeAdapter(types["sounds"]).json_schema()["type"] == "array"
    assert len(TypeAdapter(types["photo"]).json_schema()["anyOf"]) == 2
    assert TypeAdapter(types["h"]).json_schema()["type"] == "array"


def test_annotations_compare_by_kind() -> None:
    assert MediaInput("image") == MediaInput("image")
    assert MediaInput("image") != MediaInput("audio")
    assert len({MediaInput("image"), MediaInput("image")}) == 1


# The schema of all of them

CHAT = Prompt(messages=[History("h"), ("user", ["{{ q }} {{ any }}", {"type": "image", "variable": "photo"}])])
VALUES: dict[str, Any] = {
    "texts": {"h": [], "q": "x", "any": "y"},
    "a part in a text slot": {"h": [], "q": "x", "any": "photo"},
    "a list of parts": {"h": [], "q": "x", "any": ["photo", "text", "photo"]},
    "a number and data": {"h": [], "q": 3, "any": {"a": [1]}},
    "messages": {"h": [HumanMessage("a"), ("ai", "b"), {"role": "user", "content": "c"}], "q": "x", "any": "y"},
}


def _filled(value: Any, photo: Image) -> Any:
    if isinstance(value, list):
        return [_filled(item, photo) for item in value]
    return photo if value == "photo" else value


@pytest.mark.parametrize("given", VALUES.values(), ids=VALUES)
def test_the_schema_takes_what_rendering_takes(given: dict[str, Any], photo: Image) -> None:
    template = AdapterPromptTemplate.from_prompt(CHAT)
    values = {name: _filled(value, photo) for name, value in given.items()} | {"photo": photo}
    read = template.get_input_schema().model_validate(values)
    held = {name: getattr(read, name) for name in values}
    assert held == values
    assert template.invoke(held) == template.invoke(values)


def test_what_is_read_is_dumped_as_json(photo: Image) -> None:
    schema = AdapterPromptTemplate.from_template("{a} {b}").get_input_schema()
    data = schema(a=photo, b=[photo, "x"]).model_dump(mode="json")
    assert data["a"]["base64"] == photo.as_data_url().partition(",")[2]
    assert data["b"] == [data["a"], "x"]


def test_json_is_described_by_what_variables_hold() -> None:
    schema = AdapterPromptTemplate.from_prompt(CHAT).get_input_jsonschema()
    assert schema["required"] == ["h", "q", "any", "photo"]
    assert schema["properties"]["q"] == schema["properties"]["any"] | {"title": "Q"} == {"title": "Q", "type": "string"}
    assert (schema["properties"]["h"]["type"], "AIMessage" in schema["$defs"]) == ("array", True)
    described = str(schema["properties"]["photo"])
    assert all(f"'{way}'" in described for way in ("base64", "url", "file_id"))
    assert "path" not in described


def test_an_optional_variable_may_be_left_out() -> None:
    template = AdapterPromptTemplate.from_template("{% if x %}{{ x }}{% endif %}{{ y }}", "jinja2")
    assert template.get_input_schema()(y=1).model_dump() == {"x": None, "y": 1}


@pytest.mark.parametrize("missing", ["q", "photo"])
def test_what_is_required_must_be_given(missing: str, photo: Image) -> None:
    values = {"h": [], "q": "x", "any": "y", "photo": photo}
    del values[missing]
    with pytest.raises(ValidationError, match=missing):
        AdapterPromptTemplate.from_prompt(CHAT).get_input_schema().model_validate(values)
