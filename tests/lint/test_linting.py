"""Linting files and folders: what is found, in which file and line, and what becomes of files that are no prompts."""

import os
import re
import tracemalloc
from collections.abc import Iterable
from pathlib import Path

import pytest

from prompt_adapters import FewShot, Image, Message, Prompt, Variable, save_prompt
from prompt_adapters.errors import PromptFormatError, PromptNotFoundError, TemplateLimitError, UnknownModelError
from prompt_adapters.formats import FORMATS, held_by
from prompt_adapters.lint import RULES, lint_paths, lint_prompt
from prompt_adapters.lint import linting as linting_module
from prompt_adapters.lint.rules import Fault
from telling import place_for

KEY = "ghp_aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5"


def found(root: Path, paths: Iterable[Path] | None = None, **options: object) -> list[tuple[str, int | None, str]]:
    """Path, line and rule of every finding."""
    linted = lint_paths(paths if paths is not None else [root], **options)  # type: ignore[arg-type]  # as the test has it
    return [
        (os.path.relpath(finding.path, root), finding.line, finding.rule.id)
        for one in linted
        for finding in one.findings
    ]


def write(path: Path, text: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def test_a_line_of_a_simple_prompt(tmp_path: Path) -> None:
    write(tmp_path / "a.prompt", "---\nmodel: openai/gpt-4o\n---\n$system$\nBrief.\n\n$user$\nHi\n{{ name }} \nthere\n")
    assert found(tmp_path) == [("a.prompt", 9, "foreign-placeholder"), ("a.prompt", 9, "trailing-blanks")]


def test_the_file_and_line_of_a_directory(tmp_path: Path) -> None:
    write(tmp_path / "judge" / "user_prompt.txt", "Hi\n{% if a %}\n")
    write(tmp_path / "judge" / "system_prompt.txt", "One\ntwo {name}\n")
    assert found(tmp_path) == [
        ("judge/system_prompt.txt", 2, "foreign-placeholder"),
        ("judge/user_prompt.txt", 2, "foreign-placeholder"),
    ]


@pytest.mark.parametrize("name", FORMATS)
def test_a_line_in_every_format(name: str, tmp_path: Path) -> None:
    prompt = held_by(Prompt("You are brief.", "First line.\nSee {wanted} here.\n{{ topic }}?"), name)[0]
    path = place_for(tmp_path, name)
    save_prompt(prompt, path, name)
    (one,) = lint_paths([path], format_=name)
    lines = [finding for finding in one.findings if finding.rule.id == "foreign-placeholder"]
    assert [finding.line for finding in lines] != [None]
    assert len(lines) == (prompt.syntax != "braces")
    for finding in lines:
        assert finding.line is not None
        stands = Path(finding.path).read_text(encoding="utf-8").split("\n")[finding.line - 1]
        assert "{wanted}" in stands or "First line." in stands


def test_yaml_blocks_and_json_texts(tmp_path: Path) -> None:
    write(tmp_path / "a.yaml", "user_prompt:\n- text: |\n    First.\n    See {wanted}.\n- text: Then {wanted} again\n")
    write(tmp_path / "b.json", '{"user_prompt_component": {\n "template": "H\\u00e9\\n{wanted}"\n}}\n')
    assert found(tmp_path) == [
        ("a.yaml", 4, "foreign-placeholder"),
        ("a.yaml", 5, "foreign-placeholder"),
        ("b.json", 2, "foreign-placeholder"),
    ]


def test_a_line_that_is_there_twice_is_not_guessed(tmp_path: Path) -> None:
    write(
        tmp_path / "a.yaml",
        "# See {wanted}.\nuser_prompt:\n- text: |\n    a\n    {wanted} b\nmetadata:\n  x: |\n    {wanted} b\n",
    )
    assert found(tmp_path) == [("a.yaml", None, "foreign-placeholder")]


def test_secrets_are_found_as_files_are_written(tmp_path: Path) -> None:
    write(tmp_path / "a.yaml", f"# the key is {KEY}\nuser_prompt: [{{text: hi}}]\n")
    write(tmp_path / "b.prompt", f"---\nunclosed {KEY}\n")
    write(tmp_path / "c" / "user_prompt.txt", "hi")
    write(tmp_path / "c" / "few_shot.json", f'[{{"role": "user", "content": [{{"text": "a\\n{KEY}"}}]}}]')
    secrets = [one for one in found(tmp_path) if one[2] == "secret"]
    assert secrets == [("a.yaml", 1, "secret"), ("b.prompt", 2, "secret"), ("c/few_shot.json", 1, "secret")]


def test_what_is_in_a_file_of_several_prompts_is_said_once(tmp_path: Path) -> None:
    write(tmp_path / "promptfooconfig.yaml", f"# {KEY}\nprompts:\n- 'a '\n- 'b '\n- c\n")
    blanks = ("promptfooconfig.yaml", None, "trailing-blanks")
    assert found(tmp_path) == [blanks, ("promptfooconfig.yaml", 1, "secret"), blanks]
    linted = list(lint_paths([tmp_path]))
    assert [one.path.name for one in linted] == [f"promptfooconfig.yaml#{number}" for number in (1, 2, 3)]
    assert linted[1].findings[0].sentence == "prompt #2: a line ends in blanks in message 1 (user)"


def test_no_sentence_holds_a_secret(tmp_path: Path) -> None:
    write(tmp_path / "a.yaml", f"user_prompt: [{{text: hi}}]\n{KEY}: 1\n")
    write(tmp_path / "b.yaml", f"user_prompt: [{{text: hi}}]\nmodel: {KEY}\n")
    write(tmp_path / "c.yaml", f"user_prompt: [{{text: 'hi {{{KEY}}} {{% if {KEY} %}}'}}]\n")
    findings = [finding for one in lint_paths([tmp_path]) for finding in one.findings]
    assert {finding.rule.id for finding in findings} >= {"secret", "unreadable", "unknown-model"}
    assert not any(KEY in finding.sentence for finding in findings)


def test_no_sentence_holds_a_piece_of_a_secret(tmp_path: Path) -> None:
    key = "sk-proj-" + KEY[4:] * 3
    for number, text in enumerate((f"{{% if {key} %}}", f"{{{{ {key.replace('-', '_')} }}}}", f"{{ {key} }}")):
        write(tmp_path / f"{number}.prompt", f"%{key}% {text}")
        write(tmp_path / f"{number}.yaml", f"{key}: [{key}\nuser_prompt: {text}")
    findings = [finding for one in lint_paths([tmp_path]) for finding in one.findings]
    assert len([finding for finding in findings if finding.rule.id == "secret"]) >= 6
    assert not any(key[:20] in finding.sentence for finding in findings)


def test_what_says_that_it_is_an_example_is_noted(tmp_path: Path) -> None:
    write(tmp_path / "a.prompt", "A key is like AKIAIOSFODNN7EXAMPLE.\n")
    (one,) = lint_paths([tmp_path])
    assert [(finding.rule.id, finding.rule.severity) for finding in one.findings] == [("example-secret", "note")]
    assert "AKIA…" in one.findings[0].sentence
    assert "IOSFODNN7" not in one.findings[0].sentence


def test_a_check_that_fails_is_a_finding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_: object) -> list[Fault]:
        raise TemplateLimitError("steps", 1, 1, f"too much of {KEY}")

    monkeypatch.setattr(linting_module, "_CHECKS", (failing, *linting_module._CHECKS))
    write(tmp_path / "a.prompt", "{name}")
    write(tmp_path / "b.prompt", "Hi")
    assert found(tmp_path) == [
        ("a.prompt", None, "unreadable"),
        ("a.prompt", 1, "foreign-placeholder"),
        ("b.prompt", None, "unreadable"),
    ]
    assert not any(KEY in finding.sentence for one in lint_paths([tmp_path]) for finding in one.findings)


UNREADABLE = {
    "binary.prompt": (b"\x00\xff\xfe\x80" * 100, 1),
    "utf16.prompt": ("Hi".encode("utf-16"), None),
    "latin.prompt": ("a\ncafé".encode("latin-1"), 2),
    "empty.prompt": (b"", None),
    "broken.json": (b'{\n"user_prompt_component": ', 2),
    "broken.yaml": (b"user_prompt:\n- text: [\n", 2),
    "unclosed.prompt": (b"---\nmodel: a\n", 1),
    "slots.prompt": (b"%a%" * 20_000, None),
    "long.prompt": (b"a" * 5_000_001, None),
    "includes.yaml": (b"user_prompt:\n- text: \"{% include 'a' %}\"\n", 2),
    "deep.json": (b"[" * 100_000, None),
}


@pytest.mark.parametrize(("name", "content"), UNREADABLE.items())
def test_what_cannot_be_read_is_a_finding(name: str, content: tuple[bytes, int | None], tmp_path: Path) -> None:
    data, line = content
    write(tmp_path / name, data)
    assert found(tmp_path) == [(name, line, "unreadable")]
    assert found(tmp_path, [tmp_path / name]) == [(name, line, "unreadable")]


def test_one_bad_file_does_not_hide_the_others(tmp_path: Path) -> None:
    write(tmp_path / "a.prompt", b"\xff\xfe")
    write(tmp_path / "b.prompt", "{name}")
    write(tmp_path / "c.txt", "{name}")
    assert found(tmp_path) == [("a.prompt", None, "unreadable"), ("b.prompt", 1, "foreign-placeholder")]


def test_links_are_not_followed_out_of_a_folder(tmp_path: Path) -> None:
    secret = write(tmp_path / "outside" / "a.prompt", f"{KEY} {{name}}")
    (tmp_path / "root").mkdir()
    (tmp_path / "root" / "a.prompt").symlink_to(secret)
    (tmp_path / "root" / "loop").symlink_to(tmp_path / "root")
    assert found(tmp_path / "root") == [("a.prompt", None, "unreadable")]


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.json")
    os.mkfifo(tmp_path / "b.prompt")
    assert ("b.prompt", None, "unreadable") in found(tmp_path)


def test_an_empty_folder(tmp_path: Path) -> None:
    assert list(lint_paths([tmp_path])) == []


def test_a_prompt_without_faults_is_told_as_well(tmp_path: Path) -> None:
    path = write(tmp_path / "a.prompt", "Hi %name%")
    (one,) = lint_paths([tmp_path])
    assert one.path == path
    assert one.findings == ()


def test_models_take_the_place_of_the_own_one(tmp_path: Path) -> None:
    opus, gpt = "anthropic/claude-opus-4-6", "openai/gpt-4o"
    prefill = Prompt(messages=[("user", "a"), ("assistant", "b")], model=opus)
    save_prompt(prefill, tmp_path / "a.prompt")
    assert [rule for _, _, rule in found(tmp_path)] == ["refused-prefill"]
    assert [rule for _, _, rule in found(tmp_path, models=[gpt])] == ["prefill-not-continued"]
    both = found(tmp_path, models=[gpt, opus, gpt])
    assert [rule for _, _, rule in both] == ["prefill-not-continued", "refused-prefill"]
    assert found(tmp_path, models=[gpt, opus], without=["refused-prefill", "prefill-not-continued"]) == []


def test_what_is_asked_wrongly_is_said_before_anything_else(tmp_path: Path) -> None:
    write(tmp_path / "a.prompt", "{name}")
    with pytest.raises(PromptNotFoundError):
        lint_paths([tmp_path, tmp_path / "none"])
    with pytest.raises(PromptNotFoundError):
        lint_paths([tmp_path / "none"], format_="simple_prompt")
    with pytest.raises(UnknownModelError):
        lint_paths([tmp_path], ["whatever"])
    with pytest.raises(PromptFormatError, match="no rule is called 'whatever'"):
        lint_paths([tmp_path], without=["whatever"])


def test_a_format_makes_a_prompt_of_a_file_that_nobody_claims(tmp_path: Path) -> None:
    path = write(tmp_path / "a.prompt", "{{ name }}")
    assert found(tmp_path, [path], format_="simple_prompt") == [("a.prompt", 1, "foreign-placeholder")]


def test_files_are_read_when_their_turn_comes(tmp_path: Path) -> None:
    for number in range(3):
        write(tmp_path / f"{number}.prompt", "{name}")
    linted = lint_paths([tmp_path])
    next(linted)
    write(tmp_path / "2.prompt", "Hi")
    assert [len(one.findings) for one in linted] == [1, 0]


def test_no_prompt_is_kept(tmp_path: Path) -> None:
    size, text = 300_000, "See {wanted}. \n"
    for number in range(20):
        write(tmp_path / f"{number}.prompt", f"{number}\n{text * (size // len(text))}")
    linted = lint_paths([tmp_path])
    next(linted)
    tracemalloc.start()
    try:
        assert sum(len(one.findings) for one in linted) == 38
        assert tracemalloc.get_traced_memory()[1] < 15 * size
    finally:
        tracemalloc.stop()


def test_a_prompt_made_in_code() -> None:
    prompt = Prompt(
        messages=[Message("user", ["{a1}", Image.from_url("https://example.org/a.png")]), ("user", "{{ b }}")],
        variables=[Variable("b"), Variable("c")],
        few_shot=FewShot([("x", "y")]),
        model="bedrock/us.anthropic.claude-opus-4-6-v1",
    )
    assert [fault.rule for fault in lint_prompt(prompt)] == ["unused-variable", "foreign-placeholder", "link-not-read"]
    assert [fault.rule for fault in lint_prompt(prompt, ["openai/gpt-4o"])][-1] == "foreign-placeholder"


def test_the_readme_names_every_rule() -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    _, _, told = readme.partition("\n- errors: ")
    for severity, end in (("error", "\n- warnings: "), ("warning", "\n- notes: "), ("note", "\n\n")):
        named, _, told = told.partition(end)
        assert re.findall("`([a-z-]+)`", named) == [rule.id for rule in RULES.values() if rule.severity == severity]


def test_every_fault_is_a_rule_and_every_rule_a_fault() -> None:
    folder = Path(linting_module.__file__).parent
    text = "\n".join(path.read_text(encoding="utf-8") for path in folder.glob("*.py") if path.name != "rules.py")
    assert [rule for rule in RULES if f'"{rule}"' not in text] == []
    assert all(rule.sentence.endswith(".") for rule in RULES.values())
    assert list(RULES) == [rule.id for rule in RULES.values()]
