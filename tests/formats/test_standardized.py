import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faults import Faults
from prompt_adapters import FewShot, History, Image, Message, Prompt, Variable, load_prompt, save_prompt
from prompt_adapters.errors import PromptFormatError, PromptNotFoundError, TemplateError
from prompt_adapters.formats import standardized
from prompt_adapters.formats.files import JOURNAL, new_name
from prompt_adapters.formats.standardized import (
    detect,
    documented_files,
    load,
    save,
    standardized_dict,
    write_documented_files,
)
from strategies import PNG, prompts, texts

SYSTEM = "You are a review classifier for ABC. Provide a review...."
USER = "Classify the sentiment of the following review...."
EXAMPLES = [{"input": "foo_1", "output": "bar_1"}, {"input": "foo_2", "output": "bar_2"}]

# What the documents show, as they show it.
DOCUMENTED_SECTION = """

**Examples**
Example 1:
Input: foo_1
Output: bar_1

Example 2:
Input: foo_2
Output: bar_2"""
DOCUMENTED_FEW_SHOT = """[{
    "role": "user",
    "content": [{
        "text": "foo_1"
    }]
}, {
    "role": "assistant",
    "content": [{
        "text": "bar_1"
    }]
},{
    "role": "user",
    "content": [{
        "text": "foo_2"
    }]
}, {
    "role": "assistant",
    "content": [{
        "text": "bar_2"
    }]
}]"""
DOCUMENTED = {
    "converse": (USER, SYSTEM),
    "append_to_user_prompt": (USER + DOCUMENTED_SECTION, SYSTEM),
    "append_to_system_prompt": (USER, SYSTEM + DOCUMENTED_SECTION),
}


def names_in(directory: Path) -> list[str]:
    return sorted(entry.name for entry in directory.iterdir())


def fill(directory: Path, **texts: str) -> Path:
    """A directory with these files; underscores before the suffix stand as they are."""
    directory.mkdir(exist_ok=True)
    for name, text in texts.items():
        stem, _, suffix = name.rpartition("_")
        (directory / f"{stem}.{suffix}").write_bytes(text.encode())
    return directory


@pytest.mark.parametrize("placement", DOCUMENTED)
@pytest.mark.parametrize("declared", [None, {"review"}], ids=["found", "declared"])
def test_the_documented_example_gives_the_documented_files(
    tmp_path: Path, placement: str, declared: set[str] | None
) -> None:
    prompt = Prompt(SYSTEM, USER, few_shot=FewShot(EXAMPLES, placement), variables=declared, syntax="plain")
    directory = tmp_path / "optimized_prompt"
    save_prompt(prompt, f"{directory}/")
    user, system = DOCUMENTED[placement]
    assert (directory / "user_prompt.txt").read_bytes() == user.encode()
    assert (directory / "system_prompt.txt").read_bytes() == system.encode()
    if placement == "converse":
        assert json.loads((directory / "few_shot.json").read_bytes()) == json.loads(DOCUMENTED_FEW_SHOT)
    expected = ["few_shot.json"] * (placement == "converse") + ["prompt.json"] * bool(declared)
    assert names_in(directory) == [*expected, "system_prompt.txt", "user_prompt.txt"]
    assert load_prompt(directory) == prompt


@pytest.mark.parametrize("placement", DOCUMENTED)
def test_the_documented_files_give_the_documented_example(tmp_path: Path, placement: str) -> None:
    user, system = DOCUMENTED[placement]
    extra = {"few_shot_json": DOCUMENTED_FEW_SHOT} if placement == "converse" else {}
    fill(tmp_path, user_prompt_txt=user, system_prompt_txt=system, **extra)
    assert load(tmp_path) == Prompt(SYSTEM, USER, few_shot=FewShot(EXAMPLES, placement), syntax="plain")


def test_examples_appended_to_no_system_prompt_become_it(tmp_path: Path) -> None:
    prompt = Prompt(None, USER, few_shot=FewShot(EXAMPLES, "append_to_system_prompt"), syntax="plain")
    save(prompt, tmp_path)
    assert (tmp_path / "system_prompt.txt").read_bytes() == DOCUMENTED_SECTION.lstrip().encode()
    assert names_in(tmp_path) == ["system_prompt.txt", "user_prompt.txt"]
    assert load(tmp_path) == prompt


def test_files_of_the_other_layout_are_read(tmp_path: Path) -> None:
    spaced = DOCUMENTED_SECTION.replace("**Examples**\n", "**Examples**\n\n") + "\n"
    fill(tmp_path, user_prompt_txt=USER + spaced, system_prompt_txt=SYSTEM)
    assert load(tmp_path) == Prompt(SYSTEM, USER, few_shot=FewShot(EXAMPLES, "append_to_user_prompt"), syntax="plain")


AS_TEXT: dict[str, dict[str, str]] = {
    "a section in both files": {
        "user_prompt_txt": USER + DOCUMENTED_SECTION,
        "system_prompt_txt": DOCUMENTED_SECTION[2:],
    },
    "a section beside few_shot.json": {"user_prompt_txt": USER + DOCUMENTED_SECTION, "few_shot_json": "[]"},
    "a section alone in the user's file": {"user_prompt_txt": DOCUMENTED_SECTION[2:]},
}


@pytest.mark.parametrize("files", AS_TEXT.values(), ids=AS_TEXT)
def test_a_section_in_doubt_stays_text(tmp_path: Path, files: dict[str, str]) -> None:
    prompt = load(fill(tmp_path, **files))
    assert prompt.few_shot is None
    assert prompt.messages[-1].template == files["user_prompt_txt"]  # type: ignore[union-attr]  # it is a turn


def test_an_empty_system_file_means_no_system_prompt(tmp_path: Path) -> None:
    assert load(fill(tmp_path, user_prompt_txt="Hi", system_prompt_txt="")) == Prompt(user="Hi", syntax="plain")


def test_text_is_verbatim_but_for_a_byte_order_mark(tmp_path: Path) -> None:
    fill(tmp_path, user_prompt_txt="\ufeff \r\nHi {{ x }}\r\r\n\n")
    assert load(tmp_path) == Prompt(user=" \r\nHi {{ x }}\r\r\n\n", syntax="plain")


def test_plain_is_the_syntax_unless_said_otherwise(tmp_path: Path) -> None:
    text = "{% x %} {{ x }} {{ x | upper }}"
    fill(tmp_path, user_prompt_txt=text.removeprefix("{% x %} "))
    assert load(tmp_path).syntax == "plain"
    assert load(tmp_path, syntax="jinja").syntax == "jinja"
    assert load_prompt(tmp_path, syntax="jinja").render(x="a")[0].text == "a A"
    save(Prompt(user="{x}", syntax="braces"), tmp_path)
    assert load(tmp_path, syntax="jinja").syntax == "braces"


def test_bare_prompts_need_the_documented_files_only(tmp_path: Path) -> None:
    save(Prompt("A\n", "{{ x }} ", few_shot=FewShot([(["a", "b"], "c")]), syntax="plain"), tmp_path)
    assert names_in(tmp_path) == ["few_shot.json", "system_prompt.txt", "user_prompt.txt"]
    assert len(load(tmp_path).few_shot.examples[0].input) == 2  # type: ignore[union-attr]  # there are examples


MORE = {
    "another syntax": Prompt(user="{{ x }}"),
    "declared variables": Prompt(user="Hi", variables=[Variable("x", default=3)], syntax="plain"),
    "a model": Prompt(user="Hi", model="gpt-4o", parameters={"temperature": 0.5}, syntax="plain"),
    "several turns": Prompt(messages=[("user", "a"), ("assistant", "b"), ("user", "c")], syntax="plain"),
    "no user turn": Prompt("Hi", syntax="plain"),
    "an empty system turn": Prompt(messages=[("system", ""), ("user", "Hi")], syntax="plain"),
    "a history": Prompt(messages=[History("chat"), ("user", "Hi")], syntax="plain"),
    "a literal message": Prompt(messages=[Message("user", ["Hi", Image(PNG)])], syntax="plain"),
    "a developer": Prompt(messages=[("developer", "a"), ("user", "Hi")], syntax="plain"),
    "blocks": Prompt(user=["Look: ", {"type": "image", "variable": "p", "index": 1}], syntax="plain"),
    "media in examples": Prompt(user="Hi", few_shot=FewShot([([Image(PNG)], "b")]), syntax="plain"),
    "a text like a section": Prompt(user=USER + DOCUMENTED_SECTION, syntax="plain"),
    "a byte order mark": Prompt(user="\ufeffHi", syntax="plain"),
    "examples in doubt": Prompt(
        user="Hi", few_shot=FewShot([("a\nOutput: b", "c")], "append_to_user_prompt"), syntax="plain"
    ),
}


@pytest.mark.parametrize("prompt", MORE.values(), ids=MORE)
def test_what_the_documented_files_cannot_say_goes_along(tmp_path: Path, prompt: Prompt) -> None:
    save(prompt, tmp_path)
    assert (tmp_path / "prompt.json").exists()
    assert load(tmp_path) == prompt


def test_the_documented_files_show_what_can_be_read(tmp_path: Path) -> None:
    prompt = Prompt(
        messages=[
            ("system", "A"),
            ("developer", "B"),
            ("user", "first"),
            Message("assistant", ["ok"]),
            ("user", ["Look at {{ x }}:", {"type": "image", "variable": "p", "index": 1}, Image(PNG)]),
        ]
    )
    files = documented_files(prompt)
    assert files["system_prompt.txt"] == "A\n\nB"
    shown = files["user_prompt.txt"].splitlines()
    assert shown[:2] == ["Look at {{ x }}:", "[image: p[1]]"]
    assert shown[2].startswith("[Image(image/png, 70 bytes, sha256 ")


def test_a_prompt_over_another_leaves_nothing_stale(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_bytes(b"mine")
    save(Prompt("A", "{{ x }}", few_shot=FewShot(EXAMPLES)), tmp_path)
    assert len(names_in(tmp_path)) == 5
    save(Prompt(user="B", syntax="plain"), tmp_path)
    assert names_in(tmp_path) == ["notes.md", "user_prompt.txt"]
    assert load(tmp_path) == Prompt(user="B", syntax="plain")


def test_files_are_utf8_with_characters_as_they_are(tmp_path: Path) -> None:
    save(Prompt(user="城市 🚀 {{ x }}", few_shot=FewShot([("é\u2028", "\x00")])), tmp_path)
    assert "城市 🚀" in (tmp_path / "prompt.json").read_text(encoding="utf-8")
    text = (tmp_path / "few_shot.json").read_text(encoding="utf-8")
    assert "é\u2028" in text
    assert "\\u0000" in text


# What is refused

FAULTS: dict[str, tuple[dict[str, str | bytes], str]] = {
    "no user prompt": ({"system_prompt.txt": "a"}, r"user_prompt\.txt is missing"),
    "utf-16": ({"user_prompt.txt": "a".encode("utf-16")}, r"user_prompt\.txt: the file is UTF-16"),
    "latin-1": ({"user_prompt.txt": b"a\n\xe9"}, r"user_prompt\.txt: line 2: byte 0xe9 at offset 2"),
    "broken examples": ({"user_prompt.txt": "a", "few_shot.json": "[\n{"}, r"few_shot\.json: line 2: not valid JSON"),
    "odd examples": (
        {"user_prompt.txt": "a", "few_shot.json": '[{"role": "user", "content": "a"}]'},
        r"few_shot\.json: .*no assistant's answer",
    ),
    "broken prompt.json": (
        {"user_prompt.txt": "a", "prompt.json": '{"a": 1,\n"a": 2}'},
        r"prompt\.json: line 2: the key",
    ),
    "foreign prompt.json": ({"user_prompt.txt": "a", "prompt.json": '{"_type": "chat"}'}, r"prompt\.json: .*'_type'"),
    "broken journal": ({"user_prompt.txt": "a", JOURNAL: "{}"}, "the journal of an interrupted save is broken"),
}


@pytest.mark.parametrize(("files", "reason"), FAULTS.values(), ids=FAULTS)
def test_malformed_files_are_named(tmp_path: Path, files: dict[str, str | bytes], reason: str) -> None:
    for name, content in files.items():
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(PromptFormatError, match=reason):
        load_prompt(tmp_path)


def test_errors_of_templates_name_file_and_line(tmp_path: Path) -> None:
    fill(tmp_path, user_prompt_txt="a\n{{ b", system_prompt_txt="ok")
    with pytest.raises(PromptFormatError, match=r"user_prompt\.txt: line 2: ") as caught:
        load(tmp_path, syntax="jinja")
    assert caught.value.line == 2
    assert isinstance(caught.value.__cause__, TemplateError)


def test_missing_directories_are_named(tmp_path: Path) -> None:
    with pytest.raises(PromptNotFoundError, match="nowhere"):
        load(tmp_path / "nowhere")


def test_half_a_surrogate_pair_is_not_saved(tmp_path: Path) -> None:
    save(Prompt(user="old", syntax="plain"), tmp_path)
    with pytest.raises(PromptFormatError, match=r"message 1 \(system\) holds U\+D83D at character 2"):
        save(Prompt("a\n\ud83d", "new", syntax="plain"), tmp_path)
    with pytest.raises(PromptFormatError, match=r"metadata 'a' holds U\+DC00 at character 0"):
        save(Prompt(user="new", metadata={"a": "\udc00"}), tmp_path)
    assert load(tmp_path) == Prompt(user="old", syntax="plain")


def test_a_prompt_json_of_others_is_not_lost(tmp_path: Path) -> None:
    fill(tmp_path, prompt_json='{"_type": "chat"}')
    reason = r"prompt\.json: this file was not written by save_prompt"
    with pytest.raises(PromptFormatError, match=reason):
        save(Prompt(user="a"), tmp_path)
    with pytest.raises(PromptFormatError, match=reason):
        write_documented_files({"user_prompt.txt": "a"}, tmp_path)
    assert names_in(tmp_path) == ["prompt.json"]


def test_what_would_not_be_read_back_equal_is_not_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(standardized, "read_standardized", lambda data, path, syntax: Prompt(user="other"))
    with pytest.raises(PromptFormatError, match="would not be read back equal"):
        save(Prompt(user="a"), tmp_path / "new")
    assert names_in(tmp_path) == []


@pytest.mark.parametrize("name", ["directory", "file.json"])
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_a_save_that_fails_anywhere_leaves_the_old_or_the_new_prompt(tmp_path: Path, name: str, after: bool) -> None:
    old = Prompt("S", "{{ x }}", few_shot=FewShot(EXAMPLES))
    new = Prompt(user=USER, few_shot=FewShot(EXAMPLES, "append_to_user_prompt"), syntax="plain")
    loaded: list[Prompt] = []
    failed = True
    while failed:
        path = tmp_path / str(len(loaded)) / name
        save_prompt(old, path)
        with pytest.MonkeyPatch.context() as patch:
            Faults(patch, len(loaded) + 1, after, OSError(28, "No space left on device"))
            try:
                save_prompt(new, path)
                failed = False
            except OSError:
                pass
        loaded.append(load_prompt(path))
    assert old in loaded
    assert loaded == sorted(loaded, key=lambda prompt: prompt == new)
    assert all(prompt in (old, new) for prompt in loaded)


# For those who build on it


def test_the_documented_files_alone(tmp_path: Path) -> None:
    save(Prompt("S", "{{ x }}", few_shot=FewShot(EXAMPLES)), tmp_path)
    write_documented_files({"user_prompt.txt": "a\r\n"}, tmp_path)
    assert names_in(tmp_path) == ["user_prompt.txt"]
    assert (tmp_path / "user_prompt.txt").read_bytes() == b"a\r\n"
    for name in ("notes.md", "prompt.json"):
        with pytest.raises(PromptFormatError, match=f"'{name}' is no documented file"):
            write_documented_files({name: "a"}, tmp_path)


def test_a_file_of_another_format_makes_no_directory(tmp_path: Path) -> None:
    (tmp_path / "prompt.json").write_text('[{"role": "user", "content": "Hi"}]', encoding="utf-8")
    assert not detect(tmp_path)
    (tmp_path / "user_prompt.txt").write_text("Hi", encoding="utf-8")
    assert detect(tmp_path)


def test_detection(tmp_path: Path) -> None:
    assert not detect(tmp_path)
    assert not detect(tmp_path / "nowhere")
    for name in ("user_prompt.txt", "system_prompt.txt", "prompt.json", JOURNAL):
        (tmp_path / name).write_bytes(b"")
        assert detect(tmp_path)
        assert not detect(tmp_path / name)
        (tmp_path / name).unlink()


def test_an_interrupted_save_is_loaded(tmp_path: Path) -> None:
    save(Prompt(user="old", syntax="plain"), tmp_path)
    temporary = new_name()
    (tmp_path / temporary).write_bytes(b"new")
    journal = {"rename": {"user_prompt.txt": temporary}, "delete": []}
    (tmp_path / JOURNAL).write_text(json.dumps(journal), encoding="utf-8")
    assert load_prompt(tmp_path) == Prompt(user="new", syntax="plain")


@given(user=texts(), system=texts(), pairs=st.none() | st.lists(st.tuples(texts(), texts()), max_size=2))
def test_any_three_files_are_loaded_and_saved_again(
    tmp_path_factory: pytest.TempPathFactory, user: str, system: str, pairs: list[tuple[str, str]] | None
) -> None:
    directory = tmp_path_factory.mktemp("files")
    files = {"user_prompt.txt": user, "system_prompt.txt": system}
    files |= {} if pairs is None else {"few_shot.json": json.dumps([{"input": a, "output": b} for a, b in pairs])}
    write_documented_files(files, directory)
    prompt = load(directory)
    save(prompt, directory)
    assert load(directory) == prompt


@given(prompt=prompts())
def test_the_dictionary_is_plain_json(prompt: Prompt) -> None:
    data: dict[str, Any] = standardized_dict(prompt)
    assert json.loads(json.dumps(data)) == data
    bare = standardized_dict(prompt, extension=False)
    assert bare == {key: value for key, value in data.items() if key != "prompt_adapters"}
    assert bare.keys() <= {"user_prompt_component", "system_prompt_component", "few_shot"}
