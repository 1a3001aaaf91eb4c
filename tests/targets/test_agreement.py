"""Routing as LiteLLM does it, on its whole table and on names made up by hand; differences are rows with reasons."""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from prompt_adapters.errors import NoChatModelError, UnknownModelError
from prompt_adapters.targets import PROVIDERS, capabilities_of, route
from prompt_adapters.targets.cost_map import model_info
from prompt_adapters.targets.hosts import HOSTS, provider_at
from prompt_adapters.targets.names import ALIASES, NOT_CHAT

HERE = Path(__file__).parent
NAMES: list[list[str]] = yaml.safe_load((HERE / "routed_names.yaml").read_text(encoding="utf-8"))
# LiteLLM lists these addresses, and then finds nobody there, or somebody whom nothing else of it knows.
LISTED_WITHOUT_PROVIDER = {
    "api.clarifai.com": "clarifai",
    "api.endpoints.anyscale.com": None,
    "api.featherless.ai": "featherless_ai",
    "api.galadriel.ai": "galadriel",
    "api.llama.com": "meta_llama",
    "api.moonshot.ai": "moonshot",
    "api.morphllm.com": "morph",
    "api.sambanova.ai": "sambanova",
    "api.studio.nebius.ai": "nebius",
    "api.x.ai": "xai",
    "dashscope-intl.aliyuncs.com": "dashscope",
    "dashscope.aliyuncs.com": "dashscope",
    "inference.api.nscale.com": "nscale",
}
# LiteLLM asks for a login when it is asked about these.
LOGINS = ("github_copilot", "chatgpt")

# Of LiteLLM's own modules, when they are first used.
pytestmark = pytest.mark.filterwarnings("ignore:Items? .* using the `ReadOnly` qualifier:UserWarning")


class Difference(NamedTuple):
    """A row of the file."""

    names: str
    litellm: str
    here: str
    why: str


DIFFERENCES = [
    Difference(**row) for row in yaml.safe_load((HERE / "routing_differences.yaml").read_text(encoding="utf-8"))
]


@pytest.fixture(scope="module")
def litellm() -> Iterator[Any]:
    """The real thing, with the table of its distribution and without the lines that it prints about unknown names."""
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    os.environ["LITELLM_LOCAL_ANTHROPIC_BETA_HEADERS"] = "True"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import litellm
    said, litellm.suppress_debug_info = litellm.suppress_debug_info, True
    yield litellm
    litellm.suppress_debug_info = said


def theirs(litellm: Any, name: str) -> tuple[str, str]:
    """LiteLLM's provider and model; ``error`` for a refusal."""
    assert not name.startswith(LOGINS)
    try:
        model, provider, _, _ = litellm.get_llm_provider(name)
    except litellm.exceptions.BadRequestError as refusal:
        if re.search("Provider NOT provided|list index out of range", str(refusal)):
            return "error", ""
        raise
    return str(provider), str(model)


def ours(name: str) -> tuple[str, str]:
    try:
        found = route(name)
    except UnknownModelError:
        return "error", ""
    return found.provider, found.model


def agree(one: tuple[str, str], other: tuple[str, str]) -> bool:
    """The same provider, and the same model but for the words that LiteLLM leaves in front of it."""
    return one[0] == other[0] and one[1].strip().lower().endswith(other[1].lower())


def spellings(litellm: Any) -> Iterator[str]:
    """All chat models of the table as it spells them, the bare ones also with their provider, and the names by hand."""
    for name, row in litellm.model_cost.items():
        if row.get("mode") not in ("chat", "responses") or "*" in name:
            continue
        yield name
        provider = route_prefix(str(row.get("litellm_provider")))
        if not name.startswith(f"{provider}/"):
            yield f"{provider}/{name}"
    yield from (row[0] for row in NAMES)


def route_prefix(provider: str) -> str:
    """What is written in front of a model of a provider, as the table names it."""
    if provider.startswith("vertex_ai"):
        return "vertex_ai"
    return provider.removesuffix("_converse")


@pytest.fixture(scope="module")
def compared(litellm: Any) -> dict[str, tuple[tuple[str, str], tuple[str, str]]]:
    names = [name for name in dict.fromkeys(spellings(litellm)) if not name.startswith(LOGINS)]
    return {name: (theirs(litellm, name), ours(name)) for name in names}


def test_the_whole_table_and_many_names_are_compared(compared: dict[str, Any]) -> None:
    assert len(compared) > 4000
    assert len(NAMES) > 200


def test_every_difference_is_a_row(compared: dict[str, tuple[tuple[str, str], tuple[str, str]]]) -> None:
    unexplained = {}
    for name, (their, our) in compared.items():
        if not agree(their, our):
            rows = [row for row in DIFFERENCES if re.fullmatch(row.names, name)]
            if not any(re.fullmatch(row.litellm, their[0]) and row.here == our[0] for row in rows):
                unexplained[name] = (their, our)
    assert unexplained == {}


@pytest.mark.parametrize("row", DIFFERENCES, ids=lambda row: row.names)
def test_a_row_without_a_difference_is_removed(
    row: Difference, compared: dict[str, tuple[tuple[str, str], tuple[str, str]]]
) -> None:
    assert len(row.why) > 20
    matching = {name: both for name, both in compared.items() if re.fullmatch(row.names, name)}
    differing = [name for name, (their, our) in matching.items() if not agree(their, our) and our[0] == row.here]
    assert differing
    assert {compared[name][0][0] for name in differing} <= set(row.litellm.split("|"))


@pytest.mark.parametrize("row", NAMES, ids=lambda row: row[0] or "nothing")
def test_names_lead_where_the_table_says(row: list[str]) -> None:
    name, *expected = row
    if len(expected) == 1:
        error = {"NoChatModelError": NoChatModelError, "UnknownModelError": UnknownModelError}[expected[0]]
        with pytest.raises(error) as caught:
            route(name)
        assert type(caught.value) is error
        assert "\n" not in str(caught.value)
        return
    found = route(name)
    assert [found.provider, found.model, found.style, found.endpoint.api] == expected


@pytest.mark.parametrize("prefix", LOGINS)
def test_a_prefix_that_would_ask_for_a_login_decides_here_without_one(prefix: str) -> None:
    assert (route(f"{prefix}/gpt-5").provider, route(f"{prefix}/gpt-5").model) == (prefix, "gpt-5")


def test_every_provider_of_litellm_is_known(litellm: Any) -> None:
    from litellm.llms.openai_like.json_loader import JSONProviderRegistry

    theirs = {str(getattr(name, "value", name)) for name in litellm.provider_list} | set(
        JSONProviderRegistry.list_providers()
    )
    assert len(theirs) > 190
    assert theirs == PROVIDERS.keys() | NOT_CHAT.keys() | ALIASES.keys()
    assert not PROVIDERS.keys() & NOT_CHAT.keys()


def test_every_address_of_litellm_is_known(litellm: Any) -> None:
    for endpoint in litellm.openai_compatible_endpoints:
        address = endpoint if "://" in endpoint else f"https://{endpoint}"
        provider = litellm.get_llm_provider("some-unknown-name", api_base=address)[1]
        host = address.split("/")[2]
        if host in LISTED_WITHOUT_PROVIDER:
            assert provider not in PROVIDERS, host
            assert provider_at(address) == LISTED_WITHOUT_PROVIDER[host]
        else:
            assert provider_at(address) == provider, host
    listed = {endpoint.partition("://")[2] or endpoint for endpoint in litellm.openai_compatible_endpoints}
    assert {host for host in HOSTS if not any(entry.rstrip("/") == host for entry in listed)} == {"api.openai.com"}


def test_an_explicit_provider_is_taken_as_litellm_takes_it(litellm: Any) -> None:
    for name, provider in [
        ("openai/gpt-4o", "openai"),
        ("anthropic/claude-x", "openrouter"),
        ("openrouter/auto", "openrouter"),
        ("openrouter/openai/gpt-4o", "openrouter"),
        ("my-model", "custom_openai"),
        ("my-finetune", "openai"),
        ("claude-opus-5", "bedrock"),
    ]:
        model, found, _, _ = litellm.get_llm_provider(name, custom_llm_provider=provider)
        target = route(name, provider=provider)
        assert (target.provider, target.model) == (found, model)


SWITCHES = {
    "image": "supports_vision",
    "document": "supports_pdf_input",
    "audio": "supports_audio_input",
    "video": "supports_video_input",
    "system": "supports_system_messages",
    "prefill": "supports_assistant_prefill",
    "prompt_caching": "supports_prompt_caching",
}


def test_what_the_table_says_of_a_model_is_known_here(litellm: Any) -> None:
    checked = 0
    for name, row in litellm.model_cost.items():
        prefix = route_prefix(str(row.get("litellm_provider")))
        if row.get("mode") not in ("chat", "responses") or PROVIDERS.get(prefix, PROVIDERS["azure"]).own_names:
            continue
        if "/" in name.removeprefix(f"{prefix}/") and prefix in ("bedrock", "bedrock_mantle"):
            continue  # prices of one region
        known = capabilities_of(prefix, name.removeprefix(f"{prefix}/"))
        for ability, field in SWITCHES.items():
            if isinstance(row.get(field), bool):
                assert getattr(known, ability) is row[field], (name, ability)
                checked += 1
    assert checked > 4500


@pytest.mark.parametrize(
    ("provider", "model"),
    [
        ("anthropic", "claude-sonnet-9-9"),
        ("bedrock", "us.anthropic.claude-newfamily-7-20270101-v1:0"),
        ("vertex_ai", "claude-opus-6@20270101"),
        ("gemini", "gemini-3.9-flash"),
        ("openrouter", "google/gemini-3.9-flash"),
        ("wandb", "org/unheard-of"),
    ],
)
def test_families_of_the_table_hold_for_models_without_a_row(litellm: Any, provider: str, model: str) -> None:
    row = litellm.get_model_info(model, custom_llm_provider=provider)
    info = model_info(provider, model)
    assert info is not None
    for field in SWITCHES.values():
        assert info.get(field) is row.get(field), field
    assert capabilities_of(provider, model).max_output_tokens is None
