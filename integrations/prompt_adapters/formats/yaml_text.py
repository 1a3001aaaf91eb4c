"""YAML as its writer meant it: the scalars of JSON, no duplicate keys, plain data only.

``no``, ``1:30``, ``2024-08-06``, ``012``, ``0x1F`` and ``.inf`` are texts; ``true``, ``3``, ``0.3``, ``1e3`` and ``~``
are what they look like. What is kept when such data are written again is their values: not comments, and not spelling
(``3.10`` is the number 3.1).
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Hashable
from pathlib import Path
from typing import Any

import yaml

from prompt_adapters.errors import PromptFormatError

MAX_ALIASES = 100
MAX_NODES = 1_000_000


_TAG = "tag:yaml.org,2002:"


class _Loader(yaml.SafeLoader):
    """PyYAML's safe loader with other scalars; see the module's docstring."""

    # Each class of PyYAML adds to a table of its own when it is not empty, so this one starts from nothing.
    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}  # noqa: RUF012 - PyYAML's own attribute

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._aliases = 0

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        if self.check_event(yaml.AliasEvent):
            self._aliases += 1
            if self._aliases > MAX_ALIASES:
                event = self.peek_event()  # type: ignore[no-untyped-call]  # PyYAML's stubs leave it out
                raise _refused(f"more than {MAX_ALIASES} aliases", event)
        return super().compose_node(parent, index)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        seen: set[str] = set()
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise _refused("a key must be a text", key)
            if key.value in seen:
                raise _refused(f"the key {key.value!r} stands twice", key)
            seen.add(key.value)
        return super().construct_mapping(node, deep)


def _refused(problem: str, where: Any) -> yaml.MarkedYAMLError:
    return yaml.MarkedYAMLError(problem=problem, problem_mark=where.start_mark)


_SCALARS = (
    ("null", r"~|null|Null|NULL|", ["~", "n", "N", ""]),
    ("bool", r"true|True|TRUE|false|False|FALSE", list("tTfF")),
    ("int", r"[-+]?(?:0|[1-9][0-9]*)", list("-+0123456789")),
    ("float", r"[-+]?(?:\.[0-9]+|(?:0|[1-9][0-9]*)(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?", list("-+.0123456789")),
)


class _Dumper(yaml.SafeDumper):
    """Quotes every text that this loader, or one for YAML 1.1, would take for something else."""


for _tag, _pattern, _first in _SCALARS:
    for _class in (_Loader, _Dumper):
        _class.add_implicit_resolver(f"{_TAG}{_tag}", re.compile(rf"^(?:{_pattern})$"), _first)


def _represent_text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = None
    if not all(character.isprintable() or character == "\n" for character in text):
        style = '"'  # the only style in which every character is read back as it was
    elif "\n" in text and not re.search(r"(^|\n) | (\n|$)", text):
        style = "|"
    return dumper.represent_scalar(f"{_TAG}str", text, style=style)


_Dumper.add_representer(str, _represent_text)


def read_yaml_mapping(
    text: str, path: str | Path | None, first_line: int = 1, *, texts: Collection[str] = ()
) -> dict[str, Any]:
    """A YAML mapping with text keys; an empty text is an empty mapping.

    Args:
        text: The YAML text.
        path: The file, for errors.
        first_line: The line of the file on which the text begins.
        texts: Keys of the mapping whose values are texts whatever they look like, as a version ``3.10``.

    Raises:
        PromptFormatError: It is not YAML, not a mapping, or a key stands twice; the line is named.
    """
    data = read_yaml(text, path, first_line, texts=texts)
    if not isinstance(data, dict) or not all(isinstance(key, str) for key in data):
        what = "one of whose names is no text" if isinstance(data, dict) else type(data).__name__
        raise PromptFormatError(path, first_line, f"a mapping of names to values is expected, not {what}")
    return data


def read_yaml(
    text: str, path: str | Path | None, first_line: int = 1, *, texts: Collection[str] = (), lists: bool = False
) -> Any:
    """Any YAML data; an empty text is an empty mapping.

    Args:
        text: The YAML text.
        path: The file, for errors.
        first_line: The line of the file on which the text begins.
        texts: Keys whose values are texts whatever they look like, in a mapping at the top.
        lists: Whether that holds for mappings in lists as well, and in lists of these.

    Raises:
        PromptFormatError: It is not YAML, or a key stands twice; the line is named.
    """
    try:
        data = _parsed(text, texts, lists)
        if _expanded_size(data, {}) > MAX_NODES:
            raise ValueError(f"aliases expand it to more than {MAX_NODES} nodes")
        json.dumps(data, allow_nan=False)
    except yaml.MarkedYAMLError as error:
        line = None if error.problem_mark is None else first_line + error.problem_mark.line
        raise PromptFormatError(path, line, f"not valid YAML: {error.problem}") from None
    except yaml.reader.ReaderError as error:
        line = first_line + text.count("\n", 0, error.position)
        raise PromptFormatError(path, line, f"not valid YAML: the character U+{error.character:04X}") from None
    except RecursionError:
        raise PromptFormatError(path, first_line, "the YAML is nested too deeply") from None
    except (TypeError, ValueError, LookupError, AttributeError) as error:  # PyYAML's own, for tags that do not fit
        raise PromptFormatError(path, first_line, f"plain data are expected: {error}") from None
    return data


def _parsed(text: str, texts: Collection[str], lists: bool) -> Any:
    loader = _Loader(text)
    try:
        root = loader.get_single_node()
        _keep_texts(root, texts, lists)
        data = None if root is None else loader.construct_document(root)
    finally:
        loader.dispose()
    return {} if data is None else data


def _keep_texts(node: yaml.Node | None, texts: Collection[str], lists: bool) -> None:
    """Make the values of some keys texts, as they are written."""
    seen: set[int] = set()  # an alias leads to a node again, or into itself
    nodes = [node]
    while nodes:
        node = nodes.pop()
        if isinstance(node, yaml.SequenceNode) and lists and id(node) not in seen:
            seen.add(id(node))
            nodes += node.value
        for key, value in node.value if isinstance(node, yaml.MappingNode) else ():
            if isinstance(value, yaml.SequenceNode):
                nodes.append(value)
            elif key.value in texts and isinstance(value, yaml.ScalarNode) and value.tag != f"{_TAG}null":
                value.tag = f"{_TAG}str"


def _expanded_size(data: Any, sizes: dict[int, float]) -> float:
    """The number of nodes with every alias written out; infinite for one that holds itself."""
    if not isinstance(data, dict | list):
        return 1
    if id(data) not in sizes:
        sizes[id(data)] = float("inf")
        children = data.values() if isinstance(data, dict) else data
        sizes[id(data)] = 1 + sum(_expanded_size(child, sizes) for child in children)
    return sizes[id(data)]


def write_yaml(data: dict[str, Any] | list[Any]) -> str:
    """Plain data as YAML that `read_yaml_mapping` reads back equal; long texts as blocks, characters as they are."""
    return yaml.dump(data, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=10**9)
