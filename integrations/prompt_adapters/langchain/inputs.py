"""What a LangChain prompt says about its variables: which are required, and what they hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, NamedTuple

from langchain_core.messages import AnyMessage
from pydantic import Field, GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema, core_schema

from prompt_adapters.content.data import part_to_data
from prompt_adapters.content.parts import MEDIA_PARTS, Audio, Document, Image, MediaPart, Video, as_part
from prompt_adapters.content.read import read_part
from prompt_adapters.errors import PromptFormatError
from prompt_adapters.langchain.chosen import Chosen
from prompt_adapters.prompt import Block, History, Prompt, Turn, Variable

# LangChain's name of the content block.
_BLOCK_TYPES = {kind: "file" if kind == "document" else kind for kind in MEDIA_PARTS}
_DEEPEST = 4  # lists of media in one another
# How an object says what a medium is.
_WAYS: Mapping[str, str] = {
    "base64": "its bytes",
    "url": "an http, https, gs or s3 link, or a data URL",
    "file_id": "the id of an uploaded file",
}


class MediaInput:
    """An annotation for pydantic: a medium, given as a part or as an object that holds no path.

    Args:
        kind: image, audio, video or document.
        in_text: Whether it stands in a text, where no media are nothing; as plain data an empty list would be ``[]``.
    """

    def __init__(self, kind: str, *, in_text: bool = False) -> None:
        self.kind = kind
        self.in_text = in_text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MediaInput) and (other.kind, other.in_text) == (self.kind, self.in_text)

    def __hash__(self) -> int:
        return hash((self.kind, self.in_text))

    def read(self, value: Any) -> MediaPart:
        """The part.

        Raises:
            ValueError: The value is neither such a part nor ``{"base64": …}``, ``{"url": …}`` or ``{"file_id": …}``.
        """
        part = as_part(self.part(value))
        if not isinstance(part, MEDIA_PARTS[self.kind]):
            raise ValueError(f"give {MEDIA_PARTS[self.kind].__name__}(...), not {type(value).__name__}")
        return part

    def part(self, value: Any, depth: int = 0) -> Any:
        """The value, with an object that describes a medium made a part; lists of them as well.

        Args:
            value: The value.
            depth: How many lists it stands in.

        Raises:
            PromptFormatError: An object says not what it is, or lists stand too deep in one another.
        """
        if isinstance(value, Mapping):
            if not value.keys() & _WAYS.keys() and "type" not in value:
                raise PromptFormatError(
                    None,
                    None,
                    f"the {self.kind} is an object without {', '.join(map(repr, _WAYS))}, and says not what it is",
                )
            return read_part({"type": _BLOCK_TYPES[self.kind], **value}, f"the {self.kind}")
        if isinstance(value, list | tuple):
            if depth >= _DEEPEST:
                raise PromptFormatError(None, None, f"the {self.kind} stands in too many lists, or a list holds itself")
            return [self.part(item, depth + 1) for item in value] if value or not self.in_text else ""
        return value

    def __get_pydantic_core_schema__(self, _source: Any, _handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(
            self.read, serialization=core_schema.plain_serializer_function_ser_schema(part_to_data, when_used="json")
        )

    def __get_pydantic_json_schema__(self, _schema: CoreSchema, _handler: GetJsonSchemaHandler) -> dict[str, Any]:
        text = {"type": "string"}
        return {
            "title": MEDIA_PARTS[self.kind].__name__,
            "description": f"{self.kind} content",
            "anyOf": [
                {
                    "type": "object",
                    "properties": {key: text | {"description": meaning}, "mime_type": text},
                    "required": [key],
                }
                for key, meaning in _WAYS.items()
            ],
        }


class ValueInput:
    """An annotation for pydantic: in Python any value, which rendering checks; JSON is described as another type.

    Args:
        described: That type.
    """

    def __init__(self, described: Any) -> None:
        self._described = described

    def __get_pydantic_core_schema__(self, _source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.json_or_python_schema(
            handler(self._described),
            core_schema.any_schema(),
            serialization=core_schema.plain_serializer_function_ser_schema(_data, when_used="json"),
        )


def _data(value: Any) -> Any:
    """A value as JSON data, as far as it is this package's; pydantic knows the rest."""
    if isinstance(value, list | tuple):
        return [_data(item) for item in value]
    part = None if isinstance(value, str) else as_part(value)
    return value if part is None else part_to_data(part)


# A slot takes text, media, lists of both, and data; only its text can be described.
AnyInput = Annotated[Any, ValueInput(str)]
_Messages = Annotated[Any, ValueInput(list[AnyMessage])]
_Image = Annotated[Image, MediaInput("image")]
_Audio = Annotated[Audio, MediaInput("audio")]
_Video = Annotated[Video, MediaInput("video")]
_Document = Annotated[Document, MediaInput("document")]

# What a variable holds of which all is taken, and of which an element is.
_TYPES: Mapping[str, Any] = {
    "image": _Image | list[_Image],
    "audio": _Audio | list[_Audio],
    "video": _Video | list[_Video],
    "document": _Document | list[_Document],
    "messages": _Messages,
}
_LISTS: Mapping[str, Any] = {
    "image": list[_Image],
    "audio": list[_Audio],
    "video": list[_Video],
    "document": list[_Document],
}
# In a block with placeholders, a slot that stands for the address or the data of a medium takes these as texts as well.
_Address = Annotated[str, Field(description="an http or https link, a data URL, or base64 where the block takes that")]
_PATTERNS: Mapping[str, Any] = {
    "image": _Address | _Image | list[_Address | _Image],
    "audio": _Address | _Audio | list[_Address | _Audio],
    "video": _Address | _Video | list[_Address | _Video],
    "document": _Address | _Document | list[_Address | _Document],
}


class Held(NamedTuple):
    """What a variable holds.

    Attributes:
        kind: A kind of media, or messages.
        types: The types by kind, for the place where it stands.
        in_text: Whether that is a text.
    """

    kind: str
    types: Mapping[str, Any] = _TYPES
    in_text: bool = False


class Inputs(NamedTuple):
    """The variables of prompts whose messages follow one another.

    Attributes:
        required: Names that must be given, in order of declaration, then appearance.
        optional: Names that may be given.
        types: Types of those that hold no text.
        media: The annotation of those that hold media.
        histories: Names of those that hold messages.
    """

    required: list[str]
    optional: list[str]
    types: dict[str, Any]
    media: dict[str, MediaInput]
    histories: list[str]

    @classmethod
    def of(cls, prompts: Iterable[Prompt], partial: Mapping[str, Any]) -> Inputs:
        """The inputs of prompts, without those that are filled in partially, and with what these are made of."""
        prompts = tuple(prompts)
        required: dict[str, bool] = {}
        for variable in all_variables(prompts):
            required[variable.name] = bool(variable.required)
        required |= {name: True for value in partial.values() if isinstance(value, Chosen) for name in value.names}
        held = _held(prompts)
        return cls(
            required=[name for name, needed in required.items() if needed and name not in partial],
            optional=[name for name, needed in required.items() if not needed and name not in partial],
            types={name: value.types[value.kind] for name, value in held.items()},
            media={n: MediaInput(v.kind, in_text=v.in_text) for n, v in held.items() if v.kind in MEDIA_PARTS},
            histories=[name for name, value in held.items() if value.kind == "messages"],
        )


def all_variables(prompts: Iterable[Prompt]) -> tuple[Variable, ...]:
    """The variables of all prompts; one that any of them requires is required."""
    found: dict[str, Variable] = {}
    for prompt in prompts:
        for variable in prompt.variables:
            known = found.get(variable.name)
            if known is None or (variable.required and not known.required):
                found[variable.name] = variable
    return tuple(found.values())


def _held(prompts: Iterable[Prompt]) -> dict[str, Held]:
    """Per name, what it holds; a name without a type is not among them."""
    held: dict[str, Held] = {}
    for prompt in prompts:
        for entry in prompt.messages:
            if isinstance(entry, History):
                held[entry.name] = Held("messages")
            elif isinstance(entry, Turn):
                for block in entry.blocks:
                    if (name := _medium(block, prompt.syntax)) is not None:
                        held.setdefault(name, _held_by(block))
        for variable in prompt.variables:
            if variable.type not in (None, "text"):
                held.setdefault(variable.name, Held(str(variable.type), in_text=True))
    return held


def _medium(block: Block, syntax: str) -> str | None:
    """The variable that brings a block's medium, where the block alone tells of which kind it is."""
    if block.pattern is None:
        return block.variable
    return block.pattern.medium(syntax) if block.type in MEDIA_PARTS else None


def _held_by(block: Block) -> Held:
    if block.pattern is not None:
        return Held(block.type, _PATTERNS)
    return Held(block.type, _TYPES if block.index is None else _LISTS)
