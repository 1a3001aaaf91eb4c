"""Prompty's load and render vectors: what its own library makes of a file, and what this package makes of it.

The vectors are written by hand from the public description of the format. What the library answers is kept beside each,
with its version, and asked again here. The templates of its Jinja subset come with the library.
"""

import json
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

import prompty
import pytest
import yaml

from prompt_adapters import Audio, Document, Image, Prompt, Text
from prompt_adapters.content.source import Link
from prompt_adapters.errors import MissingVariableError, PromptAdapterError
from prompt_adapters.formats.prompty import dump, held, parse
from prompt_adapters.templates import compile_template
from prompty_side import Said, by_prompty, comparable
from tallies import REFUSED, tally

DATA: dict[str, Any] = yaml.safe_load((Path(__file__).parent / "vectors" / "prompty.yaml").read_text(encoding="utf-8"))
VECTORS: dict[str, dict[str, Any]] = {vector["name"]: vector for vector in DATA["vectors"]}
RESULTS = {"as prompty": 69, "as prompty, but for line breaks at the ends": 1, "safer": 4, REFUSED: 12}
KINDS: dict[str, type[Image | Audio | Document]] = {"image": Image, "audio": Audio, "document": Document}
WORDS = {"image": "image", "audio": "audio", "document": "file"}


def by_us(prompt: Prompt, values: Mapping[str, Any]) -> Said:
    kinds = {block.variable: block.type for entry in prompt.messages for block in getattr(entry, "blocks", ())}
    given = {name: _value(kinds.get(name), value) for name, value in values.items()}
    return [[message.role, [_part(part) for part in message.parts]] for message in prompt.render(given)]


def _value(kind: str | None, value: Any) -> Any:
    return KINDS[kind].from_url(value) if kind is not None else value


def _part(part: Any) -> Any:
    if isinstance(part, Text):
        return part.text
    assert isinstance(part.source, Link)
    return {WORDS[part.kind]: part.source.url}


def result(vector: Mapping[str, Any], folder: Path) -> str:
    """In which way a vector is met."""
    try:
        prompt = parse(vector["file"], folder / "a.prompty")
        said = by_us(prompt, vector["values"])
    except PromptAdapterError as error:
        return _refusal(vector, str(error))
    assert "refused" not in vector, vector["name"]
    for field in ("model", "parameters", "version", "metadata"):
        assert vector.get(field, getattr(prompt, field)) == getattr(prompt, field)
    assert held(prompt) == (prompt, ())
    assert parse(dump(prompt)) == prompt
    if "safer" in vector:
        assert vector["prompty"] == [] or isinstance(vector["prompty"], str), "the library would send this"
        assert said == vector["safer"]
        return "safer"
    ours, theirs = comparable(said), comparable(vector["prompty"])
    if vector.get("ends"):
        assert ours != theirs
        ours = [[role, [part.strip("\n") for part in parts]] for role, parts in ours]
    assert ours == theirs
    return "as prompty, but for line breaks at the ends" if vector.get("ends") else "as prompty"


def _refusal(vector: Mapping[str, Any], error: str) -> str:
    if "refused" not in vector:
        assert isinstance(vector["prompty"], str), error
        return "as prompty"
    assert vector["refused"] in error
    return REFUSED


@pytest.mark.parametrize("name", VECTORS)
def test_vector(name: str, tmp_path: Path) -> None:
    assert result(VECTORS[name], tmp_path) in RESULTS


def test_results_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert tally(DATA["library"], VECTORS, lambda name: result(VECTORS[name], tmp_path), capsys) == RESULTS


@pytest.mark.parametrize("name", VECTORS)
def test_kept_answers_are_those_of_the_library(name: str) -> None:
    assert by_prompty(VECTORS[name]["file"], VECTORS[name]["values"]) == VECTORS[name]["prompty"]


def test_kept_answers_name_the_library() -> None:
    assert DATA["library"] == f"prompty {prompty.__version__}"


# The Jinja subset that all of Prompty's libraries share: its templates and results come with the library.

CORPUS = files("prompty") / "jinja_subset" / "conformance"
CASES: dict[str, dict[str, Any]] = {
    case["name"]: case for case in json.loads((CORPUS / "corpus.json").read_text(encoding="utf-8"))["cases"]
}
GOLDEN: dict[str, str] = {
    case["name"]: case["rendered"]
    for case in json.loads((CORPUS / "render_golden.json").read_text(encoding="utf-8"))
    if "rendered" in case
}
# Whether a value looks like a message is of no importance here.
ONLY_TEXT = {"strict_forged_boundary_throws", "strict_multiline_boundary_throws"}


MISSING = f"{REFUSED}: a missing variable"
SUBSET = {
    "as the subset": 40,
    "as Jinja, not as the subset": 3,
    MISSING: 2,
    "safer": 2,
}


def subset_result(name: str) -> str:
    case = CASES[name]
    try:
        parts = compile_template(case["template"]).render(case["inputs"])
    except MissingVariableError:
        return MISSING
    text = "".join(part.text for part in parts if isinstance(part, Text))
    if name in ONLY_TEXT:
        assert text == case["template"].replace("{{ q }}", case["inputs"]["q"])
        return "safer"
    if not case["jinja2_agrees"] and text != GOLDEN[name]:
        return "as Jinja, not as the subset"
    assert text == GOLDEN[name]
    return "as the subset"


@pytest.mark.parametrize("name", CASES)
def test_subset(name: str) -> None:
    assert subset_result(name)


def test_subset_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    assert tally("Prompty's Jinja subset", CASES, subset_result, capsys) == SUBSET
