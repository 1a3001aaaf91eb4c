"""`PromptAdaptersManager`: calls of LiteLLM that name a prompt by its id, in the SDK, a Router and the proxy.

    with PromptAdaptersManager("prompts"):
        litellm.completion(model="gpt-4o", prompt_id="greet", prompt_variables={"name": "Ada"})

Importing this module imports LiteLLM. What LiteLLM 1.110 offers, and what is done with it:

- Asynchronous calls (``acompletion``, a Router's, every call to the proxy) are answered before they begin, when the
  deployment is chosen. Messages and parameters are put into the call and the id is taken out, so that it is an ordinary
  call from there on, for LiteLLM's cache as well.
- Where ``model`` is given by position, or with ``context_window_fallback_dict``, only the parameters are put in there,
  and the messages by the prompt hook. It takes the id out: ``completion``, which follows, would ask once more.
- With ``fallbacks`` LiteLLM makes a call with the id of its own for each model, so each is answered by itself.
- In synchronous calls the prompt hook gives messages and model. LiteLLM takes no parameters from it, and a line in the
  log tells so; ``prompt_adapters.litellm.completion`` sends them.

The hooks: https://docs.litellm.ai/docs/proxy/custom_prompt_management and https://docs.litellm.ai/docs/proxy/call_hooks
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextvars import ContextVar
from itertools import count
from types import TracebackType
from typing import Any, Self
from weakref import WeakKeyDictionary

import litellm
from litellm.integrations.anthropic_cache_control_hook import AnthropicCacheControlHook
from litellm.integrations.custom_logger import CustomLogger
from litellm.integrations.custom_prompt_management import CustomPromptManagement

from prompt_adapters.errors import PromptFormatError
from prompt_adapters.litellm.manager_answers import Answer, Answers, Unknown
from prompt_adapters.litellm.manager_errors import told_by_id
from prompt_adapters.litellm.manager_lists import add, remove
from prompt_adapters.litellm.metadata import CHAT_FIELD, with_identity
from prompt_adapters.litellm.prompt_call import KEYWORDS, Asked, Rendered, check_text_only, unless_given
from prompt_adapters.litellm.readapting import without_readapter
from prompt_adapters.prompt import Prompt

_numbers = count(1)
_NAME = "prompt_adapters"
_STAYS = "a Router's deployment is called with its own model, since its key and address belong to that"
_CACHED = (
    "LiteLLM's cache looks at neither prompt_id nor prompt_variables in synchronous calls, so that one prompt may get "
    "the answer to another; await litellm.acompletion, or call with caching=False"
)
# LiteLLM's native routes, in which nobody asks a prompt manager: the id would be without effect.
_WITHOUT_PROMPTS = ("anthropic_messages", "agenerate_content", "agenerate_content_stream", "atext_completion")
_NO_PROMPTS = "takes no prompt by its id; call chat completions, or LiteLLMBridge(MODEL) with the prompt"
# In a call with fallbacks: the model of an attempt is what LiteLLM has chosen for it, and no more the prompt's.
_ATTEMPT = "prompt_adapters_attempt"
# The model of the deployment that a Router has just chosen for a synchronous call, whose hook is not told of it.
_deployed: ContextVar[str | None] = ContextVar("prompt_adapters_deployed", default=None)


class PromptAdaptersManager(CustomPromptManagement):
    """Gives calls of LiteLLM the prompts that they name by ``prompt_id``.

    ``prompt_variables`` are the values, as `read_values` describes them; ``prompt_version`` and ``prompt_label`` choose
    among the versions. The caller's messages follow the prompt, or are its history; see `prompt_call`. Arguments of the
    call win over the prompt's parameters. The prompt's own model is called in place of ``model``; but a Router and the
    proxy stay with the deployment that they have chosen, whose key and address belong to it.

    Other managers keep their prompts: only ids that exist here are claimed, and calls without one are left alone. An id
    that no manager claims comes to whichever is registered first, and is an error here.

    Args:
        prompts: The path of a directory, a `PromptAssetStore`, or a mapping from ids to `Prompt`.
        unknown: What becomes of an id that no manager claims: ``"error"``, or ``"pass"`` to leave the call as it is,
            without a prompt.
        ignore_prompt_manager_model: Whether the prompt's own model is disregarded.
        ignore_prompt_manager_optional_params: Whether its parameters are.
        options: Options of the adapter, as `MessageAdapter` describes them.

    Raises:
        PromptNotFoundError: (a ``FileNotFoundError``) There is no such directory.
        TypeError: Prompts or options are something else.
        ValueError: An option has an impossible value.
    """

    def __init__(
        self,
        prompts: Any,
        *,
        unknown: Unknown = "error",
        ignore_prompt_manager_model: bool = False,
        ignore_prompt_manager_optional_params: bool = False,
        **options: Any,
    ) -> None:
        super().__init__(ignore_prompt_manager_model, ignore_prompt_manager_optional_params)
        CustomLogger.__init__(self)
        self.number = next(_numbers)  # LiteLLM takes two callbacks for one when their public attributes are equal
        self._answers = Answers(prompts, unknown, options)
        self._settled: WeakKeyDictionary[Any, Mapping[str, Any]] = WeakKeyDictionary()  # from logs to arguments

    @property
    def integration_name(self) -> str:
        """What LiteLLM calls the manager."""
        return _NAME

    def __repr__(self) -> str:
        return f"PromptAdaptersManager({self._answers.source!r})"

    # Registration

    def register(self) -> Self:
        """Let LiteLLM ask this manager, from now on; once more changes nothing.

        Raises:
            PromptAdapterError: LiteLLM does not take it.
        """
        add(self)
        return self

    def unregister(self) -> None:
        """Let LiteLLM forget this manager, in every list that it has put it into."""
        remove(self)

    def __enter__(self) -> Self:
        return self.register()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.unregister()

    # Prompts

    def prompt(self, prompt_id: str, version: str | int | None = None, label: str | None = None) -> Prompt:
        """A prompt, as for ``prompt_adapters.litellm.completion(manager.prompt("greet"), …)``.

        Args:
            prompt_id: Its id.
            version: Its version; without one, a store gives the latest.
            label: A label of a version.

        Raises:
            PromptNotFoundError: (a ``FileNotFoundError``) There is none.
            PromptFormatError: (a ``ValueError``) It is malformed.
        """
        return self._answers.find(prompt_id, version, label)

    def should_run_prompt_management(
        self,
        prompt_id: str | None,
        prompt_spec: Any = None,  # noqa: ARG002 - LiteLLM gives it
        dynamic_callback_params: Any = None,  # noqa: ARG002 - LiteLLM gives it
        **_: Any,
    ) -> bool:
        """Whether the prompt of a call is here."""
        return self._answers.has(prompt_id)

    # Asynchronous calls, before they begin

    async def async_pre_call_deployment_hook(self, kwargs: dict[str, Any], call_type: Any) -> dict[str, Any] | None:
        """Put the prompt into a call: its messages, and the parameters that the call does not have itself.

        Args:
            kwargs: The arguments of the call, which stay as they are.
            call_type: LiteLLM's word for the call.

        Returns:
            The arguments to use instead; None when the call is not for this manager.

        Raises:
            PromptAdapterError: The prompt cannot be used for this call; its ``status_code`` is 400.
        """
        if call_type in _WITHOUT_PROMPTS and self._answers.has(kwargs.get("prompt_id")):
            with told_by_id(kwargs["prompt_id"], None):
                raise PromptFormatError(None, None, f"LiteLLM's {getattr(call_type, 'value', call_type)} {_NO_PROMPTS}")
        if call_type != "acompletion" or self._answers.leaves(kwargs.get("prompt_id")) or not self._is_asked(kwargs):
            return None
        asked = Asked.by(kwargs, _model_of(kwargs))
        asked = self._told(asked, stays="" if _ATTEMPT in kwargs else _STAYS if _is_routed(kwargs) else None)
        if _has_fallbacks(kwargs):
            # Each attempt asks by itself; what no model could mend is better said here than by all of them.
            _, model, _ = await asyncio.to_thread(self._answers.begun, asked)
            return {**kwargs, "model": model, _ATTEMPT: True} if "model" in kwargs else None
        answer = await self._answers.aanswer(asked)
        given = [name for name, value in kwargs.items() if value is not None]
        parameters = unless_given(answer.rendered.parameters, given)
        if "model" not in kwargs or kwargs.get("context_window_fallback_dict"):
            self._settled[kwargs["litellm_logging_obj"]] = {
                name: value for name, value in kwargs.items() if name not in ("litellm_logging_obj", "messages")
            }
            return {**kwargs, **parameters}
        return _answered(kwargs, asked, answer, parameters)

    def _is_asked(self, kwargs: Mapping[str, Any]) -> bool:
        """Whether LiteLLM would ask this manager for the prompt of a call, or nobody has it."""
        logged = kwargs.get("litellm_logging_obj")
        if logged is None:
            return False
        dynamic = logged.standard_callback_dynamic_params
        chosen = without_readapter(
            logged.get_custom_logger_for_prompt_management(
                model=_model_of(kwargs),
                non_default_params=kwargs,
                tools=kwargs.get("tools"),
                prompt_id=kwargs["prompt_id"],
                dynamic_callback_params=dynamic,
            ),
            kwargs["prompt_id"],
        )
        if chosen is self:
            return True
        # LiteLLM chooses the first manager when none claims the id; where that is one of ours, nobody will answer.
        ours = isinstance(chosen, CustomPromptManagement) and chosen.integration_name == _NAME
        return ours and not chosen.should_run_prompt_management(kwargs["prompt_id"], None, dynamic)

    # The prompt hooks

    async def async_get_chat_completion_prompt(  # type: ignore[override]  # LiteLLM calls it by keywords, and adds some
        self,
        model: str,
        messages: Any,
        non_default_params: dict[str, Any],
        prompt_id: str | None = None,
        prompt_variables: Any = None,
        dynamic_callback_params: Any = None,  # noqa: ARG002 - LiteLLM gives it
        litellm_logging_obj: Any = None,
        **more: Any,
    ) -> tuple[str, list[Any], dict[str, Any]]:
        """Model, messages and parameters for an asynchronous call that did not get them before it began.

        Raises:
            PromptAdapterError: The prompt cannot be used for this call; its ``status_code`` is 400.
        """
        live, kind, spec = non_default_params, _call_type(litellm_logging_obj), more.get("prompt_spec")
        if self._answers.leaves(prompt_id) or (kind == "acompletion" and spec is None and _has_fallbacks(live)):
            return model, messages, live
        settled = None if litellm_logging_obj is None else self._settled.get(litellm_logging_obj)
        arguments = {"tools": more.get("tools")} if settled is None and spec is None else settled
        asked = Asked.hooked(prompt_id, prompt_variables, messages, model, more, arguments)
        asked = self._told(asked, stays=_STAYS if _is_routed(live) else None, spec=spec)
        applied = settled is not None or spec is not None
        answer = await self._answers.aanswer(asked._replace(applied=applied))
        if spec is not None:  # the proxy's list of prompts: it puts all of this into the request
            return answer.model, answer.rendered.messages, {**live, **answer.rendered.parameters}
        if not applied:
            self._say_ignored(asked.prompt_id, answer.rendered, kind)
        for name in (*KEYWORDS, _ATTEMPT):  # these are the call's own arguments: `completion` would ask once more
            live.pop(name, None)
        if kind == "acompletion":
            live |= with_identity({CHAT_FIELD: live.get(CHAT_FIELD)}, answer.identity(asked.prompt_id))
        return answer.model, answer.rendered.messages, live

    def get_chat_completion_prompt(  # type: ignore[override]  # LiteLLM calls it by keywords, and adds some
        self,
        model: str,
        messages: Any,
        non_default_params: dict[str, Any],
        prompt_id: str | None = None,
        prompt_variables: Any = None,
        dynamic_callback_params: Any = None,
        **more: Any,
    ) -> tuple[str, list[Any], dict[str, Any]]:
        """Model, messages and parameters for a synchronous call.

        Raises:
            PromptAdapterError: The prompt cannot be used for this call; its ``status_code`` is 400.
        """
        if self._answers.leaves(prompt_id):
            return model, messages, non_default_params
        routed = _deployed.get() == model
        _deployed.set(None)
        asked = Asked.hooked(prompt_id, prompt_variables, messages, model, more, None)
        asked = self._told(asked, stays=_STAYS if routed else None, spec=more.get("prompt_spec"))
        answer = self._answers.answer(asked._replace(applied=False))
        self._say_ignored(asked.prompt_id, answer.rendered, _call_type(non_default_params.get("litellm_logging_obj")))
        if litellm.cache is not None:
            self._answers.say(asked.prompt_id, "cache", _CACHED)
        # LiteLLM runs one prompt hook a call: where another of its own is asked for, it follows here.
        marks = AnthropicCacheControlHook.get_custom_logger_for_anthropic_cache_control_hook(non_default_params)
        found = answer.model, answer.rendered.messages, non_default_params
        return found if marks is None else marks.get_chat_completion_prompt(*found, None, None, dynamic_callback_params)

    def _told(self, asked: Asked, *, stays: str | None, spec: Any = None) -> Asked:
        """A call, with what the manager's flags and those of an entry in the proxy's list of prompts say."""
        flags = (self, getattr(spec, "litellm_params", None))
        if any(getattr(flag, "ignore_prompt_manager_model", False) for flag in flags):
            stays = ""
        ignored = any(getattr(flag, "ignore_prompt_manager_optional_params", False) for flag in flags)
        return asked._replace(stays=stays, parameters=not ignored)

    def _say_ignored(self, prompt_id: str, rendered: Rendered, kind: str) -> None:
        """What the prompt hooks cannot do, since LiteLLM looks only at the messages and the model that they give."""
        if "responses" in kind:
            with told_by_id(prompt_id, self._answers.source.root):
                check_text_only(rendered.messages)
        where = "litellm.responses" if "responses" in kind else "calls of this kind"
        self._answers.say_ignored(prompt_id, rendered.ignored, where)

    # What a Router tells before a synchronous call

    def pre_call_check(self, deployment: dict[str, Any]) -> None:
        """Take notice of the deployment that is called next."""
        _deployed.set((deployment.get("litellm_params") or {}).get("model"))

    def log_pre_api_call(self, model: Any, messages: Any, kwargs: Any) -> None:  # noqa: ARG002 - LiteLLM's hook
        """Forget it, once the call is on its way."""
        _deployed.set(None)


def _answered(kwargs: Mapping[str, Any], asked: Asked, answer: Answer, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """A call with its prompt put in, which names no prompt any more."""
    kwargs["litellm_logging_obj"].update_messages(answer.rendered.messages)
    taken = (*KEYWORDS, _ATTEMPT, *(("custom_llm_provider",) if answer.model != asked.model else ()))
    kept = {name: value for name, value in kwargs.items() if name not in taken}
    call = {**kept, "model": answer.model, "messages": answer.rendered.messages, **parameters}
    return with_identity(call, answer.identity(asked.prompt_id))


def _model_of(kwargs: Mapping[str, Any]) -> str:
    """The model of a call, which its log knows where it is given by position."""
    return str(kwargs["model"] if "model" in kwargs else kwargs["litellm_logging_obj"].model)


def _call_type(logged: Any) -> str:
    return str(getattr(logged, "call_type", None) or "")


def _is_routed(kwargs: Mapping[str, Any]) -> bool:
    return any("model_group" in (kwargs.get(name) or ()) for name in (CHAT_FIELD, "litellm_metadata"))


def _has_fallbacks(kwargs: Mapping[str, Any]) -> bool:
    return bool(kwargs.get("fallbacks") or litellm.model_fallbacks)
