"""Plain talk: what is recognised as such, and that what adapters say they leave as it is in it, they do."""

import zlib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prompt_adapters import Audio, Image, Message, Text, ToolCall, ToolResult, get_adapter
from prompt_adapters.adapters import preparing
from prompt_adapters.adapters.base import MessageAdapter
from prompt_adapters.adapters.openai import OpenAIStylePromptAdapter
from prompt_adapters.adapters.registry import PROMPT_ADAPTER_REGISTRY
from prompt_adapters.adapters.survey import IMAGE, TEXT, plain_talk

STYLES = [key for key in PROMPT_ADAPTER_REGISTRY if key != "toy_style"]


def _chunk(kind: bytes, body: bytes) -> bytes:
    return len(body).to_bytes(4, "big") + kind + body + zlib.crc32(kind + body).to_bytes(4, "big")


PNG = (
    b"\x89PNG\r\n\x1a\n"
    + _chunk(b"IHDR", bytes.fromhex("00000001000000010800000000"))
    + _chunk(b"IDAT", zlib.compress(b"\0\0"))
    + _chunk(b"IEND", b"")
)
PICTURE = Image(PNG)
SYSTEM, USER, ASSISTANT = Message("system", "Be kind."), Message("user", "Hi"), Message("assistant", "Hello")

PLAIN: dict[str, tuple[tuple[Message, ...], str]] = {
    "one turn": ((USER,), TEXT),
    "a system text": ((SYSTEM, USER), TEXT),
    "two system texts": ((SYSTEM, Message("developer", "Be brief."), USER), TEXT),
    "turns": ((SYSTEM, USER, ASSISTANT, USER), TEXT),
    "a picture": ((SYSTEM, Message("user", ["What is this?", PICTURE])), IMAGE),
    "a picture alone": ((Message("user", PICTURE),), IMAGE),
    "two texts": ((Message("user", ["one", "two"]),), IMAGE),
}
OTHER: dict[str, tuple[Message, ...]] = {
    "nothing": (),
    "system alone": (SYSTEM,),
    "the assistant last": (USER, ASSISTANT),
    "the assistant first": (ASSISTANT, USER),
    "two turns of one": (USER, USER),
    "system in the middle": (USER, SYSTEM),
    "system after an answer": (USER, ASSISTANT, SYSTEM, USER),
    "blank": (Message("user", " \n"),),
    "empty": (Message("user", ""),),
    "no parts": (Message("user"),),
    "blank beside a picture": (Message("user", [PICTURE, " "]),),
    "a name": (Message("user", "Hi", name="ada"),),
    "a mark on the message": (Message("user", "Hi", cache=True),),
    "a mark on the text": (Message("user", Text("Hi", cache=True)),),
    "a mark on a picture": (Message("user", Image(PNG, cache=True)),),
    "a detail": (Message("user", Image(PNG, detail="low")),),
    "a link": (Message("user", Image("https://example.com/a.png")),),
    "a picture of the assistant": (USER, Message("assistant", PICTURE), USER),
    "a picture in the system text": (Message("system", ["a", PICTURE]), USER),
    "audio": (Message("user", Audio(b"RIFF\x04\0\0\0WAVE")),),
    "a call": (USER, Message("assistant", ToolCall("1", "f")), USER),
    "a result": (USER, Message("tool", ToolResult("1", "x")), USER),
    "a tool's text": (Message("tool", "x"), USER),
}


@pytest.mark.parametrize(("messages", "kind"), PLAIN.values(), ids=PLAIN)
def test_plain_talk_is_recognised(messages: tuple[Message, ...], kind: str) -> None:
    talk = plain_talk(messages)
    assert talk is not None
    assert talk[0] == kind


@pytest.mark.parametrize("messages", OTHER.values(), ids=OTHER)
def test_other_talk_is_not_plain(messages: tuple[Message, ...]) -> None:
    assert plain_talk(messages) is None


said = st.text(st.characters(codec="utf-8")).map(lambda text: f"{text}x")  # some providers drop what is blank
in_turns = st.builds(
    lambda systems, turns, last: tuple(
        [Message("system", text) for text in systems]
        + [Message(role, text) for pair in turns for role, text in zip(("user", "assistant"), pair, strict=True)]
        + [Message("user", last)]
    ),
    st.lists(said, max_size=2),
    st.lists(st.tuples(said, said), max_size=3),
    st.one_of(said, st.lists(st.one_of(said, st.just(PICTURE)), min_size=1, max_size=4)),
)


@pytest.mark.parametrize("style", STYLES)
@given(messages=in_turns)
@settings(max_examples=40)
def test_what_is_left_as_it_is_is_what_all_rules_give(style: str, messages: tuple[Message, ...]) -> None:
    adapter = get_adapter(style)
    talk = plain_talk(messages)
    assert talk is not None
    if talk[0] in adapter.as_is:
        assert preparing._settled(adapter, messages, {}, ()) == (messages, [])
        assert adapter.prepare(messages).messages == messages


THROUGH_LITELLM = {
    "openai/gpt-4o": {TEXT, IMAGE},
    "openai/o1-mini": set(),  # system text would be the user's
    "gemini-2.5-pro": set(),  # LiteLLM is given another name, which is noted
    "anthropic/claude-haiku-4-5": {TEXT, IMAGE},
    "gemini/gemini-2.5-flash": {TEXT, IMAGE},
    "bedrock/amazon.nova-lite-v1:0": {TEXT, IMAGE},
    "mistral/mistral-medium-latest": {TEXT},  # texts beside each other become one
    "deepseek/deepseek-chat": {TEXT},
    "ollama_chat/llama3.2-vision": {TEXT},
    "litellm_proxy/mine": {TEXT},  # what becomes of media there is noted
    "replicate/meta/llama-2-70b": {TEXT},
    "cohere_chat/v1/command-r": set(),
}


@pytest.mark.parametrize("model", THROUGH_LITELLM)
@given(messages=in_turns)
@settings(max_examples=25)
def test_so_it_is_through_litellm(model: str, messages: tuple[Message, ...]) -> None:
    adapter = get_adapter("litellm_style", model=model)
    talk = plain_talk(messages)
    assert set(adapter.as_is) == THROUGH_LITELLM[model]
    assert talk is not None
    if talk[0] in adapter.as_is:
        assert preparing._settled(adapter, messages, {}, ()) == (messages, [])
        assert adapter.prepare(messages).messages == messages


@pytest.mark.parametrize("style", STYLES)
def test_each_shape_of_this_package_says_what_it_leaves(style: str) -> None:
    adapter = get_adapter(style)
    assert isinstance(adapter, MessageAdapter)
    assert adapter.as_is


def test_who_overrides_the_rules_says_it_anew() -> None:
    class Own(OpenAIStylePromptAdapter):
        def arrange(self, messages: tuple[Message, ...]) -> Any:
            return (Message("user", "moved"),), []

    class Heir(OpenAIStylePromptAdapter):
        pass

    assert Own.as_is == frozenset()
    assert Heir.as_is == OpenAIStylePromptAdapter.as_is
    assert Own().prepare(USER).messages == (Message("user", "moved"),)


@pytest.mark.parametrize("system", ["one", "fold"])
def test_an_option_for_the_system_text_still_holds(system: Any) -> None:
    messages = (SYSTEM, SYSTEM, USER)
    prepared = get_adapter("openai_style", system=system).prepare(messages)
    assert prepared.messages != messages
    assert prepared.notes


@pytest.mark.parametrize("on_limit", ["convert", "error", "send"])
def test_a_picture_that_fits_is_looked_at_once(on_limit: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from prompt_adapters.media import fit

    looked: list[int] = []
    real = fit.fit_messages

    def counting(messages: tuple[Message, ...], *rest: Any, **options: Any) -> Any:
        looked.append(1)
        return real(messages, *rest, **options)

    monkeypatch.setattr(fit, "fit_messages", counting)
    adapter, other = get_adapter("openai_style", on_limit=on_limit), get_adapter("anthropic_style")
    picture = Image(PNG)
    bodies = [adapter.build_body(Message("user", ["Look:", picture])) for _ in range(3)]
    assert bodies[0] == bodies[1] == bodies[2]
    assert len(looked) == 1
    other.build_body(Message("user", ["Look:", picture]))
    assert len(looked) == 2
    adapter.build_body(
        Message("user", ["Look:", picture, Image(PNG)])
    )  # together with another one it is another matter
    assert len(looked) == 3
    get_adapter("openai_style", limits={"max_images": 5}).build_body(Message("user", picture))
    assert len(looked) == 4
