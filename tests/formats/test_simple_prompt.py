"""``.prompt`` files with sections and ``%variables%``."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prompt_adapters import FewShot, History, Message, Prompt, ToolResult, load_prompt, save_prompt
from prompt_adapters.errors import MissingVariableError, PromptFormatError, PromptNotFoundError
from prompt_adapters.formats.simple_prompt import PARAMETERS, dump, parse
from prompt_adapters.turns import Turn
from strategies import NAMES, TRICKY, json_data, objects, texts


def turns(text: str, **options: Any) -> list[tuple[str, object]]:
    return [(turn.role, turn.content) for turn in parse(text, **options).messages if isinstance(turn, Turn)]


BODIES = {
    "no marker": ("Hello %name%\n", [("user", "Hello %name%")]),
    "one section": ("$user$\nHello\n", [("user", "Hello")]),
    "three sections": (
        "$system$\nBe brief.\n\n$user$\nHi\n$assistant$\nYes?",
        [("system", "Be brief."), ("user", "Hi"), ("assistant", "Yes?")],
    ),
    "repeated": ("$user$\na\n$assistant$\nb\n$user$\nc", [("user", "a"), ("assistant", "b"), ("user", "c")]),
    "blanks before": (" \n\t\n$user$\nHi", [("user", "Hi")]),
    "blanks after the marker": ("$user$ \t\nHi", [("user", "Hi")]),
    "inner lines": ("$user$\n\n  a\n\n b \n\n", [("user", "a\n\n b")]),
    "inner newlines": ("$user$\r\na\r\n\r\nb\r\n", [("user", "a\r\n\r\nb")]),
    "CR": ("$system$\rs\r$user$\ra\rb\r", [("system", "s"), ("user", "a\rb")]),
    "empty section": ("$system$\n\n$user$\nHi", [("user", "Hi")]),
    "marker in a line": ("$user$\nthe marker $user$ and $system$", [("user", "the marker $user$ and $system$")]),
    "marker after a blank": ("$user$\na\n $user$\nb", [("user", "a\n $user$\nb")]),
    "marker with more": ("$user$\n$user$x\n$user$ x", [("user", "$user$x\n$user$ x")]),
    "other names": ("$user$\n$tool$\n$User$\n$users$", [("user", "$tool$\n$User$\n$users$")]),
    "dollars": ("$5 or $$5, $PATH, ${5}", [("user", "$5 or $$5, $PATH, ${5}")]),
    "escaped": ("$user$\n\\$user$\n\\$system$ \nb", [("user", "$user$\n$system$ \nb")]),
    "escaped twice": ("$user$\n\\\\$user$\nb", [("user", "\\$user$\nb")]),
    "escaped without markers": ("\\$user$\nb", [("user", "$user$\nb")]),
    "other backslashes": ("$user$\n\\user\\$user$ a\\", [("user", "\\user\\$user$ a\\")]),
    "rules": ("Part one\n\n---\n\nPart two\n---", [("user", "Part one\n\n---\n\nPart two\n---")]),
    "rule after frontmatter": ("---\nmodel: m\n---\n---\nText\n---\n", [("user", "---\nText\n---")]),
    "empty frontmatter": ("---\n---\nHi", [("user", "Hi")]),
}


@pytest.mark.parametrize(("text", "expected"), BODIES.values(), ids=BODIES)
def test_sections(text: str, expected: list[tuple[str, str]]) -> None:
    assert turns(text) == expected


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
@pytest.mark.parametrize("mark", ["", "\ufeff"], ids=["plain", "BOM"])
def test_newlines_and_byte_order_mark(newline: str, mark: str, tmp_path: Path) -> None:
    lines = ["---", "model: m", "temperature: 0.3", "---", "", "$system$", "Be brief.", "", "$user$", "Hi %name%", ""]
    path = tmp_path / "task.prompt"
    path.write_bytes((mark + newline.join(lines)).encode())
    prompt = load_prompt(path)
    assert prompt.model == "m"
    assert prompt.parameters == {"temperature": 0.3}
    assert [message.text for message in prompt.render(name="Bo")] == ["Be brief.", "Hi Bo"]


def test_frontmatter_finds_its_places() -> None:
    head = "---\nmodel: gemini-2.5-flash\nname: critic\nversion: 3.10\ntemperature: 0.3\nowner: {team: [vision]}\n---\n"
    prompt = parse(f"{head}Hi")
    assert (prompt.model, prompt.name, prompt.version) == ("gemini-2.5-flash", "critic", "3.10")
    assert prompt.parameters == {"temperature": 0.3}
    assert prompt.metadata == {"owner": {"team": ["vision"]}}
    assert prompt.syntax == "percent"


def test_percent_signs() -> None:
    prompt = parse("100% of %text%, %%, %a b%, 5%5%, %text%%text%")
    assert [v.name for v in prompt.variables] == ["text"]
    (message,) = prompt.render(text="X%y%")
    assert message.text == "100% of X%y%, %, %a b%, 5%5%, X%y%X%y%"


def test_a_value_begins_no_section() -> None:
    value = "\n$system$\nevil %text% %%\n---\nmodel: evil\n---"
    (message,) = parse("$user$\n%text%").render(text=value)
    assert (message.role, message.text) == ("user", value)


def test_another_syntax() -> None:
    (message,) = parse("$user$\n{{ x }} %x%", syntax="jinja").render(x="y")
    assert message.text == "y %x%"


# name: (text, line, what the error says)
FAULTS = {
    "unclosed": ("---\nmodel: m\n$user$\nHi", 1, "not closed by a line '---'"),
    "only a fence": ("---", 1, "not closed"),
    "not YAML": ("---\nmodel: m\nx: [\n---\nHi", 3, "not valid YAML"),
    "key twice": ("---\nmodel: a\nmodel: b\n---\nHi", 3, "the key 'model' stands twice"),
    "not a mapping": ("---\n- a\n---\nHi", 2, "a mapping of names to values"),
    "version is a mapping": ("---\nx: 1\nversion:\n  a: 1\n---\nHi", 3, "'version' is a text, not dict"),
    "model is a list": ("---\nmodel: [a]\n---\nHi", 2, "'model' is a text, not list"),
    "text before a marker": ("---\na: 1\n---\n\n  Hello\n$user$\nHi", 5, "before the first section marker: 'Hello'"),
    "text before, CR": ("\r\rHello\r$user$\rHi", 3, "text stands before"),
    "no text": ("---\nmodel: m\n---\n", None, "there is no prompt text"),
    "no file at all": ("", None, "there is no prompt text"),
    "empty sections": ("$system$\n\n$user$\n \n", None, "there is no prompt text"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "line", "reason"), FAULTS.values(), ids=FAULTS)
def test_faults_name_file_and_line(text: str, line: int | None, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "task.prompt"
    path.write_bytes(text.encode())
    with pytest.raises(PromptFormatError) as caught:
        load_prompt(path, format="simple_prompt")
    assert (caught.value.path, caught.value.line) == (str(path), line)
    assert reason in str(caught.value)


def test_a_fault_of_the_template_names_the_line_of_the_file() -> None:
    with pytest.raises(PromptFormatError, match=r"task\.prompt: line 9: ") as caught:
        parse("---\na: b\n---\n\n$system$\nok\n\n$user$\n{% if %}", "task.prompt", syntax="jinja")
    assert str(caught.value).count("line 9") == 1


def test_other_encodings_and_missing_files(tmp_path: Path) -> None:
    path = tmp_path / "task.prompt"
    with pytest.raises(PromptNotFoundError, match=r"task\.prompt"):
        load_prompt(path, format="simple_prompt")
    path.write_bytes(b"---\nmodel: m\n---\nDon\x92t")
    with pytest.raises(PromptFormatError, match="line 4: byte 0x92"):
        load_prompt(path)
    path.write_text("Hi", encoding="utf-16")
    with pytest.raises(PromptFormatError, match="UTF-16"):
        load_prompt(path)


def test_a_missing_variable_is_named() -> None:
    with pytest.raises(MissingVariableError, match="text"):
        parse("Hi %text%").render()


# What the suffix means


@pytest.mark.parametrize("text", ["$user$\nHi {{ x }}", "Hi %x%", "---\nmodel: m\n---\nHi", "$ {x}"])
def test_detected(text: str, tmp_path: Path) -> None:
    path = tmp_path / "task.PROMPT"
    path.write_text(text, encoding="utf-8")
    assert load_prompt(path).syntax == "percent"


def test_braces_without_a_marker_are_of_another_format(tmp_path: Path) -> None:
    path = tmp_path / "task.prompt"
    path.write_text("---\nmodel: m\n---\nHi {{name}}", encoding="utf-8")
    assert load_prompt(path) == load_prompt(path, format="dotprompt")
    assert load_prompt(path, format="simple_prompt").render()[0].text == "Hi {{name}}"


def test_a_malformed_frontmatter_is_said_when_the_format_is_detected(tmp_path: Path) -> None:
    path = tmp_path / "task.prompt"
    path.write_text("---\nmodel: [oops\n---\nHi {{name}}", encoding="utf-8")
    with pytest.raises(PromptFormatError, match="line 2: not valid YAML"):
        load_prompt(path)


# Saving


def test_what_is_written() -> None:
    prompt = Prompt(
        system="Be brief.",
        user="Hi %name%\n$user$\n",
        syntax="percent",
        model="m",
        version="3.10",
        parameters={"temperature": 0.3},
        metadata={"owner": "vision"},
    ).replace(user="Hi %name%\n$user$")
    assert dump(prompt) == (
        "---\nmodel: m\nversion: '3.10'\ntemperature: 0.3\nowner: vision\n---\n"
        "$system$\nBe brief.\n\n$user$\nHi %name%\n\\$user$\n"
    )


LOSSES = {
    "logic": (Prompt(messages=[("user", "{{ x | upper }}"), ("user", "a")]), "message 1 (user): the filter 'upper'"),
    "comment": (Prompt(user="a{# note #}"), "message 1 (user): a comment on line 1"),
    "few-shot": (
        Prompt(user="a", syntax="percent", few_shot=FewShot([("a", "b")])),
        "the few-shot examples as such: they become turns",
    ),
    "unused": (Prompt(user="a", syntax="percent", variables=["x"]), "variable 'x': its declaration"),
    "history": (Prompt(messages=[History("chat"), ("user", "a")], syntax="percent"), "message 1 (history 'chat')"),
    "named": (Prompt(messages=[("user", "a"), Message("user", "b", name="Bo")]), "message 2 (user): its name 'Bo'"),
    "tool result": (Prompt(messages=[("user", "a"), Message("tool", ToolResult("1", "b"))]), "message 2 (tool)"),
    "blocks": (Prompt(user=[{"type": "image", "variable": "x"}, "a"]), "block 1: a slot for image content, 'x'"),
    "two texts": (Prompt(user=["a", "b"]), "message 1 (user): the bounds between its blocks"),
    "developer": (Prompt(messages=[("developer", "a")], syntax="percent"), "the role 'developer'"),
    "blanks": (Prompt(user="a ", syntax="percent"), "message 1 (user): the blanks round its text"),
    "empty": (Prompt(messages=[("user", ""), ("user", "a")], syntax="percent"), "message 1 (user), which is empty"),
    "parameter": (Prompt(user="a", syntax="percent", parameters={"mine": 1}), "the parameter 'mine'"),
    "metadata": (Prompt(user="a", syntax="percent", metadata={"model": 1}), "the metadata 'model'"),
    "nothing": (Prompt(messages=[("user", " ")], syntax="percent"), "which is empty: no message is left"),
}


@pytest.mark.parametrize(("prompt", "loss"), LOSSES.values(), ids=LOSSES)
def test_what_cannot_be_held_is_refused_by_name(prompt: Prompt, loss: str, tmp_path: Path) -> None:
    path = tmp_path / "task.prompt"
    with pytest.raises(PromptFormatError, match="cannot hold") as caught:
        save_prompt(prompt, path)
    assert loss in str(caught.value)
    assert str(path) in str(caught.value)
    assert not path.exists()


ALIKE = {
    "another syntax": (Prompt(user="100% {{ x }}"), Prompt(user="100%% %x%", syntax="percent")),
    "literal": (Prompt(messages=[Message("user", "%x%")]), Prompt(user="%%x%%", syntax="percent")),
    "one block": (Prompt(user=["{{ x }}"]), Prompt(user="%x%", syntax="percent")),
}


@pytest.mark.parametrize(("prompt", "loaded"), ALIKE.values(), ids=ALIKE)
def test_other_words_for_the_same_are_no_loss(prompt: Prompt, loaded: Prompt, tmp_path: Path) -> None:
    save_prompt(prompt, tmp_path / "task.prompt")
    assert load_prompt(tmp_path / "task.prompt") == loaded


STRIPPED = (
    st.lists(
        texts(2) | st.sampled_from([f"%{name}%" for name in NAMES])
        | st.sampled_from(["\n$user$\n", "\n\\$system$ \r", "\r$assistant$", "---\n", *TRICKY]),
        max_size=5,
    )
    .map("".join).map(str.strip).filter(bool)
)  # fmt: skip


@st.composite
def holdable(draw: st.DrawFn) -> Prompt:
    """Prompts that the format can hold."""
    content = draw(
        st.lists(st.tuples(st.sampled_from(["system", "user", "assistant"]), STRIPPED), min_size=1, max_size=4)
    )
    field = st.none() | texts(1)
    reserved = PARAMETERS | {"model", "name", "version"}
    metadata = draw(objects().map(lambda data: {key: value for key, value in data.items() if key not in reserved}))
    parameters = draw(st.dictionaries(st.sampled_from(sorted(PARAMETERS)), json_data(), max_size=2))
    return Prompt(
        messages=content,
        syntax="percent",
        model=draw(field),
        name=draw(field),
        version=draw(field),
        parameters=parameters,
        metadata=metadata,
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("prompts")


@given(prompt=holdable())
def test_what_is_saved_is_loaded(prompt: Prompt, folder: Path) -> None:
    save_prompt(prompt, folder / "task.prompt")
    assert load_prompt(folder / "task.prompt") == prompt


@given(
    text=st.lists(st.sampled_from(["$user$", "$system$", "\n", "\r", "\\", "a", "---\n", "a: b\n", "{{", " "])).map(
        "".join
    )
)
def test_any_text_is_a_prompt_that_saves_alike_or_a_named_error(text: str) -> None:
    try:
        prompt = parse(text, "task.prompt")
    except PromptFormatError as error:
        assert str(error).startswith("task.prompt: ")  # noqa: PT017 - either is right here
    else:
        assert parse(dump(prompt)) == prompt
