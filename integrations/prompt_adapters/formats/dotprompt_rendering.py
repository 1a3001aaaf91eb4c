"""Dotprompt files rendered by Google's own library: for what a `Prompt` cannot hold, as partials and ``{{#with}}``.

What `dotprompt` reads needs none of this. Here the template is run as it stands, with the library's rules: a missing
value is empty, truth values and lists are printed as JavaScript does. What differs is the marks by which roles and
media are found again in the rendered text: here they are made of random characters that no value can know. Loops and
the texts of values are paid for from the budget of the render (`TemplateLimits`), as they are in every template.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import MediaPart, Text, as_part
from prompt_adapters.content.read import read_messages, read_part
from prompt_adapters.content.value import rendering
from prompt_adapters.errors import MissingDependencyError, PromptAdapterError, PromptFormatError, TemplateError
from prompt_adapters.formats.dotprompt_body import (
    ROLES,
    Medium,
    PastMark,
    Piece,
    RoleMark,
    Said,
    grouped,
    media_block,
)
from prompt_adapters.formats.dotprompt_front import read, split
from prompt_adapters.formats.dotprompt_partials import checked, written_out
from prompt_adapters.formats.files import read_text
from prompt_adapters.templates.limits import Budget, current_limits
from prompt_adapters.templates.pieces import admit
from prompt_adapters.templates.records import Record
from prompt_adapters.variables import merge_values


def render_dotprompt(
    path: str | os.PathLike[str],
    values: Mapping[str, Any] | None = None,
    /,
    *,
    history: Any = (),
    context: Mapping[str, Any] | None = None,
    partials: Mapping[str, str] | None = None,
    **more: Any,
) -> tuple[Message, ...]:
    """The messages of a dotprompt file, rendered by Google's library; it needs the extra ``dotprompt``.

    Args:
        path: The file.
        values: The variables' values; the file's defaults stand for those that are missing.
        history: Earlier messages: they come where ``{{history}}`` stands, or before a last user message.
        context: What ``{{@name}}`` reads.
        partials: The templates that ``{{> name}}`` puts in, by name.
        more: More values.

    Raises:
        MissingDependencyError: (an ``ImportError``) The library is not installed.
        PromptFormatError: (a ``ValueError``) The file is malformed, or what it says is no message.
        TemplateError: (a ``ValueError``) The library cannot render the template.
        TemplateLimitError: (a ``TemplateError``) Its loops ask for too much.
    """
    file = Path(path)
    parts = split(read_text(file), file)
    try:
        defaults = read(parts).defaults
    except PromptFormatError as error:
        raise PromptFormatError(file, error.line, error.reason) from None
    given = {**defaults, **merge_values(values, more)}
    return render_template(parts.body, given, history=history, context=context, partials=partials)


def render_template(
    template: str,
    values: Mapping[str, Any],
    *,
    history: Any = (),
    context: Mapping[str, Any] | None = None,
    partials: Mapping[str, str] | None = None,
) -> tuple[Message, ...]:
    """The messages of a template without front matter; arguments and errors as for `render_dotprompt`."""
    if "root" in (context or {}):
        raise TemplateError("'root' is no name for the context: {{@root}} means the values")
    marks = _Marks()
    paid = _Paid(written_out(template, partials := checked(partials)))
    engine = _engine(marks, partials)
    try:
        with rendering():  # in which a medium cannot become text
            text = engine.compile(template)(paid.value(dict(values)), {"data": paid.value(dict(context or {}))})
    except PromptAdapterError:
        raise
    except Exception as error:
        raise TemplateError(f"Google's library cannot render this: {error}") from error
    past = read_messages(history, "the history")
    return _with_history(list(grouped(marks.pieces(text))), past)


def _engine(marks: _Marks, partials: Mapping[str, str]) -> Any:
    try:
        from dotpromptz_handlebars import EscapeFunction, Handlebars
    except ImportError as error:
        raise MissingDependencyError("dotpromptz", "dotprompt", "rendering a file with Google's library") from error
    engine = Handlebars(escape_fn=EscapeFunction.NO_ESCAPE)
    for name, helper in marks.helpers().items():
        engine.register_helper(name, helper)
    for name, source in partials.items():
        engine.register_partial(name, source)
    return engine


class _Paid:
    """Makes values that are paid for when the library goes through them, or prints them.

    Args:
        characters: What each round of a loop may at most say beside its values.
    """

    def __init__(self, characters: int) -> None:
        limits = current_limits()
        limits.check("source", characters)
        budget = Budget(limits, given=characters)
        round_ = 1 + characters // 64

        class Items(list[Any]):
            def __iter__(self) -> Iterator[Any]:
                for item in super().__iter__():
                    budget.take(round_)
                    yield item

        class Fields(dict[str, Any]):
            def items(self) -> Any:
                budget.take(round_ * len(self))
                return super().items()

        class Characters(str):
            __slots__ = ()

            def __str__(self) -> str:
                budget.make(len(self))
                return str.__str__(self)

        self._items, self._fields, self._characters, self._limits = Items, Fields, Characters, limits

    def value(self, value: Any, depth: int = 0) -> Any:
        """Plain data that are paid for; of an object its text.

        Raises:
            TemplateError: It is, or holds, something that no template may have.
        """
        self._limits.check("nesting", depth)
        match value:
            case str():
                return self._characters(value)
            case list() | tuple():
                return self._items(self.value(item, depth + 1) for item in value)
            case dict():
                return self._fields((key, self.value(item, depth + 1)) for key, item in value.items())
        admitted = admit(value)
        return self._characters(str(admitted)) if isinstance(admitted, Record) else admitted


class _Marks:
    """The tags that stand for more than text: each leaves a mark that only this rendering knows."""

    def __init__(self) -> None:
        self._secret = secrets.token_hex(16)
        self._found: list[Piece] = []

    def helpers(self) -> dict[str, Any]:
        """The library's helpers, with marks of our own."""
        return {
            "role": self._role,
            "history": lambda _args, _options: self._mark(PastMark()),
            "media": self._media,
            "section": _section,
            "json": _json,
            "ifEquals": lambda args, options: options.fn() if _equal(args) else options.inverse(),
            "unlessEquals": lambda args, options: options.inverse() if _equal(args) else options.fn(),
        }

    def _mark(self, piece: Piece) -> str:
        self._found.append(piece)
        return f"<{self._secret}:{len(self._found) - 1}>"

    def _role(self, args: Sequence[Any], _options: Any) -> str:
        role = args[0] if args else None
        if isinstance(role, str) and type(role) is not str:  # one that is paid for
            raise TemplateError("{{role}} takes a text, as a value may not choose a role")
        if not isinstance(role, str) or role not in ROLES:
            raise TemplateError(f"{role!r:.60} is no role of a turn; the roles are {', '.join(ROLES)}")
        return self._mark(RoleMark(ROLES[role]))

    def _media(self, _args: Sequence[Any], options: Any) -> str:
        url = options.hash_value("url")
        if not url:
            return ""
        url = str(url) if isinstance(url, str) else url
        part = as_part(url)
        if part is None:
            part = read_part(media_block(url, options.hash_value("contentType") or None), "{{media}}")
        if not isinstance(part, MediaPart):
            raise TemplateError(f"{{{{media}}}} takes a URL or a medium, not {part.describe()}")
        return self._mark(Medium(part))

    def pieces(self, text: str) -> Iterator[Piece]:
        """The rendered text with what the marks stand for."""
        first, *rest = text.split(f"<{self._secret}:")
        yield first
        for piece in rest:
            number, _, after = piece.partition(">")
            yield self._found[int(number)]
            yield after


def _section(args: Sequence[Any], _options: Any) -> str:
    name = args[0] if args else ""
    raise PromptFormatError(None, None, f"{{{{section {name!r:.60}}}}} has no place in a message")


def _json(args: Sequence[Any], options: Any) -> str:
    indent = options.hash_value("indent")
    if not args:
        return ""
    if isinstance(indent, int) and indent > 0:
        return json.dumps(args[0], ensure_ascii=False, indent=indent, default=_no_data)
    return json.dumps(args[0], ensure_ascii=False, separators=(",", ":"), default=_no_data)


def _no_data(value: object) -> Any:
    raise TemplateError(f"{type(value).__name__} is no plain data, which {{{{json}}}} takes")


def _equal(args: Sequence[Any]) -> bool:
    if len(args) != 2:
        raise TemplateError("{{#ifEquals}} and {{#unlessEquals}} compare two values")
    return bool(args[0] == args[1])


def _with_history(said: list[Said | PastMark], past: tuple[Message, ...]) -> tuple[Message, ...]:
    """The messages, with earlier ones where they are wanted, or else before a last user message."""
    if past and not any(isinstance(one, PastMark) for one in said):
        last = said[-1] if said else None
        said.insert(len(said) - (isinstance(last, Said) and last.role == "user"), PastMark())
    found: list[Message] = []
    for one in said:
        found += past if isinstance(one, PastMark) else [_message(one)]
    if not found:
        raise PromptFormatError(None, None, "there is no text at all")
    return tuple(found)


def _message(said: Said) -> Message:
    parts = [Text(piece) if isinstance(piece, str) else piece.content for piece in said.content]
    return Message(said.role, [part for part in parts if isinstance(part, Text | MediaPart)])
