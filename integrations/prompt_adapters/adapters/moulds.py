"""Requests of plain talk, cast in one piece.

Two requests of one adapter for the same script (`survey`) differ in nothing but their texts and pictures, where the
adapter's class says so (`MessageAdapter.moulded`). So when a script is met again, a request is made as always, from
texts that are known by their identity, and where these turn up is what later ones are filled in at. Nothing here knows
a wire shape, and nothing is encoded in a second way: what a mould gives is what its adapter gave.

There is no mould where more than the content could tell: where a text or picture is not put there as it is, and for
pictures that are not known to fit (`media.known`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from prompt_adapters.adapters.preparing import Given, announce, prepared
from prompt_adapters.adapters.survey import IMAGE, Talk, plain_talk
from prompt_adapters.content.encoded import forms_of
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Part, Text
from prompt_adapters.content.source import Inline
from prompt_adapters.errors import PromptAdapterError
from prompt_adapters.media.known import known_to_fit
from prompt_adapters.media.notes import Note

if TYPE_CHECKING:
    from prompt_adapters.adapters.base import MessageAdapter

MOST_MOULDS: Final = 64
MOST_CONTENT: Final = 256  # texts and pictures of one request
_LONGEST_CONSTANT: Final = 10_000  # more than any word of a provider's, and less than a picture
_CONSTANTS = frozenset({str, int, float, bool, type(None)})
_MARK = "\N{REFERENCE MARK}a text of a mould\N{REFERENCE MARK}"


class _Mould(NamedTuple):
    """What a script becomes.

    Attributes:
        cast: From the content to a new request; None where that cannot be said once for all.
        notes: What is said about each.
    """

    cast: Callable[[Sequence[Any]], dict[str, Any]] | None
    notes: tuple[Note, ...] = ()


_UNMET: Final = _Mould(None)
_HOPELESS: Final = _Mould(None)


class Moulds:
    """The moulds of one adapter, each made when its script is met for the second time. Copies begin with none."""

    __slots__ = ("_kept",)
    _kept: dict[tuple[Any, ...], _Mould | None]

    def __init__(self) -> None:
        self._kept = {}

    def request(self, adapter: MessageAdapter, given: Given, *, wire: bool) -> dict[str, Any] | None:
        """The request for a call, its notes announced; None where there is no mould.

        Args:
            adapter: Whose moulds these are.
            given: The call. Its parameters are none of the content, so one with any has no mould.
            wire: Whether it is the body as it goes over the wire.
        """
        messages, parameters, notes = given
        if parameters or notes or (talk := plain_talk(messages)) is None:
            return None
        found, script, content = talk
        key = (wire, *script)
        mould = self._kept.get(key, _UNMET)
        if mould is _UNMET or mould is _HOPELESS:
            if mould is _UNMET and len(content) <= MOST_CONTENT:
                self._meet(key)
            return None
        if found is IMAGE:
            pictures = [item for item in content if type(item) is Inline]
            if pictures and not known_to_fit(messages, pictures, adapter.limits, adapter._options.on_limit):
                return None
        if mould is None and (mould := _moulded(adapter, messages, talk, wire=wire)) is not None:
            self._kept[key] = mould
        if mould is None or mould.cast is None:
            return None
        if mould.notes:
            announce(adapter.style, mould.notes)
        return mould.cast(content)

    def _meet(self, key: tuple[Any, ...]) -> None:
        if len(self._kept) >= MOST_MOULDS:
            self._kept.clear()
        self._kept[key] = None


class _NotAsItIsError(Exception):
    """Something in a request is neither content nor constant."""


def _moulded(adapter: MessageAdapter, messages: Sequence[Message], talk: Talk, *, wire: bool) -> _Mould | None:
    """The mould of a script; None where this very content cannot tell, since a picture stands in it twice."""
    found, _, content = talk
    if found not in adapter.as_is:  # its rules may look at the texts
        return _HOPELESS
    marked = [f"{_MARK}{number}" if type(item) is str else item for number, item in enumerate(content)]
    if len({id(item.data if isinstance(item, Inline) else item) for item in marked}) < len(marked):
        return None
    try:
        ready = prepared(adapter, (_saying(marked, messages), {}, ()))
        request = adapter._placed(ready, wire=wire)
        return _Mould(_Pattern(marked).caster(request), ready[1])
    except (PromptAdapterError, _NotAsItIsError):
        return _HOPELESS


def _saying(content: Sequence[Any], messages: Sequence[Message]) -> tuple[Message, ...]:
    """The messages with other texts."""
    texts = iter(content)
    return tuple(
        Message(message.role, tuple(_in_place(part, next(texts)) for part in message.parts)) for message in messages
    )


def _in_place(part: Part, item: str | Inline) -> Part:
    return Text(item) if type(item) is str else part


class _Pattern:
    """A request as an expression over its content, `c`, in which everything else goes by a name.

    Args:
        content: The texts and pictures that it was made from, each found by who it is.
    """

    def __init__(self, content: Sequence[str | Inline]) -> None:
        self._names: dict[str, Any] = {"__builtins__": {}}
        self._holes: dict[int, tuple[int, str]] = {}
        self._found: set[int] = set()
        for number, item in enumerate(content):
            if not isinstance(item, Inline):
                self._holes[id(item)] = number, f"c[{number}]"
                continue
            for form, make in forms_of(item):
                self._holes[id(form)] = number, f"{self._named(make)}(c[{number}])"
        self._size = len(content)

    def caster(self, request: dict[str, Any]) -> Callable[[Sequence[Any]], dict[str, Any]]:
        """From other content to the request that is made from it.

        Raises:
            _NotAsItIsError: A text or picture is not found in the request, or something else in it may be one.
        """
        source = self._written(request)
        if len(self._found) < self._size:
            raise _NotAsItIsError
        # The source holds brackets, names and numbers made here, and nothing of what anybody said.
        caster: Callable[[Sequence[Any]], dict[str, Any]] = eval(f"lambda c: {source}", self._names)  # noqa: S307 - see above
        return caster

    def _written(self, value: Any) -> str:
        if (hole := self._holes.get(id(value))) is not None:
            self._found.add(hole[0])
            return hole[1]
        kind = type(value)
        if kind is dict:
            return f"{{{', '.join(f'{self._written(key)}: {self._written(item)}' for key, item in value.items())}}}"
        if kind is list:
            return f"[{', '.join(map(self._written, value))}]"
        if kind not in _CONSTANTS or (kind is str and (len(value) > _LONGEST_CONSTANT or _MARK in value)):
            raise _NotAsItIsError
        return self._named(value)

    def _named(self, value: Any) -> str:
        name = f"n{len(self._names)}"
        self._names[name] = value
        return name
