"""What LiteLLM and LangChain's chat-model packages make of a conversation, without a key and without a network.

Each gets the conversation as its own users write it: LiteLLM OpenAI's messages, with documents, films and links as the
``file`` parts of its documentation; LangChain the messages of a prompt value.
"""

from __future__ import annotations

import asyncio
import base64
import importlib
import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Any, assert_never

from pydantic import SecretStr
from pydantic.alias_generators import to_camel

from comparable import PLACES
from prompt_adapters import Message
from prompt_adapters.content.parts import Audio, Document, Image, MediaPart, Part, Text, ToolCall, ToolResult, Video
from prompt_adapters.content.source import Inline, Link, Uploaded

# Before LiteLLM is imported: otherwise it asks GitHub for its table of models, and for one of Anthropic's headers.
os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
os.environ["LITELLM_LOCAL_ANTHROPIC_BETA_HEADERS"] = "True"


# OpenAI's messages, as a user of LiteLLM writes them


def openai_messages(messages: Iterable[Message]) -> list[dict[str, Any]]:
    """The conversation, written after LiteLLM's documentation.

    https://docs.litellm.ai/docs/completion/input, .../vision, .../document_understanding, .../audio
    """
    written = []
    for message in messages:
        if message.role == "tool":
            written += [_tool_message(part) for part in message.parts if isinstance(part, ToolResult)]
            continue
        calls = [part for part in message.parts if isinstance(part, ToolCall)]
        rest = [part for part in message.parts if not isinstance(part, ToolCall)]
        turn: dict[str, Any] = {"role": message.role, "content": _content(rest, cache=message.cache)}
        turn |= {"name": message.name} if message.name else {}
        turn |= {"tool_calls": [_tool_call(call) for call in calls]} if calls else {}
        written.append(turn)
    return written


def _content(parts: Sequence[Part], *, cache: bool = False) -> Any:
    if not parts:
        return ""
    blocks = [_block(part) | (_MARK if part.cache else {}) for part in parts]
    blocks[-1] |= _MARK if cache else {}
    return blocks[0]["text"] if len(blocks) == 1 and blocks[0].keys() == {"type", "text"} else blocks


_MARK = {"cache_control": {"type": "ephemeral"}}


def _tool_call(call: ToolCall) -> dict[str, Any]:
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments_json}}


def _tool_message(result: ToolResult) -> dict[str, Any]:
    named = {"name": result.name} if result.name else {}
    return {"role": "tool", "tool_call_id": result.id, **named, "content": _content(list(result.parts))}


def _block(part: Part) -> dict[str, Any]:
    match part:
        case Text():
            return {"type": "text", "text": part.text}
        case Image(source=Inline() | Link() as source):
            url = part.as_data_url() if isinstance(source, Inline) else source.url
            return {"type": "image_url", "image_url": {"url": url} | ({"detail": part.detail} if part.detail else {})}
        case Audio(source=Inline(mime=mime, data=data)):
            form = {"audio/wav": "wav", "audio/mpeg": "mp3"}[mime]
            return {"type": "input_audio", "input_audio": {"data": base64.b64encode(data).decode(), "format": form}}
        case Image() | Audio() | Video() | Document():
            return {"type": "file", "file": _file(part)}
        case ToolCall() | ToolResult():
            raise AssertionError("stands in a message of its own")
    assert_never(part)


def _file(part: MediaPart) -> dict[str, Any]:
    match part.source:
        case Inline():
            file: dict[str, Any] = {"file_data": part.as_data_url()}
        case Link(url=uri) | Uploaded(uri=uri):
            told = not PurePosixPath(uri).suffix  # LiteLLM wants the type where the address does not tell it
            file = {"file_id": uri} | ({"format": part.mime_type} if part.mime_type and told else {})
        case _:
            assert_never(part.source)
    if isinstance(part, Document) and part.name:
        file["filename"] = part.name
    if isinstance(part, Video):
        clip = {"start_offset": part.start, "end_offset": part.end}
        metadata: dict[str, Any] = {name: f"{seconds:g}s" for name, seconds in clip.items() if seconds is not None}
        metadata |= {"fps": part.fps} if part.fps is not None else {}
        file |= {"video_metadata": metadata} if metadata else {}
    return file


# LiteLLM


@contextmanager
def _their_habits() -> Iterator[None]:
    """LiteLLM asks for an event loop; both warn while they convert and when they are imported."""
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        asyncio.set_event_loop(None)
        loop.close()


def by_litellm(style: str, model: str, messages: Iterable[Message]) -> dict[str, Any]:
    """What `litellm.completion` makes of the conversation, by the functions that it calls one after the other."""
    with _their_habits():
        import litellm
        from litellm.types.utils import LlmProviders
        from litellm.utils import ProviderConfigManager, validate_and_fix_openai_messages

        litellm.suppress_debug_info = True
        # Otherwise models that LiteLLM does not list go to Bedrock's older API.
        name, provider, *_ = litellm.get_llm_provider(model.replace("bedrock/", "bedrock/converse/"))
        written = validate_and_fix_openai_messages(openai_messages(messages))
        config = ProviderConfigManager.get_provider_chat_config(name, LlmProviders(provider))
        if config is None:
            raise LookupError(f"LiteLLM has no chat configuration for {model}")
        written = list(
            config.translate_developer_role_to_system_role(
                written, model=name, custom_llm_provider=provider, api_base=None, model_info=None
            )
        )
        return _LITELLM.get(style, _litellm_transformed)(config, name, provider, written)


def _litellm_transformed(config: Any, model: str, provider: str, messages: list[Any]) -> dict[str, Any]:
    optional = {"max_tokens": 1} if provider == "anthropic" else {}
    made: dict[str, Any] = config.transform_request(model, messages, optional, {}, {})
    return made


def _litellm_google(_config: Any, model: str, provider: str, messages: list[Any]) -> dict[str, Any]:
    from litellm.llms.vertex_ai.gemini.transformation import transform_request_body

    transform: Any = transform_request_body
    body: dict[str, Any] = transform(messages, model, {}, provider, {}, None)
    return {to_camel(key): value for key, value in body.items()}


def _litellm_responses(_config: Any, _model: str, _provider: str, messages: list[Any]) -> dict[str, Any]:
    from litellm.completion_extras.litellm_responses_transformation.transformation import (
        LiteLLMResponsesTransformationHandler,
    )

    handler: Any = LiteLLMResponsesTransformationHandler
    items, instructions = handler().convert_chat_completion_messages_to_responses_api(messages)
    return {"instructions": instructions, "input": items}


_LITELLM: Mapping[str, Callable[[Any, str, str, list[Any]], dict[str, Any]]] = {
    "google_style": _litellm_google,
    "openai_responses_style": _litellm_responses,
}


# LangChain


def by_langchain(style: str, model: str, messages: tuple[Message, ...]) -> dict[str, Any]:
    """What the chat model of the provider's package makes of a prompt value with this conversation."""
    with _their_habits():
        from langchain_core.language_models._utils import _normalize_messages

        from prompt_adapters.langchain import AdapterPromptValue

        written = _normalize_messages(AdapterPromptValue.rendered(messages).to_messages())
        return _LANGCHAIN[style](model.partition("/")[2], list(written))


_KEY = SecretStr("test")


@lru_cache(maxsize=32)
def _chat_model(package: str, name: str, **options: Any) -> Any:
    return getattr(importlib.import_module(package), name)(**options)


def _chat_openai(model: str, responses: bool) -> Any:
    options = {"model": model, "api_key": _KEY, "use_responses_api": responses}
    return _chat_model("langchain_openai", "ChatOpenAI", **options)


def _langchain_openai(model: str, messages: list[Any]) -> dict[str, Any]:
    payload: dict[str, Any] = _chat_openai(model, responses=False)._get_request_payload(messages)
    return payload


def _langchain_responses(model: str, messages: list[Any]) -> dict[str, Any]:
    chat = _chat_openai(model.removeprefix("responses/"), responses=True)
    payload: dict[str, Any] = chat._get_request_payload(messages)
    return payload


def _langchain_anthropic(model: str, messages: list[Any]) -> dict[str, Any]:
    chat = _chat_model("langchain_anthropic", "ChatAnthropic", model=model, api_key=_KEY)
    payload: dict[str, Any] = chat._get_request_payload(messages)
    return payload


def _langchain_google(model: str, messages: list[Any]) -> dict[str, Any]:
    chat = _chat_model("langchain_google_genai", "ChatGoogleGenerativeAI", model=model, api_key=_KEY)
    payload = chat._prepare_request(messages)
    return {
        "systemInstruction": _dumped(payload["config"].system_instruction),
        "contents": [_dumped(content) for content in payload["contents"]],
    }


def _langchain_bedrock(model: str, messages: list[Any]) -> dict[str, Any]:
    from langchain_aws.chat_models.bedrock_converse import _messages_to_bedrock

    base = model.removeprefix("us.")
    turns, system = _messages_to_bedrock(messages, model_id=base, provider=base.partition(".")[0])
    return {"system": system, "messages": turns}


def _langchain_mistral(model: str, messages: list[Any]) -> dict[str, Any]:
    chat = _chat_model("langchain_mistralai", "ChatMistralAI", model=model, api_key=_KEY)
    return {"messages": chat._create_message_dicts(messages, None)[0]}


def _langchain_ollama(model: str, messages: list[Any]) -> dict[str, Any]:
    params = _chat_model("langchain_ollama", "ChatOllama", model=model)._chat_params(messages)
    return {"messages": [_dumped(message) for message in params["messages"]]}


_LANGCHAIN: Mapping[str, Callable[[str, list[Any]], dict[str, Any]]] = {
    "openai_style": _langchain_openai,
    "openai_responses_style": _langchain_responses,
    "anthropic_style": _langchain_anthropic,
    "google_style": _langchain_google,
    "bedrock_style": _langchain_bedrock,
    "mistral_style": _langchain_mistral,
    "ollama_style": _langchain_ollama,
}


def _dumped(value: Any) -> Any:
    return value.model_dump(exclude_none=True) if hasattr(value, "model_dump") else value


LIBRARIES: Mapping[str, tuple[Callable[[str, str, tuple[Message, ...]], dict[str, Any]], tuple[str, ...]]] = {
    "litellm": (by_litellm, tuple(PLACES)),
    "langchain": (by_langchain, tuple(_LANGCHAIN)),
}
