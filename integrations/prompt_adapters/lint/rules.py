"""The rules: one row each, with what it is called, how much it weighs, and what it finds."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple, TypeAlias

from prompt_adapters.lint.texts import PlacedText

Severity: TypeAlias = Literal["error", "warning", "note"]


class Rule(NamedTuple):
    """A row of the table of rules.

    Attributes:
        id: Its name, as ``unused-variable``.
        severity: ``error`` for what fails or leaks as it stands, ``warning`` for what is hardly meant, ``note`` for
            what may well be meant.
        sentence: What it finds.
    """

    id: str
    severity: Severity
    sentence: str


RULES: Mapping[str, Rule] = MappingProxyType(
    {
        rule.id: rule
        for rule in (
            Rule("unreadable", "error", "The file cannot be read as a prompt."),
            Rule("secret", "error", "The file holds what looks like a key or another secret."),
            Rule(
                "unsafe-template",
                "error",
                "A template asks for what none may have, or for too much, whatever its values.",
            ),
            Rule("unknown-model", "error", "The provider of the model cannot be told, or it is no chat model."),
            Rule("unsupported-media", "error", "The model does not take a medium, or not in this turn."),
            Rule("refused-prefill", "error", "The model refuses a final assistant turn."),
            Rule("refused-turns", "error", "The model refuses the order of the turns, or something in them."),
            Rule("refused-parameter", "error", "The model refuses a parameter."),
            Rule(
                "undeclared-variable",
                "warning",
                "A template uses a variable that is not declared, in a prompt that declares one which must be given.",
            ),
            Rule("unused-variable", "warning", "A variable is declared that no template uses."),
            Rule("foreign-placeholder", "warning", "A text looks like a placeholder, but of another syntax."),
            Rule("hidden-character", "warning", "A text holds a character that nobody sees."),
            Rule("empty-message", "warning", "A message or an example has nothing in it."),
            Rule("link-not-read", "warning", "The model does not read links, so a medium has to be downloaded."),
            Rule("prefill-not-continued", "warning", "The model takes a final assistant turn without continuing it."),
            Rule("example-secret", "note", "The file holds what looks like a secret, but says that it is an example."),
            Rule("unlisted-model", "note", "The table of models lacks the model, but has one that is called alike."),
            Rule("trailing-blanks", "note", "Lines of a text end in blanks."),
        )
    }
)


class Fault(NamedTuple):
    """What a check has found in a prompt.

    Attributes:
        rule: The id of the rule.
        sentence: What is wrong.
        text: The text in which it stands, if it stands in one.
        offset: Where it begins there, in characters.
    """

    rule: str
    sentence: str
    text: PlacedText | None = None
    offset: int = 0


class Finding(NamedTuple):
    """A fault with its place on the disk.

    Attributes:
        rule: The rule.
        path: The file, or the directory where it cannot be told which of its files.
        line: The 1-based line, when it is known.
        sentence: What is wrong; no secret stands in it.
    """

    rule: Rule
    path: str
    line: int | None
    sentence: str
