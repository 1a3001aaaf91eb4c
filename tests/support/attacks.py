"""The published attacks of ``tests/security/attacks.yaml``, and what templates are rendered with in them."""

from __future__ import annotations

import datetime
import decimal
from pathlib import Path, PurePosixPath
from typing import Any

import yaml

from prompt_adapters import Image

TABLE = Path(__file__).parents[1] / "security" / "attacks.yaml"
SECRET = "hunter2-in-the-clear"
PNG = b"\x89PNG\r\n\x1a\n" + bytes(20)


class Leaky:
    """An object as programs have them: data and methods that no template should get at."""

    secret = SECRET

    def leak(self) -> str:
        return self.secret

    def __str__(self) -> str:
        return "an object"


def attacks(kind: str) -> dict[str, dict[str, Any]]:
    """The attacks of a kind by name, their repetitions written out."""
    rows: list[dict[str, Any]] = yaml.safe_load(TABLE.read_text(encoding="utf-8"))[kind]
    named = {f"{row['syntax']}, {row['name']}" if "syntax" in row else row["name"]: _written_out(row) for row in rows}
    assert len(named) == len(rows)
    return named


def _written_out(row: dict[str, Any]) -> dict[str, Any]:
    if "repeat" not in row:
        return row
    repeated = row["repeat"]["of"] * row["repeat"]["times"]
    key = "template" if "template" in row else "text"
    whole = row[key].replace("X", repeated) if "X" in row[key] else row[key].replace("%}{{", "%}" + repeated + "{{", 1)
    return {**row, key: whole}


def values() -> dict[str, Any]:
    """What a template may use."""
    return {
        "n": 9,
        "text": "text",
        "long": "x" * 100_000,
        "items": [1, 2, 3],
        "many": [0] * 2_000,
        "data": {"a": 1},
        "object": Leaky(),
        "path": PurePosixPath("/etc/passwd"),
        "photo": Image(PNG),
        "decimal": decimal.Decimal("1e999999999"),
        "date": datetime.date(2026, 1, 2),
    }
