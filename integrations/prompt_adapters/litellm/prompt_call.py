"""A prompt in a call that names it by an id: what the call becomes. This needs no LiteLLM.

The caller's own messages follow the prompt, as they are: they are LiteLLM's, and nothing in them is read or changed. If
the prompt has a `History` whose variable is not given, they are that history instead, wherever it stands.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from prompt_adapters.adapters.litellm import LiteLLMStylePromptAdapter
from prompt_adapters.adapters.litellm_checks import first_tool_turn
from prompt_adapters.content.message import Message
from prompt_adapters.content.position import position
from prompt_adapters.errors import NoChatModelError, PromptTypeError, UnknownModelError, UnsupportedContentError
from prompt_adapters.litellm.addresses import address_of, is_known, provider_by
from prompt_adapters.litellm.arguments import merged
from prompt_adapters.litellm.building import Built, abuild, build
from prompt_adapters.litellm.prompt_values import read_values
from prompt_adapters.prompt import History, Prompt

# LiteLLM's keyword arguments for a prompt, in the order of the fields of `Asked`.
KEYWORDS = ("prompt_id", "prompt_variables", "prompt_version", "prompt_label")
# Takes the place of the caller's messages while the prompt is checked: a system text alone is no conversation.
_CALLERS = Message("user", "…")


def told_provider(model: str, arguments: Mapping[str, Any]) -> str | None:
    """The provider that a call names beside the model, or that its address tells."""
    named = arguments.get("custom_llm_provider")
    if isinstance(named, str) and named:
        return named
    try:
        return provider_by(model, address_of(arguments))
    except NoChatModelError:
        return None


class Asked(NamedTuple):
    """A call that names a prompt, as LiteLLM's hooks and keyword arguments tell it.

    Attributes:
        prompt_id: The prompt.
        values: The variables' values.
        version: The version that is wanted.
        label: The label that is wanted.
        messages: The caller's own messages.
        model: The model that is called.
        provider: The provider that the call names beside the model, or that its address tells.
        arguments: The other arguments of the call; None when LiteLLM does not tell them.
        applied: Whether LiteLLM takes parameters from the answer.
        stays: Why the prompt's own model cannot be called; None when it can, and empty when nobody needs to know.
        parameters: Whether the prompt's parameters go along.
    """

    prompt_id: Any
    values: Any
    version: Any
    label: Any
    messages: Any
    model: str
    provider: str | None = None
    arguments: Mapping[str, Any] | None = None
    applied: bool = True
    stays: str | None = None
    parameters: bool = True

    @classmethod
    def by(cls, call: Mapping[str, Any], model: str) -> Asked:
        """A call by its keyword arguments.

        Args:
            call: These.
            model: Its model.
        """
        prompt_id, values, version, label = (call.get(name) for name in KEYWORDS)
        provider = told_provider(model, call)
        return cls(prompt_id, values, version, label, call.get("messages"), model, provider, call)

    @classmethod
    def hooked(
        cls,
        prompt_id: Any,
        values: Any,
        messages: Any,
        model: str,
        more: Mapping[str, Any],
        arguments: Mapping[str, Any] | None,
    ) -> Asked:
        """A call by what LiteLLM tells a prompt hook.

        Args:
            prompt_id: The prompt.
            values: The variables' values.
            messages: The caller's own messages.
            model: Its model.
            more: Version and label, among others.
            arguments: The arguments of the call; None when nobody told them.
        """
        # They may be those of an attempt before this one: a name that tells its own provider goes first.
        provider = None if is_known(model, {}) else told_provider(model, arguments or {})
        version, label = more.get("prompt_version"), more.get("prompt_label")
        return cls(prompt_id, values, version, label, messages, model, provider, arguments)

    @property
    def place(self) -> str:
        """The model with its provider in front."""
        if self.provider is None or self.model.startswith(f"{self.provider}/"):
            return self.model
        return f"{self.provider}/{self.model}"


class Rendered(NamedTuple):
    """What a prompt gives a call.

    Attributes:
        messages: All messages of the call.
        parameters: The prompt's parameters, under LiteLLM's names.
        ignored: The names of those that LiteLLM does not take.
        notes: What was changed for the model.
    """

    messages: list[Any]
    parameters: dict[str, Any]
    ignored: tuple[str, ...]
    notes: list[str]


class PromptCall(NamedTuple):
    """A call with its prompt rendered, ready to be encoded for the model.

    Attributes:
        adapter: The adapter of the model.
        messages: The prompt's messages, and a stand-in where the caller's are needed to make a conversation.
        following: The caller's messages that come after them.
        stands_in: Whether the last message is the stand-in.
        ignored: The prompt's parameters that LiteLLM does not take.
    """

    adapter: LiteLLMStylePromptAdapter
    messages: tuple[Message, ...]
    following: tuple[Any, ...]
    stands_in: bool
    ignored: tuple[str, ...] | None

    def build(self) -> Rendered:
        """Messages and parameters, as ``litellm.completion`` takes them.

        Raises:
            PromptAdapterError: Something would not arrive.
        """
        return self._rendered(build(self.adapter, self.messages, None))

    async def abuild(self) -> Rendered:
        """`build` that does not block the event loop."""
        return self._rendered(await abuild(self.adapter, self.messages, None))

    def _rendered(self, built: Built) -> Rendered:
        messages = built.request["messages"]
        own = messages[:-1] if self.stands_in else messages
        taken, ignored = built.parameters, self.ignored
        if ignored is not None:
            taken, ignored = {}, tuple(sorted({*ignored, *taken}))
        return Rendered([*own, *self.following], taken, ignored or (), [str(note) for note in built.notes])


def prompt_call(prompt: Prompt, asked: Asked, model: str, options: Mapping[str, Any]) -> PromptCall:
    """Render a prompt into a call.

    Args:
        prompt: The prompt.
        asked: The call; values that the prompt has no variable for are ignored.
        model: The model that is called in the end, with its provider in front.
        options: Options of the adapter.

    Raises:
        PromptAdapterError: A variable is missing, or a value is not what the prompt needs.
    """
    if not isinstance(asked.values, Mapping | None):
        kind = type(asked.values).__name__
        raise PromptTypeError(None, None, f"prompt_variables are a mapping of names to values, not {kind}")
    given, following = dict(asked.values or {}), tuple(asked.messages or ())
    slots = [entry.name for entry in prompt.messages if isinstance(entry, History) and given.get(entry.name) is None]
    if len(slots) == 1:
        given[slots[0]], following = list(following), ()
    rendered = prompt.render_messages(read_values(prompt, given), extra="ignore")
    stands_in = bool(following) and not (rendered and rendered[-1].role in ("user", "tool"))
    own = {**(prompt.parameters if asked.parameters else {}), **(options.get("parameters") or {})}
    adapter = _adapter(model, {**options, "parameters": own if asked.applied else {}})
    if asked.arguments is None:
        _check_untold(rendered, adapter)
    return PromptCall(
        adapter.beside(asked.arguments or {}),
        (*rendered, _CALLERS) if stands_in else rendered,
        following,
        stands_in,
        None if asked.applied else tuple(own),
    )


def _check_untold(messages: Iterable[Message], adapter: LiteLLMStylePromptAdapter) -> None:
    """Refuse tool turns that arrive only in calls that have tools, where nobody tells whether this one has.

    Raises:
        UnsupportedContentError: (a ``ValueError``) There is one.
    """
    if not adapter.dialect.tool_turns or (spot := first_tool_turn(messages)) is None:
        return
    reason = f"{adapter.dialect.tool_turns} unless the call has tools, of which it tells a prompt manager nothing here"
    adapter.refuse("a tool turn", spot, reason, "await litellm.acompletion, or use prompt_adapters.litellm.completion")


def _adapter(model: str, options: Mapping[str, Any]) -> LiteLLMStylePromptAdapter:
    """The adapter of a model; where its provider cannot be told, the one for what arrives everywhere."""
    try:
        return LiteLLMStylePromptAdapter(**{**options, "model": model})
    except UnknownModelError:
        return LiteLLMStylePromptAdapter(**options)


def unless_given(parameters: Mapping[str, Any], given: Iterable[str]) -> dict[str, Any]:
    """The parameters of a prompt that the call does not decide itself.

    Args:
        parameters: Under LiteLLM's names.
        given: The names of the call's arguments; ``max_completion_tokens`` also decides ``max_tokens``.
    """
    decided = {name: None for name in given if name != "messages"}
    return {name: value for name, value in merged(parameters, decided).items() if name not in decided}


def check_text_only(messages: Iterable[Any]) -> None:
    """Refuse media where LiteLLM would hand them on in a shape that the other side does not have.

    Raises:
        UnsupportedContentError: (a ``ValueError``) There is something else than text.
    """
    for number, message in enumerate(messages):
        content = message.get("content") if isinstance(message, Mapping) else None
        for index, block in enumerate(content if isinstance(content, list) else ()):
            if isinstance(block, Mapping) and block.get("type") not in ("text", "input_text", "output_text"):
                raise UnsupportedContentError(
                    LiteLLMStylePromptAdapter.style,
                    f"{block.get('type')!r}",
                    position(number, str(message.get("role")), index),
                    "litellm.responses takes only text from a prompt manager",
                    "call litellm.completion, or LiteLLMBridge(MODEL).responses with the prompt",
                )
