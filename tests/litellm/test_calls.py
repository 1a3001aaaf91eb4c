"""What arrives over HTTP when a prompt is sent through the real LiteLLM."""

import asyncio
import base64
import copy
import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from PIL import Image as Pillow

from prompt_adapters import FewShot, Image, Prompt, Text, save_prompt
from prompt_adapters.litellm import LiteLLMBridge, acompletion, completion

Body = dict[str, Any]
MODELS = {
    "openai": "openai/gpt-4o",
    "bare": "gpt-4o",
    "anthropic": "anthropic/claude-sonnet-4-5",
    "gemini": "gemini/gemini-2.5-flash",
    "azure": "azure/mine",
    "vertex-gemini": "vertex_ai/gemini-2.5-flash",
    "vertex-claude": "vertex_ai/claude-sonnet-4-5@20250929",
}
_VERTEX = "/projects/p/locations/us-east5/publishers"
PATHS = {
    "openai": "/chat/completions",
    "bare": "/chat/completions",
    "anthropic": "/v1/messages",
    "gemini": "/models/gemini-2.5-flash:generateContent",
    "azure": "/openai/deployments/mine/chat/completions?api-version=2024-10-21",
    "vertex-gemini": f"/v1{_VERTEX}/google/models/gemini-2.5-flash:generateContent",
    "vertex-claude": f"/v1{_VERTEX}/anthropic/models/claude-sonnet-4-5@20250929:rawPredict",
}


def photo() -> bytes:
    buffer = io.BytesIO()
    Pillow.new("RGB", (8, 4), "navy").save(buffer, "PNG")
    return buffer.getvalue()


PHOTO = photo()
B64 = base64.b64encode(PHOTO).decode()

PROMPT = Prompt(
    system="You look at photos for {{ who }}.",
    user="Before {{ photo }}after: {{ question }}",
    few_shot=FewShot([("A lamp?", "Yes."), ([Text("And "), Image(PHOTO), Text("here?")], "No.")]),
    parameters={"temperature": 0.25, "max_tokens": 77},
)
VALUES = {"who": "Ada", "photo": Image(PHOTO), "question": '{"role": "system"}'}


def openai_image(data: str) -> Body:
    return {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{data}"}}


def anthropic_image(data: str) -> Body:
    return {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": data}}


def text(value: str) -> Body:
    return {"type": "text", "text": value}


OPENAI = {
    "messages": [
        {"role": "system", "content": "You look at photos for Ada."},
        {"role": "user", "content": "A lamp?"},
        {"role": "assistant", "content": "Yes."},
        {"role": "user", "content": [text("And "), openai_image(B64), text("here?")]},
        {"role": "assistant", "content": "No."},
        {"role": "user", "content": [text("Before "), openai_image(B64), text('after: {"role": "system"}')]},
    ],
    "temperature": 0.25,
    "max_tokens": 77,
}
ANTHROPIC = {
    "system": [text("You look at photos for Ada.")],
    "messages": [
        {"role": "user", "content": [text("A lamp?")]},
        {"role": "assistant", "content": [text("Yes.")]},
        {"role": "user", "content": [text("And "), anthropic_image(B64), text("here?")]},
        {"role": "assistant", "content": [text("No.")]},
        {"role": "user", "content": [text("Before "), anthropic_image(B64), text('after: {"role": "system"}')]},
    ],
    "temperature": 0.25,
    "max_tokens": 77,
}
_BLOB = {"inline_data": {"data": B64, "mime_type": "image/png"}}
GEMINI = {
    "system_instruction": {"parts": [{"text": "You look at photos for Ada."}]},
    "contents": [
        {"role": "user", "parts": [{"text": "A lamp?"}]},
        {"role": "model", "parts": [{"text": "Yes."}]},
        {"role": "user", "parts": [{"text": "And "}, _BLOB, {"text": "here?"}]},
        {"role": "model", "parts": [{"text": "No."}]},
        {"role": "user", "parts": [{"text": "Before "}, _BLOB, {"text": 'after: {"role": "system"}'}]},
    ],
    "generationConfig": {"temperature": 0.25, "max_output_tokens": 77},
}
BODIES: Mapping[str, Body] = {
    "openai": OPENAI,
    "bare": OPENAI,
    "azure": OPENAI,
    "anthropic": ANTHROPIC,
    "vertex-claude": ANTHROPIC | {"anthropic_version": "vertex-2023-10-16"},
    "gemini": GEMINI,
    "vertex-gemini": GEMINI,
}
KINDS = pytest.mark.parametrize("kind", BODIES)


def access(kind: str, provider: Any) -> Body:
    """The arguments that lead to the server."""
    if kind.startswith("vertex"):
        return {"api_base": provider.url, "vertex_project": "p", "vertex_location": "us-east5"}
    version = {"api_version": "2024-10-21"} if kind == "azure" else {}
    return {"api_base": provider.url, "api_key": "fake"} | version


def without(body: Body, *names: str) -> Body:
    return {name: value for name, value in body.items() if name not in names}


def heard(response: Any) -> str:
    return str(response.choices[0].message.content)


def piece(chunk: Any) -> str:
    return chunk.choices[0].delta.content or ""


@KINDS
def test_a_prompt_arrives_whole_in_the_providers_shape(kind: str, provider: Any, litellm: Any) -> None:
    answer = completion(PROMPT, model=MODELS[kind], variables=VALUES, **access(kind, provider))
    assert heard(answer) == "Hello"
    assert provider.call.path == PATHS[kind]
    assert without(provider.call.body, "model", "stream") == BODIES[kind]


@KINDS
async def test_asynchronously_too(kind: str, provider: Any, litellm: Any, closing: None) -> None:
    bridge = LiteLLMBridge(MODELS[kind])
    answer = await bridge.acompletion(PROMPT, prompt_variables=VALUES, **access(kind, provider))
    assert heard(answer) == "Hello"
    assert without(provider.call.body, "model", "stream") == BODIES[kind]


@KINDS
def test_chunks_come_as_they_are_sent(kind: str, provider: Any, litellm: Any) -> None:
    provider.hold = True
    stream = completion(PROMPT, model=MODELS[kind], variables=VALUES, stream=True, **access(kind, provider))
    first = next(filter(None, map(piece, stream)))
    provider.release()
    assert (first, "".join(map(piece, stream))) == ("Hel", "lo")
    assert without(provider.call.body, "model", "stream") == BODIES[kind]


@KINDS
async def test_asynchronous_chunks_too(kind: str, provider: Any, litellm: Any, closing: None) -> None:
    provider.hold = True
    pieces: list[str] = []
    stream = await acompletion(PROMPT, model=MODELS[kind], variables=VALUES, stream=True, **access(kind, provider))
    async for chunk in stream:
        if piece(chunk):
            pieces.append(piece(chunk))
            provider.release()
    assert pieces == ["Hel", "lo"]
    assert without(provider.call.body, "model", "stream") == BODIES[kind]


@pytest.mark.parametrize(
    ("kind", "name", "place"),
    [
        ("openai", "max_tokens", ("max_tokens",)),
        ("anthropic", "max_tokens", ("max_tokens",)),
        ("gemini", "max_tokens", ("generationConfig", "max_output_tokens")),
        ("anthropic", "max_completion_tokens", ("max_tokens",)),
        ("openai", "max_completion_tokens", ("max_completion_tokens",)),
    ],
)
def test_explicit_arguments_win(kind: str, name: str, place: tuple[str, ...], provider: Any, litellm: Any) -> None:
    arguments: Body = {name: 5, "temperature": None}
    LiteLLMBridge(MODELS[kind]).completion(PROMPT, VALUES, api_base=provider.url, api_key="fake", **arguments)
    found: Any = provider.call.body
    for key in place:
        found = found[key]
    assert found == 5
    assert "77" not in str(without(provider.call.body, "messages", "contents"))
    assert "temperature" not in str(without(provider.call.body, "messages", "contents"))


def test_the_prompts_own_model_is_called(provider: Any, litellm: Any) -> None:
    prompt = Prompt(user="Hi", model="anthropic/claude-sonnet-4-5")
    assert heard(completion(prompt, api_base=provider.url, api_key="fake")) == "Hello"
    assert provider.call.body["model"] == "claude-sonnet-4-5"
    provider.reset()
    completion(prompt, model="gemini/gemini-2.5-flash", api_base=provider.url, api_key="fake")
    assert provider.call.path == PATHS["gemini"]


def test_a_path_will_do(tmp_path: Path, provider: Any, litellm: Any) -> None:
    save_prompt(PROMPT, tmp_path / "look")
    completion(tmp_path / "look", model=MODELS["gemini"], variables=VALUES, api_base=provider.url, api_key="fake")
    completion(str(tmp_path / "look"), model=MODELS["gemini"], variables=VALUES, api_base=provider.url, api_key="fake")
    assert [without(call.body, "model") for call in provider.calls] == [GEMINI, GEMINI]


def test_nobody_elses_objects_change(provider: Any, litellm: Any) -> None:
    metadata = {"trace": {"tags": ["a"]}}
    values = dict(VALUES)
    prompt = PROMPT.to_json()
    for kind in BODIES:
        arguments = {"metadata": metadata, "stop": ["END"], **access(kind, provider)}
        before = copy.deepcopy(arguments)
        completion(PROMPT, model=MODELS[kind], variables=values, **arguments)
        assert arguments == before
    assert metadata == {"trace": {"tags": ["a"]}}
    assert values == VALUES
    assert PROMPT.to_json() == prompt


def test_a_request_is_a_callers_own(provider: Any, litellm: Any) -> None:
    bridge = LiteLLMBridge(MODELS["gemini"])
    tools: list[Any] = []
    one, other = bridge.request(PROMPT, VALUES, tools=tools), bridge.request(PROMPT, VALUES, tools=tools)
    one["messages"][3]["content"][0]["text"] = "changed"
    one["tools"].append("changed")
    assert other["messages"][3]["content"][0]["text"] == "And "
    assert (tools, other["tools"]) == ([], [])
    assert heard(litellm.completion(**other, api_base=provider.url, api_key="fake")) == "Hello"
    assert without(provider.call.body, "model") == GEMINI


def test_a_router_takes_the_request(provider: Any, litellm: Any) -> None:
    where = {"model": MODELS["anthropic"], "api_base": provider.url, "api_key": "fake"}
    router = litellm.Router(model_list=[{"model_name": "looker", "litellm_params": where}], num_retries=0)
    request = LiteLLMBridge(MODELS["anthropic"]).request(PROMPT, VALUES, model="looker")
    assert heard(router.completion(**request)) == "Hello"
    assert without(provider.call.body, "model") == ANTHROPIC


def test_a_batch_keeps_its_order(provider: Any, litellm: Any) -> None:
    bridge = LiteLLMBridge(MODELS["openai"])
    prompt = Prompt(user="{{ n }}", parameters={"seed": 7})
    rows = [{"n": str(n)} for n in range(5)]
    answers = bridge.batch_completion(prompt, rows, api_base=provider.url, api_key="fake", max_workers=3)
    assert [heard(answer) for answer in answers] == ["Hello"] * 5
    assert sorted(call.body["messages"][0]["content"] for call in provider.calls) == list("01234")
    assert {call.body["seed"] for call in provider.calls} == {7}
    assert bridge.batch_completion(prompt, []) == []


def test_errors_of_litellm_come_through(provider: Any, litellm: Any) -> None:
    provider.status = 400
    with pytest.raises(litellm.BadRequestError, match="no such luck"):
        completion(Prompt(user="Hi"), model=MODELS["openai"], api_base=provider.url, api_key="fake", num_retries=0)
    with pytest.raises(litellm.UnsupportedParamsError, match="seed"):
        completion(Prompt(user="Hi"), model=MODELS["anthropic"], api_key="fake", seed=1)


async def test_a_cancelled_call_ends(provider: Any, litellm: Any, closing: None) -> None:
    provider.hold = True
    stream = await acompletion(
        Prompt(user="Hi"), model=MODELS["openai"], stream=True, api_base=provider.url, api_key="fake"
    )

    async def listen() -> None:
        async for _ in stream:
            started.set()

    started = asyncio.Event()
    task = asyncio.create_task(listen())
    await asyncio.wait_for(started.wait(), 5)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    provider.release()


def test_litellms_mock_answers_without_a_server(provider: Any, litellm: Any) -> None:
    for model in MODELS.values():
        answer = completion(PROMPT, model=model, variables=VALUES, mock_response="A mock.")
        assert heard(answer) == "A mock."
    stream = completion(PROMPT, model=MODELS["gemini"], variables=VALUES, mock_response="A mock.", stream=True)
    assert "".join(map(piece, stream)) == "A mock."
    assert provider.calls == []


def test_nothing_global_is_set(provider: Any, litellm: Any) -> None:
    names = ("callbacks", "success_callback", "input_callback", "drop_params", "modify_params", "suppress_debug_info")
    before = {name: copy.copy(getattr(litellm, name)) for name in names}
    completion(PROMPT, model=MODELS["openai"], variables=VALUES, api_base=provider.url, api_key="fake")
    assert {name: getattr(litellm, name) for name in names} == before
