"""Prompt assets: one YAML file per version of a prompt.

    prompt_id: demo/judge               ─► name
    version: v1                         ─► version
    system_prompt: |                    ─► the system turn (a Jinja template)
      You compare pictures.
    user_prompt:                        ─► the user turn, a block list
      - text: "Which is sharper, {{ hint }}?"
      - image: {source: candidates, index: 0}     the element of a list; without index the value, or all of a list
    metadata: {owner: vision}           ─► metadata

Audio, video and document items are written like image items. What has no word here (few-shot examples, several turns,
literal parts, declared variables, another syntax) is refused on saving.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from prompt_adapters.content.parts import MEDIA_PARTS
from prompt_adapters.errors import PromptFormatError, TemplateError
from prompt_adapters.formats.files import read_text, write_text
from prompt_adapters.formats.yaml_text import read_yaml_mapping, write_yaml
from prompt_adapters.prompt import Block, Prompt, Turn

SUFFIXES = (".yaml", ".yml")
_KEYS = ("prompt_id", "version", "system_prompt", "user_prompt", "model", "parameters", "metadata")


def detect(path: Path) -> bool:
    """Whether a file is a YAML mapping with a ``user_prompt``."""
    if path.suffix not in SUFFIXES or not path.is_file():
        return False
    try:
        return "user_prompt" in read_yaml_mapping(read_text(path), path)
    except PromptFormatError:
        return False


def load(path: Path, *, syntax: str | None = None) -> Prompt:
    """Read a prompt asset.

    Raises:
        PromptFormatError: It is not YAML, an item is malformed (its number is named), or a key is unknown.
        PromptNotFoundError: There is no such file.
    """
    data = read_yaml_mapping(read_text(path), path)
    if "user_prompt" not in data:
        raise PromptFormatError(path, None, "a prompt asset needs 'user_prompt', a list of items")
    if unknown := sorted(data.keys() - set(_KEYS)):
        raise PromptFormatError(path, None, f"unknown key {unknown[0]!r}; what is yours goes under 'metadata'")
    try:
        return Prompt(
            system=_text(data, "system_prompt") or None,
            user=_blocks(data["user_prompt"]),
            syntax=syntax or "jinja",
            model=_text(data, "model"),
            parameters=data.get("parameters"),
            name=_text(data, "prompt_id"),
            version=_text(data, "version"),
            metadata=data.get("metadata"),
        )
    except PromptFormatError as error:
        raise PromptFormatError(path, error.line, error.reason) from None
    except TemplateError as error:
        raise PromptFormatError(path, None, str(error)) from error


def _text(data: Mapping[str, Any], key: str) -> str | None:
    value = data.get(key)
    if value is None or isinstance(value, str):
        return value
    if key == "version" and isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    raise PromptFormatError(None, None, f"{key!r} is a text, not {type(value).__name__}")


def _blocks(items: object) -> list[Block]:
    if not isinstance(items, list) or not items:
        raise PromptFormatError(None, None, "'user_prompt' is a list of text and image items")
    return [_block(item, number) for number, item in enumerate(items, 1)]


def _block(item: object, number: int) -> Block:
    if isinstance(item, Mapping) and len(item) == 1:
        match next(iter(item.items())):
            case ("text", str() as template):
                return Block("text", template=template)
            case (str() as kind, {"source": str() as source, **rest}) if kind in MEDIA_PARTS and rest.keys() <= {"index"}:
                return Block(kind, variable=source, index=rest.get("index"))
    raise PromptFormatError(
        None, None, f"user_prompt item {number} is neither {{text: ...}} nor {{image: {{source: ..., index: ...}}}}"
    )


def save(prompt: Prompt, path: Path) -> None:
    """Write a prompt asset.

    Raises:
        PromptFormatError: The prompt has something that this format cannot hold; it is named.
    """
    write_text(path, dump(prompt, path))


def dump(prompt: Prompt, path: str | Path | None = None) -> str:
    """The YAML text that holds a prompt; as `save`."""
    if losses := _losses(prompt):
        raise PromptFormatError(path, None, f"a prompt asset cannot hold {'; '.join(losses)}")
    turns = {turn.role: turn for turn in prompt.messages if isinstance(turn, Turn)}
    data: dict[str, Any] = {"prompt_id": prompt.name, "version": prompt.version}
    data["system_prompt"] = turns["system"].content if "system" in turns else None
    data["user_prompt"] = [_item(block) for block in turns["user"].blocks]
    data |= {"model": prompt.model, "parameters": prompt.parameters, "metadata": prompt.metadata}
    return write_yaml({key: value for key, value in data.items() if value})


def _item(block: Block) -> dict[str, Any]:
    if block.template is not None:
        return {"text": block.template}
    return {block.type: {"source": block.variable} | ({} if block.index is None else {"index": block.index})}


def _losses(prompt: Prompt) -> list[str]:
    losses = [] if prompt.syntax == "jinja" else [f"the placeholder syntax {prompt.syntax!r}"]
    losses += ["few-shot examples"] if prompt.few_shot is not None else []
    losses += ["declared variables"] if prompt.declared else []
    roles = [getattr(entry, "role", "history") for entry in prompt.messages]
    if roles not in (["user"], ["system", "user"]) or not all(isinstance(entry, Turn) for entry in prompt.messages):
        return [*losses, "anything but one system text and one user turn"]
    *system, user = (entry for entry in prompt.messages if isinstance(entry, Turn))
    losses += ["a system turn of blocks"] if system and not isinstance(system[0].content, str) else []
    losses += ["a user turn that is one template (give it as a block list)"] if isinstance(user.content, str) else []
    losses += [f"user block {n}, a literal part" for n, block in enumerate(user.blocks, 1) if block.part is not None]
    return losses + [f"the cache mark of user block {n}" for n, block in enumerate(user.blocks, 1) if block.cache]
