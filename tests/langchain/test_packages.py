"""A template of a style, through the chat-model package that it is for: the request that our own adapter makes."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import pytest
from langchain_anthropic import ChatAnthropic
from langchain_aws.chat_models.bedrock_converse import _messages_to_bedrock
from langchain_core.language_models._utils import _normalize_messages
from langchain_google_genai import ChatGoogleGenerativeAI
from langchain_mistralai import ChatMistralAI
from langchain_ollama import ChatOllama
from langchain_openai import ChatOpenAI
from pydantic import SecretStr

from comparable import comparable, conversation
from prompt_adapters import Audio, Document, Image, Message, Prompt, ToolCall, ToolResult, Video, get_adapter
from prompt_adapters.errors import UnsupportedContentError
from prompt_adapters.langchain.styles import class_for

KEY = SecretStr("test")
MISTRAL = ChatMistralAI(model_name="m", api_key=KEY)
URL = "https://example.org/a"


def _openai(messages: list[Any], responses: bool = False) -> Any:
    return ChatOpenAI(model="gpt-5", api_key=KEY, use_responses_api=responses)._get_request_payload(messages)


def _anthropic(messages: list[Any]) -> Any:
    return ChatAnthropic(model_name="m", api_key=KEY, timeout=None, stop=None)._get_request_payload(messages)


def _google(messages: list[Any]) -> Any:
    payload = ChatGoogleGenerativeAI(model="m", api_key=KEY)._prepare_request(messages)
    system = payload["config"].system_instruction
    contents = [content.model_dump(exclude_none=True) for content in payload["contents"]]
    return {"systemInstruction": system and system.model_dump(exclude_none=True), "contents": contents}


def _bedrock(messages: list[Any]) -> Any:
    turns, system = _messages_to_bedrock(messages)
    return {"system": system, "messages": turns}


PACKAGES: Mapping[str, Callable[[list[Any]], Any]] = {
    "openai_style": _openai,
    "openai_responses_style": lambda messages: _openai(messages, responses=True),
    "anthropic_style": _anthropic,
    "google_style": _google,
    "bedrock_style": _bedrock,
    "mistral_style": lambda ms: {"messages": MISTRAL._create_message_dicts(ms, None)[0]},
    "ollama_style": lambda ms: {"messages": ChatOllama(model="m")._convert_messages_to_ollama_messages(ms)},
}


class Media(NamedTuple):
    photo: Image
    sound: Audio
    film: Video
    report: Document


@pytest.fixture
def media(photo: Image, sound: Audio, film: Video, report: Document) -> Media:
    return Media(photo, sound, film, report)


def _called(*result: Any) -> list[Message]:
    call = Message("assistant", ToolCall("abcdefghi", "f", {"x": 1}))
    return [Message("user", "q"), call, Message("tool", ToolResult("abcdefghi", result, name="f"))]


CONVERSATIONS: dict[str, Callable[[Media], list[Message]]] = {
    "texts": lambda _: [Message("system", "s"), Message("user", "q"), Message("assistant", "a"), Message("user", "r")],
    "two texts": lambda _: [Message("user", ["a", "b"])],
    "an image": lambda m: [Message("user", ["a", m.photo, "b"])],
    "an image alone": lambda m: [Message("user", m.photo)],
    "detail": lambda m: [Message("user", ["a", m.photo.replace(detail="low")])],
    "an image by a link": lambda _: [Message("user", ["a", Image(f"{URL}.png")])],
    "an uploaded image": lambda _: [Message("user", ["a", Image.from_uploaded("file-1", mime="image/png")])],
    "audio": lambda m: [Message("user", ["a", m.sound])],
    "audio by a link": lambda _: [Message("user", ["a", Audio(f"{URL}.mp3")])],
    "video": lambda m: [Message("user", ["a", m.film])],
    "a PDF": lambda m: [Message("user", ["a", m.report])],
    "two PDFs": lambda m: [Message("user", ["a", m.report, m.report.replace(title="T. t")])],
    "a PDF without a name": lambda m: [Message("user", ["a", m.report.replace(name=None)])],
    "a text document": lambda _: [Message("user", ["a", Document(b"hi there", name="n.txt")])],
    "a PDF by a link": lambda _: [Message("user", ["a", Document(f"{URL}.pdf")])],
    "an uploaded PDF": lambda _: [Message("user", ["a", Document.from_uploaded("file-1", mime="application/pdf")])],
    "a call": lambda _: _called("r"),
    "a call that gives an image": lambda m: _called("r", m.photo),
    "a call that gives a PDF": lambda m: _called("r", m.report),
    "a system text in the middle": lambda _: [
        Message("system", "s"), Message("user", "q"), Message("system", "t"), Message("user", "r")
    ],
}  # fmt: skip


def _sent(style: str, messages: list[Message]) -> tuple[Any, Any]:
    """What the adapter sends, and what the package makes of the template's messages; an error for what is refused."""
    try:
        ours: Any = comparable(style, conversation(style, get_adapter(style).build_body(tuple(messages))))
    except UnsupportedContentError as error:
        ours = str(error)
    template = class_for(style).from_prompt(Prompt(messages=messages, syntax="none"))
    try:
        made = template.invoke({}).to_messages()
    except UnsupportedContentError as error:
        return ours, str(error)
    return ours, comparable(style, conversation(style, PACKAGES[style](_normalize_messages(made))))


def _without(value: Any, *names: str) -> Any:
    """The same without these keys."""
    if isinstance(value, dict):
        return {key: _without(item, *names) for key, item in value.items() if key not in names}
    return [_without(item, *names) for item in value] if isinstance(value, list) else value


def _without_breaks(value: Any) -> Any:
    """The same without a line break at the start of a message."""
    messages = [{**message, "content": message["content"].removeprefix("\n")} for message in value["messages"]]
    return {"messages": messages}


# What a package writes in another way, and how both ways are made one.
ALIKE: Mapping[tuple[str, str], Callable[[Any], Any]] = {
    # langchain-google-genai sends calls without their ids.
    ("google_style", "a call"): lambda sent: _without(sent, "id"),
    # langchain-mistralai leaves the type of a call out, which is the default.
    ("mistral_style", "a call"): lambda sent: {"messages": [_without(m, "type") for m in sent["messages"]]},
    # langchain-ollama starts a list of texts with a line break, and names calls by their ids.
    ("ollama_style", "two texts"): _without_breaks,
    ("ollama_style", "an image"): _without_breaks,
    ("ollama_style", "detail"): _without_breaks,
    ("ollama_style", "a call"): lambda sent: _without(sent, "id", "type", "tool_call_id", "tool_name"),
    ("ollama_style", "a call that gives an image"): lambda sent: _without(
        _without_breaks({"messages": [{"content": "", **m} for m in sent["messages"]]}),
        "id", "type", "tool_call_id", "tool_name",
    ),
}  # fmt: skip
# Where langchain-google-genai puts what a tool gave: beside the result, and not into it.
BESIDE = {("google_style", "a call that gives an image"), ("google_style", "a call that gives a PDF")}
# What only the official client takes.
REFUSED = {("mistral_style", "an uploaded image"), ("mistral_style", "an uploaded PDF")}
PAIRS = [(style, name) for style in PACKAGES for name in CONVERSATIONS]


@pytest.mark.parametrize(("style", "name"), sorted(set(PAIRS) - BESIDE - REFUSED))
def test_the_package_sends_what_the_adapter_sends(style: str, name: str, media: Media) -> None:
    ours, theirs = _sent(style, CONVERSATIONS[name](media))
    if alike := ALIKE.get((style, name)):
        assert ours != theirs
        ours, theirs = alike(ours), alike(theirs)
    assert ours == theirs


@pytest.mark.parametrize(("style", "name"), sorted(BESIDE))
def test_media_of_a_tool_go_through_whole(style: str, name: str, media: Media) -> None:
    ours, theirs = _sent(style, CONVERSATIONS[name](media))
    (part,) = [part for part in CONVERSATIONS[name](media)[2].parts[0].parts if part.kind != "text"]  # type: ignore[union-attr]  # it is a result
    data = part.as_data_url().partition(",")[2]  # type: ignore[union-attr]  # it is a medium
    assert str(ours).count(data) == str(theirs).count(data) == 1


@pytest.mark.parametrize(("style", "name"), sorted(REFUSED))
def test_what_the_package_would_spoil_is_refused_with_the_way_out(style: str, name: str, media: Media) -> None:
    ours, theirs = _sent(style, CONVERSATIONS[name](media))
    assert isinstance(ours, dict)
    assert theirs.startswith("langchain-mistralai cannot take")
    assert f"AdapterRunnable('{style}')" in theirs
