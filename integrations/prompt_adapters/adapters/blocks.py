"""What an adapter is given: a prompt, messages, or any template with `system_prompt` and `render_blocks`.

The block contract is the oldest of the three: ``template.system_prompt`` is a text, and
``template.render_blocks(**values)`` gives blocks, ``{"type": "text", "content": "…"}`` or
``{"type": "image", "content": image}``; likewise audio, video and document. An image is an `Image` or any object with
``as_data_url()`` and ``as_bytes()``. Nothing else of a template is read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias, TypeGuard, TypeVar

from prompt_adapters.adapters.tidy import SYSTEM_ROLES
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import MEDIA_PARTS, Image, Part, Text, is_image_like
from prompt_adapters.content.sniff import decode_data_url, sniff
from prompt_adapters.errors import (
    ForeignImageError,
    MediaError,
    MediaReadError,
    PromptFormatError,
    PromptTypeError,
    UnknownMediaTypeError,
    UnsupportedContentError,
)
from prompt_adapters.templates.separators import get_separator

Separators: TypeAlias = Mapping[tuple[str, str], str]
Extra: TypeAlias = Literal["forbid", "ignore"]


class PromptLike(Protocol):
    """What an adapter needs of a prompt."""

    @property
    def model(self) -> str | None:
        """The model that the prompt is meant for."""

    @property
    def parameters(self) -> Mapping[str, Any]:
        """The parameters of the call."""

    def render_messages(
        self, values: Mapping[str, Any], *, extra: Extra = "forbid", separators: Separators | None = None
    ) -> tuple[Message, ...]:
        """The messages for these values."""


class ImageLike(Protocol):
    """A foreign image."""

    def as_data_url(self) -> str:
        """The image as a data URL."""

    def as_bytes(self) -> bytes:
        """The image as bytes."""


class Checked(NamedTuple):
    """What a foreign image gave when it was asked, once; both are an image."""

    url: str
    data: bytes

    def as_data_url(self) -> str:
        """Its own data URL, word for word."""
        return self.url

    def as_bytes(self) -> bytes:
        """Its own bytes."""
        return self.data


class Foreign(NamedTuple):
    """A foreign image in a block; what its own methods give makes the payload, as the contract says.

    Attributes:
        image: What it gave.
        part: The same as a part, of the type that its bytes tell.
    """

    image: Checked
    part: Image


Item: TypeAlias = Part | Foreign
_Item = TypeVar("_Item", bound=Item)


class Turn(NamedTuple):
    """A turn of a payload.

    Attributes:
        role: The role.
        items: What it says.
        name: The participant's name.
    """

    role: str
    items: tuple[Item, ...]
    name: str | None = None


class Origin(NamedTuple):
    """What people give to an adapter, and how they want it read.

    Attributes:
        extra: Whether a value that the prompt has no variable for is an error or ignored.
        separators: What stands between blocks; None for the documented rules.
        style: The wire shape, for errors.
    """

    extra: Extra
    separators: Separators | None
    style: str

    def messages(self, prompt: object, values: Mapping[str, Any]) -> tuple[Message, ...]:
        """The messages of anything that an adapter takes.

        Raises:
            TypeError: It is nothing that an adapter takes, or messages are given values.
            PromptAdapterError: The prompt cannot be rendered, or a block is malformed.
        """
        if isinstance(prompt, Message | tuple | list):
            return _literal(prompt, values, self.extra)
        if is_prompt(prompt):
            return tuple(prompt.render_messages(values, extra=self.extra, separators=self.separators))
        return tuple(
            Message(turn.role, [item.part if isinstance(item, Foreign) else item for item in turn.items])
            for turn in self._template_turns(prompt, values)
        )

    def turns(self, template: object, values: Mapping[str, Any]) -> tuple[Turn, ...]:
        """The turns of a payload, separators included and everything as it was given.

        Raises:
            TypeError: It is no template.
            PromptAdapterError: It cannot be rendered, a block is malformed, or there is nothing to say.
        """
        if isinstance(template, Message | tuple | list):
            messages = _literal(template, values, self.extra)
        elif is_prompt(template):
            messages = template.render_messages(values, extra=self.extra, separators=self.separators)
        else:
            return self._template_turns(template, values)
        turns = tuple(Turn(m.role, tuple(p for p in m.parts if not is_empty(p)), m.name) for m in messages)
        empty = [turn.role for turn in turns if not turn.items and turn.role not in SYSTEM_ROLES]
        if empty or all(turn.role in SYSTEM_ROLES for turn in turns):
            raise nothing_to_say(empty[0] if empty else "user")
        return tuple(turn for turn in turns if turn.items)

    def _template_turns(self, template: object, values: Mapping[str, Any]) -> tuple[Turn, ...]:
        system, blocks = read_template(template, values, self.style)
        if not blocks:
            raise nothing_to_say("user")
        user = Turn("user", self._separated(blocks))
        return (Turn("system", (Text(system),)), user) if system else (user,)

    def _separated(self, blocks: Sequence[tuple[str, Item]]) -> tuple[Item, ...]:
        items: list[Item] = []
        for number, (kind, content) in enumerate(blocks):
            if number and (separator := self.separator(blocks[number - 1][0], kind)):
                items.append(Text(separator))
            items.append(content)
        return tuple(items)

    def separator(self, previous: str, current: str) -> str:
        """What stands between two blocks."""
        return (
            get_separator(previous, current)
            if self.separators is None
            else self.separators.get((previous, current), "\n")
        )


def absorb(system: str, items: tuple[_Item, ...], origin: Origin) -> tuple[_Item | Text, ...]:
    """The items of a turn with the system text in the first text that says something, or before everything."""
    for index, item in enumerate(items):
        if isinstance(item, Text) and not item.text.isspace():
            return (*items[:index], item.replace(text=f"{system}\n\n{item.text}"), *items[index + 1 :])
    separator = origin.separator("text", "image" if isinstance(items[0], Foreign) else items[0].kind)
    return (Text(system), *([Text(separator)] if separator else []), *items)


def nothing_to_say(role: str) -> PromptFormatError:
    """The error for a turn without content."""
    return PromptFormatError(
        None, None, f"there is nothing to say in the {role} turn: an empty message is never sent; give it a text block"
    )


def is_prompt(value: object) -> TypeGuard[PromptLike]:
    """Whether it renders to messages."""
    return callable(getattr(value, "render_messages", None))


def is_empty(part: Part) -> bool:
    """Whether it is a text of no characters."""
    return isinstance(part, Text) and not part.text


def _literal(messages: Message | Sequence[object], values: Mapping[str, Any], extra: Extra) -> tuple[Message, ...]:
    given = (messages,) if isinstance(messages, Message) else messages
    for number, message in enumerate(given, 1):
        if not isinstance(message, Message):
            raise TypeError(
                f"message {number} is {type(message).__name__}, not a Message; write Message('user', 'Hi'), or put "
                "dictionaries and pairs into a Prompt(messages=[...]) or a History"
            )
    if values and extra == "forbid":
        raise TypeError(f"messages have no variables, but {next(iter(values))!r} is given; give a Prompt instead")
    return tuple(message for message in given if isinstance(message, Message))


def read_template(template: object, values: Mapping[str, Any], style: str) -> tuple[str, list[tuple[str, Item]]]:
    """The system text and the blocks of a template, empty texts left out.

    Raises:
        PromptTypeError: (a ``TypeError`` and a ``PromptFormatError``) It is no template, or a block's content is not
            what its type says.
        PromptFormatError: (a ``ValueError``) A block is malformed.
        MediaError: (a ``ValueError``) A foreign image fails, or what it gives is no image; the block is named.
        UnsupportedContentError: (a ``ValueError``) A block has a type that no adapter knows.
    """
    render = getattr(template, "render_blocks", None)
    if not callable(render) or not hasattr(template, "system_prompt"):
        raise _wrong_type(
            f"{type(template).__name__} is not a prompt: give a Prompt, messages, or an object with system_prompt and "
            "render_blocks(**values)"
        )
    system = template.system_prompt
    if not isinstance(system, str | None):
        raise _wrong_type(f"{type(template).__name__}.system_prompt must be a text, not {type(system).__name__}")
    blocks = [_block(block, number, style) for number, block in enumerate(_listed(render(**values), template), 1)]
    return system or "", [
        (kind, content) for kind, content in blocks if not (isinstance(content, Text) and not content.text)
    ]


def _listed(blocks: object, template: object) -> Iterable[object]:
    if isinstance(blocks, Iterable) and not isinstance(blocks, str | bytes | Mapping):
        return blocks
    raise _wrong_type(
        f"{type(template).__name__}.render_blocks() must give a list of blocks, not {type(blocks).__name__}"
    )


def _block(block: object, number: int, style: str) -> tuple[str, Item]:
    if not isinstance(block, Mapping) or not isinstance(block.get("type"), str) or "content" not in block:
        raise PromptFormatError(
            None, None, f"block {number} is not a block: write {{'type': 'text', 'content': '…'}}, not {block!r:.80}"
        )
    kind, content = block["type"], block["content"]
    if kind == "text" and isinstance(content, str | Text):
        return kind, Text(content) if isinstance(content, str) else content
    if kind in MEDIA_PARTS and isinstance(content, MEDIA_PARTS[kind]):
        return kind, content
    if kind == "image" and is_image_like(content):
        return kind, _foreign(content, f"block {number} (image)")
    if kind == "text" or kind in MEDIA_PARTS:
        wanted = "a str" if kind == "text" else f"{MEDIA_PARTS[kind].__name__}(...)"
        also = ", or an object with as_data_url() and as_bytes()" if kind == "image" else ""
        raise _wrong_type(f"block {number} ({kind}) must hold {wanted}{also}, not {type(content).__name__}")
    raise UnsupportedContentError(
        style,
        f"a block of type {kind!r}",
        f"block {number}",
        "no adapter knows this type",
        f"use one of text, {', '.join(MEDIA_PARTS)}",
    )


def _wrong_type(reason: str) -> PromptTypeError:
    return PromptTypeError(None, None, reason)


def _foreign(image: ImageLike, place: str) -> Foreign:
    """A foreign image, asked once and checked whole, so that every shape takes or refuses the same ones.

    Raises:
        MediaError: It fails, or one of its two methods gives no image; the place is named.
    """
    url, data = _asked(image, "as_data_url", place), _asked(image, "as_bytes", place)
    name = type(image).__name__
    try:
        if not isinstance(url, str):
            raise MediaReadError(f"{name}.as_data_url() gives {type(url).__name__}, not a text")
        if not isinstance(data, bytes | bytearray | memoryview):
            raise MediaReadError(f"{name}.as_bytes() gives {type(data).__name__}, not bytes")
        _check_image_url(url, name)
        return Foreign(Checked(url, bytes(data)), Image.from_bytes(bytes(data)))
    except MediaError as error:
        raise type(error)(f"{place}: {error}") from error.__cause__


def _asked(image: ImageLike, method: str, place: str) -> object:
    try:
        return getattr(image, method)()
    except Exception as error:
        # Whatever the other library raises, its user must learn which block it was.
        what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        raise ForeignImageError(f"{place}: {type(image).__name__}.{method}() fails with {what}") from error


def _check_image_url(url: str, name: str) -> None:
    """A data URL of an image: its bytes are one, or are of no known type under the label of one."""
    label, data = decode_data_url(url)
    mime = sniff(data) or label
    if mime is None or not mime.startswith("image/"):
        found = "of no known type" if mime is None else mime
        raise UnknownMediaTypeError(f"{name}.as_data_url() gives no image: its data are {found}; use Image(...)")


def merged_values(values: Mapping[str, Any] | None, more: Mapping[str, Any]) -> Mapping[str, Any]:
    """The values of both.

    Raises:
        TypeError: A name is in both, or the values are no mapping.
    """
    if values is None:
        return more
    if not more and type(values) is dict:
        return values
    if not isinstance(values, Mapping):
        raise TypeError(f"values are a mapping of names to values, not {type(values).__name__}")
    if twice := sorted(str(name) for name in values.keys() & more.keys()):
        raise TypeError(f"variable {twice[0]!r} is given twice")
    return {**values, **more}
