"""Whose call it is, and how a manager is registered and unregistered."""

import asyncio
import copy
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from managing import ASKED, GREET, MINE, ONCE, Body, access, said
from prompt_adapters import Prompt, PromptAdapterError
from prompt_adapters.errors import PromptNotFoundError, PromptTypeError

# Whose call it is


def other_manager(litellm: Any, claims: Callable[[Any], bool]) -> Any:
    from litellm.integrations.custom_prompt_management import CustomPromptManagement

    class Other(CustomPromptManagement):
        def should_run_prompt_management(self, prompt_id: Any, *_: Any, **__: Any) -> bool:
            return claims(prompt_id)

        def get_chat_completion_prompt(self, model: Any, messages: Any, non_default_params: Any, *_: Any, **__: Any):  # type: ignore[no-untyped-def]  # a double
            return model, [{"role": "user", "content": "from another"}, *messages], non_default_params

        async def async_get_chat_completion_prompt(  # type: ignore[no-untyped-def]  # a double
            self, model: Any, messages: Any, non_default_params: Any, *_: Any, **__: Any
        ):
            non_default_params.pop("prompt_id", None)
            return self.get_chat_completion_prompt(model, messages, non_default_params)

    return Other()


@pytest.fixture
def another(litellm: Any) -> Iterator[Callable[..., Any]]:
    from prompt_adapters.litellm.manager_lists import add, remove

    made: list[Any] = []

    def make(claims: Callable[[Any], bool]) -> Any:
        made.append(other_manager(litellm, claims))
        add(made[-1])
        return made[-1]

    yield make
    for manager in made:
        remove(manager)


THEIRS = [{"role": "user", "content": "from another"}, *MINE]


async def test_ids_of_other_managers_pass(
    greeting: Any, another: Callable[..., Any], provider: Any, litellm: Any, closing: None
) -> None:
    another(lambda prompt_id: prompt_id == "theirs")
    await litellm.acompletion(prompt_id="theirs", messages=MINE, **access(provider))
    assert said(provider) == THEIRS
    provider.reset()
    await litellm.acompletion(**ASKED, messages=MINE, **access(provider))
    assert said(provider) == ONCE


def test_ids_of_other_managers_pass_synchronously(
    greeting: Any, another: Callable[..., Any], provider: Any, litellm: Any
) -> None:
    another(lambda prompt_id: prompt_id == "theirs")
    litellm.completion(prompt_id="theirs", messages=MINE, **access(provider))
    assert said(provider) == THEIRS


async def test_a_manager_that_was_first_and_claims_all_has_all(
    another: Callable[..., Any], managed: Callable[..., Any], provider: Any, litellm: Any, closing: None
) -> None:
    another(lambda prompt_id: True)
    managed({"greet": GREET.replace(parameters={"temperature": 0.25})})
    await litellm.acompletion(**ASKED, messages=MINE, **access(provider))
    assert said(provider) == THEIRS
    assert "temperature" not in provider.call.body


def test_an_id_that_nobody_has_is_an_error(greeting: Any, provider: Any, litellm: Any) -> None:
    with pytest.raises(PromptNotFoundError, match="prompt 'gret': there is no such prompt; did you mean 'greet'") as e:
        litellm.completion(prompt_id="gret", messages=MINE, **access(provider))
    assert vars(e.value)["status_code"] == 400
    with pytest.raises(PromptNotFoundError) as long:
        litellm.completion(prompt_id="x" * 100_000, messages=MINE, **access(provider))
    assert len(str(long.value)) < 200
    assert provider.calls == []


async def test_an_id_that_nobody_has_is_an_error_asynchronously(
    greeting: Any, another: Callable[..., Any], provider: Any, litellm: Any, closing: None
) -> None:
    another(lambda prompt_id: False)
    with pytest.raises(PromptNotFoundError, match="there is no such prompt"):
        await litellm.acompletion(prompt_id="gret", messages=MINE, **access(provider))
    with pytest.raises(PromptNotFoundError, match="there is no such prompt"):
        await litellm.acompletion(prompt_id="gret", messages=MINE, fallbacks=["openai/gpt-4.1"], **access(provider))
    assert provider.calls == []


async def test_such_a_call_can_go_on_as_it_is(
    managed: Callable[..., Any], provider: Any, litellm: Any, closing: None
) -> None:
    managed({"greet": GREET}, unknown="pass")
    await litellm.acompletion(prompt_id="gret", messages=MINE, **access(provider))
    await asyncio.to_thread(litellm.completion, prompt_id="gret", messages=MINE, **access(provider))
    assert [call.body["messages"] for call in provider.calls] == [MINE, MINE]


async def test_an_id_is_an_error_if_one_of_several_managers_minds(
    managed: Callable[..., Any], provider: Any, litellm: Any, closing: None
) -> None:
    managed({"greet": GREET}, unknown="pass")  # LiteLLM asks this one, which is the first
    managed({"say": GREET})
    with pytest.raises(PromptNotFoundError, match="there is no such prompt"):
        await litellm.acompletion(prompt_id="gret", messages=MINE, **access(provider))
    await litellm.acompletion(**ASKED, messages=MINE, **access(provider))
    assert said(provider) == ONCE


POINTS = [{"location": "message", "role": "system"}]
MARKED = [{"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}]


async def test_calls_without_an_id_are_left_alone(greeting: Any, provider: Any, litellm: Any, closing: None) -> None:
    place = access(provider, "anthropic/claude-sonnet-4-5")
    own = [{"role": "system", "content": "Be brief."}, *MINE]
    await litellm.acompletion(messages=own, cache_control_injection_points=copy.deepcopy(POINTS), **place)
    await litellm.acompletion(messages=own, prompt_variables={"name": "Ada"}, prompt_id=None, **place)
    assert [call.body["system"] for call in provider.calls] == [MARKED, [{"type": "text", "text": "Be brief."}]]
    assert all(len(call.body["messages"]) == 1 for call in provider.calls)


def test_cache_points_of_litellm_are_set_in_the_prompt(greeting: Any, provider: Any, litellm: Any) -> None:
    place = access(provider, "anthropic/claude-sonnet-4-5")
    litellm.completion(**ASKED, cache_control_injection_points=copy.deepcopy(POINTS), **place)
    assert provider.call.body["system"] == MARKED
    assert "cache_control_injection_points" not in provider.call.body


async def test_cache_points_of_litellm_are_set_in_the_prompt_asynchronously(
    greeting: Any, provider: Any, litellm: Any, closing: None
) -> None:
    place = access(provider, "anthropic/claude-sonnet-4-5")
    await litellm.acompletion(**ASKED, cache_control_injection_points=copy.deepcopy(POINTS), **place)
    assert provider.call.body["system"] == MARKED


async def test_litellms_cache_tells_prompts_and_values_apart(
    managed: Callable[..., Any], provider: Any, litellm: Any, closing: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    managed({"greet": GREET, "say": Prompt(user="Say {{ name }}.")})
    monkeypatch.setattr(litellm, "cache", litellm.Cache(type="local"))
    for prompt_id, name in (("greet", "Ada"), ("greet", "Bob"), ("say", "Ada"), ("greet", "Ada")):
        asked = {"prompt_id": prompt_id, "prompt_variables": {"name": name}}
        await litellm.acompletion(**asked, caching=True, **access(provider))
    assert [call.body["messages"][-1]["content"] for call in provider.calls] == ["Greet Ada.", "Greet Bob.", "Say Ada."]


def test_a_cache_in_synchronous_calls_is_warned_of(
    greeting: Any, provider: Any, litellm: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(litellm, "cache", litellm.Cache(type="local"))
    litellm.completion(**ASKED, **access(provider))
    assert "cache looks at neither prompt_id nor prompt_variables" in caplog.text


# Registration


LISTS = ("callbacks", "input_callback", "success_callback", "failure_callback", "service_callback")
ALSO = ("_async_success_callback", "_async_failure_callback", "_async_input_callback")


def known_to(litellm: Any, manager: Any) -> list[str]:
    lists = {name: getattr(litellm, name) for name in (*LISTS, *ALSO)} | {"seen": litellm.utils.callback_list}
    return [name for name, callbacks in lists.items() if any(known is manager for known in callbacks or ())]


def test_unregister_really_unregisters(
    greeting: Any, provider: Any, litellm: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(litellm.utils, "callback_list", [])
    litellm.completion(**ASKED, **access(provider))
    assert {"callbacks", "success_callback", "seen"} <= {*known_to(litellm, greeting)}  # LiteLLM copies it about
    litellm.callbacks = [known for known in litellm.callbacks if known is not greeting]
    assert known_to(litellm, greeting)  # which is not enough
    greeting.unregister()
    assert known_to(litellm, greeting) == []
    provider.reset()
    litellm.completion(**ASKED, messages=MINE, **access(provider))
    assert said(provider) == MINE
    greeting.unregister()


async def test_a_context_registers_for_its_time(provider: Any, litellm: Any, closing: None) -> None:
    from prompt_adapters.litellm import PromptAdaptersManager

    with PromptAdaptersManager({"greet": GREET}) as manager:
        assert known_to(litellm, manager) == ["callbacks"]
        await litellm.acompletion(**ASKED, messages=MINE, **access(provider))
        assert said(provider) == ONCE
    assert known_to(litellm, manager) == []
    provider.reset()
    await litellm.acompletion(**ASKED, messages=MINE, **access(provider))
    assert said(provider) == MINE


def test_registering_twice_is_registering_once(greeting: Any, litellm: Any) -> None:
    assert greeting.register() is greeting
    assert sum(known is greeting for known in litellm.callbacks) == 1


def test_two_managers_stand_beside_each_other(managed: Callable[..., Any], provider: Any, litellm: Any) -> None:
    """LiteLLM takes callbacks for the same when their class and public attributes are."""
    managed({"greet": GREET})
    managed({"say": Prompt(user="Say {{ name }}.")})
    litellm.completion(prompt_id="say", prompt_variables={"name": "Ada"}, **access(provider))
    assert said(provider) == [{"role": "user", "content": "Say Ada."}]


def test_a_manager_that_litellm_does_not_take_is_an_error(
    litellm: Any, managed: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    from litellm.litellm_core_utils import logging_callback_manager

    monkeypatch.setattr(logging_callback_manager, "MAX_CALLBACKS", len(litellm.callbacks))
    with pytest.raises(PromptAdapterError, match="did not register the manager"):
        managed({"greet": GREET})


@pytest.mark.parametrize(
    ("prompts", "options", "error", "reason"),
    [
        (7, {}, PromptTypeError, "a mapping from ids to Prompt"),
        ({"greet": "Greet"}, {}, PromptTypeError, "prompt 'greet' is str, not a Prompt"),
        ("no/such/folder", {}, PromptNotFoundError, "no such directory of prompts"),
        ({}, {"on_limits": "error"}, TypeError, "on_limit"),
        ({}, {"model": "gpt-4o"}, TypeError, "no option 'model'"),
        ({}, {"on_limit": "never"}, ValueError, "on_limit"),
        ({}, {"unknown": "drop"}, ValueError, "unknown is 'error' or 'pass'"),
    ],
    ids=["prompts", "a text", "no folder", "misspelt option", "model", "option's value", "unknown's value"],
)
def test_a_manager_says_what_is_wrong_with_it(
    prompts: Any, options: Body, error: type[Exception], reason: str, litellm: Any
) -> None:
    from prompt_adapters.litellm import PromptAdaptersManager

    with pytest.raises(error, match=reason):
        PromptAdaptersManager(prompts, **options)
