"""From requests that people already have back to messages: `from_request` and `read_request`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from prompt_adapters.adapters.reading import ELSEWHERE, Conversation, shape_of
from prompt_adapters.adapters.registry import PROMPT_ADAPTER_REGISTRY
from prompt_adapters.content.message import Message
from prompt_adapters.errors import PromptAdapterError, PromptFormatError


def from_request(style: str, request: Mapping[str, Any]) -> tuple[Message, ...]:
    """The messages of a provider's request: the reverse of `MessageAdapter.build_request` and `build_body`.

    A request says nothing of what the provider joins: several system texts come back as one message where they stand
    outside of the list, turns of one role as one where the provider wants one, and what was noted as not sent is gone.
    Links stay links; media are never read from paths.

    These top-level keys are no messages and left to `read_request`: the model (``model``, ``modelId``); the parameters
    that the adapter's table lists, such as ``temperature``, ``tools`` or ``generationConfig``; and keywords that steer
    the client, such as ``timeout`` and ``extra_headers``. Any other key is refused, and so is a parameter by which a
    part of the conversation is elsewhere: Gemini's ``cachedContent``, the Responses API's ``previous_response_id``,
    ``conversation`` and ``prompt``, and Cohere's ``documents``.

    Arguments and errors as for `read_request`.
    """
    found = read_request(style, request)
    elsewhere = ELSEWHERE.get(shape_of(PROMPT_ADAPTER_REGISTRY.get(style)) or "", frozenset())
    if name := next((name for name in found.own if name in elsewhere), None):
        reason = f"the request has {name!r}, by which a part of the conversation is not among its messages"
        raise PromptFormatError(None, None, f"{reason}; take it out, or use read_request, which keeps it in 'own'")
    return found.messages


def read_request(style: str, request: Mapping[str, Any]) -> Conversation:
    """Everything that a provider's request says: messages, model and parameters.

    ``Prompt(messages=found.messages, parameters=found.parameters)`` makes it a prompt for other providers as well.

    Args:
        style: As ``"openai_style"``.
        request: The client's keyword arguments, or the JSON body.

    Raises:
        UnknownAdapterError: (a ``KeyError``) There is no such adapter.
        PromptFormatError: (a ``ValueError``) Something is malformed, or messages have no word for it; it is named, with
            its place.
        MediaError: (a ``ValueError``) Media are broken; their place is named.
        PromptAdapterError: This adapter reads no requests.
    """
    cls = PROMPT_ADAPTER_REGISTRY.get(style)
    read = getattr(cls, "read_request", None)
    if read is None:
        raise PromptAdapterError(f"{style!r} reads no requests; give {cls.__name__} a class method read_request")
    conversation: Conversation = read(request)
    if not isinstance(conversation, Conversation):
        raise PromptFormatError(None, None, f"{cls.__name__}.read_request gave no Conversation")
    return conversation
