import json

import pytest

from prompt_adapters import FewShot, Prompt
from prompt_adapters.formats.documented import documented_files

SECTION = "**Examples**\nExample 1:\nInput: a\nOutput: b"
U, S, F = "user_prompt.txt", "system_prompt.txt", "few_shot.json"


def prompt(system: str | None, user: str | None, placement: str | None = None) -> Prompt:
    few_shot = None if placement is None else FewShot([("a", "b")], placement)
    turns = [(role, text) for role, text in (("system", system), ("user", user)) if text is not None]
    return Prompt(messages=turns, few_shot=few_shot, syntax="plain")


FILES: list[tuple[Prompt, dict[str, str]]] = [
    (prompt("s\r\n", " u\n"), {U: " u\n", S: "s\r\n"}),
    (prompt(None, "u"), {U: "u"}),
    (prompt("", ""), {U: ""}),
    (prompt("s", None), {S: "s"}),
    (prompt("s", "u", "append_to_user_prompt"), {U: f"u\n\n{SECTION}", S: "s"}),
    (prompt("s", None, "append_to_user_prompt"), {S: "s"}),
    (prompt("s", "u", "append_to_system_prompt"), {U: "u", S: f"s\n\n{SECTION}"}),
    (prompt(None, "u", "append_to_system_prompt"), {U: "u", S: SECTION}),
    (prompt("", "u", "append_to_system_prompt"), {U: "u", S: f"\n\n{SECTION}"}),
]


@pytest.mark.parametrize(("saved", "files"), FILES, ids=range(len(FILES)))
def test_texts_are_verbatim(saved: Prompt, files: dict[str, str]) -> None:
    assert documented_files(saved) == files


def test_converse_examples_are_a_file_of_their_own() -> None:
    files = documented_files(prompt("s", "u", "converse"))
    assert files.keys() == {U, S, F}
    assert json.loads(files[F]) == [
        {"role": "user", "content": [{"text": "a"}]},
        {"role": "assistant", "content": [{"text": "b"}]},
    ]
    assert files[F].endswith("\n]")
