"""LiteLLM's native routes get the request in the provider's own shape, and pass it on as it was built."""

import base64
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from prompt_adapters import Audio, Document, FewShot, Image, Message, Prompt, ToolCall, ToolResult, get_adapter
from prompt_adapters.errors import UnsupportedContentError
from prompt_adapters.litellm import LiteLLMBridge
from prompt_adapters.litellm.native_routes import NATIVE_ROUTES
from prompt_adapters.targets import Route, route

Body = dict[str, Any]
PDF = b"%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF"
PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
PROMPT = Prompt(
    system="Be brief.",
    user="First {{ photo }} then {{ paper }} and {{ word }}.",
    few_shot=FewShot([("A lamp?", "Yes.")]),
    parameters={"max_tokens": 99, "temperature": 0.5},
)
VALUES = {"photo": Image(PNG), "paper": Document(PDF, name="a.pdf"), "word": "last"}
SHAPES = {
    "responses": "openai_responses_style",
    "anthropic_messages": "anthropic_style",
    "generate_content": "google_style",
}
VERTEX = {"vertex_project": "p", "vertex_location": "us-east5"}
# What LiteLLM or Vertex AI adds, and the model, which Google has in the address.
ADDED = ("model", "stream", "anthropic_version")


async def call(name: str, way: str, bridge: LiteLLMBridge, *given: Any, **arguments: Any) -> Any:
    if way == "async" or name == "anthropic_messages":
        return await getattr(bridge, f"a{name}")(*given, **arguments)
    return getattr(bridge, name)(*given, **arguments)


def access(provider: Any, model: str) -> Body:
    return {"api_base": provider.url, "api_key": "fake"} | (VERTEX if model.startswith("vertex") else {})


def expected(name: str, model: str, prompt: Any = PROMPT, values: Any = VALUES) -> Body:
    target = route(model)
    adapter = get_adapter(SHAPES[name]).bound(Route(target.provider, target.model, SHAPES[name]))
    return adapter.build_body(prompt, values)


def comparable(body: Body) -> Body:
    """Without what is added; Anthropic's system text as the list that LiteLLM makes of it for some."""
    rest = {key: value for key, value in body.items() if key not in ADDED and value is not None}
    if isinstance(rest.get("system"), str):
        rest["system"] = [{"type": "text", "text": rest["system"]}]
    return rest


PLACES = [
    ("responses", "openai/gpt-4o", "/responses"),
    ("responses", "gpt-4o", "/responses"),
    ("responses", "openai/responses/gpt-4o", "/responses"),
    ("responses", "azure/mine", "/openai/v1/responses?api-version=preview"),
    ("anthropic_messages", "anthropic/claude-sonnet-4-5", "/v1/messages"),
    ("anthropic_messages", "claude-sonnet-4-5", "/v1/messages"),
    (
        "anthropic_messages",
        "vertex_ai/claude-sonnet-4-5@20250929",
        "/v1/projects/p/locations/us-east5/publishers/anthropic/models/claude-sonnet-4-5@20250929:rawPredict",
    ),
    ("generate_content", "gemini/gemini-2.5-flash", "/models/gemini-2.5-flash:generateContent"),
    ("generate_content", "gemini-2.5-flash", "/models/gemini-2.5-flash:generateContent"),
    (
        "generate_content",
        "vertex_ai/gemini-2.5-flash",
        "/v1beta1/projects/p/locations/us-east5/publishers/google/models/gemini-2.5-flash:generateContent",
    ),
]


@pytest.mark.parametrize("way", ["sync", "async"])
@pytest.mark.parametrize(("name", "model", "path"), PLACES, ids=[f"{name}-{model}" for name, model, _ in PLACES])
async def test_the_request_arrives_as_it_was_built(
    name: str, model: str, path: str, way: str, provider: Any, litellm: Any, closing: None
) -> None:
    answer = await call(name, way, LiteLLMBridge(model), PROMPT, VALUES, **access(provider, model))
    assert "Hello" in str(answer)
    assert provider.call.path == path
    assert comparable(provider.call.body) == comparable(expected(name, model))


TOOL = {"name": "find", "description": "Finds.", "input_schema": {"type": "object", "properties": {}}}
FUNCTION = {"type": "function", "name": "find", "parameters": {"type": "object", "properties": {}}}
DECLARED = {"function_declarations": [{"name": "find", "description": "Finds."}]}
# As many of each provider's own parameters as go together.
RICH: Mapping[str, tuple[str, Body]] = {
    "responses": (
        "openai/gpt-4o",
        {
            "max_output_tokens": 33,
            "top_p": 0.5,
            "store": False,
            "metadata": {"team": "a"},
            "tools": [FUNCTION],
            "tool_choice": "auto",
            "parallel_tool_calls": False,
            "truncation": "auto",
            "include": ["message.input_image.image_url"],
            "stream_options": {"include_obfuscation": False},
            "conversation": "c1",
            "prompt_cache_key": "k",
        },
    ),
    "anthropic_messages": (
        "anthropic/claude-sonnet-4-5",
        {
            "top_k": 3,
            "stop": ["END"],
            "metadata": {"user_id": "u"},
            "tools": [TOOL],
            "tool_choice": {"type": "auto"},
            "service_tier": "auto",
        },
    ),
    "generate_content": (
        "gemini/gemini-2.5-flash",
        {
            "topK": 3,
            "stop": "END",
            "candidate_count": 1,
            "seed": 4,
            "thinking_config": {"thinking_budget": 0},
            "safety_settings": [{"category": "HARM_CATEGORY_HATE_SPEECH", "threshold": "OFF"}],
            "tools": [DECLARED],
            "tool_config": {"function_calling_config": {"mode": "NONE"}},
            "service_tier": "flex",
            "labels": {"team": "a"},
        },
    ),
}


@pytest.mark.parametrize("name", SHAPES)
async def test_the_providers_own_parameters_arrive(name: str, provider: Any, litellm: Any, closing: None) -> None:
    model, parameters = RICH[name]
    prompt = PROMPT.replace(parameters={"max_tokens": 2000} | parameters)
    if "max_output_tokens" in parameters:
        prompt = PROMPT.replace(parameters=parameters)
    await call(name, "async", LiteLLMBridge(model), prompt, VALUES, **access(provider, model))
    assert comparable(provider.call.body) == comparable(expected(name, model, prompt))


@pytest.mark.parametrize("name", SHAPES)
async def test_explicit_arguments_win(name: str, provider: Any, litellm: Any, closing: None) -> None:
    model, parameters = RICH[name]
    bare = PROMPT.replace(parameters={"temperature": 0.5, "max_tokens": 9})
    arguments = {"temperature": 0.125, **parameters} | ({"max_tokens": 5} if name != "responses" else {})
    await call(name, "async", LiteLLMBridge(model), bare, VALUES, **arguments, **access(provider, model))
    kept = {"temperature": 0.125, "max_tokens": 5} if name != "responses" else {"temperature": 0.125}
    wanted = expected(name, model, PROMPT.replace(parameters=kept | parameters))
    assert comparable(provider.call.body) == comparable(wanted)


async def test_googles_config_and_extra_body(provider: Any, litellm: Any, closing: None) -> None:
    bridge = LiteLLMBridge("gemini/gemini-2.5-flash")
    config = {"temperature": 0.125, "maxOutputTokens": 5}
    bridge.generate_content(
        PROMPT, VALUES, config=config, extra_body={"labels": {"a": "b"}}, **access(provider, bridge.model)
    )
    assert provider.call.body["generationConfig"] == {"temperature": 0.125, "maxOutputTokens": 5}
    assert provider.call.body["labels"] == {"a": "b"}
    assert provider.call.body["systemInstruction"] == {"parts": [{"text": "Be brief."}]}
    assert config == {"temperature": 0.125, "maxOutputTokens": 5}


@pytest.mark.parametrize("way", ["sync", "async"])
async def test_google_streams(way: str, provider: Any, litellm: Any, closing: None) -> None:
    bridge = LiteLLMBridge("gemini/gemini-2.5-flash")
    chunks = await call("generate_content", way, bridge, PROMPT, VALUES, stream=True, **access(provider, bridge.model))
    heard = [chunk async for chunk in chunks] if way == "async" else list(chunks)
    assert [b"Hel" in heard[0], b"lo" in heard[-1]] == [True, True]
    assert provider.call.path == "/models/gemini-2.5-flash:streamGenerateContent?alt=sse"
    assert comparable(provider.call.body) == comparable(expected("generate_content", bridge.model))


async def test_anthropic_streams(provider: Any, litellm: Any, closing: None) -> None:
    bridge = LiteLLMBridge("anthropic/claude-sonnet-4-5")
    chunks = await bridge.anthropic_messages(PROMPT, VALUES, stream=True, **access(provider, bridge.model))
    heard = b"".join([chunk async for chunk in chunks])
    assert heard.index(b'"Hel"') < heard.index(b'"lo"')
    assert provider.call.body["stream"] is True
    assert comparable(provider.call.body) == comparable(expected("anthropic_messages", bridge.model))


# What others make of the Responses API


RELAYED = {
    "anthropic/claude-sonnet-4-5": "/v1/messages",
    "gemini/gemini-2.5-flash": "/models/gemini-2.5-flash:generateContent",
}


@pytest.mark.parametrize("model", RELAYED)
@pytest.mark.parametrize("way", ["sync", "async"])
async def test_responses_elsewhere(model: str, way: str, provider: Any, litellm: Any, closing: None) -> None:
    """LiteLLM makes the same request of it as of a call of chat completions."""
    bridge = LiteLLMBridge(model)
    turns = (
        Message("system", "S"),
        Message("user", ["Look: ", Image(PNG), " and ", Document(PDF, name="a.pdf"), "."]),
        Message("assistant", ["I see.", ToolCall("c1", "find", {"x": [1]})]),
        Message("tool", [ToolResult("c1", ["found"])]),
        Message("user", "And now?"),
    )
    tools = [{"type": "function", "function": {"name": "find", "parameters": {"type": "object", "properties": {}}}}]
    prompt = Prompt(messages=turns, parameters={"max_tokens": 99, "temperature": 0.5, "top_p": 0.25})
    await call("responses", way, bridge, prompt, **access(provider, model))
    await bridge.acompletion(prompt, tools=tools, **access(provider, model))
    (by_responses, by_chat), left = provider.calls, {"tools", "toolConfig"}
    assert by_responses.path == RELAYED[model] == by_chat.path

    def texts(body: Body) -> Body:
        """A document has a name in one of them, and a tool's result is a list in one of them."""
        plain = {key: value for key, value in body.items() if key not in left}
        bare: Body = _without(plain, "title")
        return bare

    assert texts(by_responses.body) == texts(by_chat.body)


def _without(value: Any, key: str) -> Any:
    if isinstance(value, dict):
        if value.get("type") == "tool_result" and isinstance(value["content"], list):
            value = value | {"content": "".join(part["text"] for part in value["content"])}
        return {name: _without(item, key) for name, item in value.items() if name != key}
    return [_without(item, key) for item in value] if isinstance(value, list) else value


SOUND = Audio(b"RIFF\x20\0\0\0WAVEfmt " + bytes(24))
Refused = tuple[Callable[[], Any], type[Exception], str]


def _responses(model: str, *content: Any, **arguments: Any) -> Callable[[], Any]:
    return lambda: LiteLLMBridge(model).responses((Message("user", content),), **arguments)


CLAUDE, GEMINI, GPT = "anthropic/claude-sonnet-4-5", "gemini/gemini-2.5-flash", "openai/gpt-4o"
REFUSED: dict[str, Refused] = {
    "sound for Claude": (_responses(CLAUDE, SOUND), UnsupportedContentError, "cannot take audio"),
    "sound for Gemini": (_responses(GEMINI, SOUND), UnsupportedContentError, r"responses is not known to pass it on"),
    "plain text file for Claude": (
        _responses(CLAUDE, Document(b"plain", name="a.txt")),
        UnsupportedContentError,
        r"cannot take document \(text/plain.*not known to pass it on.*use completion",
    ),
    "link for Claude": (
        _responses(CLAUDE, Image("https://example.com/a.png")),
        UnsupportedContentError,
        "cannot take image",
    ),
    "image in a result for Claude": (
        lambda: LiteLLMBridge(CLAUDE).responses(
            (
                Message("user", "Look."),
                Message("assistant", [ToolCall("c1", "f", {})]),
                Message("tool", [ToolResult("c1", [Image(PNG)])]),
            )
        ),
        UnsupportedContentError,
        r"cannot take image.* at message 3 \(tool\), part 1",
    ),
    "parameter for Claude": (
        _responses(CLAUDE, "Hi", store=True),
        UnsupportedContentError,
        "cannot take parameter 'store' at parameters.*use completion",
    ),
    "Google's route for OpenAI": (
        lambda: LiteLLMBridge(GPT).generate_content(PROMPT, VALUES),
        UnsupportedContentError,
        r"google_style cannot take a call to openai/gpt-4o at generate_content: .*speaks openai_style; use the",
    ),
    "Google's route for Claude": (
        lambda: LiteLLMBridge(CLAUDE).generate_content(PROMPT, VALUES),
        UnsupportedContentError,
        "speaks anthropic_style; use the bridge's anthropic_messages",
    ),
    "variable among the arguments": (
        lambda: LiteLLMBridge(GEMINI).generate_content(PROMPT, word="x"),
        TypeError,
        "'word' is a variable of the prompt",
    ),
    "input": (lambda: LiteLLMBridge(GPT).responses(PROMPT, VALUES, input="x"), TypeError, "the prompt makes the input"),
    "instructions": (
        lambda: LiteLLMBridge(GPT).responses(PROMPT, VALUES, instructions="x"),
        TypeError,
        "the prompt makes the instructions",
    ),
    "contents": (
        lambda: LiteLLMBridge(GEMINI).generate_content(PROMPT, VALUES, contents=[]),
        TypeError,
        "the prompt makes the contents",
    ),
    "values twice": (
        lambda: LiteLLMBridge(GPT).responses(PROMPT, VALUES, prompt_variables=VALUES),
        TypeError,
        "give the values once",
    ),
}


@pytest.mark.parametrize("case", REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_sent_is_refused(case: Refused) -> None:
    refused, error, message = case
    with pytest.raises(error, match=message) as caught:
        refused()
    assert "\n" not in str(caught.value)


async def test_anthropics_route_refuses_alike() -> None:
    with pytest.raises(UnsupportedContentError, match=r"speaks google_style; use the bridge's generate_content"):
        await LiteLLMBridge(GEMINI).anthropic_messages(PROMPT, VALUES)
    with pytest.raises(UnsupportedContentError, match=r"cannot take parameter 'diagnostics'"):
        await LiteLLMBridge(CLAUDE).aanthropic_messages(PROMPT, VALUES, diagnostics={})
    with pytest.raises(TypeError, match="the prompt makes the system"):
        await LiteLLMBridge(CLAUDE).anthropic_messages(PROMPT, VALUES, system="x")


def test_instructions_where_the_prompt_has_none(provider: Any, litellm: Any) -> None:
    LiteLLMBridge(GPT).responses(Prompt(user="Hi"), instructions="Mine.", **access(provider, GPT))
    assert provider.call.body["instructions"] == "Mine."


def test_errors_of_litellm_come_through(provider: Any, litellm: Any) -> None:
    provider.status = 400
    for name, model in (("responses", GPT), ("generate_content", GEMINI)):
        with pytest.raises(litellm.BadRequestError, match="no such luck"):
            getattr(LiteLLMBridge(model), name)(PROMPT, VALUES, **access(provider, model))


# Through a Router


@pytest.fixture
def backup(provider: Any) -> Iterator[Any]:
    other = type(provider)()
    yield other
    other.close()


def row(alias: str, model: str, server: Any) -> Body:
    return {"model_name": alias, "litellm_params": {"model": model, "api_base": server.url, "api_key": "fake"}}


@pytest.mark.parametrize(
    ("name", "way", "models"),
    [
        ("responses", "async", ("openai/gpt-4o", "openai/gpt-4o-mini")),
        ("anthropic_messages", "async", ("anthropic/claude-sonnet-4-5", "anthropic/claude-haiku-4-5")),
        ("generate_content", "async", ("gemini/gemini-2.5-flash", "gemini/gemini-2.5-pro")),
    ],
)
async def test_a_router_falls_back_within_a_provider(
    name: str, way: str, models: tuple[str, str], litellm: Any, provider: Any, backup: Any, closing: None
) -> None:
    provider.status = 500
    rows = [row("main", models[0], provider), row("spare", models[1], backup)]
    router = litellm.Router(model_list=rows, fallbacks=[{"main": ["spare"]}], num_retries=0)
    answer = await call(name, way, LiteLLMBridge("main", router=router), PROMPT, VALUES)
    assert "Hello" in str(answer)
    for model, server in zip(models, (provider, backup), strict=True):
        assert comparable(server.call.body) == comparable(expected(name, model))


@pytest.mark.parametrize(("name", "model"), [("responses", GPT), ("generate_content", GEMINI)])
def test_a_router_without_awaiting(name: str, model: str, litellm: Any, provider: Any) -> None:
    router = litellm.Router(model_list=[row("main", model, provider)], num_retries=0)
    assert "Hello" in str(getattr(LiteLLMBridge(model), name)(PROMPT, VALUES, router=router, model="main"))
    assert comparable(provider.call.body) == comparable(expected(name, model))


def test_a_router_that_may_reach_another_provider_is_refused(litellm: Any, provider: Any, backup: Any) -> None:
    rows = [row("main", GEMINI, provider), row("spare", CLAUDE, backup)]
    router = litellm.Router(model_list=rows, fallbacks=[{"main": ["spare"]}], num_retries=0)
    with pytest.raises(UnsupportedContentError, match="cannot take a call to anthropic/claude-sonnet-4-5"):
        LiteLLMBridge("main", router=router).generate_content(PROMPT, VALUES)
    mixed = litellm.Router(model_list=[row("main", GPT, provider)], default_fallbacks=["main", "spare"], num_retries=0)
    mixed.add_deployment(litellm.types.router.Deployment(**row("spare", CLAUDE, backup)))
    quoted = PROMPT.replace(user="{{ photo }} {{ paper }} {{ word }}", parameters={"stop": None})
    assert LiteLLMBridge("main", router=mixed).router is mixed
    with pytest.raises(UnsupportedContentError, match=r"needs another than|cannot take"):
        LiteLLMBridge("main", router=mixed).responses(quoted, VALUES, include=["x"])
    assert provider.calls == backup.calls == []


def test_the_table_names_shapes_that_exist() -> None:
    assert {name: row.style for name, row in NATIVE_ROUTES.items()} == SHAPES
