"""`litellm_style`: what it writes for each kind of target, and what it refuses before LiteLLM could drop it."""

import io
import pickle
import re
import wave
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from PIL import Image as Pillow

from prompt_adapters import (
    Audio,
    Document,
    Image,
    Message,
    Prompt,
    Text,
    ToolCall,
    ToolResult,
    Video,
    get_adapter,
    route,
)
from prompt_adapters.adapters.litellm_dialects import DIALECTS
from prompt_adapters.errors import UnknownModelError, UnsupportedContentError
from prompt_adapters.targets import Route
from prompt_adapters.targets.providers import PROVIDERS

GPT, CLAUDE, GEMINI = "openai/gpt-4o", "anthropic/claude-sonnet-4-5", "gemini/gemini-2.5-flash"
VERTEX, NOVA = "vertex_ai/gemini-2.5-flash", "bedrock/amazon.nova-lite-v1:0"
UNTRIED = "gradient_ai/llama3-8b-instruct"


def photo() -> bytes:
    buffer = io.BytesIO()
    Pillow.new("RGB", (8, 4), "navy").save(buffer, "PNG")
    return buffer.getvalue()


def sound() -> bytes:
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as file:
        file.setparams((1, 2, 8000, 8, "NONE", ""))
        file.writeframes(b"\0\1" * 8)
    return buffer.getvalue()


PHOTO = Image(photo())
SOUND = Audio(sound())
FILM_3GP = Video(b"\0\0\0\x14ftyp3gp4\0\0\0\x003gp4\0\0\0\x0cmdatfilm\0\0\0\x08moov")
FILM = Video(b"\0\0\0\x14ftypisom\0\0\0\0isom\0\0\0\x0cmdatfilm\0\0\0\x08moov")
PDF = Document(b"%PDF-1.4\n%%EOF\n", name="a.pdf")
WORDS = Document(b"plain words", mime="text/plain", name="a.txt")


def user(*parts: Any) -> tuple[Message, ...]:
    return (Message("user", [*parts, "Go on."]),)


def content(model: str | None, messages: tuple[Message, ...], **options: Any) -> Any:
    adapter = get_adapter("litellm_style", **options, **({"model": model} if model else {}))
    return adapter.build_request(messages)["messages"][-1]["content"]


@pytest.mark.parametrize("model", [GPT, CLAUDE, GEMINI, VERTEX, "vertex_ai/claude-sonnet-4-5@20250929", "azure/mine"])
def test_text_and_images_are_written_as_openai_has_them(model: str) -> None:
    assert content(model, user("Look: ", PHOTO)) == [
        {"type": "text", "text": "Look: "},
        {"type": "image_url", "image_url": {"url": PHOTO.as_data_url()}},
        {"type": "text", "text": "Go on."},
    ]


def test_the_model_stays_as_it_was_written() -> None:
    prompt = Prompt(user="Hi", parameters={"max_tokens": 5, "stop": "END"})
    for model in (GPT, "gpt-4o", CLAUDE, "vertex_ai/gemini-2.5-flash"):
        request = get_adapter("litellm_style", model=model).build_request(prompt)
        assert request == {
            "model": model,
            "messages": [{"role": "user", "content": "Hi"}],
            "max_tokens": 5,
            "stop": "END",
        }


def test_a_prompts_own_model_is_bound() -> None:
    prompt = Prompt(user="{{ film }}What?", model=GEMINI)
    request = get_adapter("litellm_style").build_request(prompt, film=FILM)
    assert request["model"] == GEMINI
    assert request["messages"][0]["content"][0]["type"] == "file"


def test_a_route_is_bound_under_litellms_name() -> None:
    adapter = get_adapter("litellm_style").bound(route("claude-sonnet-4-5"))
    assert adapter.model == "anthropic/claude-sonnet-4-5"
    assert adapter == get_adapter("litellm_style").bound(route("claude-sonnet-4-5"))
    assert pickle.loads(pickle.dumps(adapter)) == adapter


async def test_the_asynchronous_form_and_the_body_are_the_same() -> None:
    adapter = get_adapter("litellm_style", model=GEMINI)
    request = adapter.build_request(user(PHOTO, SOUND))
    assert await adapter.abuild_request(user(PHOTO, SOUND)) == request
    assert adapter.build_body(user(PHOTO, SOUND)) == request


def test_a_payload_is_openais() -> None:
    prompt = Prompt(system="S", user=[{"type": "text", "content": "T"}, {"type": "image", "variable": "photo"}])
    for model in (GPT, CLAUDE, GEMINI):
        payload = get_adapter("litellm_style", model=model).build_payload(prompt, photo=PHOTO)
        assert payload == get_adapter("openai_style").build_payload(prompt, photo=PHOTO)


def test_developer_text_is_system_text() -> None:
    request = get_adapter("litellm_style", model=GPT).build_request((Message("developer", "S"), Message("user", "U")))
    assert request["messages"][0] == {"role": "system", "content": "S"}


@pytest.mark.parametrize(
    ("model", "kept"),
    [
        ("groq/llama-3.3-70b-versatile", {"name", "detail"}),
        ("xai/grok-4", {"detail"}),
        ("openrouter/anthropic/claude-sonnet-4.5", {"name", "detail", "cache"}),
        ("openrouter/meta-llama/llama-4-scout", {"name", "detail"}),
        (CLAUDE, {"cache", "title"}),
        (GEMINI, {"clip"}),
        (NOVA, {"cache"}),
        ("bedrock/meta.llama3-3-70b-instruct-v1:0", set()),
        (UNTRIED, set()),
    ],
    ids=["groq", "xai", "openrouter", "openrouter-llama", "claude", "gemini", "nova", "bedrock-llama", "untried"],
)
def test_what_has_no_field_is_noted_and_not_sent(model: str, kept: set[str]) -> None:
    adapter = get_adapter("litellm_style", model=model)
    assert adapter.carries == kept
    message = Message("user", [Text("Look.", cache=True)], name="ada")
    notes = [str(note) for note in adapter.prepare(message).notes]
    assert any("cacheable prefix" in note for note in notes) == ("cache" not in kept)
    assert any("'ada'" in note for note in notes) == ("name" not in kept)
    encoded = adapter.build_request(message)["messages"][0]
    assert ("name" in encoded, "cache_control" in str(encoded)) == ("name" in kept, "cache" in kept)


def test_a_detail_stays_with_its_image_or_at_home() -> None:
    image = PHOTO.replace(detail="low")
    assert content(GPT, user(image))[0]["image_url"]["detail"] == "low"
    assert "detail" not in content(GEMINI, user(image))[0]["image_url"]


CLIP = {"video_metadata": {"start_offset": "1.5s", "fps": 2.0}}


@pytest.mark.parametrize(
    ("model", "part", "expected"),
    [
        (GEMINI, SOUND, {"type": "file", "file": {"file_data": SOUND.as_data_url()}}),
        (GEMINI, FILM.replace(start=1.5, fps=2), {"type": "file", "file": {"file_data": FILM.as_data_url()} | CLIP}),
        (
            VERTEX,
            Video("https://www.youtube.com/watch?v=x"),
            {"type": "file", "file": {"file_id": "https://www.youtube.com/watch?v=x", "format": "video/mp4"}},
        ),
        (
            VERTEX,
            Image("gs://b/a.png"),
            {"type": "file", "file": {"file_id": "gs://b/a.png", "format": "image/png"}},
        ),
        (GPT, PDF, {"type": "file", "file": {"filename": "a.pdf", "file_data": PDF.as_data_url()}}),
        (
            CLAUDE,
            WORDS,
            {
                "type": "document",
                "source": {"type": "text", "media_type": "text/plain", "data": "plain words"},
                "title": "a.txt",
            },
        ),
        (
            CLAUDE,
            Image.from_uploaded("file_1"),
            {"type": "file", "file": {"file_id": "file_1", "format": "image/png"}},
        ),
    ],
    ids=["gemini-audio", "gemini-video", "vertex-youtube", "vertex-gs", "openai-pdf", "claude-text", "claude-upload"],
)
def test_each_target_has_its_words(model: str, part: Any, expected: dict[str, Any]) -> None:
    assert content(model, user(part))[0] == expected


def test_without_a_model_only_what_arrives_everywhere_is_written() -> None:
    assert [part["type"] for part in content(None, user(PHOTO, PDF))] == ["image_url", "file", "text"]


CALLS = Message("assistant", [ToolCall("a", "look", {"at": 1}), ToolCall("b", "look", {"at": 1})])
RESULT = Message("tool", [ToolResult("a", ["See: ", PHOTO])])
CALL = Message("assistant", [ToolCall("a", "look")])
ANSWER = Message("tool", [ToolResult("a", "x")])
SYSTEM = Message("system", "S")
MIDDLE = (Message("user", "A"), Message("system", "B"), Message("user", "C"))
NATIVE = r"use adapter_for\('.*'\) and the provider's own client"

REFUSED: dict[str, tuple[str | None, tuple[Message, ...], str]] = {
    "audio to Claude": (CLAUDE, user(SOUND), "send a transcript as text"),
    "video to Claude": (CLAUDE, user(FILM), "send single frames as images"),
    "video to OpenAI": (GPT, user(FILM), "send single frames as images"),
    "audio by the Responses API": ("openai/responses/gpt-4o", user(SOUND), "or a transcript as text"),
    "an image of Claude's": (CLAUDE, (Message("user", "Draw."), Message("assistant", [PHOTO]), *user()), NATIVE),
    "an image of OpenAI's": (GPT, (Message("user", "Draw."), Message("assistant", [PHOTO]), *user()), "a user turn"),
    "an image of Nova's": (NOVA, (Message("user", "Draw."), Message("assistant", [PHOTO]), *user()), "a user turn"),
    "an image in a system text": (GEMINI, (Message("system", [PHOTO]), *user()), "move it to a user turn"),
    "a film by link to the Gemini API": (GEMINI, user(Video("https://youtu.be/x")), NATIVE),
    "a picture by link to the Gemini API": (
        GEMINI,
        user(Image("https://a.example/b.png")),
        f"option fetcher, or {NATIVE}",
    ),
    "a picture by plain http to Vertex AI": (VERTEX, user(Image("http://a.example/b.png")), NATIVE),
    "a picture of S3 to Bedrock": (NOVA, user(Image("s3://bucket/a.png")), NATIVE),
    "an upload to Claude on Vertex AI": (
        "vertex_ai/claude-haiku-4-5",
        user(Document.from_uploaded("file_1")),
        "give the bytes",
    ),
    "an upload to Claude on Bedrock": (
        "bedrock/invoke/us.anthropic.claude-haiku-4-5-20251001-v1:0",
        user(Image.from_uploaded("file_1")),
        "give the bytes",
    ),
    "an upload to Bedrock": (NOVA, user(Image.from_uploaded("s3://bucket/a.png", mime="image/png")), NATIVE),
    "a film of a telephone to Bedrock": (NOVA, user(FILM_3GP), NATIVE),
    "sound to Bedrock": ("bedrock/amazon.nova-2-omni-v1:0", user(SOUND), NATIVE),
    "a document to Mistral": ("mistral/mistral-medium-latest", user(PDF), NATIVE),
    "sound to Mistral": ("mistral/voxtral-small-latest", user(SOUND), NATIVE),
    "an upload to Mistral on Vertex AI": ("vertex_ai/mistral-large@2411", user(Image.from_uploaded("abc")), NATIVE),
    "a document to Fireworks": ("fireworks_ai/llama-v3p2-90b-vision-instruct", user(PDF), NATIVE),
    "a document to Llama on Vertex AI": ("vertex_ai/meta/llama-4-scout-17b-16e-instruct-maas", user(PDF), NATIVE),
    "a text file to Foundry": ("azure_ai/mistral-large", user(WORDS), NATIVE),
    "an upload to Foundry": ("azure_ai/mistral-large", user(Document.from_uploaded("file-1")), NATIVE),
    "a picture to DeepSeek": ("deepseek/deepseek-chat", user(PHOTO), NATIVE),
    "a picture to SambaNova": ("sambanova/Llama-4-Maverick-17B-128E-Instruct", user(PHOTO), NATIVE),
    "a blank result to Databricks": (
        "databricks/databricks-claude-sonnet-4",
        (*user(), CALL, Message("tool", [ToolResult("a", " ")])),
        "let it say something",
    ),
    "tool turns without tools to Bedrock": (
        NOVA,
        (*user(), CALL, Message("tool", [ToolResult("a", "x")])),
        "tools=\\[",
    ),
    "a document alone to Bedrock": (NOVA, (Message("user", [PDF]),), "add a text"),
    "an unnamed upload to Gemini": (VERTEX, user(Document.from_uploaded("f")), "called by its URI"),
    "a foreign upload to Gemini": (
        VERTEX,
        user(Document.from_uploaded("https://example.org/f", mime="application/pdf")),
        "generativelanguage",
    ),
    "an uploaded image to OpenAI": (GPT, user(Image.from_uploaded("file-1")), "give the bytes or a link"),
    "a document by link to OpenAI": (GPT, user(Document("https://example.org/a.pdf")), "give the bytes"),
    "an image in a result to OpenAI": (GPT, (*user(), CALL, RESULT), "into a user turn"),
    "an image in a result of Mistral's": ("mistral/mistral-medium-latest", (*user(), CALL, RESULT), "into a user turn"),
    "equal calls to Gemini": (GEMINI, (*user(), CALLS), NATIVE),
    "media to an untried provider": (UNTRIED, user(PHOTO), NATIVE),
    "audio without a model": (None, user(SOUND), "bind a model"),
    "system text of o3": ("o3", (Message("system", "S"), *user()), "write the model as 'openai/responses/o3', or"),
    "system text of o3 on Azure": ("azure/my-o3", (Message("developer", "S"), *user()), NATIVE),
    "system text of a tuned Gemini": ("vertex_ai/12345", (Message("system", "S"), *user()), "'vertex_ai/gemini/12345'"),
    "system text of a Gemini that is not listed": ("vertex_ai/gemini-99", (Message("system", "S"), *user()), NATIVE),
    "system text to Cohere's first version": (
        "cohere_chat/v1/command-r",
        (Message("system", "S"), *user()),
        "command-r'",
    ),
    "a second turn to Cohere's first version": (
        "cohere_chat/v1/command-r",
        (Message("user", "A"), Message("assistant", "B"), *user()),
        "'cohere_chat/command-r'",
    ),
    "a system text in the middle, Gemini": (GEMINI, MIDDLE, "put it first"),
    "a system text in the middle, Claude": (CLAUDE, MIDDLE, "put it first"),
    "a system text in the middle, untried": (UNTRIED, MIDDLE, "put it first"),
    "a system text in the middle, no model": (None, MIDDLE, "put it first"),
    "a call in a user turn": (GPT, (Message("user", [ToolCall("a", "look")]),), "assistant turn"),
    "a result in a system turn": (GPT, (Message("system", [ToolResult("a", "x")]), *user()), "tool turn"),
}


@pytest.mark.parametrize("case", REFUSED.values(), ids=REFUSED)
def test_what_litellm_would_drop_or_change_is_refused(case: tuple[str | None, tuple[Message, ...], str]) -> None:
    model, messages, remedy = case
    with pytest.raises(UnsupportedContentError, match=remedy) as caught:
        content(model, messages, on_limit="send")
    assert "message " in caught.value.position
    assert "\n" not in str(caught.value)


def test_system_text_goes_where_it_is_kept() -> None:
    turns = (Message("system", "S"), Message("user", "U"))
    for model in ("openai/responses/o3", "openai/o1", "gpt-5"):
        request = get_adapter("litellm_style", model=model).build_request(turns)
        assert request["messages"][0] == {"role": "system", "content": "S"}
    marked = get_adapter("litellm_style", model=GEMINI, system_in_middle="user").build_request(MIDDLE)
    assert marked["messages"][1] == {"role": "user", "content": "<system>\nB\n</system>"}


def test_limits_are_the_providers() -> None:
    assert get_adapter("litellm_style", model=CLAUDE).limits == get_adapter("litellm_style", model=CLAUDE).native.limits  # type: ignore[attr-defined]  # an attribute of this adapter alone
    with pytest.raises(UnsupportedContentError, match="audio"):
        content(CLAUDE, user(SOUND))
    buffer = io.BytesIO()
    Pillow.new("RGB", (8, 4)).save(buffer, "BMP")
    assert content(CLAUDE, user(Image(buffer.getvalue())))[0]["image_url"]["url"].startswith(
        ("data:image/png;base64,", "data:image/jpeg;base64,")
    )


@pytest.mark.parametrize(
    ("model", "parameters", "reason"),
    [
        (GPT, {"api_base": "http://elsewhere"}, "no such parameter"),
        (CLAUDE, {"api_key": "k"}, "no such parameter"),
        (GPT, {"top_k": 4}, "no such parameter"),
        (GPT, {"temprature": 1}, "did you mean 'temperature'"),
    ],
)
def test_parameters_that_are_none_are_refused(model: str, parameters: dict[str, Any], reason: str) -> None:
    with pytest.raises(UnsupportedContentError, match=reason):
        get_adapter("litellm_style", model=model).build_request(Prompt(user="Hi", parameters=parameters))


def test_parameters_keep_their_names() -> None:
    parameters = {"top_k": 4, "stop": ["A"], "response_format": {"type": "text"}, "max_tokens": 3}
    request = get_adapter("litellm_style", model=CLAUDE).build_request(Prompt(user="Hi", parameters=parameters))
    assert {name: request[name] for name in parameters} == parameters


@given(value=st.text(min_size=1).filter(str.strip), model=st.sampled_from([GPT, CLAUDE, GEMINI, NOVA]))
@example(value='{"role": "system"}', model=GPT)
@example(value="{{ x }} %x% {x} $system$ https://example.org/a.png", model=GEMINI)
def test_a_value_arrives_as_that_very_text(value: str, model: str) -> None:
    request = get_adapter("litellm_style", model=model).build_request(Prompt(user="{{ x }}"), x=value)
    assert request["messages"] == [{"role": "user", "content": value}]


def test_an_unknown_model_is_refused_at_once() -> None:
    with pytest.raises(UnknownModelError, match="openai/NAME"):
        get_adapter("litellm_style", model="my-alias")
    with pytest.raises(UnknownModelError):
        get_adapter("litellm_style").build_request(Prompt(user="Hi", model="my-alias"))


def test_every_row_is_of_a_provider_that_speaks_so() -> None:
    for name, style in DIALECTS:
        row = PROVIDERS[name]
        assert style in {row.style, *(rule.style for rule in row.rules)}, name


def media_of(name: str, style: str) -> list[str]:
    """The kinds of media that arrive, in the order in which they are told."""
    adapter = get_adapter("litellm_style").bound(Route(name, "model", style))
    row = DIALECTS[name, style]
    taken = {kind for kind, places in adapter.takes.items() if places} | (row.kinds if row.listed_only else set())
    return [kind for kind in ("image", "audio", "video", "document") if kind in taken]


def test_the_readme_lists_the_media_that_arrive() -> None:
    text = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    listed = []
    for names, style, media in re.findall(
        r"^\| ((?:`[\w-]+`(?:, )?)+) \| `(\w+)` \| ([a-z, ]*) \|$", text, re.MULTILINE
    ):
        for name in re.findall(r"`([\w-]+)`", names):
            listed.append((name, style))
            assert ", ".join(media_of(name, style)) == media.replace("text only", ""), (name, style)
    assert len(listed) == len(set(listed))
    others = DIALECTS.keys() - set(listed)
    more = re.search(r"and (\d+) more servers that speak OpenAI's shape", text)
    assert more is not None
    assert len(others) == int(more[1])
    assert {style for _, style in others} == {"openai_style"}


@pytest.mark.parametrize(
    ("model", "title", "noted"),
    [
        ("gemini/gemini-2.5-flash", None, True),
        ("anthropic/claude-haiku-4-5", "A", True),
        ("openai/gpt-4o", None, False),
    ],
)
def test_a_documents_name_that_does_not_arrive_is_noted(model: str, title: str | None, noted: bool) -> None:
    paper = Document(b"%PDF-1.4\n%%EOF\n", name="contract.pdf", title=title)
    notes = get_adapter("litellm_style").bound(route(model)).prepare([Message("user", ["Read.", paper])]).notes
    assert any("contract.pdf" in str(note) for note in notes) is noted
