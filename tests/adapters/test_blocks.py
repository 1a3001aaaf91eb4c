"""The block contract: what is read of a template, and what is refused."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from prompt_adapters.adapters import PROMPT_ADAPTER_REGISTRY, get_adapter
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Audio, Document, Image, Text
from prompt_adapters.errors import (
    ForeignImageError,
    MediaReadError,
    PromptAdapterError,
    PromptFormatError,
    UnknownMediaTypeError,
    UnsupportedContentError,
)

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
DU1 = "data:image/png;base64," + base64.b64encode(PNG).decode()
STYLES = ("openai_style", "google_style", "anthropic_style")
EVERY_STYLE = sorted(PROMPT_ADAPTER_REGISTRY)


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
        with pytest.raises(TypeError, match=match) as caught:
            get_adapter(style).build_payload(Template([block]))
        assert isinstance(caught.value, PromptFormatError)


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


def test_a_foreign_image_is_asked_once_and_sent_word_for_word() -> None:
    class Counted(Wrapper):
        def __init__(self) -> None:
            self.asked: list[str] = []

        def as_bytes(self) -> bytes:
            self.asked.append("bytes")
            return PNG

        def as_data_url(self) -> str:
            self.asked.append("url")
            return "data:image/PNG;name=x;base64," + DU1.partition(",")[2]

    for style in EVERY_STYLE:
        wrapper = Counted()
        payload = get_adapter(style).build_payload(Template([text("A"), image(wrapper)]))
        assert sorted(wrapper.asked) == ["bytes", "url"]
        if style in ("openai_style", "openai_responses_style", "litellm_style"):
            assert "data:image/PNG;name=x;base64," in str(payload)


def raising(error: Exception) -> Any:
    def method(_self: object) -> Any:
        raise error

    return method


def wrapper(**methods: Any) -> Any:
    made = {name: method if callable(method) else lambda _self, m=method: m for name, method in methods.items()}
    return type("Odd", (Wrapper,), made)()


def url_of(data: bytes, label: str = "image/png") -> str:
    return f"data:{label};base64,{base64.b64encode(data).decode()}"


# A wrapper, and the error with its place.
MALFORMED: dict[str, tuple[Any, type[PromptAdapterError], str]] = {
    "no data URL": (wrapper(as_data_url="garbage"), MediaReadError, "'garbage' is not a data URL"),
    "a link": (wrapper(as_data_url="https://a.example/b.png"), MediaReadError, "is not a data URL"),
    "an empty data URL": (wrapper(as_data_url="data:image/png;base64,"), MediaReadError, "empty"),
    "broken base64": (wrapper(as_data_url="data:image/png;base64,!"), MediaReadError, "not base64"),
    "text in the data URL": (wrapper(as_data_url=url_of(b"hello")), UnknownMediaTypeError, "its data are text/plain"),
    "no type in the data URL": (wrapper(as_data_url=url_of(b"\0\1", "")), UnknownMediaTypeError, "no known type"),
    "a URL of None": (wrapper(as_data_url=None), MediaReadError, r"as_data_url\(\) gives NoneType, not a text"),
    "no bytes": (wrapper(as_bytes=b""), MediaReadError, "is empty"),
    "bytes of text": (wrapper(as_bytes=b"not an image"), UnknownMediaTypeError, "it looks like text/plain"),
    "bytes of nothing known": (wrapper(as_bytes=b"\0\1"), UnknownMediaTypeError, "bytes of no known type"),
    "bytes of a film": (
        wrapper(as_bytes=b"\0\0\0\x18ftypmp42" + bytes(16)),
        UnknownMediaTypeError,
        "it looks like video/mp4",
    ),
    "bytes that are text": (wrapper(as_bytes="x"), MediaReadError, r"Odd\.as_bytes\(\) gives str, not bytes"),
    "bytes that fail": (
        wrapper(as_bytes=raising(OSError("disk gone"))),
        ForeignImageError,
        r"Odd\.as_bytes\(\) fails with OSError: disk gone",
    ),
    "a URL that fails": (
        wrapper(as_data_url=raising(ZeroDivisionError())),
        ForeignImageError,
        r"Odd\.as_data_url\(\) fails with ZeroDivisionError",
    ),
}


@pytest.mark.parametrize("style", EVERY_STYLE)
@pytest.mark.parametrize("build", ["build_payload", "build_request"])
@pytest.mark.parametrize(("content", "error", "reason"), MALFORMED.values(), ids=MALFORMED)
def test_a_malformed_foreign_image_is_named_with_its_block(
    style: str, build: str, content: Any, error: type[PromptAdapterError], reason: str
) -> None:
    with pytest.raises(error, match=rf"^block 2 \(image\): .*{reason}") as caught:
        getattr(get_adapter(style), build)(Template([text("A"), image(content)]))
    assert type(caught.value) is error


def test_the_error_of_a_foreign_image_is_the_cause() -> None:
    mine = OSError("disk gone")
    with pytest.raises(MediaReadError) as caught:
        get_adapter("openai_style").build_payload(Template([image(wrapper(as_bytes=raising(mine)))]))
    assert caught.value.__cause__ is mine


@pytest.mark.parametrize("data", [bytearray(PNG), memoryview(PNG)], ids=["bytearray", "memoryview"])
def test_other_buffers_are_bytes(data: Any) -> None:
    (part,) = get_adapter("google_style").build_payload(Template([image(wrapper(as_bytes=data))], ""))
    assert part.inline_data.data == PNG


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
