"""What becomes of prompts on their way from each format to each other one, kept as a table in ``matrix.yaml``.

``EXPECTED=write pytest tests/formats/test_matrix.py`` writes the table anew, and the two of the README that come of it;
look at the difference before you keep it. A new format needs no more than that.
"""

import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from prompt_adapters import Prompt, load_prompt, save_prompt
from prompt_adapters.errors import PromptFormatError
from prompt_adapters.formats import FORMATS, held_by
from prompt_adapters.formats.comparable import differences
from telling import TELLING, bare, place_for, values

FILE = Path(__file__).with_name("matrix.yaml")
README = Path(__file__).parents[2] / "README.md"
HEAD = """\
# What each format cannot hold, and so what is lost from each format to each other one; written by test_matrix.py.
# losses: of a prompt that has one telling thing, the phrases of a format that does not hold it whole.
# lost: of what one format holds whole, the things that another one does not.
"""
WRITES = os.environ.get("EXPECTED") == "write"

# The columns of the README's first table: the words of a cell, and what of it a format has to hold, one thing at least.
# The capitals of the columns stand in the cells of the second one.
COLUMNS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "Turns beside system and user": {
        "earlier turns": ("several turns",),
        "developer": ("developer turn",),
        "tool turns": ("tool turns",),
        "history": ("history",),
    },
    "Variables, declared": {
        "defaults": ("default value",),
        "types": ("type of a variable",),
        "descriptions": ("description of a variable",),
    },
    "Few-shot examples": {
        "turns": ("few-shot turns",),
        "in the user turn": ("few-shot in the user turn",),
        "in the system turn": ("few-shot in the system turn",),
    },
    "Images and other media": {
        "image slots": ("image slot", "image slot with separators"),
        "audio slots": ("audio slot", "audio slot with separators"),
        "images": ("image",),
        "links": ("link to an image",),
        "audio": ("audio",),
        "video": ("video",),
        "documents": ("document",),
    },
    "Cache marks": {"marks": ("cache mark",)},
    "Parameters and model": {
        "model": ("model",),
        "parameters": ("temperature",),
        "nested parameters": ("nested parameter",),
    },
    "Name, version, metadata": {"name": ("name",), "version": ("version",), "metadata": ("metadata",)},
    "Jinja's logic": {
        "loops": ("loop",),
        "conditions": ("condition",),
        "filters": ("filter",),
        "comments": ("comment",),
    },
}


@cache
def differ(prompt: Prompt, name: str) -> bool:
    """Whether a prompt and what a format holds of it differ, although nothing of it is lost."""
    if phrases(prompt, name):
        return False
    kept = held_by(prompt, name)[0]
    return bool(differences(prompt, kept).differences or differences(kept, prompt).differences)


def phrases(prompt: Prompt, name: str) -> list[str]:
    """What a format cannot hold of a prompt."""
    try:
        return [*held_by(prompt, name)[1]]
    except PromptFormatError as error:
        return [f"refused: {error.reason}"]


def losses() -> dict[str, dict[str, list[str]]]:
    found = {thing: {name: phrases(prompt, name) for name in FORMATS} for thing, prompt in TELLING.items()}
    return {thing: {name: said for name, said in row.items() if said} for thing, row in found.items()}


def lost_from(source: str, table: Mapping[str, Mapping[str, Any]]) -> dict[str, list[str]]:
    """What other formats do not hold of what this one holds whole, in its words; its files are read as just these."""
    lost: dict[str, list[str]] = {target: [] for target in FORMATS if target != source}
    for thing, prompt in TELLING.items():
        if source in table[thing]:
            continue
        kept = held_by(prompt, source)[0]
        for target, things in lost.items():
            things += [thing] if (target in table[thing] if kept == prompt else phrases(kept, target)) else []
    return lost


def cell(name: str, words: Mapping[str, tuple[str, ...]], table: Mapping[str, Mapping[str, Any]]) -> str:
    lost = {word: things for word, things in words.items() if all(name in table[thing] for thing in things)}
    if not lost:
        return "yes"
    if all("as such" in said for things in lost.values() for thing in things for said in table[thing][name]):
        return "as plain turns and text"
    return "no" if len(lost) == len(words) else f"no {', '.join(lost)}"


def held_table(table: Mapping[str, Mapping[str, Any]]) -> str:
    """What each format holds whole, for the README."""
    rows = [f"| it holds whole | {' | '.join(COLUMNS)} |", f"|---|{'---|' * len(COLUMNS)}"]
    rows += [f"| `{name}` | {' | '.join(cell(name, words, table) for words in COLUMNS.values())} |" for name in FORMATS]
    return "\n".join(rows)


def ways_table(lost: Mapping[str, Mapping[str, list[str]]]) -> str:
    """What is lost from each format to each other one, for the README."""
    rows = [f"| from \\ to | {' | '.join(f'`{name}`' for name in FORMATS)} |", f"|---|{'---|' * len(FORMATS)}"]
    for source, row in lost.items():
        cells = ["" if name == source else letters(row[name]) for name in FORMATS]
        rows.append(f"| `{source}` | {' | '.join(cells)} |")
    return "\n".join(rows)


def letters(things: list[str]) -> str:
    if not things:
        return "all"
    told = {column[0]: {thing for some in words.values() for thing in some} for column, words in COLUMNS.items()}
    more = "+" if set(things) - set().union(*told.values()) else ""
    return "".join(letter for letter, some in told.items() if not some.isdisjoint(things)) + more


def rewritten(readme: str, *tables: str) -> str:
    """The README with these tables in the place of those that begin with the same cell."""
    for table in tables:
        head = table.partition(" | ")[0]
        before, _, old = readme.partition(f"\n{head} |")
        _, blank, after = old.partition("\n\n")
        readme = f"{before}\n{table}{blank}{after}"
    return readme


@pytest.fixture(scope="module")
def table() -> dict[str, Any]:
    if WRITES:
        told = losses()
        lost = {source: lost_from(source, told) for source in FORMATS}
        text = yaml.safe_dump({"losses": told, "lost": lost}, sort_keys=False, allow_unicode=True, width=120)
        FILE.write_text(f"{HEAD}{text}", encoding="utf-8")
        readme = rewritten(README.read_text(encoding="utf-8"), held_table(told), ways_table(lost))
        README.write_text(readme, encoding="utf-8")
    data: dict[str, Any] = yaml.safe_load(FILE.read_text(encoding="utf-8"))
    return data


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("thing", TELLING)
def test_what_a_format_cannot_hold(thing: str, name: str, table: dict[str, Any], tmp_path: Path) -> None:
    prompt, path = TELLING[thing], place_for(tmp_path, name)
    expected = table["losses"][thing].get(name, [])
    assert phrases(prompt, name) == expected
    if expected:
        with pytest.raises(PromptFormatError) as caught:
            save_prompt(prompt, path, name)
        assert all(phrase.removeprefix("refused: ") in str(caught.value) for phrase in expected)
        assert not path.exists()
    if expected[:1] and expected[0].startswith("refused: "):
        return
    kept = held_by(prompt, name)[0]
    assert held_by(kept, name) == (kept, ())
    save_prompt(kept, path, name)
    assert load_prompt(path, name) == kept


@pytest.mark.parametrize("source", FORMATS)
def test_what_is_lost_on_the_way_to_other_formats(source: str, table: dict[str, Any]) -> None:
    assert lost_from(source, table["losses"]) == table["lost"][source]


@pytest.mark.parametrize("name", FORMATS)
def test_what_is_held_whole_says_the_same(name: str, table: dict[str, Any]) -> None:
    for thing, prompt in TELLING.items():
        if name in table["losses"][thing]:
            continue
        kept = held_by(prompt, name)[0]
        assert differences(prompt, kept) == ((), None), thing
        given = values(prompt)
        assert bare(kept.render(given)) == bare(prompt.render(given)), thing


@pytest.mark.parametrize("source", FORMATS)
def test_nothing_differs_after_a_conversion_that_loses_nothing(source: str, table: dict[str, Any]) -> None:
    for thing, prompt in TELLING.items():
        if any(said.startswith("refused: ") for said in table["losses"][thing].get(source, ())):
            continue
        held = held_by(prompt, source)[0]
        assert [name for name in FORMATS if differ(held, name)] == [], thing


def test_the_table_is_about_what_there_is(table: dict[str, Any]) -> None:
    assert list(table["losses"]) == list(TELLING)
    assert list(table["lost"]) == list(FORMATS)
    for source, row in table["lost"].items():
        assert list(row) == [name for name in FORMATS if name != source]
    assert {thing for words in COLUMNS.values() for things in words.values() for thing in things} <= TELLING.keys()


def test_the_readme_tells_it_in_short(table: dict[str, Any]) -> None:
    readme = README.read_text(encoding="utf-8")
    assert f"\n{held_table(table['losses'])}\n\n" in readme
    assert f"\n{ways_table(table['lost'])}\n\n" in readme
    assert len({column[0] for column in COLUMNS}) == len(COLUMNS)
