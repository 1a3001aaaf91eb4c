"""Few-shot examples: pairs of input and output that are shown to the model as turns or as text.

Examples are data: placeholders inside them are never rendered.
"""

from __future__ import annotations

import reprlib
from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Any, ClassVar, Literal, TypeAlias, assert_never, get_args

from prompt_adapters.content.data import part_from_data, part_to_data
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Part, Text, as_parts
from prompt_adapters.content.read import ROLE_ALIASES, read_messages
from prompt_adapters.content.value import Value
from prompt_adapters.errors import PromptFormatError
from prompt_adapters.selectors import achoose, choose, is_selector, trimmed
from prompt_adapters.variables import Variable

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
        self._set(**self._as_fields({"input": input, "output": output}))

    @classmethod
    def _as_fields(cls, changes: dict[str, Any]) -> dict[str, Any]:
        return {name: as_parts(value) for name, value in changes.items()}

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
        return cls(*(_content(example[key], f"{where}, {key}") for key in ("input", "output")))

    def to_data(self) -> dict[str, Any]:
        """As JSON data; plain text stays a string."""
        return {"input": _content_to_data(self.input), "output": _content_to_data(self.output)}


def _content(value: Any, where: str) -> tuple[Part, ...]:
    if isinstance(value, list) and value and all(isinstance(item, Mapping) for item in value):
        return tuple(part_from_data(item, f"{where}, part {number}") for number, item in enumerate(value, 1))
    try:
        return as_parts(value)
    except PromptFormatError as error:
        raise PromptFormatError(None, None, f"{where}: {error.reason}") from None


def _content_to_data(parts: tuple[Part, ...]) -> str | list[dict[str, Any]]:
    match parts:
        case (Text(text=text, cache=False),):
            return text
    return [part_to_data(part) for part in parts]


class FewShot(Value):
    """Examples and how they are shown.

    Attributes:
        format: ``converse`` shows them as user and assistant turns; ``append_to_user_prompt`` and
            ``append_to_system_prompt`` append them as text.
        selector: What chooses the examples for each rendering; None where they are always the same.
        variables: The variables that it chooses by; none named means all those that are texts.

    Args:
        examples: Dictionaries with ``input`` and ``output``, pairs, or messages that alternate user and assistant;
            contents are text, parts or lists of these. Or an object that chooses them by the variables' values: with
            ``select_examples(values)``, as LangChain's example selectors, or with ``format_messages(**values)``, as its
            few-shot templates.
        format: One of the three formats.
        variables: The names of the variables that a selector chooses by.

    Raises:
        PromptFormatError: (a ``ValueError``) The format is unknown or an example malformed.
    """

    __slots__ = ("_examples", "_section", "_turns", "format", "selector", "variables")
    _compared: ClassVar = ("_examples", "format", "selector", "variables")
    _also_accepted: ClassVar = frozenset({"examples"})
    format: FewShotFormat
    selector: Any
    variables: tuple[str, ...]
    _examples: tuple[Example, ...]
    _turns: tuple[Message, ...]
    _section: tuple[Part, ...]

    def __init__(
        self,
        examples: Any,
        format: str = "converse",  # noqa: A002 - the format's own key
        *,
        variables: Iterable[str] = (),
    ) -> None:
        self._set(**self._as_fields({"examples": examples, "format": format, "variables": variables}))
        self._check()

    @classmethod
    def _as_fields(cls, changes: dict[str, Any]) -> dict[str, Any]:
        fields = {name: value for name, value in changes.items() if name != "examples"}
        if "variables" in fields:
            fields["variables"] = _names(fields["variables"])
        if "examples" not in changes:
            return fields
        if is_selector(selector := changes["examples"]):
            names = fields.get("variables") or _names(getattr(selector, "input_variables", ()))
            return fields | {"_examples": (), "selector": selector, "variables": names}
        return fields | {"selector": None, "_examples": cls._read(changes["examples"])}

    @staticmethod
    def _read(examples: Any) -> tuple[Example, ...]:
        if isinstance(examples, str | bytes | Mapping | Set) or not isinstance(examples, Iterable):
            raise PromptFormatError(None, None, f"few-shot examples are a list, not {type(examples).__name__}")
        items = list(examples)
        if items and (all(map(_is_message, items)) or _are_role_pairs(items)):
            return _from_messages(items)
        return tuple(Example.read(item, n) for n, item in enumerate(items, 1))

    def _check(self) -> None:
        if self.format not in FEW_SHOT_FORMATS:
            shown = reprlib.repr(self.format)
            raise PromptFormatError(
                None, None, f"{shown} is not a few-shot format; the formats are {', '.join(FEW_SHOT_FORMATS)}"
            )
        if self.variables and self.selector is None:
            raise PromptFormatError(
                None, None, "few-shot variables are for a selector; these examples are the same always"
            )

    def __hash__(self) -> int:
        return hash((type(self).__name__, self._examples, self.format, self.variables))  # selectors may have no hash

    def _describe(self) -> str:
        return f"FewShot({self.size} examples, format={self.format!r})"

    @property
    def examples(self) -> tuple[Example, ...]:
        """The examples, in order.

        Raises:
            PromptFormatError: (a ``ValueError``) They are chosen for each rendering.
        """
        if self.selector is not None:
            raise PromptFormatError(
                None,
                None,
                f"the examples are chosen by {type(self.selector).__name__} for each rendering, so there is no list of "
                "them to keep or show; give the examples themselves, as FewShot([...])",
            )
        return self._examples

    @property
    def size(self) -> int | str:
        """How many examples there are, or the name of the class that chooses them."""
        return len(self._examples) if self.selector is None else type(self.selector).__name__

    @property
    def is_empty(self) -> bool:
        """Whether there never is an example."""
        return self.selector is None and not self._examples

    def chosen(self, values: Mapping[str, Any], variables: Iterable[Variable]) -> FewShot:
        """The examples for some values: these, unless a selector chooses them.

        Args:
            values: The values.
            variables: The prompt's variables; other values are not shown to a selector.

        Raises:
            PromptFormatError: (a ``ValueError``) What it chooses are no examples; they are named.
        """
        if self.selector is None:
            return self
        return self._of(choose(self.selector, self._seen(values, variables)))

    async def achosen(self, values: Mapping[str, Any], variables: Iterable[Variable]) -> FewShot:
        """`chosen`, for callers that await."""
        if self.selector is None:
            return self
        return self._of(await achoose(self.selector, self._seen(values, variables)))

    def _seen(self, values: Mapping[str, Any], variables: Iterable[Variable]) -> dict[str, Any]:
        if self.variables:
            return {name: values[name] for name in self.variables if name in values}
        return {v.name: values[v.name] for v in variables if isinstance(values.get(v.name), str)}

    def _of(self, found: Any) -> FewShot:
        try:
            return FewShot([trimmed(item) for item in found], self.format)
        except PromptFormatError as error:
            reason = f"what {type(self.selector).__name__} chose cannot be shown: {error.reason}"
            raise PromptFormatError(None, None, reason) from None

    def turns(self) -> tuple[Message, ...]:
        """The examples as alternating user and assistant messages."""
        try:
            return self._turns
        except AttributeError:  # made when first asked for, since every render asks again
            pairs = [(Message("user", e.input), Message("assistant", e.output)) for e in self.examples]
            self._set(_turns=tuple(message for pair in pairs for message in pair))
        return self._turns

    def section(self) -> tuple[Part, ...]:
        """The examples as one section, without the blank line before it and without a newline at its end."""
        try:
            return self._section
        except AttributeError:  # likewise
            self._set(_section=self._written())
        return self._section

    def _written(self) -> tuple[Part, ...]:
        pieces: list[Part | str] = [SECTION_HEAD]
        for number, example in enumerate(self.examples, 1):
            between = "" if number == 1 else "\n\n"
            pieces += [f"{between}Example {number}:\nInput: ", *example.input, "\nOutput: ", *example.output]
        return merged(pieces)

    def shown_in(self, messages: Sequence[Message], last: int | None) -> tuple[Message, ...]:
        """The messages with the examples in them.

        Args:
            messages: The rendered messages.
            last: Where the prompt's own last user turn is; None when it has none.

        Raises:
            PromptFormatError: They belong to the user prompt, and there is no user turn.
        """
        if not self.examples:  # a selector chose none
            return tuple(messages)
        first = next((n for n, m in enumerate(messages) if m.role not in ("system", "developer")), len(messages))
        match self.format:
            case "converse":
                return (*messages[:first], *self.turns(), *messages[first:])
            case "append_to_system_prompt" if first == 0:
                return (Message("system", self.section()), *messages)
            case "append_to_system_prompt":
                place = first - 1
            case "append_to_user_prompt":
                place = _last_user(messages) if last is None else last
            case _:
                assert_never(self.format)
        return (*messages[:place], self.appended(messages[place]), *messages[place + 1 :])

    def appended(self, message: Message) -> Message:
        """The message with the section of examples after it."""
        between = ("\n\n",) if message.parts else ()
        if message.parts and isinstance(last := message.parts[-1], Text) and not last.cache:
            return message.replace(parts=(*message.parts[:-1], *merged([last, *between, *self.section()])))
        return message.replace(parts=(*message.parts, *merged([*between, *self.section()])))

    def outline(self) -> dict[str, Any]:
        """As JSON data, a selector by the name of its class."""
        if self.selector is None:
            return self.to_data()
        cls = type(self.selector)
        chooser = f"{cls.__module__}.{cls.__qualname__}"
        return {"selector": chooser, "variables": list(self.variables), "format": self.format}

    def to_data(self) -> dict[str, Any]:
        """As JSON data: the ``few_shot`` component of the standardized format.

        Raises:
            PromptFormatError: (a ``ValueError``) The examples are chosen for each rendering.
        """
        return {"examples": [example.to_data() for example in self.examples], "format": self.format}

    @classmethod
    def from_data(cls, data: object) -> FewShot:
        """From JSON data; the opposite of `to_data`."""
        if not isinstance(data, Mapping) or "examples" not in data:
            raise PromptFormatError(None, None, "few_shot needs 'examples' and 'format'")
        if unknown := data.keys() - {"examples", "format"}:
            raise PromptFormatError(None, None, f"few_shot has the unknown key {sorted(map(str, unknown))[0]!r}")
        if not isinstance(data["examples"], list | tuple):
            raise PromptFormatError(None, None, f"'examples' is {type(data['examples']).__name__}, not a list")
        return cls(data["examples"], data.get("format", "converse"))


def _names(names: Any) -> tuple[str, ...]:
    if isinstance(names, str) or not isinstance(names, Iterable) or not all(isinstance(n, str) for n in names):
        raise PromptFormatError(None, None, f"few-shot variables are a list of names, not {reprlib.repr(names)}")
    return tuple(names)


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


def _last_user(messages: Sequence[Message]) -> int:
    last = max((n for n, message in enumerate(messages) if message.role == "user"), default=None)
    if last is None:
        raise PromptFormatError(
            None, None, "few-shot examples are to be appended to the user prompt, but there is no user turn"
        )
    return last


def _is_message(item: object) -> bool:
    return isinstance(item, Message) or (isinstance(item, Mapping) and "role" in item)


def _are_role_pairs(items: list[Any]) -> bool:
    """Whether pairs are (role, content) rather than (input, output): their first words are roles in turn."""
    if len(items) % 2 or not all(isinstance(item, tuple | list) and len(item) == 2 for item in items):
        return False
    roles = [ROLE_ALIASES.get(item[0], item[0]) if isinstance(item[0], str) else None for item in items]
    return roles == ["user", "assistant"] * (len(items) // 2)


def _from_messages(items: list[Any]) -> tuple[Example, ...]:
    messages = read_messages(items, "the few-shot examples")
    for number, message in enumerate(messages):
        if message.name is not None or message.cache:
            raise PromptFormatError(
                None,
                None,
                f"few-shot message {number + 1} has a name or cache mark; put cache=True on one of its parts",
            )
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
