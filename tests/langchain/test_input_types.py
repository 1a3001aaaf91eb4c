"""The types that people give variables, and what may then be given for them."""

import copy
import pickle
from typing import Any

import pytest
from langchain_core.load import dumps

from prompt_adapters import Audio, Image, Message, Prompt, Variable
from prompt_adapters.errors import MediaError, PromptFormatError
from prompt_adapters.langchain import AdapterPromptTemplate, load

URL = "https://example.org/a.png"


def template(**fields: Any) -> AdapterPromptTemplate:
    types = {"photo": Image, "photos": list[Image], "n": int, "elsewhere": Audio}
    return AdapterPromptTemplate.from_messages([("user", "{q} {photo} {photos} {n}")], input_types=types, **fields)


def test_media_are_given_as_objects_without_a_path(photo: Image, photo_url: str) -> None:
    data = {"base64": photo_url.partition(",")[2], "mime_type": "image/png"}
    values = {"q": "?", "photo": data, "photos": [{"url": URL}, {"file_id": "file-1"}, photo], "n": 3}
    given = [photo, " ", Image(URL), Image.from_uploaded("file-1"), photo]
    assert template().invoke(values).native == (Message("user", ["? ", *given, " 3"]),)
    assert template().input_variables == ["q", "photo", "photos", "n"]
    schema = template().get_input_jsonschema()["properties"]
    assert "base64" in str(schema["photo"])
    assert schema["n"]["type"] == "integer"


def test_they_survive() -> None:
    whole = template(partial_variables={"n": 1})
    for twin in (load(dumps(whole)), pickle.loads(pickle.dumps(whole)), copy.deepcopy(whole), whole.partial(q="?")):
        assert twin.input_types["n"] is int
        assert "base64" in str(twin.get_input_jsonschema()["properties"]["photo"])
    added = "first {z} " + whole
    assert sorted(added.input_variables) == ["photo", "photos", "q", "z"]
    assert "base64" in str(added.get_input_jsonschema()["properties"]["photo"])


def test_no_photo_is_nothing_and_no_text() -> None:
    (message,) = template().invoke({"q": "?", "photo": Image(URL), "photos": [], "n": 0}).native
    assert message == Message("user", ["? ", Image(URL), "  0"])
    looped = Prompt(
        user="{% for p in photos %}{{ p }}{% endfor %}{{ photos | length }}",
        variables=[Variable("photos", type="image")],
    )
    assert AdapterPromptTemplate.from_prompt(looped).invoke({"photos": []}).native == (Message("user", "0"),)


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ({"path": "/etc/hostname"}, "the image is an object without 'base64', 'url', 'file_id'"),
        ({"url": "/etc/hostname"}, "neither a URL nor a data URL"),
        ({"url": "file:///etc/hostname"}, "use http"),
        ({"base64": "!"}, "is not base64"),
        ([{"type": "audio", "url": "https://example.org/a.mp3"}, {}], "without 'base64'"),
    ],
    ids=str,
)
def test_nothing_is_read_from_this_machine(value: Any, reason: str) -> None:
    with pytest.raises((MediaError, PromptFormatError)) as caught:
        template().invoke({"q": "?", "photo": value, "photos": [], "n": 0})
    assert reason in str(caught.value)


def test_declared_types_stand_before_given_ones() -> None:
    prompt = Prompt(user="{{ a }}{{ b }}", variables=[Variable("b", type="audio")])
    typed = AdapterPromptTemplate.from_prompt(prompt, input_types={"a": Image, "b": Image})
    assert [(v.name, v.type) for v in typed.prompt.variables] == [("b", "audio"), ("a", "image")]


BLOCK = {"type": "image_url", "image_url": {"url": "{u}"}}


def test_a_slot_in_a_block_is_described_as_text_or_object() -> None:
    schema = AdapterPromptTemplate.from_messages([("user", [BLOCK])]).get_input_jsonschema()
    assert schema["required"] == ["u"]
    text, medium, several = schema["properties"]["u"]["anyOf"]
    assert (text["type"], medium["title"], several["type"]) == ("string", "Image", "array")
    read = AdapterPromptTemplate.from_messages([("user", [BLOCK])]).get_input_schema()(u=[URL, {"url": URL}])
    assert read.u == [URL, Image(URL)]  # type: ignore[attr-defined]  # a field of the schema
