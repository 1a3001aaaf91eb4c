"""The bridge without a call: what it knows, what it makes, what it refuses, and that all this needs no LiteLLM."""

import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import prompt_adapters.litellm
from prompt_adapters import FewShot, History, Message, Prompt, PromptAdapterError
from prompt_adapters.errors import (
    MissingVariableError,
    PromptFormatError,
    PromptNotFoundError,
    UnknownModelError,
    UnknownVariableError,
)
from prompt_adapters.litellm import LiteLLMBridge, acompletion, completion

PROMPT = Prompt(system="Be brief.", user="Say {{ word }}.", parameters={"temperature": 0.5, "max_tokens": 9})
GPT = "openai/gpt-4o"


def test_the_surface_is_small() -> None:
    assert sorted(prompt_adapters.litellm.__all__) == [
        "LiteLLMBridge",
        "PromptAdaptersManager",
        "acompletion",
        "completion",
    ]
    assert set(prompt_adapters.litellm.__all__) <= set(dir(prompt_adapters.litellm))
    with pytest.raises(AttributeError, match="no attribute 'LitellmBridge'"):
        prompt_adapters.litellm.LitellmBridge  # noqa: B018 - the point of the test


@pytest.mark.parametrize(
    "statement",
    [
        "import prompt_adapters.litellm",
        "from prompt_adapters.litellm import LiteLLMBridge, completion, acompletion",
        "from prompt_adapters import Prompt\n"
        "from prompt_adapters.litellm import LiteLLMBridge\n"
        "for model in ('gpt-4o', 'anthropic/claude-sonnet-4-5', 'gemini/gemini-2.5-flash'):\n"
        "    bridge = LiteLLMBridge(model)\n"
        "    bridge.request(Prompt(user='{{ x }}'), {'x': 'y'}), bridge.route, bridge.adapter",
    ],
    ids=["import", "names", "request"],
)
def test_a_request_imports_no_litellm(statement: str) -> None:
    check = f"{statement}\nimport sys\nprint([n for n in ('litellm', 'langchain_core', 'openai') if n in sys.modules])"
    result = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("model", "provider", "style"),
    [
        ("gpt-4o", "openai", "openai_style"),
        ("anthropic/claude-sonnet-4-5", "anthropic", "anthropic_style"),
        ("gemini/gemini-2.5-flash", "gemini", "google_style"),
        ("vertex_ai/claude-sonnet-4-5@20250929", "vertex_ai", "anthropic_style"),
    ],
)
def test_the_model_string_tells_route_and_adapter(model: str, provider: str, style: str) -> None:
    bridge = LiteLLMBridge(model, on_limit="error")
    assert (bridge.model, bridge.route.provider, bridge.adapter.style) == (model, provider, style)
    assert (bridge.adapter.model, bridge.adapter.options.on_limit) == (bridge.route.model, "error")
    assert repr(bridge) == f"LiteLLMBridge(model={model!r}, on_limit='error')"


def test_the_provider_may_stand_beside_the_model() -> None:
    bridge = LiteLLMBridge("my-model", custom_llm_provider="anthropic")
    assert (bridge.model, bridge.route.provider, bridge.route.model) == ("my-model", "anthropic", "my-model")
    assert repr(bridge) == "LiteLLMBridge(model='my-model', custom_llm_provider='anthropic')"
    assert bridge.request(Prompt(user="Hi"))["model"] == "anthropic/my-model"
    elsewhere = LiteLLMBridge("gpt-4o").request(Prompt(user="Hi"), custom_llm_provider="azure")
    assert (elsewhere["model"], elsewhere["custom_llm_provider"]) == ("azure/gpt-4o", "azure")


def test_prompts_are_saved_and_loaded(tmp_path: Path) -> None:
    bridge = LiteLLMBridge(GPT)
    prompt = PROMPT.replace(few_shot=FewShot([("a", "b")]))
    for place in (tmp_path / "say", tmp_path / "say.json"):
        bridge.save(prompt, place)
        assert bridge.load(place) == prompt
        assert bridge.request(place, {"word": "hi"}) == bridge.request(prompt, {"word": "hi"})


def test_a_request_is_the_arguments_of_completion() -> None:
    request = LiteLLMBridge(GPT).request(PROMPT, {"word": "{{ word }}"}, temperature=0, timeout=3, mock_response="x")
    assert request == {
        "model": GPT,
        "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Say {{ word }}."}],
        "temperature": 0,
        "max_tokens": 9,
        "timeout": 3,
        "mock_response": "x",
    }


async def test_an_asynchronous_request_is_the_same(tmp_path: Path) -> None:
    bridge = LiteLLMBridge(GPT)
    bridge.save(PROMPT, tmp_path / "say")
    assert await bridge.arequest(tmp_path / "say", {"word": "hi"}, n=2) == bridge.request(PROMPT, {"word": "hi"}, n=2)


def test_messages_will_do() -> None:
    bridge = LiteLLMBridge(GPT)
    turns = (Message("user", "Hi"), Message("assistant", "Hello"), Message("user", "Go"))
    assert [message["content"] for message in bridge.request(turns)["messages"]] == ["Hi", "Hello", "Go"]
    assert bridge.request(Message("user", "Hi"))["messages"] == [{"role": "user", "content": "Hi"}]
    chat = Prompt(messages=[History("chat"), ("user", "Go")])
    request = bridge.request(chat, {"chat": [{"role": "user", "content": "Hi"}, ("assistant", "Hello")]})
    assert [message["content"] for message in request["messages"]] == ["Hi", "Hello", "Go"]


def test_both_names_of_one_parameter_are_never_sent() -> None:
    bridge = LiteLLMBridge(GPT)
    request = bridge.request(PROMPT, {"word": "hi"}, max_completion_tokens=3)
    assert {name for name in request if "tokens" in name} == {"max_completion_tokens"}
    other = bridge.request(PROMPT.replace(parameters={"max_completion_tokens": 3}), {"word": "hi"}, max_tokens=4)
    assert {name for name in other if "tokens" in name} == {"max_tokens"}


Refused = tuple[Callable[[Path], Any], type[Exception], str]
REFUSED: dict[str, Refused] = {
    "typo in a variable": (
        lambda _: completion(PROMPT, model=GPT, variables={"word": "hi", "wrod": "hi"}),
        UnknownVariableError,
        "unknown variable 'wrod'.*did you mean 'word'",
    ),
    "missing variable": (
        lambda _: LiteLLMBridge(GPT).completion(PROMPT),
        MissingVariableError,
        "missing variable 'word'",
    ),
    "both words for variables": (
        lambda _: LiteLLMBridge(GPT).completion(PROMPT, {"word": "a"}, prompt_variables={"word": "a"}),
        TypeError,
        "variables and prompt_variables are the same thing",
    ),
    "messages beside a prompt": (
        lambda _: completion(PROMPT, model=GPT, variables={"word": "a"}, messages=[]),
        TypeError,
        "the prompt makes the messages",
    ),
    "no model": (lambda _: completion(PROMPT, variables={"word": "a"}), PromptFormatError, "the prompt names no model"),
    "typo in a model": (lambda _: LiteLLMBridge("opnai/gpt-4o"), UnknownModelError, "did you mean 'openai/gpt-4o'"),
    "typo in an option": (lambda _: LiteLLMBridge(GPT, on_limt="error"), TypeError, "did you mean 'on_limit'"),
    "no file": (lambda path: completion(path / "none", model=GPT), PromptNotFoundError, "no such file"),
    "one bad row of a batch": (
        lambda _: LiteLLMBridge(GPT).batch_completion(PROMPT, [{"word": "a"}, {}]),
        MissingVariableError,
        "^row 2: missing variable 'word'",
    ),
    "one row of a batch that is none": (
        lambda _: LiteLLMBridge(GPT).batch_completion(PROMPT, [{"word": "a"}, {"word": "a"}, "word"]),  # type: ignore[list-item]  # the point of it
        TypeError,
        "^row 3: values are a mapping of names to values, not str",
    ),
    "one mapping for a batch": (
        lambda _: LiteLLMBridge(GPT).batch_completion(PROMPT, variables={"word": "a"}),  # type: ignore[dict-item]  # the point of it
        TypeError,
        r"takes one mapping of values for each call; write variables=\[\{...\}, ...\]",
    ),
    "an alias of a Router": (
        lambda _: LiteLLMBridge("my-alias"),
        UnknownModelError,
        "as 'openai/NAME', or give its server's address as api_base=...; for a Router's alias, give the bridge",
    ),
    "a page for a model": (lambda _: LiteLLMBridge("x" * 5000), UnknownModelError, "^.{1,400}$"),
    "a page with a provider": (lambda _: LiteLLMBridge(f"opnai/{'x' * 5000}"), UnknownModelError, "^.{1,500}$"),
}


@pytest.mark.parametrize("case", REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_called_is_refused(case: Refused, tmp_path: Path) -> None:
    call, error, message = case
    with pytest.raises(error, match=message) as caught:
        call(tmp_path)
    assert "\n" not in str(caught.value)
    assert isinstance(caught.value, PromptAdapterError | TypeError)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


async def test_the_asynchronous_call_refuses_alike() -> None:
    with pytest.raises(UnknownVariableError, match="did you mean 'word'"):
        await acompletion(PROMPT, model=GPT, variables={"word": "hi", "wrod": "hi"})
    with pytest.raises(PromptFormatError, match="names no model"):
        await acompletion(PROMPT, variables={"word": "a"})
