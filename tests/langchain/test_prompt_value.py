"""`AdapterPromptValue`: messages for any chat model, and any provider's request."""

import copy
import pickle
from typing import Any

import pytest
from langchain_core.language_models.fake_chat_models import FakeMessagesListChatModel
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, convert_to_openai_messages
from langchain_core.prompt_values import ChatPromptValue
from langchain_core.prompts import ChatPromptTemplate

from prompt_adapters import Image, Message, Prompt, adapter_for, get_adapter
from prompt_adapters.errors import PromptFormatError, UnknownAdapterError, UnsupportedContentError
from prompt_adapters.langchain import AdapterPromptTemplate, AdapterPromptValue, OpenAIStylePromptTemplate

STYLES = ("openai_style", "anthropic_style", "google_style")


@pytest.fixture
def prompt() -> Prompt:
    return Prompt(system="s", user="{{ q }} {{ photo }}", parameters={"max_tokens": 5}, model="gpt-4o", name="n")


@pytest.fixture
def value(prompt: Prompt, photo: Image) -> AdapterPromptValue:
    return AdapterPromptTemplate.from_prompt(prompt).invoke({"q": "what?", "photo": photo.replace(detail="low")})


def test_it_is_a_chat_prompt_value_for_everybody(value: AdapterPromptValue, photo_url: str) -> None:
    assert isinstance(value, ChatPromptValue)
    block = {"type": "image_url", "image_url": {"url": photo_url, "detail": "low"}}
    messages = [SystemMessage("s"), HumanMessage([{"type": "text", "text": "what? "}, block])]
    assert value.to_messages() == value.messages == messages
    assert convert_to_openai_messages(value)[1]["content"][1] == block  # type: ignore[call-overload]  # a list of dictionaries
    assert FakeMessagesListChatModel(responses=[AIMessage("a")]).invoke(value).content == "a"


def test_text_names_media(value: AdapterPromptValue, photo: Image) -> None:
    assert value.to_string() == f"System: s\nHuman: what? [image: image/png, {len(photo.as_bytes())} bytes]"


@pytest.mark.parametrize("style", STYLES)
def test_a_request_is_the_adapters(style: str, value: AdapterPromptValue, prompt: Prompt, photo: Image) -> None:
    values = {"q": "what?", "photo": photo.replace(detail="low")}
    assert value.to_request(style) == get_adapter(style).build_request(prompt, values)
    assert value.to_request(style, parameters={"max_tokens": 7}) == get_adapter(
        style, parameters={"max_tokens": 7}
    ).build_request(prompt, values)


async def test_a_request_for_a_model_binds_it(value: AdapterPromptValue, prompt: Prompt, photo: Image) -> None:
    values = {"q": "what?", "photo": photo.replace(detail="low")}
    expected = adapter_for("anthropic/claude-opus-5").build_request(prompt, values)
    assert value.to_request("anthropic/claude-opus-5") == expected
    assert await value.ato_request("anthropic/claude-opus-5") == expected
    assert value.to_request()["model"] == "gpt-4o"
    assert value.to_request("google_style", model="m")["model"] == "m"


def test_requests_share_nothing(value: AdapterPromptValue) -> None:
    first = value.to_request("openai_style")
    first["messages"][1]["content"].clear()
    assert len(value.to_request("openai_style")["messages"][1]["content"]) == 2
    assert len(value.to_messages()[1].content) == 2


def test_it_must_be_said_what_a_request_is_for() -> None:
    value = AdapterPromptTemplate.from_template("x").invoke({})
    with pytest.raises(PromptFormatError, match=r"say what the request is for: to_request\('openai_style'\)"):
        value.to_request()
    with pytest.raises(UnknownAdapterError, match="did you mean 'openai_style'"):
        value.to_request("openai_stile")
    with pytest.raises(TypeError, match="no option 'tempo'"):
        value.to_request("openai_style", tempo=1)
    with pytest.raises(TypeError, match="the option 'separators' comes too late"):
        value.to_request("openai_style", separators={})


def test_the_native_messages_are_at_hand(value: AdapterPromptValue, photo: Image) -> None:
    native = (Message("system", "s"), Message("user", ["what? ", photo.replace(detail="low")]))
    assert value.native == native
    assert value.prompt.render() == native
    assert (value.prompt.name, value.prompt.model, value.prompt.parameters) == ("n", "gpt-4o", {"max_tokens": 5})


CHANGES: dict[str, Any] = {
    "appended": lambda value: value.messages.append(HumanMessage("more")),
    "assigned": lambda value: setattr(value.messages[0], "content", "more"),
    "replaced": lambda value: setattr(value, "messages", [HumanMessage("more")]),
    "block appended": lambda value: value.messages[1].content.append({"type": "text", "text": "more"}),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_changes_by_hand_are_not_lost(change: Any, value: AdapterPromptValue) -> None:
    change(value)
    assert "more" in value.to_string()
    assert "more" in str(value.to_request("openai_style"))
    assert value.model_copy(update={"messages": [HumanMessage("copy")]}).native == (Message("user", "copy"),)


def test_a_value_made_by_hand_has_requests_too(photo: Image, photo_url: str) -> None:
    messages = [HumanMessage([{"type": "image_url", "image_url": {"url": photo_url}}])]
    value = AdapterPromptValue(messages=messages)
    assert value.native == (Message("user", photo),)
    assert value.to_request("anthropic_style") == get_adapter("anthropic_style").build_request(Message("user", photo))


def test_nested_in_a_chat_prompt_template_the_messages_are_kept(prompt: Prompt, photo: Image) -> None:
    inner = AdapterPromptTemplate.from_prompt(prompt)
    value = (ChatPromptTemplate([]) + inner).invoke({"q": "a", "photo": photo})
    assert type(value) is ChatPromptValue
    assert value.to_messages() == inner.invoke({"q": "a", "photo": photo}).to_messages()


def test_copies_keep_what_it_holds(value: AdapterPromptValue) -> None:
    for twin in (pickle.loads(pickle.dumps(value)), copy.deepcopy(value), copy.copy(value), value.model_copy()):
        assert twin == value
        assert twin.native == value.native
        assert twin.to_request() == value.to_request()
    assert value != AdapterPromptTemplate.from_template("x").invoke({})


@pytest.mark.filterwarnings("ignore::langchain_core._api.LangChainBetaWarning")
def test_it_is_loaded_as_it_was_dumped(value: AdapterPromptValue) -> None:
    from langchain_core.load import dumpd, load

    allowed: list[Any] = [AdapterPromptValue, SystemMessage, HumanMessage]
    twin = load(dumpd(value), allowed_objects=allowed, valid_namespaces=["prompt_adapters"])
    assert isinstance(twin, AdapterPromptValue)
    assert twin.messages == value.messages
    assert twin.native == value.native


def test_media_are_held_once(value: AdapterPromptValue, photo_url: str) -> None:
    from langchain_core.load import dumps
    from langsmith._internal._serde import dumps_json

    value.to_request()
    payload = photo_url.partition(",")[2]
    assert dumps(value).count(payload) == 1
    assert dumps_json(value).count(payload.encode()) == 1
    assert dumps_json({"output": value}).count(payload.encode()) == 1
    assert "\\x89PNG" not in dumps(value)


def test_its_repr_is_short(photo: Image) -> None:
    large = Image(photo.as_bytes() + bytes(500))
    value = OpenAIStylePromptTemplate.from_template("{p}").invoke({"p": large})
    assert "characters]" in repr(value)
    assert large.as_data_url() not in repr(value)
    assert "style='openai_style'" in repr(value)


def test_a_conversation_without_a_user_turn_is_refused_when_a_request_is_made() -> None:
    value = AdapterPromptTemplate.from_messages([("system", "s")]).invoke({})
    assert value.to_messages() == [SystemMessage("s")]
    with pytest.raises(PromptFormatError, match="the user turn is missing"):
        value.to_request("openai_style")


def test_what_the_provider_cannot_take_is_refused_when_a_request_is_made(sound: Any) -> None:
    value = AdapterPromptTemplate.from_template("{a}").invoke({"a": sound})
    assert value.to_request("google_style")["contents"]
    with pytest.raises(UnsupportedContentError, match="anthropic_style cannot take audio"):
        value.to_request("anthropic_style")
