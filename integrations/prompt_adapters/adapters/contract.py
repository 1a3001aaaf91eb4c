"""What every adapter promises, and what its preparation gives."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, NamedTuple

from prompt_adapters.content.message import Message
from prompt_adapters.media.notes import Note


class Prepared(NamedTuple):
    """What would be sent, before it takes a provider's shape.

    Attributes:
        messages: The messages, tidied and fitted. System text that another message took in leaves an empty one, so that
            positions are still those of the author.
        notes: Every change that was made, and everything that is not carried.
    """

    messages: tuple[Message, ...]
    notes: tuple[Note, ...]


class BasePromptAdapter(ABC):
    """Builds payloads from prompt templates."""

    @abstractmethod
    def build_payload(self, template: Any, **kwargs: Any) -> list[Any]:
        """The payload of a template.

        Args:
            template: Anything with ``system_prompt`` and ``render_blocks(**kwargs)``.
            kwargs: The variables' values, handed to the template as they are.
        """
