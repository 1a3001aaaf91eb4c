"""`LiteLLMBridge`: one model, and everything that a prompt needs to reach it through LiteLLM."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable, Mapping
from typing import Any

from prompt_adapters.adapters.base import MessageAdapter
from prompt_adapters.adapters.litellm import LiteLLMStylePromptAdapter
from prompt_adapters.adapters.registry import adapter_for
from prompt_adapters.errors import NoChatModelError, UnknownModelError
from prompt_adapters.litellm.addresses import address_of, is_known, provider_by
from prompt_adapters.litellm.argument_names import REROUTING, check_names
from prompt_adapters.litellm.arguments import aread, chosen_values, in_row, merged, read, rows_of
from prompt_adapters.litellm.building import Built, Values, abuild, build
from prompt_adapters.litellm.metadata import CHAT_FIELD, KEY, identity, is_named, with_identity
from prompt_adapters.litellm.native import NativeCalls
from prompt_adapters.litellm.readapting import Readapted
from prompt_adapters.litellm.router import deployed, with_provider
from prompt_adapters.litellm.sending import Outgoing, asend, asend_all, send, send_all
from prompt_adapters.litellm.streams import AsyncChunks, Chunks
from prompt_adapters.prompt import Prompt
from prompt_adapters.targets import Route

_ALIAS = (
    "or give its server's address as api_base=...; for a Router's alias, give the bridge the model behind it and the "
    "alias as model= of a request, or the Router as router=..."
)
_MAX_WORKERS = 100  # as litellm.batch_completion


class LiteLLMBridge(NativeCalls):
    """Sends prompts to one model through LiteLLM.

    A prompt is a `Prompt`, messages, or the path of a saved prompt. Its own parameters go along under LiteLLM's names,
    and arguments of the call win over them. What LiteLLM would drop on the way to the provider is refused before the
    call. Name, version and digest of the prompt stand in the call's ``metadata``, for LiteLLM's loggers. Bridges are
    immutable, and LiteLLM's errors come through as they are.

    With a Router the model is one of its aliases. When it falls back to a model of another provider, as with LiteLLM's
    own ``fallbacks``, the prompt is adapted to that one. Only for such calls something global of LiteLLM is set: a
    prompt manager in ``litellm.callbacks`` that touches no other calls.

    Args:
        model: A LiteLLM model string, as ``"anthropic/claude-sonnet-4-5"``, or the Router's alias.
        router: A ``litellm.Router`` that makes the calls.
        custom_llm_provider: LiteLLM's word for the provider of a model that is not called by it.
        api_base: LiteLLM's word for the address of the server. It goes along with each call, and tells the provider of
            a model whose name does not: at an unknown address, that is a server that speaks OpenAI's shape.
        options: Options of the adapters, as `MessageAdapter` describes them.

    Raises:
        UnknownModelError: (a ``KeyError``) No provider can be told from the model, or the Router has no such alias.
        TypeError: There is no such option, or a Router is given an address.
        ValueError: An option has an impossible value.
    """

    def __init__(
        self,
        model: str,
        *,
        router: Any = None,
        custom_llm_provider: str | None = None,
        api_base: str | None = None,
        **options: Any,
    ) -> None:
        if router is not None and api_base is not None:
            raise TypeError("a Router's deployments have addresses of their own; leave out api_base")
        self._alias = model
        self._router = router
        self._provider = custom_llm_provider
        self._address = api_base
        first = with_provider(model, custom_llm_provider or provider_by(model, api_base))
        if router is not None:
            first = next(iter(deployed(router, model).values()))
        try:
            self._speaker = LiteLLMStylePromptAdapter(model=first, **options)
        except NoChatModelError:
            raise
        except UnknownModelError as error:
            raise UnknownModelError(error.name, error.suggestions, remedy=_ALIAS) from None

    @property
    def model(self) -> str:
        """The model string, or the Router's alias, as it was given."""
        return self._alias

    @property
    def router(self) -> Any:
        """The Router that makes the calls; None when LiteLLM itself makes them."""
        return self._router

    @property
    def route(self) -> Route:
        """Where the model is, and what is spoken there; of an alias, where its first deployment is."""
        target = self._speaker.route
        assert target is not None  # noqa: S101 - a model is bound, so it was routed
        return target

    @property
    def adapter(self) -> MessageAdapter:
        """The adapter of the provider's own shape, for its own client and for LiteLLM's native routes.

        Raises:
            UnknownAdapterError: (a ``KeyError``) There is none for what the provider speaks.
        """
        return self._speaker.native or adapter_for(str(self._speaker.model))

    def __repr__(self) -> str:
        given = {"custom_llm_provider": self._provider, "api_base": self._address}
        said = [repr(self._speaker.options._replace(model=self._alias))]
        said += [] if self._router is None else [f"router={type(self._router).__name__}"]
        said += [f"{name}={value!r}" for name, value in given.items() if value is not None]
        return f"LiteLLMBridge({', '.join(said)})"

    def _for(self, router: Any, arguments: Mapping[str, Any]) -> tuple[LiteLLMBridge, dict[str, Any]]:
        """This bridge, or one for the Router, model, provider and address of a call; and the other arguments of it."""
        given = {key: value for key, value in arguments.items() if key != "model"}
        router = self._router if router is None else router
        model, address = arguments.get("model") or self._alias, address_of(arguments)
        if self._address is not None and router is None and address is None:
            given["api_base"] = address = self._address
        if router is None and model != self._alias and not is_known(model, given):
            return self, {**given, "model": model}
        provider = arguments.get("custom_llm_provider") or self._provider
        told = provider or provider_by(model, address if router is None else None)
        here = router is not None or self._address in (None, address)
        if (
            here
            and (router, model) == (self._router, self._alias)
            and told in (self._provider, None, self.route.provider)
        ):
            return self, given
        options = self._speaker.options._asdict() | {"model": model}
        return LiteLLMBridge(router=router, custom_llm_provider=told, **options), given

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
        router: Any = None,
        **arguments: Any,
    ) -> dict[str, Any]:
        """The keyword arguments for ``litellm.completion(**request)`` or a Router.

        Args:
            prompt: A `Prompt`, messages, or the path of a saved prompt.
            values: The variables' values.
            variables: The same, by name.
            prompt_variables: LiteLLM's word for the same.
            router: A ``litellm.Router`` that the request is for; `model`, or the bridge's, is then an alias of it.
            arguments: Arguments of ``litellm.completion``, which win. Those that LiteLLM does not know go to the
                provider as they are. With `model` the request goes out under another
                name, as a Router's alias; its shape stays that of the bridge's model, or of its alias's first
                deployment.

        Returns:
            A new dict that shares nothing with the prompt or the arguments. The metadata say which prompt it is when
            it has a name or a version.

        Raises:
            PromptAdapterError: The prompt cannot be read or rendered, or something would not arrive.
            TypeError: The arguments hold messages or a variable, one is misspelt, or the values are given twice.
        """
        bridge, given = self._under(router, arguments)
        known = read(prompt)
        bridge._check(given, known)
        built = build(bridge._speaker.beside(given), known, chosen_values(values, variables, prompt_variables))
        return bridge._request(built, known, given)

    async def arequest(
        self,
        prompt: Any,
        values: Values = None,
        /,
        *,
        variables: Values = None,
        prompt_variables: Values = None,
        router: Any = None,
        **arguments: Any,
    ) -> dict[str, Any]:
        """`request` that does not block the event loop."""
        bridge, given = self._under(router, arguments)
        known = await aread(prompt)
        bridge._check(given, known)
        values = chosen_values(values, variables, prompt_variables)
        return bridge._request(await abuild(bridge._speaker.beside(given), known, values), known, given)

    def _under(self, router: Any, arguments: Mapping[str, Any]) -> tuple[LiteLLMBridge, dict[str, Any]]:
        """`_for`, where a model without a Router at hand is another name that a request goes out under."""
        if router is not None or self._router is not None or "model" not in arguments:
            return self._for(router, arguments)
        bridge, given = self._for(None, {key: value for key, value in arguments.items() if key != "model"})
        return bridge, {**given, "model": arguments["model"]}

    def _named(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """A request under the Router's alias; without a Router, under the name by which LiteLLM finds the provider."""
        return dict(request) if self._router is None else {**request, "model": self._alias}

    def _request(self, built: Built, prompt: Any, arguments: Mapping[str, Any]) -> dict[str, Any]:
        request = merged(self._named(built.request), arguments)
        return with_identity(request, identity(prompt, list(map(str, built.notes)))) if is_named(prompt) else request

    def _check(self, arguments: Mapping[str, Any], prompt: Any) -> None:
        if arguments.get("prompt_id") is not None:
            raise TypeError("prompt_id is LiteLLM's word for a prompt of its own; this call has a prompt already")
        table = self._speaker.parameter_table() if self._speaker.native is None else self.adapter.parameter_table()
        check_names(arguments, prompt, table.own | table.shared.keys())

    # Calls

    def completion(
        self,
        prompt: Any,
        variables: Values = None,
        *,
        prompt_variables: Values = None,
        router: Any = None,
        **arguments: Any,
    ) -> Any:
        """Call the model by ``litellm.completion``, or by the Router.

        Args:
            prompt: A `Prompt`, messages, or the path of a saved prompt.
            variables: The variables' values.
            prompt_variables: LiteLLM's word for the same.
            router: A ``litellm.Router`` for this call; `model` among the arguments, or the bridge's, is then an alias.
            arguments: Arguments of ``litellm.completion``, which win over the prompt's parameters. To another `model`
                the prompt is adapted.

        Returns:
            What LiteLLM returns: a ``ModelResponse``, or with ``stream=True`` an iterator of chunks as they come.

        Raises:
            PromptAdapterError: The prompt cannot be read or rendered, or something would not arrive.
            TypeError: The arguments hold messages or a variable, one is misspelt, or the values are given twice.
        """
        bridge, given = self._for(router, arguments)
        known = read(prompt)
        bridge._check(given, known)
        return send(bridge._outgoing(known, chosen_values(variables, prompt_variables), given))

    async def acompletion(
        self,
        prompt: Any,
        variables: Values = None,
        *,
        prompt_variables: Values = None,
        router: Any = None,
        **arguments: Any,
    ) -> Any:
        """`completion` by ``litellm.acompletion``; with ``stream=True`` an asynchronous iterator of chunks."""
        bridge, given = self._for(router, arguments)
        known = await aread(prompt)
        bridge._check(given, known)
        return await asend(await bridge._aoutgoing(known, chosen_values(variables, prompt_variables), given))

    def stream(self, prompt: Any, variables: Values = None, **arguments: Any) -> Chunks:
        """The chunks of an answer as they come; arguments and errors as for `completion`.

        Returns:
            An iterator that is also a context; left, closed or exhausted, it closes the connection.
        """
        return Chunks(self.completion(prompt, variables, **{**arguments, "stream": True}))

    def astream(self, prompt: Any, variables: Values = None, **arguments: Any) -> AsyncChunks:
        """`stream`, asynchronous: ``async for chunk in bridge.astream(...)``; cancelling the task cancels the call.

        The call is made when the first chunk is asked for, or by ``await bridge.astream(...)``.
        """
        return AsyncChunks(lambda: self.acompletion(prompt, variables, **{**arguments, "stream": True}))

    def batch_completion(
        self,
        prompt: Any,
        variables: Iterable[Values] | None = None,
        *,
        prompt_variables: Iterable[Values] | None = None,
        max_workers: int | None = _MAX_WORKERS,
        router: Any = None,
        **arguments: Any,
    ) -> list[Any]:
        """Call the model once for each set of values, several calls at a time, as ``litellm.batch_completion`` does.

        Args:
            prompt: A `Prompt`, messages, or the path of a saved prompt.
            variables: One mapping of values for each call.
            prompt_variables: LiteLLM's word for the same.
            max_workers: How many calls are made at a time, at most.
            router: A ``litellm.Router`` for these calls.
            arguments: Arguments of ``litellm.completion``.

        Returns:
            The responses, in the order of the values; where a call failed, LiteLLM's exception stands in its place.

        Raises:
            PromptAdapterError: The prompt cannot be read or rendered for one of them, which is named by its number, or
                something would not arrive; no call is made then.
            TypeError: It is one mapping and no list of them, or as for `completion`.
        """
        rows = rows_of(variables, prompt_variables)
        bridge, given = self._for(router, arguments)
        known = read(prompt)
        bridge._check(given, known)
        calls = []
        for number, values in enumerate(rows, 1):
            with in_row(number):
                calls.append(bridge._outgoing(known, values, given))
        return send_all(calls, max_workers) if calls else []

    async def abatch_completion(
        self,
        prompt: Any,
        variables: Iterable[Values] | None = None,
        *,
        prompt_variables: Iterable[Values] | None = None,
        max_workers: int | None = _MAX_WORKERS,
        router: Any = None,
        **arguments: Any,
    ) -> list[Any]:
        """`batch_completion`, awaited; when it is cancelled, so are its calls."""
        rows = rows_of(variables, prompt_variables)
        bridge, given = self._for(router, arguments)
        known = await aread(prompt)
        bridge._check(given, known)
        calls = []
        for number, values in enumerate(rows, 1):
            with in_row(number):
                calls.append(await bridge._aoutgoing(known, values, given))
            await asyncio.sleep(0)  # others have their turn between two rows
        return await asend_all(calls, max_workers)

    # What goes out

    def _outgoing(self, prompt: Any, values: Values, arguments: Mapping[str, Any]) -> Outgoing:
        readapted = self._readapted(prompt, values, arguments)
        built = build(self._speaker.beside(arguments), prompt, values) if readapted is None else readapted.first()
        return self._finished(built, prompt, arguments, readapted)

    async def _aoutgoing(self, prompt: Any, values: Values, arguments: Mapping[str, Any]) -> Outgoing:
        readapted = self._readapted(prompt, values, arguments)
        built = await (
            abuild(self._speaker.beside(arguments), prompt, values) if readapted is None else readapted.afirst()
        )
        return self._finished(built, prompt, arguments, readapted)

    def _readapted(self, prompt: Any, values: Values, arguments: Mapping[str, Any]) -> Readapted | None:
        """What adapts the prompt anew, where the model of the call may change."""
        if self._router is None and not any(arguments.get(name) for name in REROUTING):
            return None
        alone = {self._speaker.sent.name: str(self._speaker.model)}
        models = alone if self._router is None else deployed(self._router, self._alias)
        return Readapted(prompt, values, self._speaker, arguments, models)

    def _finished(
        self, built: Built, prompt: Any, arguments: Mapping[str, Any], readapted: Readapted | None
    ) -> Outgoing:
        request = merged(self._named(built.request), arguments)
        if readapted is None:
            return Outgoing(with_identity(request, identity(prompt, list(map(str, built.notes)))))
        readapted.tells = KEY not in (request.get(CHAT_FIELD) or {})
        told = identity(prompt, readapted.notes)
        return Outgoing(with_identity(request, told) | {"prompt_id": readapted.prompt_id}, self._router, readapted)
