"""What a Router says of its aliases, in its newer and its older words."""

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import pytest

from prompt_adapters import Prompt
from prompt_adapters.errors import UnknownModelError
from prompt_adapters.litellm import LiteLLMBridge
from prompt_adapters.litellm.router import deployed, reachable, with_provider

GPT, CLAUDE, GEMINI = "openai/gpt-4o", "anthropic/claude-sonnet-4-5", "gemini/gemini-2.5-flash"
ROWS = [
    ("main", {"model": GPT}),
    ("main", {"model": "gpt-4o-mini", "custom_llm_provider": "openai"}),
    ("main", {"model": GPT}),
    ("spare", {"model": CLAUDE}),
    ("last", {"model": GEMINI}),
    ("anthropic/*", {"model": "anthropic/*"}),
    ("torn", {"model": "mine", "custom_llm_provider": "openai"}),
    ("torn", {"model": "mine", "custom_llm_provider": "anthropic"}),
]
FALLBACKS: dict[str, Any] = {
    "fallbacks": [{"main": ["spare"]}, {"*": [{"model": "last"}]}],
    "context_window_fallbacks": [{"spare": ["main"]}],
}
MAIN = {GPT: GPT, "gpt-4o-mini": "openai/gpt-4o-mini"}


def real(litellm: Any, **more: Any) -> Any:
    rows = [{"model_name": alias, "litellm_params": {**params, "api_key": "fake"}} for alias, params in ROWS]
    return litellm.Router(model_list=rows, model_group_alias={"other": "main"}, **more)


class Old:
    """A Router of before it had a registry: it lists deployments itself, with parameters that are pydantic's."""

    def __init__(self, **more: Any) -> None:
        self.__dict__ |= more

    def get_model_list(self, model_name: str) -> list[Mapping[str, Any]] | None:
        found = [dict(params) for alias, params in ROWS if alias == ("main" if model_name == "other" else model_name)]
        dumped = [SimpleNamespace(model_dump=lambda exclude_none, params=params: params) for params in found]
        return [{"litellm_params": params} for params in dumped] or None

    def get_model_names(self) -> list[str]:
        return sorted({alias for alias, _ in ROWS})


@pytest.fixture(params=["real", "old"])
def make(request: pytest.FixtureRequest, litellm: Any) -> Any:
    return Old if request.param == "old" else lambda **more: real(litellm, **more)


def test_models_behind_an_alias(make: Any) -> None:
    router = make()
    assert deployed(router, "main") == deployed(router, "other") == MAIN
    assert list(deployed(router, "main")) == list(MAIN)
    assert deployed(router, "spare") == {CLAUDE: CLAUDE}


def test_names_that_a_wildcard_covers_and_ids(litellm: Any) -> None:
    router = real(litellm)
    assert deployed(router, "anthropic/claude-haiku-4-5") == {
        "anthropic/claude-haiku-4-5": "anthropic/claude-haiku-4-5"
    }
    one = router.registry().deployments("spare")[0]["model_info"]["id"]
    assert deployed(router, one) == {CLAUDE: CLAUDE}


def test_models_behind_its_fallbacks(make: Any) -> None:
    router = make(**FALLBACKS)
    assert reachable(router, "main") == MAIN | {CLAUDE: CLAUDE, GEMINI: GEMINI}
    assert reachable(router, "last") == {GEMINI: GEMINI}
    assert reachable(make(), "main") == MAIN
    assert reachable(make(), "main", ["last", {"model": "spare"}, {"odd": 1}, 7]) == MAIN | {
        GEMINI: GEMINI,
        CLAUDE: CLAUDE,
    }


def test_an_unknown_alias(make: Any) -> None:
    with pytest.raises(UnknownModelError, match=r"model 'mian'; did you mean 'main'\?.*or add it to the Router's"):
        deployed(make(), "mian")
    with pytest.raises(UnknownModelError, match="'mian'"):
        LiteLLMBridge("mian", router=make())


def test_one_name_with_two_providers(make: Any) -> None:
    with pytest.raises(
        ValueError, match="'torn' calls 'mine' as 'openai/mine' and as 'anthropic/mine'; write the prov"
    ):
        deployed(make(), "torn")


@pytest.mark.parametrize(
    ("model", "provider", "full"),
    [
        ("gpt-4o", None, "gpt-4o"),
        ("gpt-4o", "", "gpt-4o"),
        ("gpt-4o", "openai", "openai/gpt-4o"),
        ("openai/gpt-4o", "openai", "openai/gpt-4o"),
        ("openai/gpt-4o", "openrouter", "openrouter/openai/gpt-4o"),
    ],
)
def test_the_provider_is_written_in_front(model: str, provider: str | None, full: str) -> None:
    assert with_provider(model, provider) == full


def test_a_bridge_knows_the_first_deployment(make: Any) -> None:
    router = make()
    bridge = LiteLLMBridge("main", router=router, on_limit="error")
    assert (bridge.model, bridge.router, bridge.route.model) == ("main", router, "gpt-4o")
    assert repr(bridge) == f"LiteLLMBridge(model='main', on_limit='error', router={type(router).__name__})"
    prompt = Prompt(system="S", user="U")
    request = bridge.request(prompt)
    assert request == {"model": "main"} | {"messages": LiteLLMBridge(GPT).request(prompt)["messages"]}
    assert LiteLLMBridge(GPT).request(prompt, router=router, model="main") == request


async def test_a_request_for_a_router_asynchronously(make: Any) -> None:
    router, prompt = make(), Prompt(system="S", user="U")
    request = await LiteLLMBridge(GPT).arequest(prompt, router=router, model="spare")
    assert request == LiteLLMBridge("spare", router=router).request(prompt)
    assert request["model"] == "spare"
