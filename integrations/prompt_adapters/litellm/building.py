"""A prompt becomes a request for one model, together with what was changed on the way."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from prompt_adapters.adapters.base import MessageAdapter
from prompt_adapters.adapters.preparing import noting
from prompt_adapters.media.notes import Note

Values = Mapping[str, Any] | None


class Built(NamedTuple):
    """A request and the notes of its fitting.

    Attributes:
        request: The keyword arguments that the adapter makes, or the body.
        notes: What was changed.
    """

    request: dict[str, Any]
    notes: tuple[Note, ...]

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters of the call."""
        return {name: value for name, value in self.request.items() if name not in ("model", "messages")}


def build(adapter: MessageAdapter, prompt: Any, values: Values) -> Built:
    """The keyword arguments for a call; arguments and errors are those of `MessageAdapter.build_request`."""
    with noting() as notes:
        return Built(adapter.build_request(prompt, values), tuple(notes))


async def abuild(adapter: MessageAdapter, prompt: Any, values: Values) -> Built:
    """`build` that does not block the event loop."""
    with noting() as notes:
        return Built(await adapter.abuild_request(prompt, values), tuple(notes))


def build_body(adapter: MessageAdapter, prompt: Any, values: Values) -> Built:
    """The JSON body for a call; arguments and errors are those of `MessageAdapter.build_body`."""
    with noting() as notes:
        return Built(adapter.build_body(prompt, values), tuple(notes))


async def abuild_body(adapter: MessageAdapter, prompt: Any, values: Values) -> Built:
    """`build_body` that does not block the event loop."""
    with noting() as notes:
        return Built(await adapter.abuild_body(prompt, values), tuple(notes))
