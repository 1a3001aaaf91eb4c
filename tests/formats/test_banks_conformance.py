"""What banks makes of chat templates, and what this package makes of them; see `test_prompty_conformance`."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from banks.__about__ import __version__

from banks_side import Said, by_banks, comparable
from prompt_adapters import Audio, Document, Image, Prompt, Text, Video
from prompt_adapters.content.source import Link
from prompt_adapters.errors import PromptAdapterError
from prompt_adapters.formats.banks import dump, held, parse
from tallies import REFUSED, tally

DATA: dict[str, Any] = yaml.safe_load((Path(__file__).parent / "vectors" / "banks.yaml").read_text(encoding="utf-8"))
VECTORS: dict[str, dict[str, Any]] = {vector["name"]: vector for vector in DATA["vectors"]}
RESULTS = {"as banks": 36, "as banks, but for blanks at the ends": 1, REFUSED: 16}
KINDS: dict[str, type[Image | Audio | Video | Document]] = {
    "image": Image,
    "audio": Audio,
    "video": Video,
    "document": Document,
}


def by_us(prompt: Prompt, values: Mapping[str, Any]) -> Said:
    kinds = {block.variable: block.type for entry in prompt.messages for block in getattr(entry, "blocks", ())}
    given = {name: _value(kinds.get(name), value) for name, value in values.items()}
    return [[message.role, [_part(part) for part in message.parts]] for message in prompt.render(given)]


def _value(kind: str | None, value: Any) -> Any:
    if kind is None:
        return value
    return [KINDS[kind].from_url(item) for item in value] if isinstance(value, list) else KINDS[kind].from_url(value)


def _part(part: Any) -> Any:
    if isinstance(part, Text):
        return {"cached": part.text} if part.cache else part.text
    assert isinstance(part.source, Link)
    return {part.kind: part.source.url}


def result(vector: Mapping[str, Any]) -> str:
    """In which way a vector is met."""
    try:
        prompt = parse(vector["file"])
        said = by_us(prompt, vector["values"])
    except PromptAdapterError as error:
        return _refusal(vector, str(error))
    assert "refused" not in vector, vector["name"]
    assert held(prompt) == (prompt, ())
    assert parse(dump(prompt)) == prompt
    if "saved_for_one" not in vector:
        assert by_banks(dump(prompt), vector["values"]) == vector["banks"]
    assert comparable(said) == comparable(vector["banks"])
    alone = [(parts[0].replace("\r\n", "\n"), other[0]) for (_, parts), (_, other) in _pairs(said, vector["banks"])]
    alike = all(ours == theirs for ours, theirs in alone)
    return "as banks" if alike else "as banks, but for blanks at the ends"


def _pairs(said: Said, theirs: Said) -> list[tuple[list[Any], list[Any]]]:
    """The messages of one text alone, in which nothing stands beside a medium."""
    return [pair for pair in zip(said, theirs, strict=True) if len(pair[0][1]) == 1 and isinstance(pair[0][1][0], str)]


def _refusal(vector: Mapping[str, Any], error: str) -> str:
    assert vector["refused"] in error
    return REFUSED


@pytest.mark.parametrize("name", VECTORS)
def test_vector(name: str) -> None:
    assert result(VECTORS[name]) in RESULTS


def test_results_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    assert tally(DATA["library"], VECTORS, lambda name: result(VECTORS[name]), capsys) == RESULTS


@pytest.mark.parametrize("name", [name for name, vector in VECTORS.items() if "not_asked" not in vector])
def test_kept_answers_are_those_of_the_library(name: str) -> None:
    assert by_banks(VECTORS[name]["file"], VECTORS[name]["values"]) == VECTORS[name]["banks"]


def test_kept_answers_name_the_library() -> None:
    assert DATA["library"] == f"banks {__version__}"
