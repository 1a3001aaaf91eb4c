r"""YAML as its writer meant it: plain data, and each scalar as it was written where nothing says that it is a number.

    no, on, 1:30, 2024-08-06, 012, 0o17, 0x1F, 1_000, .inf, .nan     texts
    true, false, null, ~                                             what they look like; in a field of texts the first
                                                                     two are texts
    3, 0.3                                                           numbers; in a field of texts they are texts
    1.10, 1e3, .5, +3, 0.1234567890123456789                         numbers in a field of numbers; elsewhere texts,
                                                                     as the number alone would be written otherwise
    keys                                                             texts

A format names its fields of texts and of numbers. What is kept when such data are written again is their values, not
comments, quotes and anchors. A line end in a text is ``\n`` however the file ends its lines, as YAML has it; ``"\r\n"``
in quotes is another, and is written so. For what is refused see `yaml_nodes`.
"""

from __future__ import annotations

import re
import reprlib
from collections.abc import Collection
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias, assert_never

import yaml

from prompt_adapters.errors import PromptFormatError
from prompt_adapters.formats.yaml_nodes import FaultError, Fields, Items, Node, Scalar, read_nodes

_Path: TypeAlias = tuple[str, ...]

_NULL = r"~|null|Null|NULL|"
_BOOL = r"true|True|TRUE|false|False|FALSE"
_INT = r"[-+]?(?:0|[1-9][0-9]*)"
_FLOAT = r"[-+]?(?:\.[0-9]+|(?:0|[1-9][0-9]*)(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?"
_NULLS = frozenset(_NULL.split("|"))
_BOOLS = frozenset(_BOOL.split("|"))
_WHOLE, _DECIMAL = re.compile(_INT), re.compile(_FLOAT)


# Reading


class YamlText(NamedTuple):
    """What a YAML text means.

    Attributes:
        data: Plain data, which share nothing.
        root: Their structure.
        first_line: The line of the file on which the text begins.
    """

    data: Any
    root: Node | None
    first_line: int

    def line(self, *place: str | int) -> int:
        """The line of the file on which something stands, or of the nearest that holds it.

        Args:
            place: The keys and indices that lead to it, as ``"user_prompt", 1``.
        """
        node, line = self.root, 0 if self.root is None else self.root.line
        for step in place:
            if isinstance(node, Fields) and isinstance(step, str) and step in node.fields:
                line, node = node.lines[step], node.fields[step]
            elif isinstance(node, Items) and isinstance(step, int) and step < len(node.items):
                node = node.items[step]
                line = node.line
            else:
                break
        return self.first_line + line


def parse_yaml(
    text: str,
    path: str | Path | None,
    first_line: int = 1,
    *,
    texts: Collection[str] = (),
    numbers: Collection[str] | None = None,
    lists: bool = False,
) -> YamlText:
    """Any YAML data, with the lines on which they stand; an empty text is an empty mapping.

    Args:
        text: The YAML text.
        path: The file, for errors.
        first_line: The line of the file on which the text begins.
        texts: The fields that hold texts whatever these look like, as ``version`` or ``user_prompt.text``: the keys
            that lead there, with lists on the way passed over. A list there is one of texts.
        numbers: The keys of the mapping at the top below which every number is one; None for all of them.
        lists: Whether `texts` are counted anew from each mapping in a list.

    Raises:
        PromptFormatError: It is not YAML, or has what is refused; the line is named.
    """
    rules = _Rules(
        frozenset(tuple(field.split(".")) for field in texts), None if numbers is None else frozenset(numbers), lists
    )
    try:
        root = read_nodes(text)
        data = None if root is None else rules.data(root, ())
    except FaultError as error:
        began = "" if error.began is None else f", in what begins on line {first_line + error.began}"
        reason = f"not valid YAML: {error.reason}{began}"
        raise PromptFormatError(path, first_line + error.line, reason) from None
    return YamlText({} if data is None else data, root, first_line)


def read_yaml(
    text: str,
    path: str | Path | None,
    first_line: int = 1,
    *,
    texts: Collection[str] = (),
    numbers: Collection[str] | None = None,
    lists: bool = False,
) -> Any:
    """The data of `parse_yaml`, whose arguments and errors these are."""
    return parse_yaml(text, path, first_line, texts=texts, numbers=numbers, lists=lists).data


def parse_yaml_mapping(
    text: str,
    path: str | Path | None,
    first_line: int = 1,
    *,
    texts: Collection[str] = (),
    numbers: Collection[str] | None = None,
) -> YamlText:
    """`parse_yaml` of a mapping.

    Raises:
        PromptFormatError: As `parse_yaml`; or it is no mapping.
    """
    found = parse_yaml(text, path, first_line, texts=texts, numbers=numbers)
    if not isinstance(found.data, dict):
        what = type(found.data).__name__
        raise PromptFormatError(path, found.line(), f"a mapping of names to values is expected, not {what}")
    return found


def read_yaml_mapping(
    text: str,
    path: str | Path | None,
    first_line: int = 1,
    *,
    texts: Collection[str] = (),
    numbers: Collection[str] | None = None,
) -> dict[str, Any]:
    """The data of `parse_yaml_mapping`, whose arguments and errors these are."""
    data: dict[str, Any] = parse_yaml_mapping(text, path, first_line, texts=texts, numbers=numbers).data
    return data


class _Rules(NamedTuple):
    """Which fields hold texts, and which numbers; see `parse_yaml`."""

    texts: frozenset[_Path]
    numbers: frozenset[str] | None
    lists: bool

    def data(self, node: Node, path: _Path, numbers: bool | None = None) -> Any:
        """Plain data.

        Args:
            node: Their structure.
            path: The keys that lead there.
            numbers: Whether every number there is one; None where no key at the top has said so.
        """
        match node:
            case Scalar():
                return self._scalar(node, path, numbers)
            case Items():
                inside = () if self.lists else path
                return [self.data(item, path if isinstance(item, Scalar) else inside, numbers) for item in node.items]
            case Fields():
                return {
                    key: self.data(value, (*path, key), self._holds_numbers(key) if numbers is None else numbers)
                    for key, value in node.fields.items()
                }
        assert_never(node)

    def _holds_numbers(self, key: str) -> bool:
        return self.numbers is None or key in self.numbers

    def _scalar(self, node: Scalar, path: _Path, numbers: bool | None) -> Any:
        text = node.text
        if not node.plain:
            return text
        if text in _NULLS:
            return None
        if path in self.texts:
            return text
        if text in _BOOLS:
            return text.lower() == "true"
        kind = int if _WHOLE.fullmatch(text) else float if _DECIMAL.fullmatch(text) else None
        if kind is None:
            return text
        number = _number(kind, text)
        if numbers is not False:
            if number is None:
                raise FaultError(f"no number is as large as {reprlib.repr(text)}", node.line)
            return number
        return text if number is None or text not in (repr(number), _written(number)) else number


def as_number(text: str) -> Any:
    """The number that a text says, or the text where it says none."""
    kind = int if _WHOLE.fullmatch(text) else float if _DECIMAL.fullmatch(text) else None
    number = None if kind is None else _number(kind, text)
    return text if number is None else number


def _number(kind: type[int] | type[float], text: str) -> int | float | None:
    """The number that is written; None when there is none as large."""
    try:
        number = kind(text)
    except ValueError:  # more digits than Python reads
        return None
    return None if number in (float("inf"), float("-inf")) else number


# Writing


class _Dumper(yaml.SafeDumper):
    """Quotes every text that this module, or a reader of YAML 1.1 or 1.2, would take for something else."""

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002 - PyYAML asks so
        """What stands twice is written twice."""
        return True


for _tag, _pattern, _first in (
    ("null", _NULL, ["~", "n", "N", ""]),
    ("bool", _BOOL, list("tTfF")),
    ("int", rf"{_INT}|0o[0-7]+", list("-+0123456789")),
    ("float", _FLOAT, list("-+.0123456789")),
):
    _Dumper.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(rf"^(?:{_pattern})$"), _first)


def _written(number: float) -> str:
    """A number as every reader of YAML takes it: with a point before an exponent."""
    text = repr(number)
    return text.replace("e", ".0e") if isinstance(number, float) and "e" in text and "." not in text else text


def _represent_text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = None
    if not all(character.isprintable() or character == "\n" for character in text):
        style = '"'  # the only style in which every character is read back as it was
    elif "\n" in text and not re.search(r"(^|\n) | (\n|$)", text):
        style = "|"
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _represent_text)
_Dumper.add_representer(
    float, lambda dumper, number: dumper.represent_scalar("tag:yaml.org,2002:float", _written(number))
)


def write_yaml(data: dict[str, Any] | list[Any]) -> str:
    """Plain data as YAML that `read_yaml` reads back equal; long texts as blocks, characters as they are."""
    return yaml.dump(data, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=10**9)
