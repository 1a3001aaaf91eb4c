"""The block contract: what is read of a template, and what is refused."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from prompt_adapters.adapters import get_adapter
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Audio, Document, Image, Text
from prompt_adapters.errors import PromptAdapterError, PromptFormatError, UnsupportedContentError

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
DU1 = "data:image/png;base64," + base64.b64encode(PNG).decode()
STYLES = ("openai_style", "google_style", "anthropic_style")


class Template:
    """A template with just what the contract names."""

    def __init__(self, blocks: Any, system_prompt: Any = "S") -> None:
        self.system_prompt = system_prompt
        self.blocks = blocks
        self.calls: list[dict[str, Any]] = []

    def render_blocks(self, **kwargs: Any) -> Any:
        self.calls.append(kwargs)
        return self.blocks


class Wrapper:
    """A foreign image with the two methods of the contract."""

    def as_data_url(self) -> str:
        return DU1

    def as_bytes(self) -> bytes:
        return PNG


def text(content: str) -> dict[str, Any]:
    return {"type": "text", "content": content}


def image(content: Any = None) -> dict[str, Any]:
    return {"type": "image", "content": Image(PNG) if content is None else content}


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("build", ["build_payload", "build_request", "build_body"])
def test_values_go_to_the_template_as_they_are_and_once(style: str, build: str) -> None:
    template = Template([text("A")])
    marker = [2]
    getattr(get_adapter(style), build)(template, a=1, b=marker)
    assert template.calls == [{"a": 1, "b": [2]}]
    assert template.calls[0]["b"] is marker


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("build", ["build_payload", "build_request"])
@pytest.mark.parametrize("blocks", [[], [text("")], (), iter(())], ids=["none", "empty text", "tuple", "iterator"])
def test_no_blocks_at_all_is_an_error(style: str, build: str, blocks: Any) -> None:
    with pytest.raises(PromptFormatError, match="nothing to say in the user turn"):
        getattr(get_adapter(style), build)(Template(blocks))


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("build", ["build_payload", "build_request", "prepare"])
def test_an_unknown_block_type_is_named_with_its_place(style: str, build: str) -> None:
    with pytest.raises(UnsupportedContentError) as caught:
        getattr(get_adapter(style), build)(Template([text("A"), {"type": "hologram", "content": "x"}, text("B")]))
    assert caught.value.adapter == style
    assert caught.value.part == "a block of type 'hologram'"
    assert caught.value.position == "block 2"
    assert "text, image, audio, video, document" in caught.value.remedy


@pytest.mark.parametrize(
    ("block", "match"),
    [
        (image(object()), r"block 1 \(image\) must hold Image\(\.\.\.\), or an object with as_data_url\(\)"),
        (image("photo.jpg"), "must hold Image.*not str"),
        (image(b"x"), "not bytes"),
        (image(Wrapper), "not type"),
        ({"type": "audio", "content": Image(PNG)}, r"block 1 \(audio\) must hold Audio.*not Image"),
        ({"type": "text", "content": 3}, r"block 1 \(text\) must hold a str, not int"),
    ],
)
def test_a_malformed_content_is_named(block: dict[str, Any], match: str) -> None:
    for style in STYLES:
        with pytest.raises(TypeError, match=match):
            get_adapter(style).build_payload(Template([block]))


@pytest.mark.parametrize("block", [{"content": "x"}, {"type": "text"}, {"type": 3, "content": ""}, "text", None])
def test_what_is_no_block_is_named(block: Any) -> None:
    with pytest.raises(PromptFormatError, match="block 2 is not a block"):
        get_adapter("openai_style").build_payload(Template([text("A"), block]))


class NoBlocks:
    system_prompt = "S"


class NoSystem:
    def render_blocks(self) -> list[Any]:
        return [text("A")]


@pytest.mark.parametrize("template", [object(), NoBlocks(), NoSystem(), None, "text", 3, {"user": "Hi"}])
@pytest.mark.parametrize("build", ["build_payload", "build_request"])
def test_what_is_no_template_is_named(template: Any, build: str) -> None:
    with pytest.raises(TypeError, match=f"{type(template).__name__} is not a prompt: give a Prompt"):
        getattr(get_adapter("openai_style"), build)(template)


@pytest.mark.parametrize("blocks", ["text", None, {"type": "text"}, 3])
def test_blocks_are_a_list(blocks: Any) -> None:
    with pytest.raises(TypeError, match=r"render_blocks\(\) must give a list"):
        get_adapter("openai_style").build_payload(Template(blocks))


def test_the_system_prompt_is_a_text() -> None:
    with pytest.raises(TypeError, match="system_prompt must be a text, not int"):
        get_adapter("openai_style").build_payload(Template([text("A")], system_prompt=3))


def test_an_error_of_the_template_passes_through() -> None:
    class Broken(Template):
        def render_blocks(self, **kwargs: Any) -> Any:
            raise RuntimeError("mine")

    with pytest.raises(RuntimeError, match="mine"):
        get_adapter("openai_style").build_payload(Broken([]))


def test_a_foreign_image_is_an_image_everywhere() -> None:
    template = Template([text("A"), image(Wrapper())])
    assert get_adapter("openai_style").build_payload(template)[1]["content"][2] == {
        "type": "image_url",
        "image_url": {"url": DU1},
    }
    part = get_adapter("google_style").build_payload(template)[2]
    assert (part.inline_data.data, part.inline_data.mime_type) == (PNG, "image/png")
    (message,) = get_adapter("anthropic_style").build_payload(template)
    assert message["content"][1]["source"]["data"] == base64.b64encode(PNG).decode()
    for style in STYLES:
        assert get_adapter(style).prepare(template).messages[-1].parts[-1] == Image(PNG)


def test_a_foreign_image_that_nobody_knows_is_refused() -> None:
    class Odd(Wrapper):
        def as_bytes(self) -> bytes:
            return b"\x00\x01"

        def as_data_url(self) -> str:
            return "data:;base64,AAE="

    with pytest.raises(PromptAdapterError, match="no known type"):
        get_adapter("google_style").build_payload(Template([image(Odd())]))


def test_a_foreign_image_may_label_what_its_bytes_do_not_tell() -> None:
    class Labelled(Wrapper):
        def as_bytes(self) -> bytes:
            return b"\x00\x01"

        def as_data_url(self) -> str:
            return "data:image/x-new;base64,AAE="

    (part,) = get_adapter("google_style").build_payload(Template([image(Labelled())], ""))
    assert part.inline_data.mime_type == "image/x-new"


def test_blocks_of_every_kind_are_read() -> None:
    wav = Audio(b"RIFF\x24\x00\x00\x00WAVEfmt " + bytes(28))
    pdf = Document(b"%PDF-1.4\n%%EOF\n", name="a.pdf")
    blocks = [text("A"), {"type": "audio", "content": wav}, {"type": "document", "content": pdf}]
    kinds = [item["type"] for item in get_adapter("openai_style").build_payload(Template(blocks, ""))[0]["content"]]
    assert kinds == ["text", "text", "input_audio", "text", "file"]
    assert len(get_adapter("google_style").build_payload(Template(blocks, ""))) == 5
    with pytest.raises(UnsupportedContentError, match=r"audio \(audio/wav\) at message 1 \(user\), part 2"):
        get_adapter("anthropic_style").build_payload(Template(blocks, ""))


def test_separators_can_be_replaced() -> None:
    template = Template([text("A"), image(), text("B")])
    pairs = {("text", "image"): "", ("image", "text"): " | "}
    (user,) = get_adapter("openai_style", separators=pairs).build_payload(Template(template.blocks, ""))
    assert [item.get("text") for item in user["content"]] == ["A", None, " | ", "B"]
    pairs[("image", "text")] = "\n"
    made = get_adapter("anthropic_style", separators=pairs).build_request(template)
    assert [block.get("text") for block in made["messages"][0]["content"]] == ["A", None, "\nB"]


def test_messages_take_no_values() -> None:
    with pytest.raises(TypeError, match="messages have no variables, but 'x' is given"):
        get_adapter("openai_style").build_request(Message("user", "Hi"), x=1)
    assert get_adapter("openai_style", extra="ignore").build_request(Message("user", "Hi"), x=1)


@pytest.mark.parametrize("messages", [[Message("user", "Hi"), {"role": "user"}], ("Hi",), [("user", "Hi")]])
def test_only_messages_are_messages(messages: Any) -> None:
    with pytest.raises(TypeError, match=r"message \d is \w+, not a Message; write Message\('user', 'Hi'\)"):
        get_adapter("openai_style").build_request(messages)


def test_a_text_part_may_be_the_content_of_a_text_block() -> None:
    (user,) = get_adapter("openai_style").build_payload(
        Template([text("A"), {"type": "text", "content": Text("B")}], "")
    )
    assert [item["text"] for item in user["content"]] == ["A", "\n", "B"]
