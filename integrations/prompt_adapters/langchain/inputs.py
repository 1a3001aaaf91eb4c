"""What a LangChain prompt says about its variables: which are required, and what they hold."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Annotated, Any, NamedTuple

from langchain_core.messages import AnyMessage
from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema, core_schema

from prompt_adapters.content.data import part_to_data
from prompt_adapters.content.parts import MEDIA_PARTS, Audio, Document, Image, MediaPart, Video, as_part
from prompt_adapters.content.read import read_part
from prompt_adapters.prompt import History, Prompt, Turn, Variable

# LangChain's name of the content block.
_BLOCK_TYPES = {kind: "file" if kind == "document" else kind for kind in MEDIA_PARTS}


class MediaInput:
    """An annotation for pydantic: a medium, given as a part or as an object that holds no path.

    Args:
        kind: image, audio, video or document.
    """

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MediaInput) and other.kind == self.kind

    def __hash__(self) -> int:
        return hash(self.kind)

    def read(self, value: Any) -> MediaPart:
        """The part.

        Raises:
            ValueError: The value is neither such a part nor ``{"base64": …}``, ``{"url": …}`` or ``{"file_id": …}``.
        """
        part = as_part(self.part(value))
        if not isinstance(part, MEDIA_PARTS[self.kind]):
            raise ValueError(f"give {MEDIA_PARTS[self.kind].__name__}(...), not {type(value).__name__}")
        return part

    def part(self, value: Any) -> Any:
        """The value, with an object that describes a medium made a part; lists of them as well."""
        if isinstance(value, Mapping):
            return read_part({"type": _BLOCK_TYPES[self.kind], **value}, f"the {self.kind}")
        if isinstance(value, list | tuple):
            return [self.part(item) for item in value]
        return value

    def __get_pydantic_core_schema__(self, _source: Any, _handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(
            self.read, serialization=core_schema.plain_serializer_function_ser_schema(part_to_data, when_used="json")
        )

    def __get_pydantic_json_schema__(self, _schema: CoreSchema, _handler: GetJsonSchemaHandler) -> dict[str, Any]:
        text = {"type": "string"}
        ways = {"base64": "its bytes", "url": "an http, https, gs or s3 link", "file_id": "the id of an uploaded file"}
        return {
            "title": MEDIA_PARTS[self.kind].__name__,
            "description": f"{self.kind} content",
            "anyOf": [
                {
                    "type": "object",
                    "properties": {key: text | {"description": meaning}, "mime_type": text},
                    "required": [key],
                }
                for key, meaning in ways.items()
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
    def of(cls, prompts: Iterable[Prompt], partial: Collection[str]) -> Inputs:
        """The inputs of prompts, without those that are filled in partially."""
        prompts = tuple(prompts)
        required: dict[str, bool] = {}
        for variable in all_variables(prompts):
            required[variable.name] = bool(variable.required)
        kinds = _kinds(prompts)
        return cls(
            required=[name for name, needed in required.items() if needed and name not in partial],
            optional=[name for name, needed in required.items() if not needed and name not in partial],
            types={name: _LISTS[kind] if listed else _TYPES[kind] for name, (kind, listed) in kinds.items()},
            media={name: MediaInput(kind) for name, (kind, _) in kinds.items() if kind in MEDIA_PARTS},
            histories=[name for name, (kind, _) in kinds.items() if kind == "messages"],
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


def _kinds(prompts: Iterable[Prompt]) -> dict[str, tuple[str, bool]]:
    """Per name, what it holds (a kind of media, or messages) and whether an element of it is asked for."""
    kinds: dict[str, tuple[str, bool]] = {}
    for prompt in prompts:
        for entry in prompt.messages:
            if isinstance(entry, History):
                kinds[entry.name] = ("messages", False)
            elif isinstance(entry, Turn):
                for block in entry.blocks:
                    if block.variable is not None:
                        kinds[block.variable] = (block.type, block.index is not None)
        for variable in prompt.variables:
            if variable.type not in (None, "text"):
                kinds.setdefault(variable.name, (str(variable.type), False))
    return kinds
