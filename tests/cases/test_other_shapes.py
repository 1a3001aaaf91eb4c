"""Failures that people reported with Mistral, Cohere and Ollama, each as a small input of its kind."""

from __future__ import annotations

import base64
import io
import re
from typing import Any

import pytest
from PIL import Image as Pillow

from official import built
from prompt_adapters.adapters import adapter_for
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Image, Text, ToolCall, ToolResult
from prompt_adapters.errors import PromptFormatError, UnsupportedContentError

MISTRAL = "mistral/mistral-medium-latest"
COHERE = "cohere_chat/command-a-vision-07-2025"
OLLAMA = "ollama_chat/llama3.2-vision"


def say(*roles_and_parts: Any) -> tuple[Message, ...]:
    return tuple(Message(role, parts) for role, parts in roles_and_parts)


def picture(color: str = "red", kind: str = "PNG", **options: Any) -> bytes:
    file = io.BytesIO()
    Pillow.new("RGB", (4, 2), color).save(file, kind, **options)
    return file.getvalue()


def base64_of(data: bytes) -> str:
    return base64.b64encode(data).decode()


def content_of(model: str, parts: list[Any]) -> Any:
    return built(adapter_for(model), Message("user", parts))["messages"][0]


# Mistral


@pytest.mark.parametrize("before", [(), (("system", "s"),), (("user", "q"), ("assistant", "a"))])
def test_a_final_assistant_turn_is_marked_as_a_prefix(before: tuple[Any, ...]) -> None:
    """MSG-09: huggingface/smolagents#757. 'Expected last role User or Tool (or Assistant with prefix True)'."""
    body = built(adapter_for(MISTRAL), say(*before, ("user", "Give JSON"), ("assistant", "{")))
    assert body["messages"][-1] == {"role": "assistant", "content": "{", "prefix": True}
    assert all("prefix" not in message for message in body["messages"][:-1])


@pytest.mark.parametrize("number", [8, 9])
def test_pictures_are_counted_before_anything_is_sent(number: int) -> None:
    """IMG-17: earendil-works/pi#120. More images than the target takes."""
    images = [Image(picture()) for _ in range(number)]
    if number <= 8:
        assert len(content_of(MISTRAL, images)["content"]) == number
        return
    with pytest.raises(UnsupportedContentError, match="there are 9 images and Mistral takes at most 8") as caught:
        content_of(MISTRAL, images)
    assert caught.value.position == "message 1 (user), part 9"
    assert len(adapter_for(MISTRAL, on_limit="send").build_body(Message("user", images))["messages"][0]["content"]) == 9


@pytest.mark.parametrize("key", ["call_PTLP8xhu3uwZk4l3nlnrrJha", "call_0fypS1hVX", "turn1_0", "2968-LWy3uasib"])
def test_ids_of_other_providers_become_mistral_s(key: str) -> None:
    """anomalyco/opencode#1680. 'Tool call id was … but must be a-z, A-Z, 0-9, with a length of 9.'"""
    messages = say(("user", "q"), ("assistant", [ToolCall(key, "look")]), ("tool", [ToolResult(key, "1")]))
    _, called, gave = built(adapter_for(MISTRAL), messages)["messages"]
    assert re.fullmatch("[a-zA-Z0-9]{9}", gave["tool_call_id"])
    assert called["tool_calls"][0]["id"] == gave["tool_call_id"]


def test_a_user_turn_after_a_result_is_named_before_it_is_refused_there() -> None:
    """BerriAI/litellm#17761. 'Unexpected role 'user' after role 'tool''."""
    tools = (("assistant", [ToolCall("c", "look")]), ("tool", [ToolResult("c", "1")]))
    with pytest.raises(UnsupportedContentError, match=r"message 4 \(user\).*put the assistant's turn between them"):
        adapter_for(MISTRAL).build_body(say(("user", "q"), *tools, ("user", "Remember.")))
    between = say(("user", "q"), *tools, ("assistant", "So."), ("user", "Remember."))
    assert len(built(adapter_for(MISTRAL), between)["messages"]) == 5


def test_an_assistant_turn_has_text_or_calls() -> None:
    """OpenHands/OpenHands#8685. 'Assistant message must have either content or tool_calls, but not none.'"""
    with pytest.raises(PromptFormatError, match=r"message 2 \(assistant\) is empty"):
        adapter_for(MISTRAL).build_body(say(("user", "q"), ("assistant", ""), ("user", "r")))
    messages = say(("user", "q"), ("assistant", [Text(""), ToolCall("c", "look")]), ("tool", [ToolResult("c", "1")]))
    assert built(adapter_for(MISTRAL), messages)["messages"][1].keys() == {"role", "tool_calls"}


# Cohere


def test_what_is_said_beside_calls_is_cohere_s_tool_plan() -> None:
    """vercel/ai#5794. 'text content is not allowed when tool_calls are provided'."""
    messages = say(
        ("user", "Add 1 and 2."),
        ("assistant", ["I will add them.", ToolCall("c", "add", {"number1": 1, "number2": 2})]),
        ("tool", [ToolResult("c", "3")]),
    )
    said = built(adapter_for(COHERE), messages)["messages"][1]
    assert said.keys() == {"role", "tool_plan", "tool_calls"}
    assert said["tool_plan"] == "I will add them."


# Ollama


def test_content_is_one_text_and_images_stand_beside_it() -> None:
    """MSG-20: google/adk-python#1243. 'cannot unmarshal array … of type string'."""
    data = picture()
    assert content_of(OLLAMA, ["a", Image(data), "b"]) == {
        "role": "user",
        "content": "a\nb",
        "images": [base64_of(data)],
    }


@pytest.mark.parametrize("given", ["bytes", "data URL", "labelled wrongly"])
def test_each_target_gets_its_own_base64(given: str) -> None:
    """IMG-12: musistudio/claude-code-router#1690. Bare base64 where a URL is wanted, and the reverse."""
    data = picture()
    bare = base64_of(data)
    labels = {"data URL": f"data:image/png;base64,{bare}", "labelled wrongly": f"data:image/jpeg;base64,{bare}"}
    image = Image(labels.get(given, data))
    url = f"data:image/png;base64,{bare}"
    assert content_of("openai/gpt-4o", [image])["content"] == [{"type": "image_url", "image_url": {"url": url}}]
    assert content_of(MISTRAL, [image])["content"] == [{"type": "image_url", "image_url": url}]
    assert content_of(COHERE, [image])["content"] == [{"type": "image_url", "image_url": {"url": url}}]
    assert content_of(OLLAMA, [image])["images"] == [bare]


@pytest.mark.parametrize("url", ["https://img.example/p/1.png", "http://localhost:8000/1.png", "s3://bucket/1.png"])
def test_a_link_is_refused_by_name_and_never_taken_for_base64(url: str) -> None:
    """IMG-53: BerriAI/litellm#30313. 'illegal base64 data at input byte 5'."""
    for on_limit in ("convert", "send"):
        with pytest.raises(UnsupportedContentError, match=r"part 2: .*Ollama reads no links; give the .*bytes"):
            adapter_for(OLLAMA, on_limit=on_limit).build_request(Message("user", ["q", Image(url)]))


@pytest.mark.parametrize("orientation", range(1, 9))
def test_a_photo_arrives_upright(orientation: int) -> None:
    """IMG-26: ollama/ollama#18418, mistralai/mistral-common#330. EXIF orientation is ignored."""
    exif = Pillow.Exif()
    exif[0x0112] = orientation
    photo = Image(picture(kind="JPEG", exif=exif))
    (sent,) = content_of(OLLAMA, [photo])["images"]
    with Pillow.open(io.BytesIO(base64.b64decode(sent))) as upright:
        assert upright.size == ((2, 4) if orientation >= 5 else (4, 2))
        assert upright.getexif().get(0x0112, 1) == 1
    assert content_of(MISTRAL, [photo])["content"][0]["image_url"].partition(",")[2] == sent


@pytest.mark.parametrize("model", ["ollama/llama3.2:1b", "ollama_chat/llama3.2:1b"])
def test_turns_stay_turns_whatever_the_prefix(model: str) -> None:
    """RTE-13: BerriAI/litellm#39724. One prefix flattens the turns into a text of its own."""
    body = built(adapter_for(model), say(("system", "sys"), ("user", "hi")))
    assert body["model"] == "llama3.2:1b"
    assert body["messages"] == [{"role": "system", "content": "sys"}, {"role": "user", "content": "hi"}]
