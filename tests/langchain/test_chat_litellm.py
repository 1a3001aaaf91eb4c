"""`template | ChatLiteLLM(…)`: what arrives at the provider is what LiteLLM itself sends for the bridge's request."""

import os
import warnings
from collections.abc import Iterator
from typing import Any

import pytest

# Before LiteLLM is imported: otherwise it asks the network for its tables.
os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
os.environ["LITELLM_LOCAL_ANTHROPIC_BETA_HEADERS"] = "True"

from langchain_core.messages import HumanMessage

from chat_packages import FILES, MEDIA, PLACES, TABLE, tool
from loopback import SAID, Loopback
from prompt_adapters import Document, Message, Prompt, Text, ToolCall, ToolResult
from prompt_adapters.errors import PromptAdapterError, UnsupportedContentError
from prompt_adapters.langchain import AdapterPromptTemplate, LiteLLMStylePromptTemplate
from prompt_adapters.langchain.chat_models import Target, target_of, targets_of
from prompt_adapters.litellm import LiteLLMBridge

# LiteLLM and what it imports on the way warn of themselves.
pytestmark = pytest.mark.filterwarnings("ignore")

TOOLS = [tool(name) for name in ("f", "weather", "draw", "look")]
# From a model to what follows the address of its server.
MODELS = {
    "openai/gpt-4o": "/v1",
    "openai/responses/gpt-5": "/v1",
    "anthropic/claude-haiku-4-5": "",
    "gemini/gemini-2.5-flash": "",
    "mistral/mistral-medium-latest": "/v1",
}
# What LiteLLM downloads itself, which no test does.
DOWNLOADED = {("anthropic/claude-haiku-4-5", "an image by an http link")}
SAID_IN = ("messages", "contents", "system", "system_instruction", "input", "instructions")


@pytest.fixture(scope="module")
def litellm() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import litellm as package

    package.suppress_debug_info = True
    return package


@pytest.fixture(scope="module")
def chat_litellm(litellm: Any) -> Any:
    from langchain_litellm import ChatLiteLLM

    return ChatLiteLLM


@pytest.fixture(scope="module")
def server() -> Iterator[Loopback]:
    with Loopback() as server:
        yield server


def said(body: dict[str, Any]) -> Any:
    """The conversation of a body; langchain-litellm gives an answer that only calls an empty text, not none."""
    found = {name: _without_empty(body[name]) for name in SAID_IN if name in body}
    return {name: value for name, value in found.items() if value is not None}


def _without_empty(value: Any) -> Any:
    if isinstance(value, dict):
        return {
            key: _without_empty(item) for key, item in value.items() if not (key == "content" and item in ("", None))
        }
    if isinstance(value, list):
        return [_without_empty(item) for item in value if item not in ({"text": ""}, {"type": "text", "text": ""})]
    return value


def both(model: str, messages: tuple[Message, ...], server: Loopback, litellm: Any, chat_litellm: Any) -> Any:
    """What the bridge's request makes of the messages, and what the chat model makes of the template's."""
    where: dict[str, Any] = {"api_base": server.url + MODELS[model], "api_key": "test", "max_retries": 0}
    called = any(isinstance(part, ToolCall | ToolResult) for message in messages for part in message.parts)
    tools: dict[str, Any] = {"tools": TOOLS} if called else {}
    chat = chat_litellm(model=model, **where)
    chat = chat.bind_tools(TOOLS) if called else chat
    chain = AdapterPromptTemplate.from_prompt(Prompt(messages=messages, syntax="none")) | chat
    try:
        request = LiteLLMBridge(model).request(messages)
    except PromptAdapterError as error:
        before = len(server.calls)
        with pytest.raises(type(error)) as caught:
            chain.invoke({})
        assert len(server.calls) == before
        return str(error), str(caught.value)
    litellm.completion(**request, **where, **tools)
    ours = said(server.body)
    assert chain.invoke({}).text == SAID
    return ours, said(server.body)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("model", MODELS)
def test_every_kind_and_source(model: str, place: str, server: Loopback, litellm: Any, chat_litellm: Any) -> None:
    arrived = 0
    for name, part in MEDIA.items():
        if (model, name) in DOWNLOADED:
            continue
        ours, theirs = both(model, tuple(PLACES[place](part)), server, litellm, chat_litellm)
        assert ours == theirs, name
        arrived += not isinstance(ours, str)
    assert arrived or place in ("system", "assistant", "result")


NAMES = [
    "system_and_text", "developer", "several_systems", "turns", "unicode_and_whitespace", "two_texts",
    "text_image_text", "few_shot_with_images", "pdf", "text_document", "wav", "mp3", "video", "clipped_video",
    "uploaded_google", "tools", "tools_last", "image_in_tool_result", "consecutive_users", "consecutive_assistants",
    "system_in_the_middle", "cache", "blank_between_images", "documents_of_one_name", "empty_tool_result", "call_last",
]  # fmt: skip


@pytest.mark.parametrize("model", MODELS)
def test_conversations(model: str, server: Loopback, litellm: Any, chat_litellm: Any) -> None:
    for name in NAMES:
        ours, theirs = both(model, TABLE.CONVERSATIONS[name].messages, server, litellm, chat_litellm)
        assert ours == theirs, name


def test_marks_of_a_cache_reach_claude(server: Loopback, litellm: Any, chat_litellm: Any) -> None:
    messages = (Message("system", [Text("Long.", cache=True)]), Message("user", [MEDIA["a PDF"], "What?"]))
    ours, theirs = both("anthropic/claude-haiku-4-5", messages, server, litellm, chat_litellm)
    assert theirs["system"][0]["cache_control"] == {"type": "ephemeral"}
    assert ours == theirs


TARGETS: dict[str, tuple[dict[str, Any], str | None]] = {
    "a model": ({"model": "gemini/gemini-2.5-flash"}, "gemini/gemini-2.5-flash"),
    "a bare name": ({"model": "gpt-4o"}, "gpt-4o"),
    "a provider beside it": ({"model": "my-model", "custom_llm_provider": "azure"}, "azure/my-model"),
    "OpenAI's Responses": ({"model": "openai/gpt-5", "use_responses_api": True}, "openai/responses/gpt-5"),
    "a name of one's own": ({"model": "my-model"}, None),
}


@pytest.mark.parametrize(("fields", "model"), TARGETS.values(), ids=TARGETS)
def test_the_provider_behind_it_is_told(fields: dict[str, Any], model: str | None, chat_litellm: Any) -> None:
    chat = chat_litellm(api_key="test", **fields)
    assert target_of(chat) == Target("litellm_style", model)
    aimed = (AdapterPromptTemplate.from_template("{q}") | chat).first
    assert isinstance(aimed, LiteLLMStylePromptTemplate)
    assert aimed.model == model
    assert "messages" in aimed.format_request(q="q")


def test_the_model_of_the_call_counts(chat_litellm: Any) -> None:
    chat = chat_litellm(model="gpt-4o", api_key="test").bind(model="anthropic/claude-haiku-4-5").with_retry()
    assert target_of(chat) == Target("litellm_style", "anthropic/claude-haiku-4-5")


def test_a_router_has_targets_of_its_own(litellm: Any) -> None:
    from langchain_litellm import ChatLiteLLMRouter

    deployment = {"model_name": "mine", "litellm_params": {"model": "gemini/gemini-2.5-flash", "api_key": "test"}}
    chat = ChatLiteLLMRouter(router=litellm.Router(model_list=[deployment]), model="mine")
    assert targets_of(chat).known == (Target("litellm_style", None),)
    template = AdapterPromptTemplate.from_template("{media}") | chat
    with pytest.raises(UnsupportedContentError, match="LiteLLM is not known to pass it on to every provider"):
        template.first.invoke({"media": MEDIA["a WAV"]})


async def test_it_streams_and_awaits(server: Loopback, litellm: Any, chat_litellm: Any) -> None:
    chat = chat_litellm(model="gemini/gemini-2.5-flash", api_base=server.url, api_key="test", max_retries=0)
    chain = AdapterPromptTemplate.from_template("{q} {media}") | chat
    values = {"q": "What?", "media": Document.from_uploaded(FILES, mime="application/pdf")}
    assert (await chain.ainvoke(values)).text == SAID
    assert server.body["contents"][0]["parts"][1]["file_data"] == {"file_uri": FILES, "mime_type": "application/pdf"}
    assert chain.batch([values])[0].text == SAID
    plain = AdapterPromptTemplate.from_messages([("placeholder", "{h}")]) | chat
    assert plain.invoke({"h": [HumanMessage("q", id="1")]}).text == SAID
