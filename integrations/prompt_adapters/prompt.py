"""`Prompt`: what is written once. It renders to messages, and knows no provider and no file."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Literal, Self

from prompt_adapters.content.data import message_from_data, message_to_data
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Part, Text
from prompt_adapters.content.read import read_messages
from prompt_adapters.content.value import Value
from prompt_adapters.few_shot import Example, FewShot, merged
from prompt_adapters.templates import SYNTAXES, Slot, compile_template
from prompt_adapters.turns import Block, Entry, History, Turn
from prompt_adapters.variables import (
    Variable,
    check_values,
    malformed,
    merge_values,
    read_variables,
    resolve_variables,
    variable_from_data,
)

__all__ = ["Block", "Example", "FewShot", "History", "Prompt", "Turn", "Variable"]

_KEYS = ("messages", "few_shot", "variables", "syntax", "model", "parameters", "name", "version", "metadata")


class Prompt(Value):
    """A prompt: turns, examples, variables, and the model and parameters that it asks for.

    An immutable value: equal by content, picklable, losslessly kept as JSON.

    Args:
        system: The system turn: a template, or a list of blocks.
        user: The user turn: a template, or a list of blocks.
        messages: Instead of both, every entry in order: a ``(role, template)`` pair is rendered, a `Message` is
            literal, a `History` is a slot for earlier messages.
        few_shot: Examples, or None.
        variables: The declared variables: names or `Variable` objects; those that the templates use are found anyway.
            A set is sorted.
        syntax: How placeholders are written: jinja, plain, percent, braces, f-string or none.
        model: The model that the prompt is meant for, as a LiteLLM model string.
        parameters: Parameters of the call, such as temperature and max_tokens: plain JSON data.
        name: What the prompt is called.
        version: Its version.
        metadata: Anything else: plain JSON data.

    Raises:
        PromptFormatError: (a ``ValueError``) Something is malformed.
        TemplateError: (a ``ValueError``) A template cannot be compiled.
    """

    __slots__ = (
        "_metadata",
        "_parameters",
        "_variables",
        "declared",
        "few_shot",
        "messages",
        "model",
        "name",
        "syntax",
        "version",
    )
    _compared: ClassVar = (
        "messages",
        "few_shot",
        "declared",
        "syntax",
        "model",
        "_parameters",
        "name",
        "version",
        "_metadata",
    )
    messages: tuple[Entry, ...]
    few_shot: FewShot | None
    declared: tuple[Variable, ...]
    syntax: str
    model: str | None
    name: str | None
    version: str | None
    _parameters: str
    _metadata: str
    _variables: tuple[Variable, ...]

    def __init__(
        self,
        system: str | Iterable[Any] | None = None,
        user: str | Iterable[Any] | None = None,
        *,
        messages: Iterable[Any] | None = None,
        few_shot: FewShot | None = None,
        variables: Iterable[str | Variable] | None = None,
        syntax: str = "jinja",
        model: str | None = None,
        parameters: Mapping[str, Any] | None = None,
        name: str | None = None,
        version: str | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> None:
        self._set(
            messages=_entries(system, user, messages),
            few_shot=few_shot if few_shot is None or few_shot.examples else None,
            declared=read_variables(variables),
            syntax=syntax,
            model=model,
            name=name,
            version=version,
            _parameters=_json_text(parameters, "parameters"),
            _metadata=_json_text(metadata, "metadata"),
        )
        self._check()

    def _check(self) -> None:
        if self.syntax not in SYNTAXES:
            compile_template("", self.syntax)
        for field in ("model", "name", "version"):
            if not isinstance(getattr(self, field), str | None):
                raise malformed(f"a prompt's {field} is a text, not {getattr(self, field)!r}")
        if self.few_shot is not None and not isinstance(self.few_shot, FewShot):
            raise malformed(f"few_shot is a FewShot, not {type(self.few_shot).__name__}")
        self._set(_variables=resolve_variables(self.declared, self._slots()))

    def __reduce__(self) -> tuple[Any, ...]:
        return Prompt._revived, (self._state(),)

    @classmethod
    def _revived(cls, state: dict[str, Any]) -> Prompt:
        return cls(**state)

    def _state(self) -> dict[str, Any]:
        return {key: getattr(self, "declared" if key == "variables" else key) for key in _KEYS}

    def replace(self, **changes: Any) -> Self:
        """A copy with some arguments of the constructor changed, checked anew.

        ``system`` and ``user`` change the leading system turn and the last user turn.

        Raises:
            TypeError: The constructor has no such argument.
            PromptFormatError: The result would be malformed.
        """
        state = self._state()
        if unknown := changes.keys() - {*state, "system", "user"}:
            raise TypeError(f"Prompt has no field {sorted(unknown)[0]!r}")
        if turns := {role: changes.pop(role) for role in ("system", "user") if role in changes}:
            state["messages"] = _with_turns(changes.pop("messages", self.messages), turns)
        return type(self)(**(state | changes))

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters of the call, a new dict each time."""
        data: dict[str, Any] = json.loads(self._parameters)
        return data

    @property
    def metadata(self) -> dict[str, Any]:
        """Everything else that the prompt carries, a new dict each time."""
        data: dict[str, Any] = json.loads(self._metadata)
        return data

    @property
    def variables(self) -> tuple[Variable, ...]:
        """Every variable, declared ones first, then those found in the templates, in order of appearance.

        ``required`` is always known here: as declared, or as the templates use the variable.
        """
        return self._variables

    @property
    def digest(self) -> str:
        """The SHA-256 of the prompt's content, in hexadecimal: equal prompts have equal digests."""
        text = json.dumps(self.to_json(), sort_keys=True, ensure_ascii=True)
        return hashlib.sha256(text.encode()).hexdigest()

    def _describe(self) -> str:
        roles = ["history" if isinstance(entry, History) else entry.role for entry in self.messages]
        shots = f", few_shot={len(self.few_shot.examples)}" if self.few_shot is not None else ""
        name = f"name={self.name!r}, " if self.name else ""
        return f"Prompt({name}{' '.join(roles)}{shots}, variables={[variable.name for variable in self._variables]})"

    def _slots(self) -> list[Slot]:
        slots: list[Slot] = []
        for entry in self.messages:
            match entry:
                case Turn():
                    slots += entry.slots(self.syntax)
                case History():
                    slots.append(Slot(entry.name, entry.required))
                case Message():
                    pass
        return slots

    # Rendering

    def render(self, values: Mapping[str, Any] | None = None, /, **more: Any) -> tuple[Message, ...]:
        """The messages for these values.

        Args:
            values: The variables' values.
            more: More of them.

        Raises:
            MissingVariableError: A required variable is missing, or None.
            UnknownVariableError: A variable is given that the prompt does not have.
            TemplateError: A template fails on these values.
        """
        return self.render_messages(merge_values(values, more))

    def render_messages(
        self,
        values: Mapping[str, Any],
        *,
        extra: Literal["forbid", "ignore"] = "forbid",
        separators: Mapping[tuple[str, str], str] | None = None,
    ) -> tuple[Message, ...]:
        """The messages for these values, with more say.

        Args:
            values: The variables' values.
            extra: Whether unknown variables are an error or ignored.
            separators: What stands between blocks of a block list; None for the documented rules.

        Raises:
            TemplateError: As `render`.
        """
        given, absent = check_values(self._variables, values, extra)
        rendered = [self._render_entry(entry, given, absent, separators) for entry in self.messages]
        return self._with_few_shot([message for messages in rendered for message in messages])

    def _render_entry(
        self,
        entry: Entry,
        values: Mapping[str, Any],
        absent: frozenset[str],
        separators: Mapping[tuple[str, str], str] | None,
    ) -> tuple[Message, ...]:
        match entry:
            case Message():
                return (entry,)
            case History():
                value = values.get(entry.name)
                return () if value is None else read_messages(value, f"history {entry.name!r}")
            case Turn():
                return (Message(entry.role, entry.render(self.syntax, values, absent, separators)),)

    def _with_few_shot(self, messages: list[Message]) -> tuple[Message, ...]:
        if self.few_shot is None:
            return tuple(messages)
        first = next((n for n, m in enumerate(messages) if m.role not in ("system", "developer")), len(messages))
        match self.few_shot.format:
            case "converse":
                messages[first:first] = self.few_shot.turns()
            case "append_to_system_prompt":
                if first == 0:
                    messages.insert(0, Message("system", self.few_shot.section()))
                else:
                    messages[first - 1] = self._appended(messages[first - 1])
            case "append_to_user_prompt":
                last = max((n for n, m in enumerate(messages) if m.role == "user"), default=None)
                if last is None:
                    raise malformed(
                        "few-shot examples are to be appended to the user prompt, but there is no user turn"
                    )
                messages[last] = self._appended(messages[last])
        return tuple(messages)

    def _appended(self, message: Message) -> Message:
        section = () if self.few_shot is None else self.few_shot.section()
        between: tuple[Part, ...] = (Text("\n\n"),) if message.parts else ()
        if message.parts and isinstance(last := message.parts[-1], Text) and not last.cache:
            return message.replace(parts=(*message.parts[:-1], *merged([last, *between, *section])))
        return message.replace(parts=(*message.parts, *merged([*between, *section])))

    # The block contract

    @property
    def system_prompt(self) -> str:
        """The template texts of the leading system turns, joined by a blank line; empty when there is none."""
        leading = [e for e in self.messages if not isinstance(e, History) and e.role in ("system", "developer")]
        return "\n\n".join(e.template if isinstance(e, Turn) else e.text for e in leading)

    def render_blocks(self, **values: Any) -> list[dict[str, Any]]:
        """The last user turn as blocks, without separators: ``{"type": "text", "content": …}`` and media.

        Raises:
            TemplateError: As `render`.
        """
        given, absent = check_values(self._variables, values, "ignore")
        turn = next((e for e in reversed(self.messages) if not isinstance(e, History) and e.role == "user"), None)
        match turn:
            case None:
                parts: tuple[Part, ...] = ()
            case Message():
                parts = turn.parts
            case Turn():
                parts = tuple(part for block in turn.blocks for part in block.render(self.syntax, given, absent))
        return [{"type": p.kind, "content": p.text if isinstance(p, Text) else p} for p in parts]

    # Plain data

    def to_json(self) -> dict[str, Any]:
        """The prompt as plain JSON data, without loss; `from_json` is the opposite."""
        data: dict[str, Any] = {"messages": [_entry_to_data(entry) for entry in self.messages], "syntax": self.syntax}
        data |= {"few_shot": self.few_shot.to_data()} if self.few_shot is not None else {}
        data |= {"variables": [variable.to_data() for variable in self.declared]} if self.declared else {}
        data |= {key: value for key in ("model", "name", "version") if (value := getattr(self, key)) is not None}
        return data | {key: value for key in ("parameters", "metadata") if (value := getattr(self, key))}

    @classmethod
    def from_json(cls, data: Mapping[str, Any] | str) -> Self:
        """A prompt from what `to_json` gave, or from its JSON text.

        Raises:
            PromptFormatError: The data are not those of a prompt.
        """
        if isinstance(data, str):
            try:
                data = json.loads(data)
            except ValueError as error:
                raise malformed(f"not JSON: {error}") from None
        if not isinstance(data, Mapping) or not isinstance(data.get("messages"), list):
            raise malformed("a prompt's data need 'messages', a list")
        if unknown := data.keys() - set(_KEYS):
            raise malformed(f"a prompt's data have the unknown key {sorted(map(str, unknown))[0]!r}")
        fields = dict(data)
        fields["messages"] = [_entry_from_data(e, f"message {n}") for n, e in enumerate(data["messages"], 1)]
        if "few_shot" in fields:
            fields["few_shot"] = FewShot.from_data(fields["few_shot"])
        if "variables" in fields:
            fields["variables"] = [variable_from_data(item) for item in fields["variables"]]
        return cls(**fields)


def _entries(system: Any, user: Any, messages: Iterable[Any] | None) -> tuple[Entry, ...]:
    if messages is not None:
        if system is not None or user is not None:
            raise malformed("give either messages, or system and user")
        if isinstance(messages, str | Mapping):
            raise malformed(f"messages are a list, not {type(messages).__name__}")
        entries = tuple(_entry(entry, number) for number, entry in enumerate(messages, 1))
    else:
        given = (("system", system), ("user", user))
        entries = tuple(Turn(role, content) for role, content in given if content is not None and len(content))
    if not entries:
        raise malformed("a prompt needs at least one message: give a user template")
    return entries


def _entry(entry: object, number: int) -> Entry:
    match entry:
        case Turn() | Message() | History():
            return entry
        case (str() as role, content):
            return Turn(role, content)
        case Mapping():
            raise malformed(
                f"message {number} is a dictionary: write (role, template) for a template, "
                "Message(role, ...) for a literal"
            )
    raise malformed(f"message {number} is {type(entry).__name__}; write (role, template), Message(...) or History(...)")


def _with_turns(messages: Iterable[Any], turns: Mapping[str, Any]) -> list[Any]:
    entries = list(messages)
    roles = ["" if isinstance(e, History) else e[0] if isinstance(e, tuple) else e.role for e in entries]
    if "user" in turns:
        last = max((n for n, role in enumerate(roles) if role == "user"), default=None)
        where = slice(len(entries), None) if last is None else slice(last, last + 1)
        entries[where] = [("user", turns["user"])] if turns["user"] else []
    if "system" in turns:
        leading = 1 if roles and roles[0] == "system" else 0
        entries[:leading] = [("system", turns["system"])] if turns["system"] else []
    return entries


def _json_text(data: Mapping[str, Any] | None, what: str) -> str:
    try:
        text = json.dumps(dict(data or {}), ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise malformed(f"a prompt's {what} are plain JSON data: {error}") from None
    return text


def _entry_to_data(entry: Entry) -> dict[str, Any]:
    match entry:
        case Turn():
            return entry.to_data()
        case History():
            return {"history": entry.name, "required": entry.required}
        case Message():
            return message_to_data(entry)


def _entry_from_data(data: object, where: str) -> Entry:
    if not isinstance(data, Mapping):
        raise malformed(f"{where} is {type(data).__name__}, not an object")
    if "history" in data:
        return History(data["history"], required=bool(data.get("required", True)))
    if "parts" in data:
        return message_from_data(data, where)
    if "template" in data or "blocks" in data:
        return Turn.from_data(data, where)
    raise malformed(f"{where} has neither 'template', 'blocks', 'parts' nor 'history'")
