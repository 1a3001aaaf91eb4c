"""Templates through the real chat-model packages: what arrives at a server is what the provider's own adapter sends."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import pytest
from langchain_core.language_models import BaseChatModel

from chat_packages import CHAT_MODELS, MEDIA, PLACES, TABLE, chat_model, tool
from comparable import comparable, conversation
from loopback import SAID, Loopback
from prompt_adapters import Message, Prompt, ToolCall, ToolResult, adapter_for
from prompt_adapters.adapters import MessageAdapter
from prompt_adapters.content.parts import Part
from prompt_adapters.errors import PromptAdapterError
from prompt_adapters.langchain import AdapterPromptTemplate
from prompt_adapters.langchain.dialects import DIALECTS, kind_of, where_of
from prompt_adapters.langchain.messages import langchain_messages

TOOLS = [tool(name) for name in ("f", "weather", "draw", "look")]
MODELS: Mapping[str, str] = {**TABLE.MODELS, "ollama_style": "ollama_chat/llama3.2-vision"}
# Conversations without parameters: those go to the chat model, not through its prompt.
NAMES = [name for name, row in TABLE.CONVERSATIONS.items() if not row.parameters]


class Refused(NamedTuple):
    """What was said instead of a request."""

    error: PromptAdapterError


class Lab:
    """A server, and the chat models that send to it; each is made once."""

    def __init__(self, server: Loopback) -> None:
        self.server = server
        self._made: dict[tuple[str, str], BaseChatModel] = {}

    def model(self, style: str, name: str) -> BaseChatModel:
        if (style, name) not in self._made:
            self._made[style, name] = chat_model(style, self.server.url, name)
        return self._made[style, name]

    def arrived(self, style: str, chain: Any, value: Any) -> Any:
        """The conversation that arrives, or the refusal; never an error of the package."""
        before = len(self.server.calls)
        try:
            assert chain.invoke(value).text == SAID
        except PromptAdapterError as error:
            assert len(self.server.calls) == before, "it was refused too late"
            return Refused(error)
        assert len(self.server.calls) == before + 1
        return comparable(style, conversation(style, self.server.body))


@pytest.fixture(scope="module")
def lab() -> Iterator[Lab]:
    with Loopback() as server:
        yield Lab(server)


def model_of(style: str, row: Any) -> str:
    """The model of a conversation, where the package can speak to it."""
    name: str = row.models.get(style, MODELS[style])
    return name if name.startswith(f"{CHAT_MODELS[style][0]}/") else MODELS[style]


def own(adapter: MessageAdapter, messages: tuple[Message, ...]) -> Any:
    """What the provider's own adapter sends, or its refusal."""
    try:
        return comparable(adapter.style, conversation(adapter.style, adapter.build_body(messages)))
    except PromptAdapterError as error:
        return Refused(error)


def adapter_of(style: str, name: str, **options: Any) -> MessageAdapter:
    return adapter_for(name, parameters={"max_tokens": 9} if style == "anthropic_style" else {}, **options)


def with_tools(model: BaseChatModel, messages: tuple[Message, ...]) -> Any:
    called = any(isinstance(part, ToolCall | ToolResult) for message in messages for part in message.parts)
    return model.bind_tools(TOOLS) if called else model


# What a package writes in another way, and how both ways are made one.


def without(*names: str) -> Callable[[Any], Any]:
    """The same without these keys."""

    def changed(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: changed(item) for key, item in value.items() if key not in names}
        return [changed(item) for item in value] if isinstance(value, list) else value

    return changed


def joined(value: Any) -> Any:
    """Bedrock: texts side by side, and turns of one role, are one, with line breaks between."""
    if "system" in value:
        texts = "\n".join(block["text"] for block in value["system"] if "text" in block)
        value = {**value, "system": [{"text": texts}]}
    turns: list[Any] = []
    for message in without("cachePoint")(value["messages"]):
        blocks = [block for block in message["content"] if block]
        if turns and turns[-1]["role"] == message["role"]:
            blocks = [*turns.pop()["content"], *blocks]
        glued: list[Any] = []
        for block in blocks:
            if glued and block.keys() == glued[-1].keys() == {"text"}:
                glued[-1] = {"text": f"{glued[-1]['text']}\n{block['text']}"}
            else:
                glued.append(block)
        turns.append({**message, "content": glued})
    return {**value, "messages": turns}


def merged(value: Any) -> Any:
    """Anthropic: turns of one role side by side are one turn for the API."""
    turns: list[Any] = []
    for message in value["messages"]:
        before = turns.pop()["content"] if turns and turns[-1]["role"] == message["role"] else []
        turns.append({**message, "content": [*before, *message["content"]]})
    return {**value, "messages": turns}


def ollamas(value: Any) -> Any:
    """Ollama: each text of a list starts with a line break, and a call is named by its id."""
    turns = [{**m, "content": re.sub(r"\n+", "\n", m.get("content", "")).removeprefix("\n")} for m in value["messages"]]
    return without("id", "type", "tool_call_id", "tool_name")({"messages": turns})


def googles(value: Any) -> Any:
    """Google: calls and results without ids; an error of a tool is its output."""
    contents = without("id")(value["contents"])
    for content in contents:
        for part in content["parts"]:
            if "functionResponse" in part and "error" in part["functionResponse"]["response"]:
                part["functionResponse"]["response"] = {"output": part["functionResponse"]["response"]["error"]}
    return {**value, "contents": contents}


def said_first(value: Any) -> Any:
    """Mistral: text beside calls stands in a turn of its own; the type of a call is the default."""
    turns: list[Any] = []
    for message in without("type")(value["messages"]):
        calls, content = message.get("tool_calls"), message.get("content")
        if calls and content:
            turns.append({"role": "assistant", "content": content})
            message = {key: item for key, item in message.items() if key != "content"}
        turns.append(message)
    return {"messages": turns}


ALIKE: Mapping[str, Callable[[Any], Any]] = {
    # A mark of OpenAI's own, which is noted as lost.
    "openai_style": without("prompt_cache_breakpoint"),
    "openai_responses_style": without("prompt_cache_breakpoint"),
    "anthropic_style": merged,
    "google_style": googles,
    "bedrock_style": joined,
    "mistral_style": said_first,
    "ollama_style": ollamas,
}
# langchain-google-genai puts what a tool gave beside the result, before it, and not into it.
BESIDE = {("google_style", "image_in_tool_result")}
# What only the official client takes, or where both ways of writing say the same to no test.
NEEDS_THE_CLIENT = {("mistral_style", "uploaded_openai"), ("mistral_style", "uploaded_image")}
# langchain-aws fills an empty result with a full stop, since Converse refuses blank text.
FILLED = {("bedrock_style", "empty_tool_result")}
# Only system text may be a part of a conversation that goes on, so a template does not judge it.
PARTIAL = ("only_system", "system_folded_alone")


@pytest.mark.parametrize("name", [name for name in NAMES if name not in PARTIAL])
@pytest.mark.parametrize("style", CHAT_MODELS)
def test_a_conversation_arrives_as_the_adapter_sends_it(style: str, name: str, lab: Lab) -> None:
    row = TABLE.CONVERSATIONS[name]
    spelt = model_of(style, row)
    model = with_tools(lab.model(style, spelt), row.messages)
    template = AdapterPromptTemplate.from_prompt(Prompt(messages=row.messages, syntax="none"))
    aimed = template.for_model(model, **row.options).model_copy(update={"lacks": ()})
    theirs = lab.arrived(style, aimed | model, {})
    ours = own(adapter_of(style, spelt, **row.options), row.messages)
    if isinstance(ours, Refused):
        assert isinstance(theirs, Refused)
        assert str(theirs.error) == str(ours.error)
    elif (style, name) in NEEDS_THE_CLIENT:
        assert isinstance(theirs, Refused)
        assert str(theirs.error).startswith(f"{DIALECTS[style].package} cannot take")
        assert f"AdapterRunnable('{style}')" in str(theirs.error)
    elif (style, name) in BESIDE:
        assert_whole(row.messages, theirs)
    elif (style, name) in FILLED:
        assert _spelt(ours).replace('"content": []', '"content": [{"text": "."}]') == _spelt(theirs)
    else:
        alike = ALIKE.get(style, lambda sent: sent)
        assert ours == theirs or alike(ours) == alike(theirs)


def assert_whole(messages: tuple[Message, ...], sent: Any) -> None:
    """Every text and the bytes of every medium are in it, once."""
    said = str(sent)
    for message in messages:
        for part in _flat(message.parts):
            marker = getattr(part, "text", None) or part.as_data_url().partition(",")[2]  # type: ignore[union-attr]  # it is text or a medium
            assert said.count(marker) == 1


def _flat(parts: tuple[Part, ...]) -> Iterator[Part]:
    for part in parts:
        match part:
            case ToolResult():
                yield from part.parts
            case ToolCall():
                pass
            case _:
                yield part


def _sent_through(lab: Lab, style: str, messages: tuple[Message, ...]) -> tuple[Any, Any]:
    """What the adapter sends, and what arrives of the template's messages."""
    model = with_tools(lab.model(style, MODELS[style]), messages)
    template = AdapterPromptTemplate.from_prompt(Prompt(messages=messages, syntax="none"))
    aimed = template.for_model(model).model_copy(update={"lacks": ()})
    return own(adapter_of(style, MODELS[style]), messages), lab.arrived(style, aimed | model, {})


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("style", CHAT_MODELS)
def test_every_kind_and_source_arrives_or_is_refused(style: str, place: str, lab: Lab) -> None:
    alike = ALIKE.get(style, lambda sent: sent)
    arrived = 0
    for name, part in MEDIA.items():
        messages = tuple(PLACES[place](part))
        ours, theirs = _sent_through(lab, style, messages)
        if isinstance(ours, Refused):
            assert isinstance(theirs, Refused), name
            continue
        if isinstance(theirs, Refused):
            assert DIALECTS[style].package == "langchain-mistralai", name
            assert where_of(part) == "uploaded", name
            assert "AdapterRunnable('mistral_style')" in str(theirs.error)
            continue
        arrived += 1
        if (style, place) == ("google_style", "result"):
            assert _spelt(_beside(theirs)) == _spelt(_inside(ours)), name
        else:
            assert alike(ours) == alike(theirs), name
    assert arrived or place in ("system", "assistant", "result")


def _inside(sent: Any) -> Any:
    response = sent["contents"][-1]["parts"][0]["functionResponse"]
    return response["parts"], response["response"]["output"]


def _beside(sent: Any) -> Any:
    medium, response = sent["contents"][-1]["parts"]
    return [medium], "".join(item["text"] for item in response["functionResponse"]["response"]["output"])


@pytest.mark.parametrize("style", CHAT_MODELS)
def test_the_portable_form_arrives_where_the_row_says_so(style: str, lab: Lab) -> None:
    """Where nothing is known of the model, nothing is refused: the row says what of this form the package keeps."""
    alike = ALIKE.get(style, lambda sent: sent)
    kept: dict[str, bool] = {}
    for name, part in MEDIA.items():
        messages = tuple(PLACES["user"](part))
        ours = own(adapter_of(style, MODELS[style]), messages)
        if isinstance(ours, Refused) or getattr(part, "start", None) is not None:
            continue  # the provider's own refusal; and a clip is whole in the portable form, which is noted
        try:
            theirs = lab.arrived(style, lab.model(style, MODELS[style]), langchain_messages(messages))
        except Exception:  # noqa: BLE001 - packages raise what they like
            theirs = None
        said = where_of(part) in DIALECTS[style].portable.get(kind_of(part), ())
        kept[name] = _spelt(alike(theirs)) == _spelt(alike(ours)) if theirs else False
        assert kept[name] == said, name
    assert any(kept.values())


def _spelt(sent: Any) -> str:
    """As text; Google knows MP3 under two names."""
    return json.dumps(sent, sort_keys=True).replace("audio/mp3", "audio/mpeg")


# google-genai derives from aiohttp's session, which aiohttp discourages, and closes it when it is collected.
@pytest.mark.filterwarnings("ignore:Inheritance class AiohttpClientSession:DeprecationWarning")
@pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")
@pytest.mark.parametrize("style", CHAT_MODELS)
async def test_a_chain_answers_in_every_way_of_calling(style: str, lab: Lab) -> None:
    model = lab.model(style, MODELS[style])
    template = AdapterPromptTemplate.from_messages([("system", "{a}"), ("human", "{b} {photo}")])
    values = {"a": "A", "b": "B", "photo": MEDIA["a PNG"]}
    ours = own(adapter_of(style, MODELS[style]), (Message("system", "A"), Message("user", ["B ", MEDIA["a PNG"]])))
    for chain in (template | model, template | model.with_retry(), template.pipe(model.bind(stop=["x"]))):
        said = [answer.text for answer in chain.batch([values, values], {"max_concurrency": 2})]
        answers = [*said, chain.invoke(values).text, (await chain.ainvoke(values)).text]
        assert answers == [SAID] * 4
        for _, body in lab.server.calls[-4:]:
            arrived = comparable(style, conversation(style, body))
            assert ALIKE[style](arrived) == ALIKE[style](ours)
