"""Blocks in another library's words whose texts are templates, as ``{"type": "image_url", "image_url": "{url}"}``.

The words are those that `content.read_blocks` reads. Each text in the block is a template in the prompt's syntax, but
for ``type``; keys are none. Texts are filled in one by one, so no value can change what the block is.

====================================  ==================================================================================
the value of a slot                   what the block gives
====================================  ==================================================================================
a text                                the part that the block describes with it: a data URL is its medium, a link is a
                                      link, base64 its bytes; a path is refused, and nothing is read or fetched
media, bytes or a picture             that medium, where the slot stands alone in place of the address or the data; the
                                      block's detail, name, title and cache mark hold for it
an object, as ``{"base64": …}``       the medium that it describes
a list of these                       one block each
====================================  ==================================================================================
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from prompt_adapters.content.parts import MEDIA_PARTS, Image, MediaPart, Part, Text, as_part
from prompt_adapters.content.plain_data import json_text
from prompt_adapters.content.read_blocks import cache_mark, kind_of_block, read_part
from prompt_adapters.content.value import Value
from prompt_adapters.errors import TemplateError
from prompt_adapters.templates import Slot, compile_template
from prompt_adapters.variables import canonical, malformed

# Where blocks keep the address or the data of a medium.
_URLS = frozenset({"url", "image_url", "audio_url", "video_url", "document_url", "file_url", "file_uri", "uri"})
_PLACES = _URLS | {"base64", "data", "file_data", "bytes", "input_audio", "file_id", "id"}
# LangChain's word for each kind, under which objects that describe a medium are read.
_WORDS = {kind: "file" if kind == "document" else kind for kind in MEDIA_PARTS}
_STAND_IN = Image.from_uploaded("stand-in")


class Pattern(Value):
    """A block whose texts are templates.

    Args:
        data: The block: plain JSON data.

    Raises:
        PromptFormatError: (a ``ValueError``) It is no plain data, or no known block.
    """

    __slots__ = ("_json",)
    _compared: ClassVar = ("_json",)
    _json: str

    def __init__(self, data: Mapping[str, Any]) -> None:
        if not isinstance(data, Mapping):
            raise malformed(f"a block is an object, not {type(data).__name__}")
        self._set(
            _json=json_text(dict(data), "a block whose texts are templates is plain JSON data, with media as base64")
        )
        kind_of_block(self.data)

    def _key(self) -> tuple[Any, ...]:
        return (canonical(self._json),)

    @property
    def data(self) -> dict[str, Any]:
        """The block, a new dict each time."""
        data: dict[str, Any] = json.loads(self._json)
        return data

    @property
    def kind(self) -> str | None:
        """The kind of part that it gives; None where its media type will tell."""
        return kind_of_block(self.data)

    def _describe(self) -> str:
        return f"a block of type {self.data.get('type') or next(iter(self.data))!r} with templates"

    @property
    def templates(self) -> tuple[str, ...]:
        """Its texts, which are templates, in order."""
        return tuple(text for _, text in _texts(self.data))

    def slots(self, syntax: str) -> tuple[Slot, ...]:
        """The variables in its texts, in order of appearance."""
        return tuple(slot for _, text in _texts(self.data) for slot in compile_template(text, syntax).variables)

    def medium(self, syntax: str) -> str | None:
        """The variable that stands alone in place of the medium's address or data, if there is one."""
        kind = self.kind
        if kind is not None and kind not in MEDIA_PARTS:
            return None
        names = (_alone(text, syntax) for key, text in _texts(self.data) if key in _PLACES)
        return next((name for name in names if name is not None), None)

    def render(self, syntax: str, values: Mapping[str, Any], absent: frozenset[str]) -> tuple[Part, ...]:
        """The parts for these values.

        Raises:
            TemplateError: A value has no place in the block.
            MediaError: A value is no such medium, or broken.
            PromptFormatError: With these values it is no block.
        """
        data = self.data
        name = None
        if not all(isinstance(values.get(slot.name), str) for slot in self.slots(syntax)):
            name = self.medium(syntax)
        if name is None:
            return (read_part(_filled(data, syntax, values, absent), self._where),)
        value = values.get(name)
        if value is None and name in absent:
            return ()
        elements = value if isinstance(value, list | tuple) else [value]
        return tuple(self._one(data, syntax, {**values, name: element}, absent, name) for element in elements)

    @property
    def _where(self) -> str:
        return f"the {self.kind or 'media'} block"

    def _one(
        self, data: Mapping[str, Any], syntax: str, values: dict[str, Any], absent: frozenset[str], name: str
    ) -> Part:
        value = values[name]
        given = self._given(value, name)
        if given is None:
            return read_part(_filled(data, syntax, values, absent), self._where)
        return _dressed(given, _filled(data, syntax, {**values, name: ""}, absent))

    def _given(self, value: Any, name: str) -> MediaPart | None:
        """The medium that a value is by itself, or describes; None for a text, which the block makes something of."""
        kind = self.kind
        if isinstance(value, str | int | float) or value is None:
            return None
        if isinstance(value, Mapping):
            value = read_part({"type": _WORDS.get(kind or "", "file"), **value}, f"variable {name!r}")
        part = as_part(value)
        if part is None and kind is not None and is_raw(value):
            part = MEDIA_PARTS[kind](value)
        if isinstance(part, MediaPart) and kind in (None, part.kind):
            return part
        got = type(value).__name__ if part is None else f"{part.kind} content"
        raise TemplateError(f"variable {name!r} must hold {kind or 'media'} content, or its URL or data, not {got}")


def is_raw(value: object) -> bool:
    """Whether a value is media by nature: bytes, or a picture; a path is not, or a value could choose what is read."""
    if isinstance(value, bytes | bytearray | memoryview):
        return True
    return any(cls.__module__.startswith("PIL.") for cls in type(value).__mro__)


def _texts(value: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """The texts that are templates, each with its key, in order."""
    match value:
        case str() if key != "type":
            yield key, value
        case Mapping():
            for name, item in value.items():
                yield from _texts(item, name)
        case list():
            for item in value:
                yield from _texts(item, key)


def _alone(text: str, syntax: str) -> str | None:
    """The variable that is all of a template."""
    template = compile_template(text, syntax)
    if len(template.variables) != 1:
        return None
    name = template.variables[0].name
    try:
        return name if template.render({name: _STAND_IN}) == (_STAND_IN,) else None
    except TemplateError:  # the template works on the value
        return None


def _filled(value: Any, syntax: str, values: Mapping[str, Any], absent: frozenset[str], key: str = "") -> Any:
    match value:
        case str() if key != "type":
            return "".join(_text_of(part) for part in compile_template(value, syntax).render(values, absent=absent))
        case Mapping():
            return {name: _filled(item, syntax, values, absent, name) for name, item in value.items()}
        case list():
            return [_filled(item, syntax, values, absent, key) for item in value]
    return value


def _text_of(part: Part) -> str:
    if isinstance(part, Text):
        return part.text
    raise TemplateError(
        f"{part.describe()} stands inside a text of a block; a medium stands alone, in place of the block's URL or data"
    )


def _dressed(part: MediaPart, block: Mapping[str, Any]) -> MediaPart:
    """A medium that was given whole, with what its block says beside it."""
    inner = [block[key] for key in ("extras", "image_url", "file") if isinstance(block.get(key), Mapping)]
    said = {key: value for mapping in (block, *inner) for key, value in mapping.items()}
    names = {"detail": ("detail",), "name": ("filename", "name"), "title": ("title",)}
    changes = {
        field: found
        for field, words in names.items()
        if getattr(part, field, "") is None and (found := next((said[w] for w in words if said.get(w)), None))
    }
    return part.replace(**changes, **({"cache": True} if cache_mark(said) else {}))
