"""From messages of this package to LangChain's, and the short forms."""

import logging
from typing import Any

import pytest
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage

from prompt_adapters import Audio, Document, Image, Message, Text, ToolCall, ToolResult, Video, get_adapter
from prompt_adapters.content.read import read_messages
from prompt_adapters.errors import PromptFormatError, UnsupportedContentError
from prompt_adapters.langchain.messages import described, langchain_messages

USER = Message("user", "q")

PLAIN: dict[str, tuple[Message, BaseMessage]] = {
    "system": (Message("system", "a"), SystemMessage("a")),
    "developer": (Message("developer", "a"), SystemMessage("a", additional_kwargs={"__openai_role__": "developer"})),
    "user": (Message("user", "a"), HumanMessage("a")),
    "user with a name": (Message("user", "a", name="Ada"), HumanMessage("a", name="Ada")),
    "assistant": (Message("assistant", "a"), AIMessage("a")),
    "several texts": (
        Message("user", ["a", "b"]),
        HumanMessage([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]),
    ),
    "blank text joins the text that it touches": (Message("user", ["a", "\n"]), HumanMessage("a\n")),
    "a call": (
        Message("assistant", ToolCall("1", "f", {"x": [1]})),
        AIMessage("", tool_calls=[{"type": "tool_call", "id": "1", "name": "f", "args": {"x": [1]}}]),
    ),
    "a text and calls": (
        Message("assistant", ["t", ToolCall("1", "f"), ToolCall("2", "g")]),
        AIMessage(
            "t",
            tool_calls=[
                {"type": "tool_call", "id": "1", "name": "f", "args": {}},
                {"type": "tool_call", "id": "2", "name": "g", "args": {}},
            ],
        ),
    ),
    "a result": (
        Message("tool", ToolResult("1", ["a", "b"], name="f")),
        ToolMessage("ab", tool_call_id="1", name="f"),
    ),
    "a failed result": (
        Message("tool", ToolResult("1", "no", error=True)),
        ToolMessage("no", tool_call_id="1", status="error"),
    ),
    "an empty result": (Message("tool", ToolResult("1")), ToolMessage("", tool_call_id="1")),
}


@pytest.mark.parametrize(("message", "expected"), PLAIN.values(), ids=PLAIN)
def test_roles_texts_and_tools(message: Message, expected: BaseMessage) -> None:
    assert langchain_messages((message, USER))[0] == expected


@pytest.mark.parametrize(
    "message",
    [m for name, (m, _) in PLAIN.items() if name not in ("a result", "blank text joins the text that it touches")],
)
def test_what_was_made_is_read_back(message: Message) -> None:
    back, user = read_messages(langchain_messages((message, USER)))
    said = tuple(part for part in back.parts if part != Text(""))
    wanted = (ToolResult("1", ""),) if message.parts == (ToolResult("1"),) else message.parts
    assert back.replace(parts=said) == message.replace(parts=wanted)
    assert user == USER


def test_results_are_messages_of_their_own() -> None:
    made = langchain_messages((Message("user", [ToolResult("1", "a"), ToolResult("2", "b"), "and?"]),))
    assert made == [ToolMessage("a", tool_call_id="1"), ToolMessage("b", tool_call_id="2"), HumanMessage("and?")]


def test_a_part_of_a_conversation_is_enough() -> None:
    assert langchain_messages(()) == []
    assert langchain_messages((Message("system", "s"),)) == [SystemMessage("s")]
    assert langchain_messages((Message("system", "s"),), get_adapter("anthropic_style")) == [SystemMessage("s")]


def test_an_empty_turn_is_refused() -> None:
    with pytest.raises(PromptFormatError, match=r"message 2 \(user\) is empty"):
        langchain_messages((USER, Message("user", "")))


def test_blank_text_between_media_is_left_out_where_it_may_be_refused(photos: list[Image]) -> None:
    message = Message("user", [photos[0], "\n\n", photos[1]])
    kinds = {}
    for style in (None, "openai_style", "anthropic_style", "google_style"):
        made: Any = langchain_messages((message,), get_adapter(style) if style else None)[0]
        kinds[style] = [block["type"] for block in made.content]
    assert kinds == {
        None: ["image_url", "image_url"],
        "openai_style": ["image_url", "text", "image_url"],
        "anthropic_style": ["image", "image"],
        "google_style": ["media", "text", "media"],
    }


MISPLACED = {
    "text in a tool message": (Message("tool", "x"), "text", "a tool message holds tool results"),
    "a call by the user": (
        Message("user", [ToolCall("1", "f")]), "a call of tool 'f'", "tools are called in assistant turns"
    ),
    "a call by the system": (
        Message("system", ["x", ToolCall("1", "f")]), "a call of tool 'f'", "tools are called in assistant turns"
    ),
    "a result of the assistant": (
        Message("assistant", ["x", ToolResult("1", "a")]),
        "a result of tool call '1'",
        "tool results stand in tool turns",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("message", "what", "reason"), MISPLACED.values(), ids=MISPLACED)
def test_what_has_no_place_is_refused_by_name(message: Message, what: str, reason: str) -> None:
    with pytest.raises(UnsupportedContentError) as caught:
        langchain_messages((USER, message))
    assert caught.value.part == what
    assert caught.value.reason == reason
    assert caught.value.position.startswith(f"message 2 ({message.role})")


def test_what_no_field_carries_is_noted(caplog: pytest.LogCaptureFixture, photo: Image) -> None:
    caplog.set_level(logging.INFO, "prompt_adapters")
    langchain_messages((Message("user", [Text("a", cache=True), photo]),))
    assert "langchain: message 1 (user), part 1: the end of the cacheable prefix is not marked" in caplog.text


def test_what_stands_after_a_call_is_noted(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "prompt_adapters")
    made = langchain_messages((USER, Message("assistant", [ToolCall("1", "f"), "t"])))
    assert made[1].content == "t"
    assert "message 2 (assistant): the text after a tool call is sent before it" in caplog.text


def test_what_only_the_package_loses_is_noted(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "prompt_adapters")
    call, result = ToolCall("1", "f"), ToolResult("1", "no", error=True)
    messages = (USER, Message("assistant", call), Message("tool", result))
    langchain_messages(messages, get_adapter("google_style"))
    assert "langchain: message 3 (tool), part 1: that the tool failed is not marked" in caplog.text
    caplog.clear()
    langchain_messages((Message("user", "q", name="Ada"),), get_adapter("anthropic_style"))
    assert caplog.text.count("the participant's name 'Ada' is not sent") == 1


def test_cache_marks_go_through_for_anthropic(photo: Image, report: Document) -> None:
    message = Message("user", [Text("a", cache=True), photo.replace(cache=True), report], cache=True)
    (made,) = langchain_messages((message,), get_adapter("anthropic_style"))
    assert [block["cache_control"] for block in made.content if isinstance(block, dict)] == [{"type": "ephemeral"}] * 3


@pytest.mark.parametrize("style", ["anthropic_style", "google_style"])
def test_a_system_message_in_mid_conversation_is_refused_where_it_would_move(style: str) -> None:
    messages = (Message("system", "a"), USER, Message("system", "b"), USER)
    with pytest.raises(UnsupportedContentError, match="a system message in mid-conversation at message 3"):
        langchain_messages(messages, get_adapter(style))
    assert [m.type for m in langchain_messages(messages, get_adapter("openai_style"))] == ["system", "human"] * 2
    kept = langchain_messages(messages, get_adapter(style, system_in_middle="user"))
    assert [m.type for m in kept] == ["system", "human", "human", "human"]


def test_text_beside_calls_stands_by_itself_where_the_package_drops_it(caplog: pytest.LogCaptureFixture) -> None:
    messages = (USER, Message("assistant", ["let me see", ToolCall("1", "f")]), Message("tool", ToolResult("1", "x")))
    for style in ("anthropic_style", "google_style"):
        assert len(langchain_messages(messages, get_adapter(style))) == 3
    with caplog.at_level("INFO", "prompt_adapters"):
        made = langchain_messages(messages, get_adapter("mistral_style"))
    assert [(m.type, m.content, len(getattr(m, "tool_calls", []))) for m in made[1:3]] == [
        ("ai", "let me see", 0), ("ai", "", 1)
    ]  # fmt: skip
    assert "langchain-mistralai drops text beside tool calls, so it is sent as a turn of its own" in caplog.text


@pytest.mark.parametrize(
    ("style", "kind"),
    [
        ("openai_style", "film"),
        ("anthropic_style", "film"),
        ("anthropic_style", "sound"),
    ],
)
def test_what_a_provider_cannot_take_is_refused_before_it_is_sent(
    style: str, kind: str, request: pytest.FixtureRequest
) -> None:
    medium = request.getfixturevalue(kind)
    with pytest.raises(UnsupportedContentError, match=rf"{style} cannot take {medium.kind}"):
        langchain_messages((Message("user", ["look", medium]),), get_adapter(style))
    (made,) = langchain_messages((Message("user", ["look", medium]),))
    assert isinstance(made.content[1], dict)
    assert made.content[1]["type"] == medium.kind


def test_every_call_makes_new_messages(photo: Image) -> None:
    messages = (Message("user", [photo]), Message("assistant", [ToolCall("1", "f", {"x": [1]})]))
    first, second = langchain_messages(messages), langchain_messages(messages)
    assert first == second
    first[0].content.clear()  # type: ignore[union-attr]  # it is a list
    first[1].tool_calls[0]["args"]["x"].append(2)  # type: ignore[attr-defined]  # it is an AIMessage
    assert langchain_messages(messages) == second


def test_media_are_named(photo: Image, sound: Audio, film: Video, report: Document) -> None:
    link = Image("https://example.org/a.png?token=secret")
    message = Message("user", ["a ", photo, sound, film, report, link, Image.from_uploaded("file-1"), " b"])
    (made,) = described((message,))
    assert made.content == (
        f"a [image: image/png, {len(photo.as_bytes())} bytes][audio: audio/wav, {len(sound.as_bytes())} bytes]"
        f"[video: video/mp4, {len(film.as_bytes())} bytes]"
        f"[document: report.pdf, application/pdf, {len(report.as_bytes())} bytes]"
        "[image: https://example.org/a.png][image: uploaded file-1] b"
    )


def test_media_in_results_are_named_and_calls_are_kept(photo: Image) -> None:
    call: Any = {"type": "tool_call", "id": "1", "name": "f", "args": {}}
    made = described((Message("assistant", ToolCall("1", "f")), Message("tool", ToolResult("1", ["see", photo]))))
    assert made == [
        AIMessage("", tool_calls=[call]),
        ToolMessage(f"see[image: image/png, {len(photo.as_bytes())} bytes]", tool_call_id="1"),
    ]


@pytest.mark.parametrize(
    ("system", "texts"), [("fold", ["S\n\nT\n\nq"]), ("one", ["S\n\nT", "q"]), ("keep", ["S", "T", "q"])]
)
def test_system_text_goes_where_the_option_says(system: str, texts: list[str]) -> None:
    messages = (Message("system", "S"), Message("system", "T"), Message("user", "q"))
    found = langchain_messages(messages, get_adapter("openai_style", system=system))
    assert [message.content for message in found] == texts
