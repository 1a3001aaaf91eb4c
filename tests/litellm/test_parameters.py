"""Which parameters of a prompt reach the provider: our rows against LiteLLM's own lists and against what arrives."""

import copy
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from litellm_access import access
from prompt_adapters import PROMPT_ADAPTER_REGISTRY, Message, Prompt
from prompt_adapters.adapters.litellm import LiteLLMStylePromptAdapter
from prompt_adapters.adapters.litellm_dialects import DIALECTS
from prompt_adapters.adapters.litellm_parameters import RESPONSES
from prompt_adapters.adapters.litellm_passing import Call, info_of
from prompt_adapters.adapters.parameters import names
from prompt_adapters.errors import PromptAdapterError, UnsupportedContentError
from prompt_adapters.litellm import LiteLLMBridge
from prompt_adapters.litellm.argument_names import COMPLETION, check_names

Body = dict[str, Any]
SCHEMA: Body = {
    "type": "object",
    "properties": {"a": {"type": "string"}},
    "required": ["a"],
    "additionalProperties": False,
}
FUNCTION = {"name": "f", "description": "d", "parameters": SCHEMA}
TOOLS = [{"type": "function", "function": FUNCTION}]
BUDGET = {"type": "enabled", "budget_tokens": 1024}
JSON_SCHEMA: Body = {"type": "json_schema", "json_schema": {"name": "n", "schema": SCHEMA}}

# OpenAI's names, of which LiteLLM lists those that a model takes. It honours stream_options itself.
NAMES = names(
    "audio frequency_penalty function_call functions logit_bias logprobs max_completion_tokens max_tokens modalities n "
    "parallel_tool_calls prediction presence_penalty prompt_cache_key prompt_cache_retention reasoning_effort "
    "response_format safety_identifier seed service_tier stop store stream temperature thinking tool_choice tools "
    "top_logprobs top_p user verbosity web_search_options"
)
# What LiteLLM lists and then drops, as the calls below show.
DROPPED = {
    "google_style": frozenset({"parallel_tool_calls", "frequency_penalty", "presence_penalty"}),
    "openai_responses_style": NAMES - (RESPONSES.takes or frozenset()),
}

MODELS = (
    "openai/gpt-4o",
    "openai/gpt-5",
    "openai/gpt-5.1",
    "openai/gpt-5.6",
    "openai/gpt-5-chat-latest",
    "openai/gpt-7",
    "openai/o1",
    "openai/o3",
    "openai/o3-pro",
    "openai/responses/gpt-4o",
    "openai/responses/gpt-5.1",
    "azure/mine",
    "azure/gpt-5.1",
    "azure/o3",
    "anthropic/claude-sonnet-4-5",
    "anthropic/claude-opus-4-6",
    "anthropic/claude-opus-5",
    "anthropic/claude-3-haiku-20240307",
    "vertex_ai/claude-sonnet-4-5@20250929",
    "gemini/gemini-2.5-flash",
    "gemini/gemini-3-flash-preview",
    "gemini/gemini-3.6-flash",
    "gemini/gemini-2.5-pro-preview-tts",
    "vertex_ai/gemini-2.5-flash",
    "azure_ai/claude-sonnet-4-5",
    "bedrock/us.anthropic.claude-haiku-4-5-20251001-v1:0",
    "bedrock/amazon.nova-lite-v1:0",
    "bedrock/converse/mistral.mistral-large-2402-v1:0",
    "mistral/mistral-medium-latest",
    "mistral/magistral-medium-latest",
    "cohere_chat/command-a-03-2025",
    "ollama_chat/llama3.2-vision",
    "groq/openai/gpt-oss-120b",
    "hosted_vllm/Qwen/Qwen2-VL",
    "fireworks_ai/accounts/fireworks/models/deepseek-v3",
    "xai/grok-4",
    "deepseek/deepseek-chat",
    "litellm_proxy/mine",
    "databricks/databricks-claude-sonnet-4",
    "zai/glm-4.6",
)
PARAMETERS: dict[str, Body] = {
    "audio": {"audio": {"voice": "alloy", "format": "wav"}},
    "pcm audio": {"audio": {"voice": "Kore", "format": "pcm16"}},
    "cached_content": {"cached_content": "cachedContents/x"},
    "extra_body": {"extra_body": {"zzz": 1}},
    "frequency_penalty": {"frequency_penalty": 0.5},
    "function_call": {"function_call": "auto", "functions": [FUNCTION]},
    "functions": {"functions": [FUNCTION]},
    "logit_bias": {"logit_bias": {"50": 3}},
    "logprobs": {"logprobs": True},
    "max_completion_tokens": {"max_completion_tokens": 77},
    "max_tokens": {"max_tokens": 77},
    "few tokens": {"max_tokens": 5},
    "metadata": {"metadata": {"k": "v"}},
    "modalities": {"modalities": ["text"]},
    "moderation": {"moderation": {"x": 1}},
    "n": {"n": 2},
    "parallel_tool_calls": {"parallel_tool_calls": False, "tools": TOOLS},
    "prediction": {"prediction": {"type": "content", "content": "p"}},
    "presence_penalty": {"presence_penalty": 0.5},
    "prompt_cache_key": {"prompt_cache_key": "pk"},
    "prompt_cache_options": {"prompt_cache_options": {"mode": "explicit"}},
    "prompt_cache_retention": {"prompt_cache_retention": "24h"},
    "effort": {"reasoning_effort": "low"},
    "extreme effort": {"reasoning_effort": "xhigh"},
    "least effort": {"reasoning_effort": "minimal"},
    "json": {"response_format": {"type": "json_object"}},
    "schema": {"response_format": JSON_SCHEMA},
    "safety_identifier": {"safety_identifier": "si"},
    "safety_settings": {"safety_settings": [{"category": "HARM_CATEGORY_HARASSMENT", "threshold": "BLOCK_NONE"}]},
    "seed": {"seed": 7},
    "service_tier": {"service_tier": "auto"},
    "flex": {"service_tier": "flex"},
    "stop": {"stop": ["END"]},
    "store": {"store": True},
    "temperature": {"temperature": 0.3},
    "temperature of one": {"temperature": 1},
    "cool reasoning": {"temperature": 0.3, "reasoning_effort": "low"},
    "top_p and reasoning": {"top_p": 0.3, "reasoning_effort": "low"},
    "thinking": {"thinking": BUDGET},
    "adaptive thinking": {"thinking": {"type": "adaptive"}},
    "tools": {"tools": TOOLS, "tool_choice": "required"},
    "tools and reasoning": {"tools": TOOLS, "reasoning_effort": "low", "seed": 7},
    "top_k": {"top_k": 4},
    "top_logprobs": {"logprobs": True, "top_logprobs": 3},
    "top_p": {"top_p": 0.4},
    "user": {"user": "u"},
    "verbosity": {"verbosity": "low"},
    "search": {"web_search_options": {"search_context_size": "high"}},
    "search as it is": {"web_search_options": {}},
}
# What LiteLLM writes into a body where it has a word of its own for a value; else the value itself is to be found.
WRITTEN = {
    "json": ('"json_object"', '"application/json"', '"json"'),
    "service_tier": ('"auto"', '"default"'),
    "least effort": ('"minimal"', '"low"', "1024", '"thinkingbudget"'),
    "extreme effort": ('"xhigh"', "8192"),
    "schema": (f'"{SCHEMA["required"][0]}"', '"n"'),
    "functions": ('"f"',),
    "function_call": ('"function_call"',),
    "tools": ('"required"', '"any"'),
    "parallel_tool_calls": ('"parallel_tool_calls"', '"disable_parallel_tool_use"'),
    "pcm audio": ('"kore"',),
    "thinking": ("1024",),
    "search as it is": (
        '"web_search_options"',
        '"googlesearch"',
        '"web_search"',
        '"browser_search"',
        '"nova_grounding"',
    ),
    "logprobs": ('"logprobs"', '"responselogprobs"'),
    "search": ('"high"', "10"),
    "modalities": ('"modalities"', '"responsemodalities"'),
    "prediction": ('"p"',),
    "prompt_cache_options": ('"explicit"',),
}


# The price of a tool, and a retired model that LiteLLM takes for another provider's of that name.
ODD = ("container", "gemini-exp-1206")

# What arrives, by another API than the one that the request is written for.
ELSEWHERE = {("xai/grok-4", "search as it is")}

# An effort is a budget for models that have none.
WRAPPING = {'"function"', "false"}  # what tools are wrapped in, and a field that Google's schemas lack
SAME = {'"low"': ("1024",)}


def _rows() -> Iterator[tuple[str, str]]:
    import litellm

    for name, info in litellm.model_cost.items():
        if info.get("mode") in ("chat", "responses") and name.rpartition("/")[2] not in ODD:
            provider = str(info.get("litellm_provider", "")).partition("-")[0]
            yield name if "/" in name else f"{provider}/{name}", provider


def test_the_names_are_those_that_litellm_lists(litellm: Any) -> None:
    differing: dict[str, Any] = {}
    seen = 0
    for model, _ in _rows():
        try:
            adapter = LiteLLMStylePromptAdapter(model=model)
        except PromptAdapterError:
            continue
        target, passing = adapter.route, adapter.dialect.passing
        if (
            target is None
            or passing is None
            or passing.takes is None
            or (target.style == "google_style" and "gemini" not in model)
        ):
            continue
        listed = litellm.get_supported_openai_params(model=target.model, custom_llm_provider=target.provider) or []
        call = Call(target, info_of(target), {})
        lacking = {name for lack in passing.lacks if lack.concerns(call) for name in lack.names}
        key = next(style for (_, style), row in DIALECTS.items() if row == adapter.dialect)
        expected = NAMES.intersection(listed)
        ours = (NAMES & passing.takes) - lacking
        seen += 1
        many, few = ours - expected, expected - ours - DROPPED.get(key, frozenset())
        if many or few:
            differing[model] = ("too many", sorted(many), "too few", sorted(few))
    assert seen > 400
    assert differing == {}


def heard(litellm: Any, model: str, parameters: Body, provider: Any) -> Body | None:
    """The body that arrives when LiteLLM is given the parameters without us; None when it refuses them."""
    provider.reset()
    messages = [{"role": "user", "content": "Hi"}]
    arguments = access(model, provider.url)
    try:
        litellm.completion(model=model, messages=messages, **copy.deepcopy(parameters), **arguments)
    except (litellm.UnsupportedParamsError, litellm.BadRequestError, litellm.APIConnectionError):
        return None
    body: Body = next(call.body for call in reversed(provider.calls) if not call.path.endswith("/api/show"))
    return body


def leaves(value: Any) -> Iterator[str]:
    """Every name and value in JSON data, as texts."""
    match value:
        case dict():
            for key, item in value.items():
                yield json.dumps(key).lower()
                yield from leaves(item)
        case list():
            for item in value:
                yield from leaves(item)
        case _:
            yield json.dumps(value).lower()


def values_of(value: Any) -> set[str]:
    """The values in JSON data, without names."""
    match value:
        case dict():
            return set().union(*map(values_of, value.values()))
        case list():
            return set().union(*map(values_of, value))
    return {json.dumps(value).lower()}


def arrived(case: str, body: Body | None, plain: Body) -> bool:
    """Whether what a case says is in a body, and not because it always is."""
    if body is None or body == plain:
        return False
    found = set(leaves(body))
    if case in WRITTEN:
        return any(word in found for word in WRITTEN[case])
    return all(found & {value, *SAME.get(value, ())} for value in values_of(PARAMETERS[case]) - WRAPPING)


@pytest.mark.parametrize("model", MODELS)
def test_what_is_not_refused_arrives_and_what_arrives_is_not_refused(model: str, provider: Any, litellm: Any) -> None:
    plain = heard(litellm, model, {}, provider)
    assert plain is not None
    wrong = []
    for case, parameters in PARAMETERS.items():
        body = heard(litellm, model, parameters, provider)
        try:
            LiteLLMBridge(model).request(Prompt(user="Hi", parameters=parameters))
        except UnsupportedContentError:
            if parameters.keys() <= NAMES and arrived(case, body, plain) and (model, case) not in ELSEWHERE:
                wrong.append(("refused, and yet it arrives", case, body))
        else:
            passing = LiteLLMStylePromptAdapter(model=model).dialect.passing
            loud = passing is not None and passing.takes is None and body is None  # LiteLLM says so itself
            if not loud and not arrived(case, body, plain):
                wrong.append(("not refused, and it does not arrive", case, body))
    assert wrong == []


LOST = (
    ("aiml/m", "effort"),
    ("lemonade/m", "effort"),
    ("xinference/m", "effort"),
    ("meta_llama/Llama-4", "json"),
    ("volcengine/m", "adaptive thinking"),
    ("watsonx/m", "user"),
    ("openrouter/anthropic/claude-sonnet-4.5", "user"),
    ("azure_ai/mistral-large", "user"),
    ("bedrock/us.anthropic.claude-opus-4-6-v1", "extreme effort"),
    ("bedrock/invoke/us.anthropic.claude-haiku-4-5-20251001-v1:0", "adaptive thinking"),
)


@pytest.mark.parametrize(("model", "case"), LOST)
def test_what_is_lost_in_silence_is_refused(model: str, case: str, provider: Any, litellm: Any) -> None:
    plain = heard(litellm, model, {}, provider)
    body = heard(litellm, model, PARAMETERS[case], provider)
    assert plain is not None
    assert body is not None
    assert not arrived(case, body, plain)
    with pytest.raises(UnsupportedContentError, match="LiteLLM"):
        LiteLLMBridge(model).request(Prompt(user="Hi", parameters=PARAMETERS[case]))


@pytest.mark.parametrize(
    ("model", "parameters", "sentence"),
    [
        ("anthropic/claude-sonnet-4-5", {"response_format": {"type": "json_object"}}, "no JSON without a schema"),
        ("openai/gpt-4o", {"metadata": {"k": "v"}}, "parameter 'metadata'"),
        ("groq/llama-3.3-70b-versatile", {"metadata": {"k": "v"}}, "parameter 'metadata'"),
        ("gemini/gemini-2.5-flash", {"service_tier": "auto"}, "makes 'priority' of it"),
        ("openai/gpt-5", {"stop": "x"}, "does not pass it on to openai/gpt-5"),
        (
            "anthropic/claude-sonnet-4-5",
            {"seed": 1},
            "does not pass it on .*; leave it out, or set the adapter's option",
        ),
        ("anthropic/claude-opus-5", {"temperature": 0.2}, "takes no sampling parameters"),
    ],
)
def test_what_does_not_arrive_is_refused_by_name_or_dropped_with_a_note(
    model: str, parameters: Body, sentence: str
) -> None:
    name = next(iter(parameters))
    prompt = Prompt(user="Hi", parameters={**parameters, "max_tokens": 50})
    for adapter in (
        LiteLLMStylePromptAdapter(model=model),
        LiteLLMStylePromptAdapter(model=model, parameters=parameters),
    ):
        with pytest.raises(UnsupportedContentError, match=sentence) as caught:
            adapter.build_request(prompt if adapter.options.parameters is None else Prompt(user="Hi"))
        assert (caught.value.part, caught.value.position) == (f"parameter {name!r}", "parameters")
    dropping = LiteLLMStylePromptAdapter(model=model, unknown_parameters="drop")
    assert dropping.build_request(prompt).keys() == {"model", "messages", "max_tokens"}
    assert [note.text for note in dropping.prepare(prompt).notes if name in note.text]


def test_the_callers_arguments_are_the_callers(provider: Any, litellm: Any) -> None:
    arguments: Body = {"metadata": {"k": "v"}, "seed": 1, "drop_params": True, "my_own_parameter": 3}
    request = LiteLLMBridge("anthropic/claude-sonnet-4-5").request(Prompt(user="Hi"), **arguments)
    assert {name: request[name] for name in arguments} == arguments
    litellm.completion(**request, api_base=provider.url, api_key="fake")
    assert provider.call.body["my_own_parameter"] == 3


def test_every_argument_of_litellm_and_of_a_provider_passes(litellm: Any) -> None:
    import inspect

    from litellm.types.utils import all_litellm_params

    signature = set(inspect.signature(litellm.completion).parameters) - {"kwargs", "messages"}
    assert signature <= COMPLETION
    for name in signature | set(all_litellm_params):
        check_names([name], Prompt(user="Hi"), ())
    for cls in map(PROMPT_ADAPTER_REGISTRY.get, PROMPT_ADAPTER_REGISTRY):
        table = cls.table  # type: ignore[attr-defined]  # all of ours have one
        check_names(table.own | table.shared.keys(), Prompt(user="Hi"), table.own | table.shared.keys())


@pytest.mark.parametrize("model", ["openai/gpt-4o", "gemini/gemini-2.5-flash", "groq/llama-3.3-70b-versatile"])
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"temprature": 3}, "no argument 'temprature'; did you mean 'temperature'"),
        ({"max_token": 3}, "did you mean 'max_tokens'"),
        ({"mock_respone": "x"}, "did you mean 'mock_response'"),
        ({"q": "x"}, r"'q' is a variable of the prompt; give it in variables=\{'q': \.\.\.\}"),
    ],
    ids=["temprature", "max_token", "mock_respone", "variable"],
)
async def test_an_argument_that_is_meant_otherwise_is_refused(model: str, arguments: Body, sentence: str) -> None:
    bridge = LiteLLMBridge(model)
    prompt = Prompt(user="{{ q }}")
    calls: list[Callable[[], Any]] = [
        lambda: bridge.request(prompt, **arguments),
        lambda: bridge.completion(prompt, {"q": "x"}, **arguments),
        lambda: bridge.batch_completion(prompt, [{"q": "x"}], **arguments),
    ]
    for call in calls:
        with pytest.raises(TypeError, match=sentence):
            call()
    with pytest.raises(TypeError, match=sentence):
        await bridge.arequest(prompt, {"q": "x"}, **arguments)
    assert bridge.request(prompt, variables={"q": "x"}) == bridge.request(prompt, {"q": "x"})
    assert bridge.request((Message("user", "Hi"),), q=1)["q"] == 1
