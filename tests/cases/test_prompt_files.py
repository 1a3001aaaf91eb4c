"""Kinds of faults that people reported about prompt files, each as a small ``.prompt`` file and its right result."""

from pathlib import Path

import pytest

from prompt_adapters import load_prompt, save_prompt
from prompt_adapters.errors import PromptFormatError

HEAD = "---\nmodel: openai/gpt-4o\n---\n"


def body(path: Path, text: str | bytes) -> tuple[str | None, str]:
    """The model and the rendered text of a file."""
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    prompt = load_prompt(path, format="simple_prompt")
    (message,) = prompt.render()
    return prompt.model, message.text


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "task.prompt"


def test_dollars_are_literal(path: Path) -> None:
    """TPL-12: JudgmentLabs/judgeval#772, simonw/llm#904."""
    costs = "Costs $5 or $$5 or ${5}; $PATH for $user$ and %5%"
    assert body(path, f"{HEAD}{costs}\n") == ("openai/gpt-4o", costs)


NEWLINES = {
    "CRLF": (b"---\r\nmodel: openai/gpt-4o\r\n---\r\nHello.\r\nBye.\r\n", "Hello.\r\nBye."),
    "mixed": (b"---\r\nmodel: openai/gpt-4o\r\n---\r\nHello.\nBye.\n", "Hello.\nBye."),
    "lone CR": (b"---\rmodel: openai/gpt-4o\r---\rHello.\rBye.", "Hello.\rBye."),
    "BOM": (b"\xef\xbb\xbf---\nmodel: openai/gpt-4o\n---\nHello.\nBye.", "Hello.\nBye."),
}


@pytest.mark.parametrize(("data", "text"), NEWLINES.values(), ids=NEWLINES)
def test_frontmatter_is_found_whatever_the_line_ends(data: bytes, text: str, path: Path) -> None:
    """TPL-23: continuedev/continue#12588, microsoft/genaiscript#392. The body's line ends are kept."""
    assert body(path, data) == ("openai/gpt-4o", text)


RULES = {
    "in the body": (f"{HEAD}One\n\n---\n\nTwo\n\n---\n\nEnd\n", "openai/gpt-4o", "One\n\n---\n\nTwo\n\n---\n\nEnd"),
    "without frontmatter": ("One\n\n---\n\nTwo\n\n---\n\nEnd\n", None, "One\n\n---\n\nTwo\n\n---\n\nEnd"),
    "at the start of the body": (f"{HEAD}---\nTitle\n---\nText\n", "openai/gpt-4o", "---\nTitle\n---\nText"),
}


@pytest.mark.parametrize(("text", "model", "expected"), RULES.values(), ids=RULES)
def test_rules_in_the_body_are_text(text: str, model: str | None, expected: str, path: Path) -> None:
    """TPL-25: chatml/chatml#364, crowdagger/crowbook#99."""
    assert body(path, text) == (model, expected)


BROKEN = {
    "bad YAML": ("---\nmodel: [oops\n---\nHello", 2, "not valid YAML"),
    "key twice": ("---\nmodel: a\nmodel: b\n---\nHello", 3, "the key 'model' stands twice"),
    "unclosed": ("---\nmodel: openai/gpt-4o\nHello", 1, "is not closed by a line '---'"),
    "no body": (HEAD, None, "there is no prompt text"),
}


@pytest.mark.parametrize(("text", "line", "reason"), BROKEN.values(), ids=BROKEN)
def test_broken_frontmatter_is_an_error_with_file_and_line(text: str, line: int, reason: str, path: Path) -> None:
    """TPL-28: nothing is lost in silence."""
    with pytest.raises(PromptFormatError, match=reason) as caught:
        body(path, text)
    assert (caught.value.path, caught.value.line) == (str(path), line)


def test_empty_frontmatter_is_none(path: Path) -> None:
    """TPL-28: an empty block is no error."""
    assert body(path, "---\n---\nHello") == (None, "Hello")


def test_changing_one_key_changes_no_other_value(path: Path, tmp_path: Path) -> None:
    """SER-12: bitbonsai/mcpvault#77. What is written of a value stays; comments and quotes are not promised."""
    types = "version: 2024-08-06\nrelease: 3.10\nstrict: no\nratio: 1:30\ncode: 012\non: 2024-08-06T10:00:00Z\n"
    path.write_text(f"---\nmodel: openai/gpt-4o\n{types}---\nHello", encoding="utf-8")
    prompt = load_prompt(path)
    assert prompt.version == "2024-08-06"
    assert prompt.metadata == {
        "release": "3.10", "strict": "no", "ratio": "1:30", "code": "012", "on": "2024-08-06T10:00:00Z",
    }  # fmt: skip
    changed = tmp_path / "changed.prompt"
    save_prompt(prompt.replace(model="openai/gpt-5"), changed)
    assert load_prompt(changed) == prompt.replace(model="openai/gpt-5")
    save_prompt(load_prompt(changed), path)
    assert path.read_bytes() == changed.read_bytes()
