"""Few-shot examples: pairs of input and output that are shown to the model as turns or as text.

Examples are data: placeholders inside them are never rendered.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Literal, TypeAlias, get_args

from prompt_adapters.content.data import part_from_data, part_to_data
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Part, Text, as_parts
from prompt_adapters.content.read import read_messages
from prompt_adapters.content.value import Value
from prompt_adapters.errors import PromptFormatError

FewShotFormat: TypeAlias = Literal["converse", "append_to_user_prompt", "append_to_system_prompt"]
FEW_SHOT_FORMATS: tuple[str, ...] = get_args(FewShotFormat)
SECTION_HEAD = "**Examples**\n"


class Example(Value):
    """One example: what goes in and what should come out, as parts."""

    __slots__ = ("input", "output")
    _compared: ClassVar = ("input", "output")
    input: tuple[Part, ...]
    output: tuple[Part, ...]

    def __init__(self, input: Any, output: Any) -> None:  # noqa: A002 - the key of the standardized format
        self._set(input=as_parts(input), output=as_parts(output))

    @classmethod
    def read(cls, example: object, number: int) -> Example:
        """An example from what people write: ``{"input": …, "output": …}`` or a pair.

        Raises:
            PromptFormatError: (a ``ValueError``) It is neither; the example's number and the key are named.
        """
        where = f"few-shot example {number}"
        if isinstance(example, Example):
            return example
        if isinstance(example, tuple | list) and len(example) == 2:
            example = {"input": example[0], "output": example[1]}
        if not isinstance(example, Mapping):
            raise PromptFormatError(None, None, f"{where} is {type(example).__name__}; give 'input' and 'output'")
        for key in ("input", "output"):
            if key not in example:
                raise PromptFormatError(None, None, f"{where} (index {number - 1}) lacks {key!r}")
        if unknown := example.keys() - {"input", "output"}:
            raise PromptFormatError(None, None, f"{where} has the unknown key {sorted(map(str, unknown))[0]!r}")
        try:
            return cls(_content(example["input"], f"{where}, input"), _content(example["output"], f"{where}, output"))
        except PromptFormatError as error:
            raise PromptFormatError(None, None, f"{where}: {error.reason}") from None

    def to_data(self) -> dict[str, Any]:
        """As JSON data; plain text stays a string."""
        return {"input": _content_to_data(self.input), "output": _content_to_data(self.output)}


def _content(value: Any, where: str) -> Any:
    if isinstance(value, list) and value and all(isinstance(item, Mapping) for item in value):
        return [part_from_data(item, f"{where}, part {number}") for number, item in enumerate(value, 1)]
    return value


def _content_to_data(parts: tuple[Part, ...]) -> str | list[dict[str, Any]]:
    match parts:
        case (Text(text=text, cache=False),):
            return text
    return [part_to_data(part) for part in parts]


class FewShot(Value):
    """Examples and how they are shown.

    Attributes:
        examples: The examples, in order.
        format: ``converse`` shows them as user and assistant turns; ``append_to_user_prompt`` and
            ``append_to_system_prompt`` append them as text.

    Args:
        examples: Dictionaries with ``input`` and ``output``, pairs, or messages that alternate user and assistant;
            contents are text, parts or lists of these.
        format: One of the three formats.

    Raises:
        PromptFormatError: (a ``ValueError``) The format is unknown or an example malformed.
    """

    __slots__ = ("examples", "format")
    _compared: ClassVar = ("examples", "format")
    examples: tuple[Example, ...]
    format: FewShotFormat

    def __init__(self, examples: Iterable[Any], format: str = "converse") -> None:  # noqa: A002 - the format's own key
        if isinstance(examples, str | bytes | Mapping) or not isinstance(examples, Iterable):
            raise PromptFormatError(None, None, f"few-shot examples are a list, not {type(examples).__name__}")
        items = list(examples)
        read = _from_messages(items) if items and all(map(_is_message, items)) else None
        self._set(examples=read or tuple(Example.read(item, n) for n, item in enumerate(items, 1)), format=format)
        self._check()

    def _check(self) -> None:
        if self.format not in FEW_SHOT_FORMATS:
            raise PromptFormatError(
                None, None, f"{self.format!r} is not a few-shot format; the formats are {', '.join(FEW_SHOT_FORMATS)}"
            )

    def turns(self) -> tuple[Message, ...]:
        """The examples as alternating user and assistant messages."""
        return tuple(
            message
            for example in self.examples
            for message in (Message("user", example.input), Message("assistant", example.output))
        )

    def section(self) -> tuple[Part, ...]:
        """The examples as one section, without the blank line before it and without a newline at its end."""
        pieces: list[Part | str] = [SECTION_HEAD]
        for number, example in enumerate(self.examples, 1):
            between = "" if number == 1 else "\n\n"
            pieces += [f"{between}Example {number}:\nInput: ", *example.input, "\nOutput: ", *example.output]
        return merged(pieces)

    def to_data(self) -> dict[str, Any]:
        """As JSON data: the ``few_shot`` component of the standardized format."""
        return {"examples": [example.to_data() for example in self.examples], "format": self.format}

    @classmethod
    def from_data(cls, data: object) -> FewShot:
        """From JSON data; the opposite of `to_data`."""
        if not isinstance(data, Mapping) or "examples" not in data:
            raise PromptFormatError(None, None, "few_shot needs 'examples' and 'format'")
        if unknown := data.keys() - {"examples", "format"}:
            raise PromptFormatError(None, None, f"few_shot has the unknown key {sorted(map(str, unknown))[0]!r}")
        return cls(data["examples"], data.get("format", "converse"))


def merged(pieces: Iterable[Part | str]) -> tuple[Part, ...]:
    """Pieces as parts, neighbouring texts joined; a text that ends a cacheable prefix stays apart."""
    parts: list[Part] = []
    for piece in pieces:
        part = Text(piece) if isinstance(piece, str) else piece
        last = parts[-1] if parts else None
        if isinstance(part, Text) and isinstance(last, Text) and not last.cache:
            parts[-1] = Text(last.text + part.text, cache=part.cache)
        else:
            parts.append(part)
    return tuple(parts)


def _is_message(item: object) -> bool:
    return isinstance(item, Message) or (isinstance(item, Mapping) and "role" in item)


def _from_messages(items: list[Any]) -> tuple[Example, ...]:
    messages = read_messages([_without_bare_text_blocks(item) for item in items], "the few-shot examples")
    for number, message in enumerate(messages):
        wanted = "assistant" if number % 2 else "user"
        if message.role != wanted:
            raise PromptFormatError(
                None,
                None,
                f"few-shot message {number + 1} is {message.role!r} where {wanted!r} belongs: they alternate",
            )
    if len(messages) % 2:
        raise PromptFormatError(None, None, f"the last few-shot message ({len(messages)}) has no assistant's answer")
    return tuple(Example(messages[n].parts, messages[n + 1].parts) for n in range(0, len(messages), 2))


def _without_bare_text_blocks(item: Any) -> Any:
    """Converse writes text blocks without a type, as ``{"text": …}``."""
    if not isinstance(item, Mapping) or not isinstance(content := item.get("content"), list):
        return item
    blocks = [{"type": "text", **b} if isinstance(b, Mapping) and b.keys() == {"text"} else b for b in content]
    return {**item, "content": blocks}
