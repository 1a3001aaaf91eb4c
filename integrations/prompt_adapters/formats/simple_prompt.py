r"""``.prompt`` files with ``$system$``, ``$user$`` and ``$assistant$`` sections and ``%variable%`` slots.

    ---                         optional frontmatter (YAML)     model, name, version ─► the fields of that name
    model: gemini-2.5-flash                                     temperature and its like ─► parameters
    temperature: 0.3                                            everything else ─► metadata
    ---
    $system$                    a line that is exactly a marker begins a section; sections keep their order and may
    You are a critic.           repeat; the text of a section is stripped, its inner lines stay as they are
    $user$
    Review: %text%              %identifier% is a slot, %% a percent sign, any other % stays

A file without markers is the user prompt, and a section without text is none. A line that should read like a marker has
a backslash in front: ``\$user$``. Sections are split before anything is substituted, so no value can begin one. Saving
keeps the values of the frontmatter, not its comments and quotes; what is neither a field nor a parameter is kept as it
was written (`yaml_text`).
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any, NamedTuple

from prompt_adapters.errors import PromptFormatError, TemplateError
from prompt_adapters.formats.files import read_text, write_text
from prompt_adapters.formats.holding import Holding, Kept, read_back, whole
from prompt_adapters.prompt import Prompt, Turn
from prompt_adapters.templates import compile_template
from prompt_adapters.templates.scan import line_of
from prompt_adapters.turns import Entry

SUFFIX = ".prompt"
SYNTAX = "percent"
_WHAT = "a .prompt file"
FIELDS = ("model", "name", "version")
PARAMETERS = frozenset(
    {
        "temperature", "top_p", "top_k", "max_tokens", "max_completion_tokens", "max_output_tokens", "stop",
        "stop_sequences", "seed", "presence_penalty", "frequency_penalty", "response_format", "reasoning_effort", "n",
        "logprobs", "top_logprobs", "logit_bias",
    }
)  # fmt: skip

_START = r"(?:^|(?<=\r))"  # of a line, however the line before it ends
_END = r"(?:\r\n|\n|\r|\Z)"
_ROLE = r"\$(system|user|assistant)\$[ \t]*"
_MARKER = re.compile(rf"{_START}{_ROLE}{_END}", re.MULTILINE)
_LIKE_A_MARKER = re.compile(rf"{_START}(?=\\*{_ROLE}{_END})", re.MULTILINE)
_ESCAPED = re.compile(rf"{_START}\\(?=\\*{_ROLE}{_END})", re.MULTILINE)
_FENCE = re.compile(rf"{_START}---[ \t]*{_END}", re.MULTILINE)


class _Section(NamedTuple):
    role: str
    text: str
    line: int  # on which its text begins


def detect(path: Path) -> bool:
    """Whether a ``.prompt`` file has a section marker, or is plain text.

    One without a marker in which ``{{`` stands belongs to another format of that suffix.

    Raises:
        PromptFormatError: Its frontmatter is malformed, or it is not UTF-8.
    """
    if path.suffix.lower() != SUFFIX or not path.is_file():
        return False
    _, body, _ = split_frontmatter(read_text(path), path)
    return has_markers(body) or "{{" not in body


def has_markers(body: str) -> bool:
    """Whether a line of a text is a section marker."""
    return _MARKER.search(body) is not None


def without_markers(body: str, guard: str) -> str:
    """A text with something in front of each line that would be a section marker."""
    return _MARKER.sub(lambda found: guard + found[0], body)


def load(path: str | os.PathLike[str], *, syntax: str | None = None) -> Prompt:
    """Read a ``.prompt`` file.

    Args:
        path: The file.
        syntax: Another placeholder syntax than ``percent``.

    Raises:
        PromptNotFoundError: (a ``FileNotFoundError``) There is no such file.
        PromptFormatError: The frontmatter is not closed or not YAML, text stands before the first marker, there is no
            text at all, or the file is not UTF-8; the line is named.
    """
    file = Path(path)
    return parse(read_text(file), file, syntax=syntax)


def parse(text: str, path: str | Path | None = None, *, syntax: str | None = None) -> Prompt:
    """The prompt that the text of a ``.prompt`` file means; errors as for `load`."""
    frontmatter, body, line = split_frontmatter(text, path)
    sections = _sections(body, path, line)
    if not sections:
        raise PromptFormatError(path, None, "there is no prompt text; write some, with $user$ before it if you like")
    for section in sections:
        try:
            compile_template(section.text, syntax or SYNTAX)
        except TemplateError as error:
            where = None if error.line is None else section.line + error.line - 1
            raise PromptFormatError(path, where, error.reason) from error
    fields = {key: frontmatter.pop(key) for key in FIELDS if key in frontmatter}
    return Prompt(
        messages=[(section.role, section.text) for section in sections],
        syntax=syntax or SYNTAX,
        parameters={key: frontmatter.pop(key) for key in list(frontmatter) if key in PARAMETERS},
        metadata=frontmatter,
        **fields,
    )


def split_frontmatter(text: str, path: str | Path | None) -> tuple[dict[str, Any], str, int]:
    """The frontmatter, the body, and the line on which the body begins.

    Only a ``---`` on the very first line opens a frontmatter, and it must be closed.

    Raises:
        PromptFormatError: It is not closed, not a YAML mapping, or a field in it is no text; the line is named.
    """
    opening = _FENCE.match(text)
    if opening is None:
        return {}, text, 1
    closing = _FENCE.search(text, opening.end())
    if closing is None:
        raise PromptFormatError(path, 1, "the frontmatter that '---' opens here is not closed by a line '---'")
    from prompt_adapters.formats.yaml_text import parse_yaml_mapping  # PyYAML takes long to import

    found = parse_yaml_mapping(text[opening.end() : closing.start()], path, 2, texts=FIELDS, numbers=PARAMETERS)
    frontmatter: dict[str, Any] = found.data
    for key in FIELDS:
        if not isinstance(value := frontmatter.get(key), str | None):
            reason = f"the frontmatter's {key!r} is a text, not {type(value).__name__}"
            raise PromptFormatError(path, found.line(key), reason)
    return frontmatter, text[closing.end() :], line_of(text, closing.end())


def _sections(body: str, path: str | Path | None, line: int) -> list[_Section]:
    markers = list(_MARKER.finditer(body))
    start = markers[0].start() if markers else len(body)
    before = _section("user", body, 0, start, line)
    if markers and before.text:
        raise PromptFormatError(path, before.line, f"text stands before the first section marker: {before.text[:40]!r}")
    ends = [*(marker.start() for marker in markers[1:]), len(body)]
    found = [_section(m[1], body, m.end(), end, line) for m, end in zip(markers, ends, strict=False)]
    return [section for section in found or [before] if section.text]


def _section(role: str, body: str, start: int, end: int, line: int) -> _Section:
    """The section of a role that stands between two places of a body, which begins on a line."""
    text = body[start:end]
    begins = start + len(text) - len(text.lstrip())
    return _Section(role, _ESCAPED.sub("", text.strip()), line + line_of(body, begins) - 1)


def save(prompt: Prompt, path: str | os.PathLike[str]) -> None:
    """Write a ``.prompt`` file, whole or not at all.

    Raises:
        PromptFormatError: The prompt has something that this format cannot hold; all of it is named.
        OSError: The disk refuses; the old file is still there.
    """
    file = Path(path)
    write_text(file, dump(prompt, file))


def dump(prompt: Prompt, path: str | Path | None = None) -> str:
    """The text of the ``.prompt`` file that holds a prompt; errors as for `save`."""
    prompt = whole(prompt, held, _WHAT, path)
    fields = {key: value for key in FIELDS if (value := getattr(prompt, key)) is not None}
    head = ""
    if frontmatter := {**fields, **prompt.parameters, **prompt.metadata}:
        from prompt_adapters.formats.yaml_text import write_yaml  # PyYAML takes long to import

        head = f"---\n{write_yaml(frontmatter)}---\n"
    turns = [entry for entry in prompt.messages if isinstance(entry, Turn)]
    text = head + "\n".join(f"${turn.role}$\n{_LIKE_A_MARKER.sub(_BACKSLASH, turn.template)}\n" for turn in turns)
    return read_back(text, parse(text, path), prompt, _WHAT, path)


_BACKSLASH = r"\\"


def held(prompt: Prompt) -> tuple[Prompt, tuple[str, ...]]:
    """The nearest prompt that a ``.prompt`` file holds whole, and what of the given one it cannot hold.

    Raises:
        PromptFormatError: No text is left.
    """
    holding = Holding(prompt, _WHAT)
    holding.examples_to_messages()
    holding.to_syntax(SYNTAX)
    holding.to_texts()
    holding.each(_section_of)
    holding.without_declarations()
    holding.only_keys("parameters", PARAMETERS.__contains__)
    holding.only_keys("metadata", lambda key: key not in PARAMETERS and key not in FIELDS)
    return holding.result()


def _section_of(entry: Entry, place: str) -> Kept:
    """A text turn as a section holds it: system, user or assistant, not empty, without blanks round its text."""
    assert isinstance(entry, Turn)  # noqa: S101 - the others are gone
    role = "system" if entry.role == "developer" else entry.role
    losses = [f"{place}: the role {entry.role!r}"] if role != entry.role else []
    text = entry.template.strip()
    if not text:
        return None, [f"{place}, which is empty"]
    losses += [f"{place}: the blanks round its text"] if text != entry.template else []
    return Turn(role, text), losses
