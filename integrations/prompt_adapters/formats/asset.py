"""Prompt assets: one YAML file for each version of a prompt.

    prompt_id: demo/judge               ─► name
    version: v1                         ─► version
    system_prompt: |                    ─► the system turn (a Jinja template)
      You compare pictures.
    user_prompt:                        ─► the user turn, a block list; one text alone is a plain template
      - text: "Which is sharper, {{ hint }}?"
      - image: {source: candidates, index: 0}     the element of a list; without index the value, or all of a list
    model: gemini-2.5-flash             ─► model
    parameters: {temperature: 0}        ─► parameters
    metadata: {owner: vision}           ─► metadata

Audio, video and document items are written like image items. Another syntax is translated. What has no word here
(few-shot examples, several turns, literal media, what is declared of variables) is refused on saving; `held` leaves it
out. Texts are texts whatever they look like (``version: 1.10``), parameters have numbers, and metadata keep what was
written (`yaml_text`). Saving keeps values, not comments and quotes.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import MEDIA_PARTS
from prompt_adapters.errors import PromptFormatError, TemplateError
from prompt_adapters.formats.files import errors_named, read_text, write_text
from prompt_adapters.formats.holding import Holding, Placed, as_text, block_word, whole
from prompt_adapters.formats.joining import Joining
from prompt_adapters.prompt import Block, Prompt, Turn
from prompt_adapters.templates import compile_template
from prompt_adapters.turns import History

if TYPE_CHECKING:  # PyYAML takes long to import
    from prompt_adapters.formats.yaml_text import YamlText

SUFFIXES = (".yaml", ".yml")
SYNTAX = "jinja"
_WHAT = "a prompt asset"
_TEXTS = (
    "prompt_id",
    "version",
    "system_prompt",
    "user_prompt.text",
    *(f"user_prompt.{kind}.source" for kind in MEDIA_PARTS),
    "model",
)
_NUMBERS = ("user_prompt", "parameters")
_KEYS = ("prompt_id", "version", "system_prompt", "user_prompt", "model", "parameters", "metadata")


def detect(path: Path) -> bool:
    """Whether a YAML file is a mapping with a ``user_prompt``.

    Raises:
        PromptFormatError: It is not YAML, or not UTF-8.
    """
    if path.suffix.lower() not in SUFFIXES or not path.is_file():
        return False
    from prompt_adapters.formats.yaml_text import read_yaml  # PyYAML takes long to import

    data = read_yaml(read_text(path), path, texts=_TEXTS, numbers=_NUMBERS)
    return isinstance(data, dict) and "user_prompt" in data


def load(path: str | os.PathLike[str], *, syntax: str | None = None) -> Prompt:
    """Read a prompt asset.

    Args:
        path: The file.
        syntax: Another placeholder syntax than ``jinja``.

    Raises:
        PromptNotFoundError: (a ``FileNotFoundError``) There is no such file.
        PromptFormatError: It is not YAML, an item is malformed (its number is named), or a key is unknown; the line is
            named.
    """
    file = Path(path)
    return parse(read_text(file), file, syntax=syntax)


def parse(text: str, path: Path, *, syntax: str | None = None) -> Prompt:
    """The prompt that the text of an asset means; errors as for `load`."""
    file = _File(_read(text, path), path)
    if unknown := sorted(file.yaml.data.keys() - set(_KEYS)):
        with file.at(unknown[0]):
            raise _malformed(f"unknown key {unknown[0]!r}; what is yours goes under 'metadata'")
    syntax = syntax or SYNTAX
    system = file.text("system_prompt")
    with file.at("system_prompt"):
        _check(system or "", "system_prompt", syntax)
    with errors_named(path):
        return Prompt(
            system=system,
            user=_user(file, syntax),
            syntax=syntax,
            model=file.text("model"),
            parameters=file.mapping("parameters"),
            name=file.text("prompt_id"),
            version=file.text("version"),
            metadata=file.mapping("metadata"),
        )


def _read(text: str, path: Path) -> YamlText:
    from prompt_adapters.formats.yaml_text import parse_yaml_mapping  # PyYAML takes long to import

    return parse_yaml_mapping(text, path, texts=_TEXTS, numbers=_NUMBERS)


class _File(NamedTuple):
    """The data of a file, and where they stand in it."""

    yaml: YamlText
    path: Path

    @contextmanager
    def at(self, *place: str | int) -> Iterator[None]:
        """Errors about something in the file name its line."""
        try:
            yield
        except PromptFormatError as error:
            raise PromptFormatError(self.path, self.yaml.line(*place), error.reason) from error.__cause__

    def text(self, key: str) -> str | None:
        value = self.yaml.data.get(key)
        with self.at(key):
            if not isinstance(value, str | None):
                raise _malformed(f"{key!r} is a text, not {type(value).__name__}")
        return value

    def mapping(self, key: str) -> Mapping[str, Any] | None:
        value = self.yaml.data.get(key)
        with self.at(key):
            if not isinstance(value, Mapping | None):
                raise _malformed(f"{key!r} is a mapping of names to values, not {type(value).__name__}")
        return value


def _user(file: _File, syntax: str) -> str | list[Block]:
    items, blocks = file.yaml.data.get("user_prompt"), []
    with file.at("user_prompt"):
        if not isinstance(items, list) or not items:
            raise _malformed("a prompt asset needs 'user_prompt', a list of text and image items")
    for number, item in enumerate(items):
        with file.at("user_prompt", number):
            blocks.append(_block(item, f"user_prompt item {number + 1}", syntax))
    return blocks[0].template if len(blocks) == 1 and blocks[0].template is not None else blocks


def _block(item: object, where: str, syntax: str) -> Block:
    if isinstance(item, Mapping) and len(item) == 1:
        match next(iter(item.items())):
            case ("text", str() as template):
                _check(template, where, syntax)
                return Block("text", template=template)
            case (str() as kind, {"source": str() as source, **rest}) if kind in MEDIA_PARTS and rest.keys() <= {
                "index"
            }:
                try:
                    return Block(kind, variable=source, index=rest.get("index"))  # type: ignore[arg-type]  # Block checks
                except PromptFormatError as error:
                    raise _malformed(f"{where}: {error.reason}") from None
    raise _malformed(f"{where} is neither {{text: ...}} nor {{image: {{source: ..., index: ...}}}}")


def _check(template: str, where: str, syntax: str) -> None:
    """Compile a template, so that an error says where in the file it stands."""
    try:
        compile_template(template, syntax)
    except TemplateError as error:
        raise _malformed(f"{where}: {error}") from error


def _malformed(reason: str) -> PromptFormatError:
    return PromptFormatError(None, None, reason)


def save(prompt: Prompt, path: str | os.PathLike[str]) -> None:
    """Write a prompt asset, whole or not at all.

    Raises:
        PromptFormatError: The prompt has something that this format cannot hold; all of it is named.
        PromptDiskError: (an ``OSError``) The disk refuses; the old file is still there.
    """
    file = Path(path)
    write_text(file, dump(prompt, file))


def dump(prompt: Prompt, path: Path) -> str:
    """The YAML text that holds a prompt; errors as for `save`."""
    from prompt_adapters.formats.yaml_text import write_yaml  # PyYAML takes long to import

    prompt = whole(prompt, held, _WHAT, path)
    turns = {turn.role: turn for turn in prompt.messages if isinstance(turn, Turn)}
    data: dict[str, Any] = {"prompt_id": prompt.name, "version": prompt.version}
    data["system_prompt"] = turns["system"].content if "system" in turns else None
    data["user_prompt"] = [_item(block) for block in turns["user"].blocks]
    data["model"] = prompt.model
    data |= {key: value for key in ("parameters", "metadata") if (value := getattr(prompt, key))}
    text = write_yaml({key: value for key, value in data.items() if value is not None})
    if parse(text, path) != prompt:
        raise PromptFormatError(path, None, "a prompt asset cannot hold this prompt: it would not be read back equal")
    return text


def _item(block: Block) -> dict[str, Any]:
    if block.template is not None:
        return {"text": block.template}
    return {block.type: {"source": block.variable} | ({} if block.index is None else {"index": block.index})}


def held(prompt: Prompt) -> tuple[Prompt, tuple[str, ...]]:
    """The nearest prompt that an asset holds whole, and what of the given one it cannot hold.

    Raises:
        PromptFormatError: There is no user turn with anything in it, which an asset needs.
    """
    holding = Holding(prompt, _WHAT)
    if prompt.few_shot is not None and prompt.few_shot.format == "converse":
        holding.without_examples()
    holding.examples_to_messages()
    holding.to_syntax(SYNTAX)
    _unname_the_user(holding)
    holding.literals_to_turns()
    holding.without_declarations()
    users = [n for n, (_, entry) in enumerate(holding.entries) if isinstance(entry, Turn) and entry.role == "user"]
    if not users:
        raise _malformed("; ".join(("a prompt asset cannot hold a prompt without a user turn", *holding.losses)))
    system, user = holding.entries[: holding.leading], holding.entries[users[-1]]
    others = holding.entries[holding.leading : users[-1]] + holding.entries[users[-1] + 1 :]
    holding.losses += [f"{place}, as only a system text and the last user turn have a place" for place, _ in others]
    holding.entries = [*_system(system, holding), Placed(user.place, _user_turn(user, holding))]
    return holding.result()


def _unname_the_user(holding: Holding) -> None:
    """Take from the last user message, if it is a literal one, the name and the mark that no turn has."""
    users = [n for n, (_, e) in enumerate(holding.entries) if not isinstance(e, History) and e.role == "user"]
    if not users or not isinstance(entry := holding.entries[users[-1]].entry, Message):
        return
    place = holding.entries[users[-1]].place
    holding.losses += [f"{place}: its name {entry.name!r}"] if entry.name is not None else []
    holding.losses += [f"{place}: the end of a cacheable prefix"] if entry.cache else []
    holding.entries[users[-1]] = Placed(place, Message(entry.role, entry.parts))


def _system(entries: list[Placed], holding: Holding) -> list[Placed]:
    """The leading system turns as one text."""
    joining = Joining(SYNTAX)
    for place, entry in entries:
        turn, losses = as_text(entry, place, SYNTAX)
        holding.losses += losses
        if not isinstance(turn, Turn) or not turn.template:
            holding.losses += [] if losses else [f"{place}, which is empty"]
            continue
        before = bool(joining.text)
        if (fault := joining.add(turn.template, between="\n\n" if before else "")) is not None:
            holding.losses.append(f"{place}, a text {fault}")
            continue
        holding.losses += [f"{place}: the role 'developer'"] if turn.role == "developer" else []
        holding.losses += [f"{place}: its bounds, as one system text has a place"] if before else []
    return [Placed(entries[0].place, Turn("system", joining.text))] if joining.text else []


def _user_turn(user: Placed, holding: Holding) -> Turn:
    place, turn = user
    assert isinstance(turn, Turn)  # noqa: S101 - it was chosen so
    kept: list[Block] = []
    for number, block in enumerate(turn.blocks, 1):
        where = f"{place}, block {number}"
        if block.template is None and block.variable is None:
            holding.losses.append(f"{where}: {block_word(block)}")
            continue
        holding.losses += [f"{where}: the end of a cacheable prefix"] if block.cache else []
        kept.append(block.replace(cache=False))
    if len(kept) > 1 and not turn.spaced:
        holding.losses.append(f"{place}: that nothing stands between its blocks")
    if not kept or (len(kept) == 1 and kept[0].template == ""):
        raise _malformed("; ".join((f"a prompt asset cannot hold {place}, as nothing is left of it", *holding.losses)))
    only = kept[0].template if len(kept) == 1 else None
    return Turn("user", kept if only is None else only)
