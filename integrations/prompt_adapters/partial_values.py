"""The partial values that templates of another library bring along, gathered while they are read one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Set
from typing import Any

from prompt_adapters.errors import PromptFormatError


class Partials:
    """Partial values by name.

    Attributes:
        values: The values.
    """

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}
        self._local: dict[str, int] = {}

    def fill(self, partial: Mapping[str, Any], where: str, *, local: bool = False) -> None:
        """Add values.

        Args:
            partial: The values.
            where: What an error calls the template that brings them.
            local: Whether they hold for one message alone.

        Raises:
            PromptFormatError: A variable has another value already.
        """
        for name, value in partial.items():
            if name in self.values and self.values[name] is not value and self.values[name] != value:
                raise PromptFormatError(None, None, f"{where}: the variable {name!r} has two different partial values")
            self.values[name] = value
            if local:
                self._local[name] = self._local.get(name, 0) + 1

    def check(self, uses: Iterable[Set[str]]) -> None:
        """Refuse a partial value of one message for a name that another message asks for.

        Args:
            uses: The names that each message asks for.

        Raises:
            PromptFormatError: There is such a name.
        """
        if not self._local:
            return
        asked = Counter(name for names in uses for name in names)
        for name, times in self._local.items():
            if asked[name] > times:
                raise PromptFormatError(
                    None,
                    None,
                    f"the variable {name!r} is filled in one message and asked for in another; rename one of them",
                )
