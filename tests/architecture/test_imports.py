"""Imports point downward, everywhere: at module level, inside functions and under TYPE_CHECKING."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import prompt_adapters

ROOT = Path(prompt_adapters.__file__).parent
PACKAGE = "prompt_adapters"
MAX_LINES = 420

# The house: rooms by floor. A room may use itself and every floor below it.
FLOORS = {
    "errors": 1,
    "lazy": 1,
    "content": 2,
    "targets": 3,
    "templates": 3,
    "media": 4,
    "prompt": 4,
    "formats": 5,
    "adapters": 6,
    "builders": 7,
    "langchain": 7,
    "lint": 7,
    "litellm": 7,
    "cli": 8,
}
# `prompt` is one room in ten files.
ROOM_OF = {
    **dict.fromkeys(
        (
            "blocks",
            "few_shot",
            "partial_values",
            "patterns",
            "selectors",
            "turn_content",
            "turn_places",
            "turns",
            "variables",
        ),
        "prompt",
    ),
    "__main__": "cli",
}
# Left and right of the messages: neither knows the other.
STRANGERS = {("prompt", "adapters"), ("formats", "adapters"), ("adapters", "prompt"), ("adapters", "formats")}
FILES = sorted(path for path in ROOT.rglob("*.py") if path != ROOT / "__init__.py")


def room(parts: tuple[str, ...]) -> str:
    return ROOM_OF.get(parts[0], parts[0])


def imported(tree: ast.AST) -> Iterator[tuple[str, int]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: relative import"
            yield from ((f"{node.module}.{alias.name}", node.lineno) for alias in node.names)


def arrows(path: Path) -> Iterator[tuple[str, str, int]]:
    """(room of the file, room that it imports, line) for every import of the package."""
    here = room(path.relative_to(ROOT).with_suffix("").parts)
    for name, line in imported(ast.parse(path.read_text(encoding="utf-8"))):
        parts = tuple(name.split("."))
        if parts[0] == PACKAGE and len(parts) > 1:
            yield here, room(parts[1:]), line


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_downward(path: Path) -> None:
    for here, there, line in arrows(path):
        assert there in FLOORS, f"{path.name}:{line} imports from the package's surface, {there!r}"
        assert here == there or FLOORS[there] < FLOORS[here], f"{path.name}:{line}: {here} imports {there}"
        assert (here, there) not in STRANGERS, f"{path.name}:{line}: {here} knows {there}"


def test_an_upward_import_would_be_seen(tmp_path: Path) -> None:
    tree = ast.parse("def f():\n    from prompt_adapters.cli import main\n")
    assert list(imported(tree)) == [("prompt_adapters.cli.main", 2)]
    assert FLOORS["cli"] > FLOORS["content"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_files_stay_small(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MAX_LINES


def test_every_file_stands_in_a_room() -> None:
    rooms = {room(path.relative_to(ROOT).with_suffix("").parts) for path in FILES}
    assert rooms <= FLOORS.keys()
