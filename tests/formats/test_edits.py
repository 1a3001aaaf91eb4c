import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from prompt_adapters import FewShot, History, Image, Message, Prompt, Text, Variable, load_prompt, save_prompt
from prompt_adapters.errors import PromptFormatError
from prompt_adapters.formats.sections import split_section
from prompt_adapters.formats.standardized import documented_files
from prompt_adapters.turns import Turn
from strategies import PNG, prompts, texts

USER, SYSTEM, FEW_SHOT = "user_prompt.txt", "system_prompt.txt", "few_shot.json"
PAIRS = [("a", "b")]
SECTION = "**Examples**\nExample 1:\nInput: {}\nOutput: {}"
BOTH = Prompt("S", "U {{ x }}", name="n")
CONVERSE = BOTH.replace(few_shot=FewShot(PAIRS))
TO_USER = BOTH.replace(few_shot=FewShot(PAIRS, "append_to_user_prompt"))
TO_SYSTEM = BOTH.replace(few_shot=FewShot(PAIRS, "append_to_system_prompt"))
ALONE = Prompt(user="U", few_shot=FewShot(PAIRS, "append_to_system_prompt"))
MIDDLE = Prompt(messages=[("system", "S"), History("chat"), ("user", "U {{ x }}")])
DEVELOPER = Prompt(messages=[("developer", "S"), ("user", "U")])
LIKE = Prompt(user=f"U\n\n{SECTION.format('a', 'b')}")
DOUBT = Prompt(user="U", few_shot=FewShot([("a\nOutput: b", "c")], "append_to_user_prompt"))


def edit(prompt: Prompt, directory: Path, changes: dict[str, str | None]) -> Prompt:
    """Save, let a person edit, and load."""
    save_prompt(prompt, directory)
    assert (directory / "prompt.json").exists()
    for name, text in changes.items():
        if text is None:
            (directory / name).unlink()
        else:
            (directory / name).write_bytes(text.encode())
    return load_prompt(directory)


def turns(prompt: Prompt, **templates: str) -> Prompt:
    """The prompt with the text of the turn of a role replaced."""
    entries = [
        Turn(entry.role, templates[entry.role]) if isinstance(entry, Turn) and entry.role in templates else entry
        for entry in prompt.messages
    ]
    return prompt.replace(messages=entries)


WINS: dict[str, tuple[Prompt, dict[str, str | None], Prompt]] = {
    "user": (BOTH, {USER: "V {{ y }}\n"}, turns(BOTH, user="V {{ y }}\n")),
    "system": (BOTH, {SYSTEM: "T"}, turns(BOTH, system="T")),
    "both": (BOTH, {USER: "V", SYSTEM: "T"}, turns(BOTH, user="V", system="T")),
    "blank lines": (BOTH, {USER: "\n V\n\n"}, turns(BOTH, user="\n V\n\n")),
    "the same text": (BOTH, {USER: "U {{ x }}"}, BOTH),
    "a byte order mark": (BOTH, {USER: "\ufeffU {{ x }}"}, BOTH),
    "the user text emptied": (BOTH, {USER: ""}, turns(BOTH, user="")),
    "the system text emptied": (BOTH, {SYSTEM: ""}, BOTH.replace(messages=[("user", "U {{ x }}")])),
    "beside a history": (MIDDLE, {USER: "V", SYSTEM: "T"}, turns(MIDDLE, user="V", system="T")),
    "the role stays": (DEVELOPER, {SYSTEM: "T"}, turns(DEVELOPER, developer="T")),
    "examples": (
        CONVERSE,
        {FEW_SHOT: '[{"input": "c", "output": "d"}]'},
        CONVERSE.replace(few_shot=FewShot([("c", "d")])),
    ),
    "examples, laid out otherwise": (CONVERSE, {FEW_SHOT: json.dumps([{"input": "a", "output": "b"}])}, CONVERSE),
    "all examples gone": (CONVERSE, {FEW_SHOT: "[]"}, BOTH),
    "examples added": (BOTH, {FEW_SHOT: '[{"input": "a", "output": "b"}]'}, CONVERSE),
    "a system prompt added": (Prompt(user="U"), {SYSTEM: "S"}, Prompt("S", "U")),
    "a user prompt added": (Prompt("S"), {USER: "U"}, Prompt("S", "U")),
    "a section beside few_shot.json": (
        CONVERSE,
        {USER: f"V\n\n{SECTION.format('c', 'd')}"},
        turns(CONVERSE, user=f"V\n\n{SECTION.format('c', 'd')}"),
    ),
    "the template before a section": (
        TO_USER,
        {USER: f"V\n\n{SECTION.format('a', 'b')}"},
        turns(TO_USER, user="V"),
    ),
    "a section": (
        TO_USER,
        {USER: f"U {{{{ x }}}}\n\n{SECTION.format('c', 'd')}"},
        TO_USER.replace(few_shot=FewShot([("c", "d")], "append_to_user_prompt")),
    ),
    "a section with other newlines": (
        TO_USER,
        {USER: f"V\n\n{SECTION.format('c', 'd')}".replace("\n", "\r\n")},
        turns(TO_USER.replace(few_shot=FewShot([("c", "d")], "append_to_user_prompt")), user="V"),
    ),
    "a section gone": (TO_USER, {USER: "V"}, turns(BOTH, user="V")),
    "a section added": (BOTH, {USER: f"U {{{{ x }}}}\n\n{SECTION.format('a', 'b')}"}, TO_USER),
    "the system's section": (
        TO_SYSTEM,
        {SYSTEM: f"T\n\n{SECTION.format('a', 'b')}"},
        turns(TO_SYSTEM, system="T"),
    ),
    "the other text beside a section": (TO_SYSTEM, {USER: "V"}, turns(TO_SYSTEM, user="V")),
    "a section alone": (
        ALONE,
        {SYSTEM: SECTION.format("c", "d")},
        ALONE.replace(few_shot=FewShot([("c", "d")], "append_to_system_prompt")),
    ),
    "a system prompt before a section alone": (
        ALONE,
        {SYSTEM: f"S\n\n{SECTION.format('a', 'b')}"},
        ALONE.replace(system="S"),
    ),
    "a text that only looked like a section": (
        LIKE,
        {USER: f"V\n\n{SECTION.format('c', 'd')}"},
        turns(LIKE, user=f"V\n\n{SECTION.format('c', 'd')}"),
    ),
    "the template before a section in doubt": (
        DOUBT,
        {USER: "V\n\n" + SECTION.format("a\nOutput: b", "c")},
        turns(DOUBT, user="V"),
    ),
}


@pytest.mark.parametrize(("saved", "changes", "loaded"), WINS.values(), ids=WINS)
def test_what_a_person_edits_wins(
    tmp_path: Path, saved: Prompt, changes: dict[str, str | None], loaded: Prompt
) -> None:
    found = edit(saved, tmp_path, changes)
    assert found == loaded
    save_prompt(found, tmp_path)
    assert load_prompt(tmp_path) == loaded


TURNS = Prompt(messages=[("user", "a"), ("assistant", "b"), ("user", "c")])
BLOCKS = Prompt(user=["a", {"type": "image", "variable": "p"}])
LITERAL = Prompt(messages=[Message("user", ["a"])])
TWO_SYSTEMS = Prompt(messages=[("system", "a"), ("developer", "b"), ("user", "c")])
MEDIA = Prompt(user="U", few_shot=FewShot([([Image(PNG)], "b")]))
MEDIA_APPENDED = MEDIA.replace(few_shot=FewShot([([Image(PNG)], "b")], "append_to_user_prompt"))
MARKED = Prompt(user="U", few_shot=FewShot([([Text("a", cache=True)], "b")]))

REFUSED: dict[str, tuple[Prompt, dict[str, str | None], str]] = {
    "several user turns": (TURNS, {USER: "d"}, f"{USER}: this file was edited, but it is not the one template"),
    "blocks": (BLOCKS, {USER: "d"}, f"{USER}: this file was edited, but it is not the one template"),
    "a literal message": (LITERAL, {USER: "d"}, f"{USER}: this file was edited, but it is not the one template"),
    "two system turns": (TWO_SYSTEMS, {SYSTEM: "d"}, f"{SYSTEM}: this file was edited, but it is not the one template"),
    "media in examples": (MEDIA, {FEW_SHOT: "[]"}, f"{FEW_SHOT}: this file was edited, but .* more than text"),
    "marks in examples": (MARKED, {FEW_SHOT: "[]"}, f"{FEW_SHOT}: this file was edited, but .* more than text"),
    "media in a section": (
        MEDIA_APPENDED,
        {USER: f"U\n\n{SECTION.format('a', 'b')}"},
        f"{USER}: its examples were edited",
    ),
    "the template before a section gone": (TO_USER, {USER: SECTION.format("a", "b")}, f"{USER}: its examples"),
    "a section in doubt": (DOUBT, {USER: "V\n\n" + SECTION.format("a\nOutput: x", "c")}, f"{USER}: its examples"),
    "a section broken": (TO_SYSTEM, {SYSTEM: "S\n\n**Examples**\nSee below."}, f"{SYSTEM}: its examples were edited"),
    "examples beside a section": (TO_USER, {FEW_SHOT: "[]"}, f"{FEW_SHOT}: the examples of .* are appended"),
    "the user's file gone": (BOTH, {USER: None}, f"{USER}: this file is gone"),
    "the system's file gone": (BOTH, {SYSTEM: None}, f"{SYSTEM}: this file is gone"),
    "the examples gone": (CONVERSE, {FEW_SHOT: None}, f"{FEW_SHOT}: this file is gone"),
}


@pytest.mark.parametrize(("saved", "changes", "reason"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_reconciled_is_an_error(
    tmp_path: Path, saved: Prompt, changes: dict[str, str | None], reason: str
) -> None:
    with pytest.raises(PromptFormatError, match=f"{reason}.*, or remove prompt.json if the text files are the prompt"):
        edit(saved, tmp_path, changes)


MALFORMED = {
    "examples": (CONVERSE, {FEW_SHOT: '[{"input": "a"}]'}, f"{FEW_SHOT}: .*lacks 'output'"),
    "a template": (BOTH, {USER: "a\n{{ x"}, f"{USER}: line 2: "),
}


@pytest.mark.parametrize(("saved", "changes", "reason"), MALFORMED.values(), ids=MALFORMED)
def test_what_is_malformed_names_the_edited_file(
    tmp_path: Path, saved: Prompt, changes: dict[str, str | None], reason: str
) -> None:
    with pytest.raises(PromptFormatError, match=reason):
        edit(saved, tmp_path, changes)


def test_without_prompt_json_the_text_files_are_the_prompt(tmp_path: Path) -> None:
    with pytest.raises(PromptFormatError, match="remove"):
        edit(TURNS, tmp_path, {USER: "d"})
    (tmp_path / "prompt.json").unlink()
    assert load_prompt(tmp_path) == Prompt(user="d", syntax="plain")


def test_variables_are_found_anew(tmp_path: Path) -> None:
    declared: list[str | Variable] = [Variable("x", default="1"), "ghost", "both"]
    prompt = Prompt("{{ both }}", "{{ x }} {{ both }}", variables=declared, syntax="plain")
    found = edit(prompt, tmp_path, {USER: "{{ y }}"})
    assert [variable.name for variable in found.variables] == ["ghost", "both", "y"]
    assert found.variables[-1].required


def test_an_edit_of_prompt_json_counts_where_the_text_is_untouched(tmp_path: Path) -> None:
    save_prompt(BOTH, tmp_path)
    path = tmp_path / "prompt.json"
    data = json.loads(path.read_bytes())
    data["user_prompt_component"]["template"] = "V {{ x }}"
    data["prompt_adapters"]["model"] = "gpt-4o"
    path.write_text(json.dumps(data), encoding="utf-8")
    assert load_prompt(tmp_path) == turns(BOTH, user="V {{ x }}").replace(model="gpt-4o")


HAND_MADE: dict[str, Any] = {"user_prompt_component": {"template": "U"}, "prompt_adapters": {"name": "n"}}


def test_a_prompt_json_of_a_person_goes_with_files_that_agree(tmp_path: Path) -> None:
    (tmp_path / "prompt.json").write_text(json.dumps(HAND_MADE), encoding="utf-8")
    assert load_prompt(tmp_path) == Prompt(user="U", name="n", syntax="plain")
    (tmp_path / USER).write_bytes(b"U")
    (tmp_path / SYSTEM).write_bytes(b"S")
    assert load_prompt(tmp_path) == Prompt("S", "U", name="n", syntax="plain")
    (tmp_path / USER).write_bytes(b"V")
    with pytest.raises(PromptFormatError, match=rf"{USER}: this file and prompt\.json say different things"):
        load_prompt(tmp_path)


def loaded_or_refused(directory: Path) -> Prompt | PromptFormatError:
    try:
        return load_prompt(directory)
    except PromptFormatError as error:
        return error


@given(prompt=prompts(), text=texts())
def test_an_edit_is_taken_or_refused_and_never_lost(
    tmp_path_factory: pytest.TempPathFactory, prompt: Prompt, text: str
) -> None:
    directory = tmp_path_factory.mktemp("edited")
    save_prompt(prompt.replace(name="n"), directory)
    path = directory / USER
    path.write_bytes(text.encode())
    found = loaded_or_refused(directory)
    if isinstance(found, PromptFormatError):
        assert found.path == str(path)
        return
    # A section in another layout is read, and then shown in ours.
    shown = documented_files(found)[USER].removeprefix("\ufeff")
    assert shown == text.removeprefix("\ufeff") or split_section(text) is not None
    save_prompt(found, directory)
    assert load_prompt(directory) == found


def test_edits_of_both_files_are_an_error_that_names_both(tmp_path: Path) -> None:
    examples = FewShot([{"input": "i", "output": "o"}], "append_to_user_prompt")
    save_prompt(Prompt(system="S", user="Old {{ b }}", few_shot=examples, name="n"), tmp_path / "p")
    text, known = tmp_path / "p" / "user_prompt.txt", tmp_path / "p" / "prompt.json"
    text.write_text(text.read_text("utf-8").replace("Old", "New"), "utf-8")
    one_edit = load_prompt(tmp_path / "p")
    assert one_edit.messages[1].template == "New {{ b }}"  # type: ignore[union-attr]  # a turn
    known.write_text(known.read_text("utf-8").replace("Old {{", "Other {{"), "utf-8")
    with pytest.raises(PromptFormatError, match=r"user_prompt\.txt.*prompt\.json"):
        load_prompt(tmp_path / "p")
