"""What a manager's prompts make of the calls that name them: found, rendered and encoded. This needs no LiteLLM."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Mapping
from typing import Any, Literal, NamedTuple, get_args

from prompt_adapters.adapters.litellm import LiteLLMStylePromptAdapter
from prompt_adapters.errors import PromptNotFoundError, PromptTypeError
from prompt_adapters.litellm.manager_errors import told_by_id
from prompt_adapters.litellm.metadata import MANAGED, identity
from prompt_adapters.litellm.prompt_call import Asked, PromptCall, Rendered, prompt_call
from prompt_adapters.litellm.prompt_source import source_of
from prompt_adapters.prompt import Prompt

Unknown = Literal["error", "pass"]

_log = logging.getLogger("prompt_adapters")
_MOST_SAID = 1024


class Answer(NamedTuple):
    """What becomes of a call.

    Attributes:
        prompt: Its prompt.
        model: The model that is called.
        rendered: Messages, parameters and notes.
    """

    prompt: Prompt
    model: str
    rendered: Rendered

    def identity(self, prompt_id: str) -> dict[str, Any]:
        """What LiteLLM's loggers are told."""
        told = identity(self.prompt, self.rendered.notes)
        return told | {MANAGED: {**told[MANAGED], "prompt_id": prompt_id}}


class Answers:
    """Prompts that can be asked for. It may be shared between threads.

    Args:
        prompts: As `source_of` takes them.
        unknown: What becomes of an id that no manager claims: ``"error"`` or ``"pass"``.
        options: Options of the adapter; ``model`` is none of them.

    Raises:
        PromptNotFoundError: (a ``FileNotFoundError``) There is no such directory.
        TypeError: Prompts or options are something else.
        ValueError: An option has an impossible value.
    """

    def __init__(self, prompts: Any, unknown: Unknown, options: Mapping[str, Any]) -> None:
        if unknown not in get_args(Unknown):
            raise ValueError(f"unknown is 'error' or 'pass', not {unknown!r}")
        if "model" in options:
            raise TypeError("a manager has no option 'model': each call says its own")
        LiteLLMStylePromptAdapter(**options)  # which says what is wrong with them
        self.source = source_of(prompts)
        self._unknown = unknown
        self._options = dict(options)
        self._said: set[tuple[str, str]] = set()

    def has(self, prompt_id: Any) -> bool:
        """Whether there is a prompt of this id, be it malformed."""
        return isinstance(prompt_id, str) and prompt_id != "" and self.source.has(prompt_id)

    def leaves(self, prompt_id: Any) -> bool:
        """Whether a call is to go on as it is."""
        return not prompt_id or (self._unknown == "pass" and not self.has(prompt_id))

    def find(self, prompt_id: str, version: Any = None, label: Any = None) -> Prompt:
        """A prompt.

        Raises:
            PromptNotFoundError: (a ``FileNotFoundError``) There is none.
            PromptFormatError: (a ``ValueError``) It is malformed.
        """
        with told_by_id(prompt_id, self.source.root):
            if not self.has(prompt_id):
                close = self.source.similar(prompt_id) if isinstance(prompt_id, str) else None
                meant = "" if close is None else f"; did you mean {close!r}?"
                raise PromptNotFoundError(None, None, f"there is no such prompt{meant}")
            return self.source.find(prompt_id, _name(version, "prompt_version"), _name(label, "prompt_label"))

    def begun(self, asked: Asked) -> tuple[Prompt, str, PromptCall]:
        """The prompt of a call, its model, and the call with the prompt rendered.

        Raises:
            PromptAdapterError: The prompt cannot be found or rendered.
        """
        prompt = self.find(asked.prompt_id, asked.version, asked.label)
        model = self._model(prompt, asked)
        with told_by_id(asked.prompt_id, self.source.root):
            place = asked.place if model == asked.model else model
            return prompt, model, prompt_call(prompt, asked, place, self._options)

    def answer(self, asked: Asked) -> Answer:
        """What becomes of a call.

        Raises:
            PromptAdapterError: The prompt cannot be found or rendered, or something of it would not arrive.
        """
        prompt, model, call = self.begun(asked)
        with told_by_id(asked.prompt_id, self.source.root):
            return Answer(prompt, model, call.build())

    async def aanswer(self, asked: Asked) -> Answer:
        """`answer` that does not block the event loop."""
        prompt, model, call = await asyncio.to_thread(self.begun, asked)
        with told_by_id(asked.prompt_id, self.source.root):
            return Answer(prompt, model, await call.abuild())

    def _model(self, prompt: Prompt, asked: Asked) -> str:
        if prompt.model is None or asked.stays == "":
            return asked.model
        if asked.stays is None:
            return prompt.model
        self.say(asked.prompt_id, "model", f"its model {prompt.model!r} is not called: {asked.stays}")
        return asked.model

    def say(self, prompt_id: str, what: str, sentence: str) -> None:
        """Tell in the log, once, what of a prompt is without effect."""
        if (prompt_id, what) in self._said:
            return
        if len(self._said) >= _MOST_SAID:
            self._said.clear()
        self._said.add((prompt_id, what))
        _log.warning("prompt %r: %s", prompt_id, sentence)

    def say_ignored(self, prompt_id: str, parameters: Iterable[str], where: str) -> None:
        """Tell which parameters LiteLLM does not take from a prompt manager."""
        if listed := ", ".join(parameters):
            self.say(
                prompt_id,
                f"parameters {listed}",
                f"its parameters are without effect ({listed}): LiteLLM takes none from a prompt manager in {where}; "
                f"await litellm.acompletion, or use prompt_adapters.litellm.completion(manager.prompt({prompt_id!r}))",
            )


def _name(value: Any, what: str) -> str | None:
    """A version or label as LiteLLM hands it on, which may be an empty object for none.

    Raises:
        PromptTypeError: (a ``TypeError``) It is something else than a text or a number.
    """
    if value is None or value in ({}, ""):
        return None
    if isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool)):
        return str(value)
    raise PromptTypeError(None, None, f"{what} is a text or a number, not {type(value).__name__}")
