"""A prompt is adapted anew when LiteLLM takes a call to another model than the one it began with.

A ``litellm.Router`` and the argument ``fallbacks`` choose the model while a call is under way, and hand the same
messages to each. LiteLLM asks its prompt managers for the messages of every single attempt, once the model is chosen,
in ``completion`` and ``acompletion`` alike. So such a call carries a ``prompt_id`` of its own, which lasts as long as
the call, and the manager of this module answers for these ids and for nothing else:
https://docs.litellm.ai/docs/proxy/custom_prompt_management

It stands before other managers in ``litellm.callbacks`` from the first such call on, since one that claims every id
would otherwise be asked in its place. An id that no manager claims comes to the first; it hands such a call on to the
next, as if it were not there.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, TypeAlias
from uuid import uuid4

from prompt_adapters.adapters.litellm import LiteLLMStylePromptAdapter
from prompt_adapters.errors import PromptAdapterError, UnsupportedContentError
from prompt_adapters.litellm.arguments import own
from prompt_adapters.litellm.building import Built, Values, abuild, build
from prompt_adapters.litellm.metadata import CHAT_FIELD, notes_in

Answered: TypeAlias = tuple[str, Any, Any]

_PREFIX = "prompt_adapters:"
_under_way: dict[str, Readapted] = {}
_registering = threading.Lock()


class Readapted:
    """One call whose model LiteLLM may change.

    Args:
        prompt: The prompt, or messages.
        values: The variables' values.
        speaker: The adapter of one of the models.
        arguments: The arguments of the call.
        models: The models that the call may begin with, from LiteLLM's name to that with the provider in front.

    Attributes:
        notes: What was changed for the model that was asked last; the list stands in the call's metadata.
        tells: Whether it does, or the caller has something else there.
        prompt_id: What LiteLLM knows the call by.
    """

    def __init__(
        self,
        prompt: Any,
        values: Values,
        speaker: LiteLLMStylePromptAdapter,
        arguments: Mapping[str, Any],
        models: Mapping[str, str],
    ) -> None:
        self._prompt = prompt
        self._values = None if values is None else dict(values)
        self._speaker = speaker
        self._arguments = arguments
        self._models = models
        self._built: dict[str, Built] = {}
        self.notes: list[str] = []
        self.tells = True
        self.prompt_id = f"{_PREFIX}{uuid4().hex}"

    # The request that the call begins with

    _began: Built

    def first(self) -> Built:
        """What the first model gets.

        Raises:
            PromptAdapterError: One of them cannot take the prompt. Which one is called, LiteLLM decides by chance, so
                that none may be left out.
        """
        for model in self._models:
            with self._among_others(model):
                self._build(model)
        return self._begun()

    async def afirst(self) -> Built:
        """`first` that does not block the event loop."""
        for model in self._models:
            with self._among_others(model):
                await self._abuild(model)
        return self._begun()

    def _begun(self) -> Built:
        self._began = self._built[next(iter(self._models))]
        for model in self._models:
            self._check_name(model)
            self._check_parameters(model, self._built[model])
        self.notes[:] = map(str, self._began.notes)
        return self._began

    @contextmanager
    def _among_others(self, model: str) -> Iterator[None]:
        """Say in a refusal which of several models refuses."""
        try:
            yield
        except UnsupportedContentError as error:
            if len(self._models) == 1:
                raise
            reason = f"the call may go to {model}, and {error.reason}"
            raise type(error)(error.adapter, error.part, error.position, reason, error.remedy) from None

    # Each attempt

    def messages_for(self, model: str, given: list[Any]) -> list[Any]:
        """The messages of an attempt.

        Args:
            model: The model that LiteLLM chose.
            given: The messages that it would send: those of the call, and perhaps more after them, as when an answer
                that broke off is continued.

        Raises:
            PromptAdapterError: The model cannot take the prompt, or the messages are not those of the call.
        """
        return self._swapped(model, self._build(model), given)

    async def amessages_for(self, model: str, given: list[Any]) -> list[Any]:
        """`messages_for` that does not block the event loop."""
        return self._swapped(model, await self._abuild(model), given)

    def _swapped(self, model: str, built: Built, given: list[Any]) -> list[Any]:
        wanted: list[Any] = built.request["messages"]
        self._check_name(model)
        self._check_parameters(model, built)
        self.notes[:] = map(str, built.notes)
        known = [form for form in self._forms() if given[: len(form)] == form]
        if known:
            return [*own(wanted), *given[len(max(known, key=len)) :]]
        if wanted == self._began.request["messages"]:
            return given
        raise PromptAdapterError(
            f"the messages were changed on the way to {model}, by a callback or a guardrail, so that the prompt cannot "
            "be adapted to it anew; change the prompt instead, or give the callback no part in calls with fallbacks"
        )

    def _forms(self) -> Iterable[list[Any]]:
        return [built.request["messages"] for built in tuple(self._built.values())]

    def _check_name(self, model: str) -> None:
        """By some names LiteLLM loses what it passes on by others; here the name is the Router's, and stays."""
        sent = self._adapter(model).sent
        if sent.reason and sent.name != model:
            raise UnsupportedContentError(
                LiteLLMStylePromptAdapter.style,
                f"a prompt for {model}",
                "the Router's or the call's fallbacks",
                sent.reason,
                f"write the model there as {sent.name!r}",
            )

    def _check_parameters(self, model: str, built: Built) -> None:
        """Every attempt carries the parameters that the call began with: LiteLLM lets nobody change them."""
        mine, sent = built.parameters, self._began.parameters
        if mine == sent:
            return
        differing = sorted(name for name in mine.keys() | sent.keys() if mine.get(name) != sent.get(name))
        raise UnsupportedContentError(
            LiteLLMStylePromptAdapter.style,
            f"parameter {differing[0]!r}",
            "parameters",
            f"LiteLLM sends the same parameters to every model of a call, and {model} gets others",
            "give it to the deployments that have it, in place of the prompt",
        )

    # Building

    def _adapter(self, model: str) -> LiteLLMStylePromptAdapter:
        options = self._speaker.options._replace(model=self._models.get(model, model))
        return LiteLLMStylePromptAdapter(**options._asdict()).beside(self._arguments)

    def _build(self, model: str) -> Built:
        if model not in self._built:
            self._built[model] = build(self._adapter(model), self._prompt, self._values)
        return self._built[model]

    async def _abuild(self, model: str) -> Built:
        if model not in self._built:
            self._built[model] = await abuild(self._adapter(model), self._prompt, self._values)
        return self._built[model]

    # The call's time

    def begin(self, litellm: Any) -> None:
        """From here on, LiteLLM is answered."""
        manager = _manager(litellm)
        with _registering:
            if manager not in litellm.callbacks:
                litellm.callbacks.insert(0, manager)
        _under_way[self.prompt_id] = self

    def end(self) -> None:
        """From here on, it is not."""
        _under_way.pop(self.prompt_id, None)

    def end_with(self, stream: Any) -> None:
        """A stream may fall back while it is read: the call ends when nobody has it any more."""
        try:
            weakref.finalize(stream, _under_way.pop, self.prompt_id, None).atexit = False
        except TypeError:  # a plain list, as of a cache: it is whole
            self.end()


def _is_own(prompt_id: Any) -> bool:
    return isinstance(prompt_id, str) and prompt_id.startswith(_PREFIX)


def _call(prompt_id: Any) -> Readapted | None:
    """The call of an id; None where the id is another's.

    Raises:
        PromptAdapterError: The call is over.
    """
    if not _is_own(prompt_id):
        return None
    call = _under_way.get(prompt_id)
    if call is None:
        raise PromptAdapterError("the arguments of one call were used for another; make a request for each call")
    return call


@lru_cache(maxsize=2)
def _manager(litellm: Any) -> Any:
    from litellm.integrations.custom_prompt_management import CustomPromptManagement

    class PromptReadapter(CustomPromptManagement):
        """Gives the messages of calls whose model LiteLLM changes."""

        @property
        def integration_name(self) -> str:
            return "prompt_adapters"

        def should_run_prompt_management(self, prompt_id: str | None, *_: Any, **__: Any) -> bool:
            return _is_own(prompt_id)

        def following(self) -> Any:
            """The manager that LiteLLM would ask if this one were not there; None when there is no other."""
            known = litellm.logging_callback_manager.get_custom_loggers_for_type(callback_type=CustomPromptManagement)
            return next((other for other in known if other is not self), None)

        def get_chat_completion_prompt(  # type: ignore[override]  # LiteLLM calls it by keywords
            self, **asked: Any
        ) -> Answered:
            if (call := _call(asked["prompt_id"])) is not None:
                asked["messages"] = call.messages_for(asked["model"], asked["messages"])
            elif (other := self.following()) is not None:
                answered: Answered = other.get_chat_completion_prompt(**asked)
                return answered
            return asked["model"], asked["messages"], asked["non_default_params"]

        async def async_get_chat_completion_prompt(  # type: ignore[override]  # LiteLLM calls it by keywords
            self, **asked: Any
        ) -> Answered:
            live = asked["non_default_params"]
            if (call := _call(asked["prompt_id"])) is not None:
                asked["messages"] = await call.amessages_for(asked["model"], asked["messages"])
                # The call's own metadata, or a copy of them.
                if call.tells and (notes := notes_in(live.get(CHAT_FIELD))) is not None:
                    notes[:] = call.notes
            elif (other := self.following()) is not None:
                answered: Answered = await other.async_get_chat_completion_prompt(**asked)
                return answered
            return asked["model"], asked["messages"], live

    return PromptReadapter()


def without_readapter(chosen: Any, prompt_id: Any) -> Any:
    """The manager that LiteLLM would have chosen for an id, had it not come upon the one of this module.

    Args:
        chosen: The one that it chose.
        prompt_id: The id; ids of this module's own stay with it.
    """
    following = getattr(chosen, "following", None)
    return chosen if following is None or _is_own(prompt_id) else following()
