"""Acceptance rows: one check for each, under the id that it has in the table of its documented system."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

Check: TypeAlias = Callable[[Path], None]


class Rows(dict[str, Check]):
    """Checks by row; each gets an empty folder, which is the current directory while it runs."""

    def row(self, name: str) -> Callable[[Check], Check]:
        """A decorator that puts a check into the table."""

        def keep(check: Check) -> Check:
            assert name not in self, f"row {name} stands twice"
            self[name] = check
            return check

        return keep

    def parametrize(self) -> pytest.MarkDecorator:
        """One test for each row, its id the row's."""
        names = sorted(self)
        return pytest.mark.parametrize("check", [self[name] for name in names], ids=names)
