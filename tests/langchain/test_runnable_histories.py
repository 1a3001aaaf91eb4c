"""What agents have in their histories, on its way through `AdapterRunnable` and templates."""

import base64
from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.messages import AIMessage, AIMessageChunk, HumanMessage, SystemMessage, ToolMessage
from langchain_core.prompt_values import ChatPromptValue

from prompt_adapters import Audio, Document, Image, Message, Prompt, ToolCall, ToolResult, Video, get_adapter
from prompt_adapters.errors import PromptFormatError
from prompt_adapters.langchain import AdapterPromptTemplate, AdapterPromptValue, AdapterRunnable
from prompt_adapters.langchain.styles import class_for

STYLES = ("openai_style", "anthropic_style", "google_style")
OPENAI = {"messages": [{"role": "system", "content": "s"}, {"role": "user", "content": "q"}]}


@pytest.fixture
def runnable() -> AdapterRunnable:
    return AdapterRunnable("openai_style")


SILENT: dict[str, Any] = {
    "no text": AIMessage(""),
    "no block": AIMessage([]),
    "an empty block": AIMessage([{"type": "text", "text": ""}]),
    "a thought": AIMessage([{"type": "thinking", "thinking": "hm", "signature": "s"}]),
    "a thought beside": AIMessage("", additional_kwargs={"reasoning_content": "hm"}),
    "a chunk": AIMessageChunk(content=""),
}


@pytest.mark.parametrize("answer", SILENT.values(), ids=SILENT)
def test_an_answer_that_says_nothing_is_left_out(
    answer: Any, runnable: AdapterRunnable, caplog: pytest.LogCaptureFixture
) -> None:
    messages = [SystemMessage("s"), HumanMessage("q"), answer]
    with caplog.at_level("INFO", "prompt_adapters"):
        assert runnable.invoke(messages) == OPENAI
    assert "langchain: message 3 (assistant): it says nothing, so it is left out" in caplog.text
    assert runnable.invoke(ChatPromptValue(messages=messages)) == OPENAI
    assert runnable.invoke({"messages": messages}) == OPENAI
    template = AdapterPromptTemplate.from_messages([("placeholder", "{h}")])
    assert template.invoke({"h": messages}).to_request("openai_style") == OPENAI
    assert AdapterRunnable("openai_style", prompt=template.prompt).invoke({"h": messages}) == OPENAI
    assert messages[2] is answer


HEARD: dict[str, tuple[Any, str]] = {
    "a refusal": (AIMessage("", additional_kwargs={"refusal": "no"}), "holds 'refusal'"),
    "an empty question": (HumanMessage(""), r"message 2 \(user\) is empty"),
    "an unknown block": (AIMessage([{"type": "hologram"}]), "message 2, block 1"),
}


@pytest.mark.parametrize(("message", "reason"), HEARD.values(), ids=HEARD)
def test_what_says_something_is_never_left_out(message: Any, reason: str, runnable: AdapterRunnable) -> None:
    with pytest.raises(PromptFormatError, match=reason):
        runnable.invoke([HumanMessage("q"), message])


def test_thoughts_are_left_out_and_the_answer_stays(runnable: AdapterRunnable) -> None:
    thought: Any = [{"type": "thinking", "thinking": "hm", "signature": "s"}, {"type": "text", "text": "a"}]
    said = runnable.invoke([HumanMessage("q"), AIMessage(thought), HumanMessage("r")])["messages"]
    assert [message["content"] for message in said] == ["q", "a", "r"]


NATIVE: dict[str, Any] = {
    "anthropic": lambda data: {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": data}},
    "google": lambda data: {"type": "media", "mime_type": "image/png", "data": data},
    "bedrock": lambda data: {"image": {"format": "png", "source": {"bytes": base64.b64decode(data)}}},
}


@pytest.mark.parametrize("block", NATIVE.values(), ids=NATIVE)
def test_native_blocks_are_read(block: Callable[[str], Any], photo: Image) -> None:
    message = HumanMessage([{"type": "text", "text": "q"}, block(photo.as_data_url().partition(",")[2])])
    for style in STYLES:
        assert AdapterRunnable(style).invoke([message]) == get_adapter(style).build_request(
            Message("user", ["q", photo])
        )


URL = "https://example.org/a"
EMITTED: dict[str, tuple[str, Any]] = {
    "no audio": ("image document", ["anthropic_style", "openai_responses_style"]),
    "all": ("image audio document", ["openai_style", "google_style", "bedrock_style", "mistral_style"]),
    "images": ("image", ["ollama_style", "cohere_style"]),
}
LINKED: dict[str, Any] = {
    "an uploaded image": ("openai_responses_style", Image.from_uploaded("file-1", mime="image/png", detail="low")),
    "audio by a link": ("mistral_style", Audio(f"{URL}.mp3")),
    "a document by a link": ("mistral_style", Document(f"{URL}.pdf", name="a.pdf")),
    "a text document": ("mistral_style", Document(b"hi there", name="a.txt")),
    "an object": ("bedrock_style", Video("s3://bucket/a.mp4")),
}


def _read_back(style: str, messages: list[Message]) -> None:
    prompt = Prompt(messages=messages)
    made = class_for(style).from_prompt(prompt).invoke({})
    expected = get_adapter(style).build_request(prompt)
    assert AdapterRunnable(style).invoke(made.to_messages()) == expected
    assert AdapterRunnable(style).invoke(made.to_messages()[0]) == expected
    again = AdapterPromptValue(messages=made.to_messages(), style=style)
    assert again.to_request() == expected


@pytest.mark.parametrize(("kinds", "style"), [(kinds, s) for kinds, styles in EMITTED.values() for s in styles])
def test_what_a_style_template_emits_is_read_back(
    kinds: str, style: str, photo: Image, sound: Audio, report: Document
) -> None:
    media = {"image": photo, "audio": sound, "document": report}
    _read_back(style, [Message("user", ["q", *(media[kind] for kind in kinds.split())])])


@pytest.mark.parametrize(("style", "part"), LINKED.values(), ids=LINKED)
def test_links_and_uploads_are_read_back(style: str, part: Any) -> None:
    _read_back(style, [Message("user", ["q", part])])


def test_tool_calls_and_results_are_converted() -> None:
    call: Any = {"type": "tool_call", "id": "1", "name": "f", "args": {"x": 1}}
    messages = [HumanMessage("q"), AIMessage("", tool_calls=[call]), ToolMessage("r", tool_call_id="1")]
    native = (
        Message("user", "q"), Message("assistant", ToolCall("1", "f", {"x": 1})), Message("tool", ToolResult("1", "r"))
    )  # fmt: skip
    for style in STYLES:
        assert AdapterRunnable(style).invoke(messages) == get_adapter(style).build_request(native)
