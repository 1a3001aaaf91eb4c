"""The content of a turn in other libraries' words: read as a template, as blocks, or as a literal message; and written.

==========================================  ==========================================================================
content                                     what it is
==========================================  ==========================================================================
a text, or a list of one                    a template
blocks without placeholders                 a literal message
blocks with placeholders                    blocks as they stand, without separators: a text, or a text with
                                            ``cache_control``, is a template, and every other block a pattern
``{"type": "image", "variable": "photo"}``  this package's own block: its list has separators, as in `Prompt`
parts                                       fixed blocks
==========================================  ==========================================================================

Written, a text without logic is an f-string template, a template with logic stays one of Jinja or Mustache, and a block
is an object whose texts are f-string templates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, NoReturn

from prompt_adapters.blocks import Block
from prompt_adapters.content.parts import Part, Text, as_part
from prompt_adapters.content.plain_data import WHOLE_DEPTH, check_plain
from prompt_adapters.content.read import read_message, read_part
from prompt_adapters.content.read_blocks import cache_mark
from prompt_adapters.errors import PromptFormatError, TemplateError, UnsupportedContentError
from prompt_adapters.patterns import Pattern
from prompt_adapters.templates import Slot, compile_template
from prompt_adapters.templates.formats import escaped, segments, slot
from prompt_adapters.templates.mustache import unescaped
from prompt_adapters.templates.separators import get_separator
from prompt_adapters.turns import Entry, Turn

# LangChain's mark of a system message that is the developer's.
DEVELOPER: Mapping[str, str] = {"__openai_role__": "developer"}
# Where LangChain's own prompts carry settings, among their metadata.
SETTINGS_KEY = "prompt_adapters"

_TEXT_KEYS = frozenset({"type", "text", "cache_control", "cache"})


def response_format(form: Mapping[str, Any]) -> dict[str, Any]:
    """The parameter ``response_format`` that asks for an answer in the form of a JSON Schema."""
    return {"type": "json_schema", "json_schema": {"name": form.get("title", "answer"), "schema": dict(form)}}


def said(role: str, content: Any, where: str, syntax: str) -> Entry:
    """A turn of one role.

    Args:
        role: The role.
        content: What LangChain takes for its content, or what a `Turn` takes.
        where: What an error calls it.
        syntax: How placeholders are written.

    Raises:
        PromptFormatError: (a ``ValueError``) It is no content.
        TemplateError: (a ``ValueError``) A template cannot be compiled.
        MediaError: (a ``ValueError``) A literal block's media are broken.
    """
    if isinstance(content, str):
        return Turn(role, content)
    check_plain(content, f"{where}: the data of its content", WHOLE_DEPTH)
    if isinstance(content, Mapping) and has_placeholders(content, where, syntax):
        content = [content]
    if not isinstance(content, list | tuple):
        return read_message((role, literal(content, where, syntax)), where)
    if len(content) == 1 and (text := _text_of(content[0])) is not None:
        return Turn(role, text)
    if any(map(_is_own, content)):
        return Turn(role, [_block(block, _at(where, n), syntax) for n, block in enumerate(content, 1)])
    if not any(has_placeholders(block, _at(where, n), syntax) for n, block in enumerate(content, 1)):
        return read_message((role, literal(content, where, syntax)), where)
    return Turn(role, [_block(block, _at(where, n), syntax) for n, block in enumerate(content, 1)], spaced=False)


def said_in(role: str, blocks: Sequence[tuple[str, Any]], where: str, own: str) -> tuple[Entry, str]:
    """A turn of blocks that each say how their placeholders are written, and its syntax; errors as for `said`.

    Args:
        role: The role.
        blocks: Each block with its syntax.
        where: What an error calls the turn.
        own: The syntax of a turn without blocks.
    """
    syntaxes = sorted({syntax for syntax, _ in blocks}) or [own]
    if len(syntaxes) > 1:
        written = " and ".join(syntaxes)
        raise PromptFormatError(None, None, f"{where}: its blocks are written in {written}; write one format")
    return said(role, [block for _, block in blocks], where, syntaxes[0]), syntaxes[0]


def _at(where: str, number: int) -> str:
    return f"{where}, block {number}"


def _is_own(block: Any) -> bool:
    if isinstance(block, Mapping):
        return "variable" in block or ("content" in block and block.get("type") != "tool_result")
    return isinstance(block, Block | Pattern) or (not isinstance(block, str) and as_part(block) is not None)


def _text_of(block: Any) -> str | None:
    """The text of a text block that is nothing else."""
    if isinstance(block, Mapping) and block.keys() <= {"type", "text"} and block.get("type", "text") == "text":
        block = block.get("text")
    return block if isinstance(block, str) else None


def _block(block: Any, where: str, syntax: str) -> Block:
    """One block of a list with placeholders."""
    if _is_own(block):
        return Block.read(block, where)
    if (text := _text_of(block)) is not None:
        return Block("text", template=text)
    if not isinstance(block, Mapping):
        raise PromptFormatError(
            None,
            None,
            f"{where} is {type(block).__name__}, neither text, a part nor a block; wrap media, as Image(...)",
        )
    if block.get("type", "text") == "text" and "text" in block and block.keys() <= _TEXT_KEYS:
        return Block("text", template=block["text"], cache=cache_mark(block, where))
    if not has_placeholders(block, where, syntax):
        return Block.read(read_part(literal(block, where, syntax), where), where)
    return pattern(block, where)


def pattern(block: Mapping[str, Any], where: str) -> Block:
    """A block of another library whose texts are templates.

    Raises:
        PromptFormatError: (a ``ValueError``) It is no known block, or a value would choose what is read from this
            machine.
    """
    _refuse_paths(block, where)
    try:
        return Block.read(Pattern(block), where)
    except PromptFormatError as error:
        raise PromptFormatError(None, None, f"{where}: {error.reason}") from None


def _refuse_paths(block: Mapping[str, Any], where: str) -> None:
    for inner in (block, block.get("image_url")):
        if isinstance(inner, Mapping) and "path" in inner:
            raise PromptFormatError(
                None,
                None,
                f"{where} names a 'path', and no value may choose what is read; give Image(path) as the value",
            )


def each_text(value: Any, change: Callable[[str], str], key: object = None) -> Any:
    """A block with each of its texts changed; its keys and ``type`` are none."""
    match value:
        case str() if key != "type":
            return change(value)
        case Mapping():
            return {name: each_text(item, change, name) for name, item in value.items()}
        case list() | tuple():
            return [each_text(item, change) for item in value]
    return value


# Texts that hold no placeholder


def texts_in(value: Any, key: object = None) -> Iterator[str]:
    """The texts of a block, as `each_text` finds them."""
    match value:
        case str() if key != "type":
            yield value
        case Mapping():
            for name, item in value.items():
                yield from texts_in(item, name)
        case list() | tuple():
            for item in value:
                yield from texts_in(item)


def has_placeholders(block: Any, where: str, syntax: str) -> bool:
    """Whether a value would fill anything in the texts of a block.

    Raises:
        TemplateError: (a ``ValueError``) A text cannot be compiled.
    """
    found = False
    for text in texts_in(block):
        if "{" in text or "%" in text:
            try:
                found |= bool(compile_template(text, syntax).variables)
            except TemplateError as error:
                raise TemplateError(f"{where}: {error}") from None
    return found


def literal(value: Any, where: str, syntax: str, key: object = None) -> Any:
    """Content with escaped braces as they are meant.

    Raises:
        PromptFormatError: (a ``ValueError``) There is a placeholder, where a template has no place.
    """
    match value:
        case str() if key != "type" and ("{" in value or "%" in value):
            try:
                template = compile_template(value, syntax)
            except TemplateError as error:
                raise TemplateError(f"{where}: {error}") from None
            if template.variables:
                raise PromptFormatError(
                    None,
                    None,
                    f"{where} has the placeholder {template.variables[0].name!r}, and a message with more than a role "
                    "and content is literal; write ('user', '{question}'), or give the calls and results as a history",
                )
            return "".join(getattr(part, "text", "") for part in template.render({}))
        case Mapping():
            return {name: literal(item, where, syntax, name) for name, item in value.items()}
        case list() | tuple():
            return [literal(item, where, syntax) for item in value]
    return value


# Written


class Written(NamedTuple):
    """The content of a turn in words that LangChain has.

    Attributes:
        content: A text, or blocks: objects whose texts are templates.
        template_format: ``f-string``, ``jinja2`` or ``mustache``.
    """

    content: str | list[dict[str, Any]]
    template_format: str


def written(turn: Turn, syntax: str, where: str, block_of: Callable[[Part], dict[str, Any]]) -> Written:
    """The content of a turn; the opposite of `said`.

    Args:
        turn: The turn.
        syntax: How its placeholders are written.
        where: What an error calls it.
        block_of: What makes a block of a fixed part.

    Raises:
        UnsupportedContentError: (a ``ValueError``) There is no word for something.
    """
    if isinstance(turn.content, str):
        text = f_string(turn.content, syntax)
        if text is not None:
            return Written(text, "f-string")
        if syntax == "mustache":
            return Written(unescaped(turn.content), "mustache")
        return Written(_jinja2(turn.content, where), "jinja2")
    blocks: list[dict[str, Any]] = []
    before: Block | None = None
    for number, block in enumerate(turn.content, 1):
        made = _written_block(block, syntax, _at(where, number), block_of)
        between = get_separator(before.type, block.type) if turn.spaced and before is not None else ""
        _put(blocks, made, escaped(between, "f-string"))
        before = block
    return Written(blocks, "f-string")


def f_string(text: str, syntax: str) -> str | None:
    """A template as an f-string template; None where it has logic of its own."""
    if syntax == "f-string":
        return text
    found = segments(text, syntax)
    if found is None:
        return None
    return "".join(slot(s.name, "f-string") if isinstance(s, Slot) else escaped(s, "f-string") for s in found)


def _jinja2(text: str, where: str) -> str:
    """A template with logic for the stock Jinja, which takes one line break off the end and rewrites the others."""
    if "\r" in text:
        _no_word("carriage returns beside logic", where, "its jinja2 rewrites them", "write line feeds")
    return f"{text}\n" if text.endswith("\n") else text


def _put(blocks: list[dict[str, Any]], block: dict[str, Any], between: str) -> None:
    """Put a block after the others, the separator in the text that it touches; between two media it is left out."""
    last = blocks[-1] if blocks else None
    if between and last is not None and _is_plain(last):
        last["text"] += between
    elif between and _is_plain(block):
        block["text"] = between + block["text"]
    blocks.append(block)


def _is_plain(block: Mapping[str, Any]) -> bool:
    return block.keys() == {"type", "text"}


def _written_block(block: Block, syntax: str, where: str, block_of: Callable[[Part], dict[str, Any]]) -> dict[str, Any]:
    mark = {"cache_control": {"type": "ephemeral"}} if block.cache else {}
    if block.template is not None:
        return {"type": "text", "text": _logic_free(block.template, syntax, where), **mark}
    if block.pattern is not None:
        data: dict[str, Any] = each_text(block.pattern.data, lambda text: _logic_free(text, syntax, where))
        if isinstance(url := data.get("image_url"), str):  # which chat models take as an object only
            data["image_url"] = {"url": url}
        return data | mark
    if block.part is not None:
        part = block.part.replace(cache=True) if block.cache else block.part
        fixed: dict[str, Any] = each_text(block_of(part), lambda text: escaped(text, "f-string"))
        if isinstance(part, Text) and part.cache:
            fixed["cache_control"] = {"type": "ephemeral"}
        return fixed
    return _no_word(
        f"a slot for {block.type} content as objects, {block.variable!r}",
        where,
        "its slots take texts",
        f"write a block with its URL as a slot, as {{'type': 'image_url', 'image_url': '{{{block.variable}}}'}}",
    )


def _logic_free(text: str, syntax: str, where: str) -> str:
    found = f_string(text, syntax)
    if found is None:
        _no_word("logic inside a list of blocks", where, "its blocks are filled in only", "write one text")
    return found


def _no_word(what: str, where: str, reason: str, remedy: str) -> NoReturn:
    raise UnsupportedContentError("LangChain's own prompt", what, where, reason, remedy)
