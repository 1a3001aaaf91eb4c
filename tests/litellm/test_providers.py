"""Every conversation of the table to every kind of provider: real LiteLLM, real HTTP, and what arrives is read back.

For each the bridge refuses, and says why, or the request that arrives says what was said: every text and medium once,
in order and by the right speaker, and nothing else. Nothing is fetched on the way, and nothing of the caller's changes.
"""

import base64
import copy
import importlib.util
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from pydantic.alias_generators import to_camel

from comparable import PLACES
from litellm_access import access
from prompt_adapters import Message
from prompt_adapters.adapters import read_request
from prompt_adapters.adapters.marks import parts_with_mark
from prompt_adapters.content.parts import Document, Image, MediaPart, Part, Text, ToolCall, ToolResult, Video
from prompt_adapters.content.source import Inline, Link, Uploaded
from prompt_adapters.errors import PromptAdapterError, PromptFormatError
from prompt_adapters.litellm import LiteLLMBridge

Body = dict[str, Any]
_TABLE = Path(__file__).parents[1] / "contract" / "conversations.py"


def _conversations() -> dict[str, Any]:
    """The table, which is on no import path."""
    spec = importlib.util.spec_from_file_location("conversations_for_litellm", _TABLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    found: dict[str, Any] = module.CONVERSATIONS
    return found


CONVERSATIONS = _conversations()


class Target(NamedTuple):
    """One kind of provider.

    Attributes:
        model: A model of its.
        least: How many conversations arrive at least; the others are refused.
        tools: Whether LiteLLM declares tools there.
    """

    model: str
    least: int
    tools: bool = True


TARGETS: dict[str, Target] = {
    "openai": Target("openai/gpt-4o", 49),
    "openai responses": Target("openai/responses/gpt-5.6", 46),
    "azure": Target("azure/mine", 50),
    "azure_ai": Target("azure_ai/mistral-large", 48),
    "azure_ai claude": Target("azure_ai/claude-sonnet-4-5", 46),
    "anthropic": Target("anthropic/claude-haiku-4-5", 46),
    "gemini": Target("gemini/gemini-2.5-pro", 51),
    "vertex gemini": Target("vertex_ai/gemini-2.5-pro", 57),
    "vertex claude": Target("vertex_ai/claude-haiku-4-5@20251001", 44),
    "vertex mistral": Target("vertex_ai/mistral-large@2411", 38),
    "listed vertex mistral": Target("vertex_ai/mistral-small-2503", 38),
    "vertex llama": Target("vertex_ai/meta/llama-4-scout-17b-16e-instruct-maas", 40),
    "bedrock claude": Target("bedrock/us.anthropic.claude-haiku-4-5-20251001-v1:0", 40),
    "bedrock nova": Target("bedrock/amazon.nova-lite-v1:0", 40),
    "bedrock invoke": Target("bedrock/invoke/us.anthropic.claude-haiku-4-5-20251001-v1:0", 42),
    "mistral": Target("mistral/mistral-medium-latest", 38),
    "codestral": Target("codestral/codestral-latest", 38),
    "cohere": Target("cohere_chat/command-a-vision-07-2025", 39),
    "ollama_chat": Target("ollama_chat/llama3.2-vision", 42),
    "ollama": Target("ollama/llama3.2-vision", 42),
    "groq": Target("groq/meta-llama/llama-4-scout-17b-16e-instruct", 40),
    "openrouter": Target("openrouter/anthropic/claude-sonnet-4.5", 55),
    "vllm": Target("hosted_vllm/Qwen/Qwen2.5-VL-7B-Instruct", 55),
    "together": Target("together_ai/Qwen/Qwen2.5-VL-72B-Instruct", 54),
    "fireworks": Target("fireworks_ai/accounts/fireworks/models/qwen2p5-vl-32b-instruct", 43),
    "xai": Target("xai/grok-4", 48),
    "deepseek": Target("deepseek/deepseek-chat", 29),
    "lm_studio": Target("lm_studio/llava", 41),
    "litellm_proxy": Target("litellm_proxy/mine", 52),
    "perplexity": Target("perplexity/sonar", 47, tools=False),
    "databricks": Target("databricks/databricks-claude-sonnet-4", 45),
    "watsonx": Target("watsonx/meta-llama/llama-3-2-90b-vision-instruct", 50),
    "moonshot": Target("moonshot/moonshot-v1-32k-vision-preview", 50),
    "deepinfra": Target("deepinfra/meta-llama/Llama-4-Scout-17B-16E-Instruct", 48),
    "sambanova": Target("sambanova/Llama-4-Maverick-17B-128E-Instruct", 27, tools=False),
}


def tools_for(messages: Iterable[Message]) -> list[Body]:
    """Declarations of the tools that are called."""
    calls = [part for message in messages for part in message.parts if isinstance(part, ToolCall)]
    schema: Body = {"type": "object", "properties": {}}
    called = dict.fromkeys(call.name for call in calls)
    return [
        {"type": "function", "function": {"name": name, "description": "d", "parameters": schema}} for name in called
    ]


# What is said, so that it can be compared


def said(messages: Iterable[Message], *, media_first: bool) -> list[tuple[str, str]]:
    """Who says what, texts of one turn as one and without whitespace."""
    found: list[tuple[str, str]] = []
    for message in messages:
        role = "system" if message.role == "developer" else message.role
        for part in sorted(_flat(message.parts, role), key=lambda part: _rank(part[1], media_first)):
            for kind, value in _tokens(part[1]):
                _add(found, ("role", part[0]) if kind == "role" else (kind, value), part[0])
    return found


def _flat(parts: Sequence[Part], role: str) -> Iterator[tuple[str, Part]]:
    for part in parts:
        yield ("tool" if isinstance(part, ToolResult) else role), part


def _rank(part: Part, media_first: bool) -> int:
    """Calls stand behind the text everywhere, and for Ollama media before it."""
    return 2 if isinstance(part, ToolCall) else int(not (media_first and isinstance(part, MediaPart)))


def _add(found: list[tuple[str, str]], token: tuple[str, str], role: str) -> None:
    spoken = [value for kind, value in found if kind == "role"]
    if not token[1] and token[0] == "text":
        return
    if not spoken or spoken[-1] != role:
        found.append(("role", role))
    if token[0] == "text" and found[-1][0] == "text":
        token = ("text", found.pop()[1] + token[1])
    found.append(token)


def _tokens(part: Part) -> Iterator[tuple[str, str]]:
    match part:
        case Text():
            yield "text", "".join(part.text.split())
        case ToolCall():
            yield "call", f"{part.name} {part.arguments_json}"
        case ToolResult():
            inner = [token for item in part.parts for token in _tokens(item)]
            yield "result", "".join(value for kind, value in inner if kind == "text")
            yield from (token for token in inner if token[0] != "text")
        case _:
            yield "medium", _content(part)


def _content(part: Any) -> str:
    match part.source:
        case Inline(data=data):
            return base64.b64encode(data).decode()
        case Link(url=uri) | Uploaded(uri=uri):
            return str(uri)
    raise AssertionError("there is no other source")


def words(tokens: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """The same without the speakers, and without the marks around what the system says in mid-conversation."""
    found: list[tuple[str, str]] = []
    for kind, value in tokens:
        value = value.replace("<system>", "").replace("</system>", "") if kind == "text" else value
        if kind == "role" or not value:
            continue
        if kind == "text" and found and found[-1][0] == "text":
            value = found.pop()[1] + value
        found.append((kind, value))
    return found


def _in_kinds(tokens: list[tuple[str, str]], media_first: bool) -> list[tuple[str, str]]:
    """The tokens, by kind where media lose their place anyway, with all text as one."""
    if not media_first:
        return tokens
    text = "".join(value for kind, value in tokens if kind == "text")
    return [*(token for token in tokens if token[0] != "text"), ("text", text)]


def fields(messages: Iterable[Message], carries: Iterable[str]) -> dict[str, Any]:
    """What is set beside texts and media, of what is carried."""
    messages = list(messages)
    parts = [part for message in messages for part in parts_with_mark(message)]
    found = {
        "name": [message.name for message in messages if message.name and message.role != "tool"],
        "cache": sum(part.cache for part in parts),
        "detail": [part.detail for part in parts if isinstance(part, Image) and part.detail not in (None, "auto")],
        "title": [
            part.title or part.name for part in parts if isinstance(part, Document) and (part.title or part.name)
        ],
        "clip": [(part.start, part.end, part.fps) for part in parts if isinstance(part, Video)],
    }
    return {field: found[field] for field in carries if field in found}


def _as_google_says(value: Any) -> Any:
    """A body in Google's own spelling; what a tool gave is what LiteLLM calls its content."""
    match value:
        case {"function_response": {"name": name, "response": {"content": content}}}:
            return {"functionResponse": {"name": name, "response": {"output": content}, "parts": []}}
        case {"function_call": call}:
            return {"functionCall": call}
        case {"role": "user", "parts": [{"function_response": _}, *_] as parts}:
            results: list[Any] = []
            for part in map(_as_google_says, parts):
                if "inlineData" in part:  # LiteLLM puts a result's images behind it
                    results[-1]["functionResponse"]["parts"].append(part)
                else:
                    results.append(part)
            return {"role": "user", "parts": results}
        case dict():
            return {to_camel(key): _as_google_says(item) for key, item in value.items()}
        case list():
            return [_as_google_says(item) for item in value]
    return value


def arrived(style: str, body: Mapping[str, Any]) -> tuple[Message, ...]:
    """The messages in a body, read by this package's own reader of the provider's shape."""
    if style == "google_style":
        body = _as_google_says(body)
    if style == "ollama_style":  # LiteLLM names the call in place of the tool
        named = {"tool_name": "?"}
        body = {"messages": [one | (named if one["role"] == "tool" else {}) for one in body["messages"]]}
    return read_request(style, {place: body[place] for place in PLACES[style] if place in body}).messages


class Attempt:
    """A conversation on its way to a provider.

    Attributes:
        messages: What is said.
        bridge: The bridge.
        expected: What the adapter says that it sends; the error in its place when it refuses.
        arguments: The other arguments of the call.
    """

    def __init__(self, target: Target, conversation: Any, url: str) -> None:
        self.messages = conversation.messages
        model = target.model
        style = LiteLLMBridge(model).route.style
        special = conversation.models.get(style, "")
        if special.partition("/")[0] == model.partition("/")[0] and "invoke/" not in model:
            model = special
        self.parameters = dict(conversation.parameters)
        self.bridge = LiteLLMBridge(model, parameters=self.parameters, **conversation.options)
        self.arguments = access(model, url)
        if target.tools and (tools := tools_for(self.messages)):
            self.arguments["tools"] = tools
        self.request: Body | None = None
        self.refusal: PromptAdapterError | None = None
        try:
            self.request = self.bridge.request(self.messages, **self.arguments)
        except PromptAdapterError as error:
            self.refusal = error

    @property
    def style(self) -> str:
        """The shape of what arrives."""
        return self.bridge.route.style

    def faults(self, body: Mapping[str, Any]) -> list[str]:
        """What is wrong with what arrived."""
        first = self.style == "ollama_style"
        adapter = self.bridge._speaker.beside(self.arguments)
        prepared, read = adapter.prepare(self.messages).messages, arrived(self.style, body)
        wanted, found = said(prepared, media_first=first), said(read, media_first=first)
        original = said(self.messages, media_first=first)
        faults = [] if found == wanted else [f"arrives as {found}, not as {wanted}"]
        if _in_kinds(words(found), first) != _in_kinds(words(original), first):
            faults.append(f"says {words(found)}, not {words(original)}")
        if (have := fields(read, adapter.carries)) != (meant := fields(prepared, adapter.carries)):
            faults.append(f"has {have}, not {meant}")
        return faults

    def misplaced_refusal(self) -> str | None:
        """What is wrong with the refusal: one that the provider's own adapter does not share is LiteLLM's."""
        text = str(self.refusal)
        if isinstance(self.refusal, PromptFormatError):
            return None  # there was nothing to say
        if "\n" in text:
            return "the refusal has several lines"
        if getattr(self.refusal, "part", "").startswith("parameter "):
            return None if self.parameters else text
        try:
            self.bridge.adapter.build_request(self.messages)
        except PromptAdapterError:
            return None
        return None if "LiteLLM" in text else f"refused without LiteLLM's doing: {text}"


def only_call(provider: Any) -> Any:
    """The only request, but for what LiteLLM asks Ollama about the model."""
    calls = [call for call in provider.calls if not call.path.endswith("/api/show")]
    assert len(calls) == 1, [call.path for call in provider.calls]
    return calls[0]


# Those to which everything is said asynchronously as well; together they say every conversation.
ASYNCHRONOUS = (
    "openai",
    "openai responses",
    "azure",
    "azure_ai",
    "anthropic",
    "gemini",
    "vertex gemini",
    "vertex claude",
    "bedrock claude",
    "bedrock invoke",
    "mistral",
    "cohere",
    "ollama_chat",
    "groq",
    "openrouter",
    "vllm",
    "deepseek",
    "xai",
)


@pytest.mark.parametrize("name", TARGETS)
def test_what_is_said_arrives_or_is_refused(name: str, provider: Any, litellm: Any) -> None:
    wrong: dict[str, Any] = {}
    count = 0
    for title, conversation in CONVERSATIONS.items():
        attempt = Attempt(TARGETS[name], conversation, provider.url)
        if attempt.request is None:
            if fault := attempt.misplaced_refusal():
                wrong[title] = fault
            continue
        provider.reset()
        sent, tools = copy.deepcopy(attempt.request), copy.deepcopy(attempt.arguments)
        try:
            litellm.completion(**attempt.request)
        except litellm.UnsupportedParamsError:
            if not (attempt.parameters and provider.calls == []):
                wrong[title] = "LiteLLM refuses it"
            continue
        count += 1
        if faults := attempt.faults(only_call(provider).body):
            wrong[title] = faults
        if (attempt.request, attempt.arguments) != (sent, tools):
            wrong[title] = "the caller's request was changed"
    assert not wrong, "\n".join(f"{title}: {fault}" for title, fault in wrong.items())
    assert count >= TARGETS[name].least


@pytest.mark.parametrize("number", range(len(ASYNCHRONOUS)), ids=ASYNCHRONOUS)
async def test_what_is_said_arrives_asynchronously(number: int, provider: Any, litellm: Any, closing: None) -> None:
    wrong: dict[str, Any] = {}
    for title in list(CONVERSATIONS)[number % 3 :: 3]:
        attempt = Attempt(TARGETS[ASYNCHRONOUS[number]], CONVERSATIONS[title], provider.url)
        if attempt.request is None:
            continue
        provider.reset()
        try:
            await litellm.acompletion(**attempt.request)
        except litellm.UnsupportedParamsError:
            assert attempt.parameters
            continue
        if faults := attempt.faults(only_call(provider).body):
            wrong[title] = faults
    assert not wrong, "\n".join(f"{title}: {fault}" for title, fault in wrong.items())
