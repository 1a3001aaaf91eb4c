"""The calls of a bridge by LiteLLM's native routes, with the request in the provider's own shape."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any

from prompt_adapters.adapters.litellm import LiteLLMStylePromptAdapter
from prompt_adapters.litellm.arguments import aread, chosen_values, read
from prompt_adapters.litellm.building import Values
from prompt_adapters.litellm.native_requests import NativeJob
from prompt_adapters.litellm.native_routes import ANTHROPIC_MESSAGES, GENERATE_CONTENT, RESPONSES
from prompt_adapters.litellm.router import reachable
from prompt_adapters.litellm.sending import aimport_litellm, import_litellm


class NativeCalls:
    """Calls by routes whose requests and answers have the provider's own shape.

    In all of them a parameter has the provider's own name or one that all providers share; explicit ones win over the
    prompt's. What else is given goes to LiteLLM's function. Through a Router, every model that the call may reach must
    take the same request.
    """

    _alias: str
    _router: Any
    _speaker: LiteLLMStylePromptAdapter

    @abstractmethod
    def _for(self, router: Any, arguments: Mapping[str, Any]) -> tuple[NativeCalls, dict[str, Any]]:
        """The bridge for a call, and the other arguments."""

    def _native(self, name: str, router: Any, arguments: Mapping[str, Any]) -> tuple[NativeJob, Any]:
        bridge, given = self._for(router, arguments)
        speaker, chosen = bridge._speaker, bridge._router
        model = given.pop("model", None)  # one that cannot be routed
        if chosen is None:
            return NativeJob(name, model or speaker.sent.name, (speaker,), given), None
        speakers = (
            LiteLLMStylePromptAdapter(**speaker.options._replace(model=named)._asdict())
            for named in reachable(chosen, bridge._alias, given.get("fallbacks") or ()).values()
        )
        return NativeJob(name, bridge._alias, tuple(speakers), given), chosen

    def _call(self, name: str, function: str, prompt: Any, values: Values, router: Any, arguments: Any) -> Any:
        job, chosen = self._native(name, router, arguments)
        request = job.build(read(prompt), values)
        return _function(import_litellm() if chosen is None else chosen, function)(**request)

    async def _acall(self, name: str, function: str, prompt: Any, values: Values, router: Any, arguments: Any) -> Any:
        job, chosen = self._native(name, router, arguments)
        request = await job.abuild(await aread(prompt), values)
        litellm = await aimport_litellm()
        return await _function(litellm if chosen is None else chosen, function)(**request)

    def responses(
        self,
        prompt: Any,
        variables: Values = None,
        *,
        prompt_variables: Values = None,
        router: Any = None,
        **arguments: Any,
    ) -> Any:
        """Call the model by ``litellm.responses``, OpenAI's Responses API.

        Models of OpenAI and Azure get the request in its own shape, whole. For others LiteLLM makes a call of chat
        completions of it, which passes on text, images and PDF files, and of parameters temperature, top_p and
        max_tokens; the rest is refused.

        Args:
            prompt: A `Prompt`, messages, or the path of a saved prompt.
            variables: The variables' values.
            prompt_variables: LiteLLM's word for the same.
            router: A ``litellm.Router`` for this call; `model` among the arguments, or the bridge's, is then an alias.
            arguments: Parameters, and arguments of ``litellm.responses``, as ``stream=True``.

        Returns:
            What LiteLLM returns: a ``ResponsesAPIResponse``, or an iterator of its events.

        Raises:
            PromptAdapterError: The prompt cannot be read or rendered, or something would not arrive.
            TypeError: The arguments hold what the prompt makes, one is misspelt, or the values are given twice.
        """
        values = chosen_values(variables, prompt_variables)
        return self._call(RESPONSES, RESPONSES, prompt, values, router, arguments)

    async def aresponses(
        self,
        prompt: Any,
        variables: Values = None,
        *,
        prompt_variables: Values = None,
        router: Any = None,
        **arguments: Any,
    ) -> Any:
        """`responses` by ``litellm.aresponses``."""
        values = chosen_values(variables, prompt_variables)
        return await self._acall(RESPONSES, "aresponses", prompt, values, router, arguments)

    async def anthropic_messages(
        self,
        prompt: Any,
        variables: Values = None,
        *,
        prompt_variables: Values = None,
        router: Any = None,
        **arguments: Any,
    ) -> Any:
        """Call a Claude by ``litellm.anthropic_messages``, which is asynchronous and has no other form.

        Args:
            prompt: A `Prompt`, messages, or the path of a saved prompt.
            variables: The variables' values.
            prompt_variables: LiteLLM's word for the same.
            router: A ``litellm.Router`` for this call; `model` among the arguments, or the bridge's, is then an alias.
            arguments: Parameters, and arguments of ``litellm.anthropic_messages``, as ``stream=True``.

        Returns:
            What LiteLLM returns: Anthropic's message as a dict, or an iterator of its server-sent events.

        Raises:
            PromptAdapterError: The provider does not speak Anthropic's shape, or as for `responses`.
            TypeError: As for `responses`.
        """
        values = chosen_values(variables, prompt_variables)
        return await self._acall(ANTHROPIC_MESSAGES, ANTHROPIC_MESSAGES, prompt, values, router, arguments)

    aanthropic_messages = anthropic_messages

    def generate_content(
        self,
        prompt: Any,
        variables: Values = None,
        *,
        prompt_variables: Values = None,
        router: Any = None,
        stream: bool = False,
        **arguments: Any,
    ) -> Any:
        """Call a Gemini by ``litellm.google_genai.generate_content``, or its ``generate_content_stream``.

        Args:
            prompt: A `Prompt`, messages, or the path of a saved prompt.
            variables: The variables' values.
            prompt_variables: LiteLLM's word for the same.
            router: A ``litellm.Router`` for this call; `model` among the arguments, or the bridge's, is then an alias.
            stream: Whether the answer comes in pieces.
            arguments: Parameters, also as ``config={...}``, and arguments of LiteLLM's function.

        Returns:
            What LiteLLM returns: a ``GenerateContentResponse``, or an iterator of server-sent events.

        Raises:
            PromptAdapterError: The provider does not speak Google's shape, or as for `responses`.
            TypeError: As for `responses`.
        """
        values = chosen_values(variables, prompt_variables)
        function = "generate_content_stream" if stream else "generate_content"
        return self._call(GENERATE_CONTENT, function, prompt, values, router, arguments)

    async def agenerate_content(
        self,
        prompt: Any,
        variables: Values = None,
        *,
        prompt_variables: Values = None,
        router: Any = None,
        stream: bool = False,
        **arguments: Any,
    ) -> Any:
        """`generate_content` by ``litellm.google_genai.agenerate_content``, or its ``agenerate_content_stream``."""
        values = chosen_values(variables, prompt_variables)
        function = "agenerate_content_stream" if stream else "agenerate_content"
        return await self._acall(GENERATE_CONTENT, function, prompt, values, router, arguments)


def _function(owner: Any, name: str) -> Any:
    """LiteLLM's function, or a Router's; those of Google's route stand in a module of their own."""
    return getattr(owner, name) if hasattr(owner, name) else getattr(owner.google_genai, name)
