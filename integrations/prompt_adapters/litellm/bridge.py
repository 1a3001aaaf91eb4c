"""`LiteLLMBridge`: one model, and everything that a prompt needs to reach it through LiteLLM."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Iterable, Mapping
from typing import Any

from prompt_adapters.adapters.base import MessageAdapter
from prompt_adapters.adapters.litellm import LiteLLMStylePromptAdapter
from prompt_adapters.adapters.registry import adapter_for
from prompt_adapters.errors import UnknownModelError
from prompt_adapters.litellm.argument_names import check_names
from prompt_adapters.litellm.arguments import aread, chosen_values, in_row, merged, read
from prompt_adapters.prompt import Prompt
from prompt_adapters.targets import Route

Values = Mapping[str, Any] | None
_ALIAS = "or, for a Router's alias, give the bridge the model behind it and the alias as model= of the call"


class LiteLLMBridge:
    """Sends prompts to one model through LiteLLM.

    A prompt is a `Prompt`, messages, or the path of a saved prompt. Its own parameters go along under LiteLLM's names,
    and arguments of the call win over them. What LiteLLM would drop on the way to the provider is refused before the
    call. Bridges are immutable; nothing global of LiteLLM is set, and its errors come through as they are.

    Args:
        model: A LiteLLM model string, as ``"anthropic/claude-sonnet-4-5"``.
        options: Options of the adapters, as `MessageAdapter` describes them.

    Raises:
        UnknownModelError: (a ``KeyError``) No provider can be told from the model.
        TypeError: There is no such option.
        ValueError: An option has an impossible value.
    """

    def __init__(self, model: str, **options: Any) -> None:
        try:
            self._speaker = LiteLLMStylePromptAdapter(model=model, **options)
        except UnknownModelError as error:
            raise UnknownModelError(error.name, error.suggestions, remedy=_ALIAS) from None

    @property
    def model(self) -> str:
        """The model string, as it was given."""
        return str(self._speaker.model)

    @property
    def route(self) -> Route:
        """Where the model is, and what is spoken there."""
        target = self._speaker.route
        assert target is not None  # noqa: S101 - a model is bound, so it was routed
        return target

    @property
    def adapter(self) -> MessageAdapter:
        """The adapter of the provider's own shape, for its own client and for LiteLLM's native routes.

        Raises:
            UnknownAdapterError: (a ``KeyError``) There is none for what the provider speaks.
        """
        return self._speaker.native or adapter_for(self.model)

    def __repr__(self) -> str:
        return f"LiteLLMBridge({self._speaker.options!r})"

    # Files

    def load(self, path: str | os.PathLike[str]) -> Prompt:
        """Read a saved prompt, in whatever format it is.

        Raises:
            PromptFormatError: There is none, or it is malformed.
        """
        from prompt_adapters.formats import load_prompt

        return load_prompt(path)

    def save(self, prompt: Prompt, path: str | os.PathLike[str]) -> None:
        """Save a prompt in the standardized format: a directory, or one file when the path ends in ``.json``.

        Raises:
            PromptFormatError: It cannot be written there.
        """
        from prompt_adapters.formats import save_prompt

        save_prompt(prompt, path)

    # Requests

    def request(
        self,
        prompt: Any,
        values: Values = None,
        /,
        *,
        variables: Values = None,
        prompt_variables: Values = None,
        **arguments: Any,
    ) -> dict[str, Any]:
        """The keyword arguments for ``litellm.completion(**request)`` or a Router.

        Args:
            prompt: A `Prompt`, messages, or the path of a saved prompt.
            values: The variables' values.
            variables: The same, by name.
            prompt_variables: LiteLLM's word for the same.
            arguments: Arguments of ``litellm.completion``, which win. Those that LiteLLM does not know go to the
                provider as they are. With `model` the request goes out under another
                name, as a Router's alias; its shape stays that of the bridge's model.

        Returns:
            A new dict that shares nothing with the prompt or the arguments.

        Raises:
            PromptAdapterError: The prompt cannot be read or rendered, or something would not arrive.
            TypeError: The arguments hold messages or a variable, one is misspelt, or the values are given twice.
        """
        known = read(prompt)
        self._check(arguments, known)
        values = chosen_values(values, variables, prompt_variables)
        return merged(self._speaker.build_request(known, values), arguments)

    async def arequest(
        self,
        prompt: Any,
        values: Values = None,
        /,
        *,
        variables: Values = None,
        prompt_variables: Values = None,
        **arguments: Any,
    ) -> dict[str, Any]:
        """`request` that does not block the event loop."""
        known = await aread(prompt)
        self._check(arguments, known)
        values = chosen_values(values, variables, prompt_variables)
        return merged(await self._speaker.abuild_request(known, values), arguments)

    def _check(self, arguments: Mapping[str, Any], prompt: Any) -> None:
        table = self._speaker.parameter_table() if self._speaker.native is None else self.adapter.parameter_table()
        check_names(arguments, prompt, table.own | table.shared.keys())

    # Calls

    def completion(
        self, prompt: Any, variables: Values = None, *, prompt_variables: Values = None, **arguments: Any
    ) -> Any:
        """Call the model by ``litellm.completion``.

        Args:
            prompt: A `Prompt`, messages, or the path of a saved prompt.
            variables: The variables' values.
            prompt_variables: LiteLLM's word for the same.
            arguments: Arguments of ``litellm.completion``, which win over the prompt's parameters.

        Returns:
            What LiteLLM returns: a ``ModelResponse``, or with ``stream=True`` an iterator of chunks as they come.

        Raises:
            PromptAdapterError: The prompt cannot be read or rendered, or something would not arrive.
            TypeError: The arguments hold messages or a variable, one is misspelt, or the values are given twice.
        """
        request = self.request(prompt, chosen_values(variables, prompt_variables), **arguments)
        return _litellm().completion(**request)

    async def acompletion(
        self, prompt: Any, variables: Values = None, *, prompt_variables: Values = None, **arguments: Any
    ) -> Any:
        """`completion` by ``litellm.acompletion``; with ``stream=True`` an asynchronous iterator of chunks."""
        request = await self.arequest(prompt, chosen_values(variables, prompt_variables), **arguments)
        return await (await _alitellm()).acompletion(**request)

    def batch_completion(self, prompt: Any, variables: Iterable[Values], **arguments: Any) -> list[Any]:
        """Call the model once for each set of values, several calls at a time, by ``litellm.batch_completion``.

        Args:
            prompt: A `Prompt`, messages, or the path of a saved prompt.
            variables: One mapping of values for each call.
            arguments: Arguments of ``litellm.batch_completion``, as ``max_workers``.

        Returns:
            The responses, in the order of the values; where a call failed, LiteLLM puts its exception there.

        Raises:
            PromptAdapterError: The prompt cannot be read or rendered for one of them, which is named by its number, or
                something would not arrive; no call is made then.
            TypeError: It is one mapping and no list of them, or as for `completion`.
        """
        if isinstance(variables, Mapping):
            raise TypeError("batch_completion takes one mapping of values for each call; write variables=[{...}, ...]")
        known = read(prompt)
        self._check(arguments, known)
        requests = []
        for number, values in enumerate(variables, 1):
            with in_row(number):
                requests.append(self.request(known, values, **arguments))
        if not requests:
            return []
        messages = [request["messages"] for request in requests]
        answers: list[Any] = _litellm().batch_completion(**(requests[0] | {"messages": messages}))
        return answers


def _litellm() -> Any:
    import litellm

    return litellm


async def _alitellm() -> Any:
    """LiteLLM; its import takes seconds, in which the event loop goes on."""
    return _litellm() if "litellm" in sys.modules else await asyncio.to_thread(_litellm)
