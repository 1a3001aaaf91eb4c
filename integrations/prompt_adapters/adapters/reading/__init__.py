"""From a provider's request back to messages: one file per wire shape, imported when it is first asked for.

Every file here has ``read(request)``, which takes the keyword arguments of the provider's client as well as the JSON
body of the wire. Requests may come from anybody: media are bytes, base64, data URLs, links or ids, and never paths of
this machine. An unknown key, block, role or field is refused by name and place; a key whose value is None counts as
not there, as it does in JSON bodies that clients write.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple

from prompt_adapters.content.message import Message
from prompt_adapters.content.plain_data import WHOLE_DEPTH, check_plain
from prompt_adapters.errors import PromptAdapterError

_NOTHING: Mapping[str, Any] = MappingProxyType({})

# Wire shapes by style, and the files here that read them.
READERS: Mapping[str, str] = MappingProxyType(
    {
        "openai_style": "openai",
        "litellm_style": "openai",
        "openai_responses_style": "openai_responses",
        "anthropic_style": "anthropic",
        "google_style": "google",
        "bedrock_style": "bedrock",
        "mistral_style": "mistral",
        "cohere_style": "cohere",
        "ollama_style": "ollama",
    }
)

# Parameters by which a part of the conversation is not in the request; there is no message for them.
ELSEWHERE: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "openai_responses": frozenset({"previous_response_id", "conversation", "prompt"}),
        "google": frozenset({"cached_content"}),
        "cohere": frozenset({"documents"}),
    }
)


class Conversation(NamedTuple):
    """What a request says.

    Attributes:
        messages: The messages.
        model: The model, as the provider's own client calls it.
        parameters: The parameters that providers share, under the shared names.
        own: All other parameters, under the provider's own names; another provider has no place for them.
    """

    messages: tuple[Message, ...]
    model: str | None = None
    parameters: Mapping[str, Any] = _NOTHING
    own: Mapping[str, Any] = _NOTHING


class ReadsRequests:
    """What makes an adapter's class read requests: a built-in shape does, and so does what derives from one."""

    style: ClassVar[str]

    @classmethod
    def read_request(cls, request: Mapping[str, Any]) -> Conversation:
        """What a request in this shape says; an adapter of another shape overrides this to offer the same.

        Args:
            request: The client's keyword arguments, or the JSON body.

        Raises:
            PromptFormatError: (a ``ValueError``) Something is malformed, or messages have no word for it; it is named,
                with its place.
            MediaError: (a ``ValueError``) Media are broken; their place is named.
            PromptAdapterError: This adapter reads no requests.
        """
        if (shape := shape_of(cls)) is None:
            raise PromptAdapterError(
                f"{cls.style or cls.__name__!r} reads no requests; give {cls.__name__} a class method read_request"
            )
        check_plain(request, "the data of the request", WHOLE_DEPTH)
        conversation: Conversation = import_module(f"{__name__}.{shape}").read(request)
        return conversation


def shape_of(cls: type) -> str | None:
    """The name of the built-in shape that a class has, its own or an inherited one; None when it has none."""
    styles = (str(vars(ancestor).get("style")) for ancestor in cls.__mro__)
    return next((READERS[style] for style in styles if style in READERS), None)
