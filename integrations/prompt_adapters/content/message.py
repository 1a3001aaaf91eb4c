"""A message: the meeting place. What makes messages knows no provider; what sends them knows no template."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar, Literal, TypeAlias, get_args

from prompt_adapters.content.characters import check_text
from prompt_adapters.content.parts import Part, Text, as_parts
from prompt_adapters.content.source import shown
from prompt_adapters.content.value import Value, arguments, opened, setters
from prompt_adapters.errors import PromptFormatError

Role: TypeAlias = Literal["system", "developer", "user", "assistant", "tool"]
ROLES: tuple[str, ...] = get_args(Role)


class Message(Value):
    """One turn of a conversation.

    Attributes:
        role: system, developer, user, assistant or tool.
        parts: What it says, in order.
        name: Who says it, where a provider has a field for that.
        cache: Whether a cacheable prefix ends with this message.

    Args:
        role: The role.
        parts: A string, a part, or several of these.
        name: The name of the participant.
        cache: Whether a cacheable prefix ends with this message.

    Raises:
        PromptFormatError: (a ``ValueError``) The role is unknown, or something is neither text nor a part.
    """

    __slots__ = ("cache", "name", "parts", "role")
    _compared: ClassVar = ("role", "parts", "name", "cache")
    _asdict = arguments
    role: Role
    parts: tuple[Part, ...]
    name: str | None
    cache: bool

    def __init__(
        self, role: str, parts: str | Part | Iterable[Any] = (), *, name: str | None = None, cache: bool = False
    ) -> None:
        _set_role(self, role)
        one = type(parts) is tuple and len(parts) == 1 and type(parts[0]) is Text
        _set_parts(self, parts if one else as_parts(parts))
        _set_name(self, name)
        _set_cache(self, cache)
        if name is not None or role not in ROLES:
            self._check()

    @classmethod
    def _as_fields(cls, changes: dict[str, Any]) -> dict[str, Any]:
        return changes | {"parts": as_parts(changes["parts"])} if "parts" in changes else changes

    def _check(self) -> None:
        if self.name is not None and not isinstance(self.name, str):
            raise PromptFormatError(None, None, f"a participant's name is a text, not {self.name!r:.60}")
        if self.name is not None:
            check_text(self.name, "a participant's name")
        if self.role not in ROLES:
            raise PromptFormatError(
                None, None, f"{shown(str(self.role), 60)!r} is not a role; the roles are {', '.join(ROLES)}"
            )

    @property
    def text(self) -> str:
        """All text of the message, joined without anything between."""
        return "".join(part.text for part in self.parts if isinstance(part, Text))

    def _describe(self) -> str:
        extras = (f", name={self.name!r}" if self.name else "") + (", cache=True" if self.cache else "")
        return f"Message({self.role!r}, [{', '.join(part.describe() for part in self.parts)}]{extras})"


_set_role, _set_parts, _set_name, _set_cache = setters(Message, "role", "parts", "name", "cache")
_OpenMessage = opened(Message)


def message_of(role: Role, parts: tuple[Part, ...]) -> Message:
    """A message of a role and parts that are known to be such."""
    message = _OpenMessage()
    message.role, message.parts, message.name, message.cache = role, parts, None, False
    message.__class__ = Message
    return message  # type: ignore[no-any-return]  # it is one now
