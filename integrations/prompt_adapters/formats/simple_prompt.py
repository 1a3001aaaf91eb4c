"""``.prompt`` files with ``$system$``, ``$user$`` and ``$assistant$`` sections and ``%variable%`` slots.

    ---                         optional frontmatter (YAML)     model, name, version ─► the fields of that name
    model: gemini-2.5-flash                                     temperature and its like ─► parameters
    temperature: 0.3                                            everything else ─► metadata
    ---
    $system$                    a line that is exactly a marker begins a section; sections keep their order and may
    You are a critic.           repeat; the text of a section is stripped, its inner lines stay as they are
    $user$
    Review: %text%              %identifier% is a slot, %% a percent sign, any other % stays

A file without markers is the user prompt. A line that should read like a marker has a backslash in front. Sections are
split before anything is substituted, so no value can begin one.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from prompt_adapters.errors import PromptFormatError, TemplateError
from prompt_adapters.formats.files import read_text, write_text
from prompt_adapters.formats.yaml_text import read_yaml_mapping, write_yaml
from prompt_adapters.prompt import Prompt, Turn

SUFFIXES = (".prompt",)
PARAMETERS = frozenset(
    {
        "temperature", "top_p", "top_k", "max_tokens", "max_completion_tokens", "max_output_tokens", "stop",
        "stop_sequences", "seed", "presence_penalty", "frequency_penalty", "response_format", "reasoning_effort", "n",
        "logprobs", "top_logprobs", "logit_bias",
    }
)  # fmt: skip

_MARKER = re.compile(r"(?:^|(?<=\r))\$(system|user|assistant)\$[ \t]*(?:\r\n|\n|\r|\Z)", re.MULTILINE)
_ESCAPED = re.compile(r"(?:^|(?<=\r))\\(\\*\$(?:system|user|assistant)\$[ \t]*)(?=\r|\n|\Z)", re.MULTILINE)
_FENCE = re.compile(r"---[ \t]*(?:\r\n|\n|\r|\Z)")
_LINES = re.compile(r"[^\r\n]*(?:\r\n|\n|\r|\Z)")


def detect(path: Path) -> bool:
    """Whether a file is a ``.prompt`` file with a section marker."""
    if path.suffix not in SUFFIXES or not path.is_file():
        return False
    _, body, _ = split_frontmatter(read_text(path), path)
    return _MARKER.search(body) is not None


def load(path: Path, *, syntax: str | None = None) -> Prompt:
    """Read a ``.prompt`` file.

    Args:
        path: The file.
        syntax: Another placeholder syntax than ``percent``.

    Raises:
        PromptFormatError: The frontmatter is not closed or not YAML, text stands before the first marker, or there is
            no text at all.
        PromptNotFoundError: There is no such file.
    """
    return parse(read_text(path), path, syntax=syntax)


def parse(text: str, path: str | Path | None = None, *, syntax: str | None = None) -> Prompt:
    """The prompt that the text of a ``.prompt`` file means; as `load`."""
    frontmatter, body, line = split_frontmatter(text, path)
    sections = _sections(body, path, line)
    if not sections:
        raise PromptFormatError(path, None, "there is no prompt text; write some, with $user$ before it if you like")
    fields: dict[str, Any] = {key: frontmatter.pop(key) for key in ("model", "name", "version") if key in frontmatter}
    fields = {key: value if isinstance(value, str) else str(value) for key, value in fields.items() if value is not None}
    parameters = {key: frontmatter.pop(key) for key in list(frontmatter) if key in PARAMETERS}
    try:
        return Prompt(
            messages=sections, syntax=syntax or "percent", parameters=parameters, metadata=frontmatter, **fields
        )
    except TemplateError as error:
        raise PromptFormatError(path, None, str(error)) from error


def split_frontmatter(text: str, path: str | Path | None) -> tuple[dict[str, Any], str, int]:
    """The frontmatter, the body, and the line on which the body begins.

    Only a ``---`` on the very first line opens a frontmatter, and it must be closed.

    Raises:
        PromptFormatError: It is not closed, or not a YAML mapping.
    """
    opening = _FENCE.match(text)
    if opening is None:
        return {}, text, 1
    position, line = opening.end(), 2
    while position < len(text):
        if closing := _FENCE.match(text, position):
            yaml = text[opening.end() : position].replace("\r\n", "\n").replace("\r", "\n")
            return read_yaml_mapping(yaml, path, 2), text[closing.end() :], line + 1
        step = _LINES.match(text, position)
        position, line = step.end() if step else len(text), line + 1
    raise PromptFormatError(path, 1, "the frontmatter that '---' opens here is not closed by a line '---'")


def _sections(body: str, path: str | Path | None, line: int) -> list[tuple[str, str]]:
    markers = list(_MARKER.finditer(body))
    if not markers:
        return [("user", text)] if (text := _unescaped(body)) else []
    if before := body[: markers[0].start()].strip():
        where = line + body[: body.index(before)].count("\n")
        raise PromptFormatError(path, where, f"text stands before the first section marker: {before[:40]!r}")
    ends = [*(marker.start() for marker in markers[1:]), len(body)]
    texts = [_unescaped(body[marker.end() : end]) for marker, end in zip(markers, ends, strict=True)]
    return [(marker[1], text) for marker, text in zip(markers, texts, strict=True) if text]


def _unescaped(text: str) -> str:
    return _ESCAPED.sub(r"\1", text.strip())


def save(prompt: Prompt, path: Path) -> None:
    """Write a ``.prompt`` file.

    Raises:
        PromptFormatError: The prompt has something that this format cannot hold; it is named.
    """
    text = dump(prompt, path)
    write_text(path, text)


def dump(prompt: Prompt, path: str | Path | None = None) -> str:
    """The text of the ``.prompt`` file that holds a prompt; as `save`."""
    if losses := list(_losses(prompt)):
        raise PromptFormatError(path, None, f"a .prompt file cannot hold {'; '.join(losses)}")
    fields = {key: value for key in ("model", "name", "version") if (value := getattr(prompt, key)) is not None}
    frontmatter = {**fields, **prompt.parameters, **prompt.metadata}
    head = f"---\n{write_yaml(frontmatter)}---\n" if frontmatter else ""
    turns = [entry for entry in prompt.messages if isinstance(entry, Turn)]
    body = "\n".join(f"${turn.role}$\n{_escaped(turn.template)}\n" for turn in turns)
    if parse(text := head + body, path, syntax=prompt.syntax) != prompt:
        raise PromptFormatError(path, None, "a .prompt file cannot hold this prompt: it would not be read back equal")
    return text


def _escaped(text: str) -> str:
    return re.sub(r"^(?=\\*\$(?:system|user|assistant)\$[ \t]*(?:\r|\n|\Z))", r"\\", text, flags=re.MULTILINE)


def _losses(prompt: Prompt) -> list[str]:
    losses = [] if prompt.syntax == "percent" else [f"the placeholder syntax {prompt.syntax!r}"]
    losses += ["few-shot examples"] if prompt.few_shot is not None else []
    losses += ["declared variables"] if prompt.declared else []
    for number, entry in enumerate(prompt.messages, 1):
        if not isinstance(entry, Turn) or not isinstance(entry.content, str):
            losses.append(f"message {number} ({type(entry).__name__.lower()}), which is no plain text template")
        elif entry.role == "developer":
            losses.append(f"the role of message {number}, 'developer'")
        elif entry.content != entry.content.strip() or not entry.content:
            losses.append(f"the blanks round the text of message {number}")
    keys = prompt.metadata.keys() & (PARAMETERS | {"model", "name", "version"}) | prompt.parameters.keys() - PARAMETERS
    return losses + [f"{key!r}, whose place in the frontmatter means something else" for key in sorted(keys)]
