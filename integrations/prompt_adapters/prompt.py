"""`Prompt`: what is written once. It renders to messages, and knows no provider and no file."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, Literal, Self

from prompt_adapters.blocks import Block, placed
from prompt_adapters.content.message import Message, message_of
from prompt_adapters.content.parts import Part, Text
from prompt_adapters.content.plain_data import WHOLE_DEPTH, check_plain, json_text
from prompt_adapters.content.position import position
from prompt_adapters.content.value import Value
from prompt_adapters.errors import PromptAdapterError
from prompt_adapters.few_shot import Example, FewShot
from prompt_adapters.templates import MISSING_HINTS, SYNTAXES, Slot, compile_template, one_prompt
from prompt_adapters.templates.limits import Budget, current_limits, shared_budget, spending
from prompt_adapters.turn_places import last_user, leading, with_turns
from prompt_adapters.turns import (
    Entry,
    History,
    Planned,
    Turn,
    computes,
    entry_from_data,
    entry_to_data,
    read_entries,
    with_includes,
)
from prompt_adapters.variables import (
    Needs,
    Variable,
    canonical,
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
        includes: The folder from which Jinja's ``include``, ``import`` and ``from … import`` take files, once, now: the
            prompt has their texts, and is complete without them. In several places, `templates.includes_from`.

    Raises:
        PromptFormatError: (a ``ValueError``) Something is malformed.
        TemplateError: (a ``ValueError``) A template cannot be compiled.
    """

    __slots__ = (
        "_computes",
        "_last_user",
        "_metadata",
        "_needs",
        "_parameters",
        "_plan",
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
        "name",
        "version",
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
    _needs: Needs
    _plan: tuple[Planned, ...]
    _last_user: int
    _computes: bool

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
        includes: str | os.PathLike[str] | None = None,
    ) -> None:
        self._set(
            messages=with_includes(read_entries(system, user, messages), syntax, includes),
            few_shot=None if isinstance(few_shot, FewShot) and few_shot.is_empty else few_shot,
            declared=read_variables(variables),
            syntax=syntax,
            model=model,
            name=name,
            version=version,
            _parameters=_json_text(parameters, "parameters"),
            _metadata=_json_text(metadata, "metadata"),
        )
        self._check()

    @one_prompt()
    def _check(self) -> None:
        for field, types in (("syntax", str), ("model", str | None), ("name", str | None), ("version", str | None)):
            if not isinstance(getattr(self, field), types):
                raise malformed(f"a prompt's {field} is a text, not {type(getattr(self, field)).__name__}")
        if self.syntax not in SYNTAXES:
            compile_template("", self.syntax)  # which says what is meant
        if not isinstance(self.few_shot, FewShot | None):
            raise malformed(f"few_shot is FewShot([...]), not {type(self.few_shot).__name__}")
        variables = resolve_variables(self.declared, self._slots())
        plan = tuple(Planned.of(entry, self.syntax) for entry in self.messages)
        self._set(
            _variables=variables,
            _needs=Needs.of(variables, MISSING_HINTS.get(self.syntax, "")),
            _plan=plan,
            _last_user=last_user(self.messages),
            _computes=computes(self.messages, self.syntax),
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self)._revived, (self._state(),)

    @classmethod
    def _revived(cls, state: dict[str, Any]) -> Self:
        return cls(**state)

    def _key(self) -> tuple[Any, ...]:
        return (*super()._key(), canonical(self._parameters), canonical(self._metadata))

    def _state(self) -> dict[str, Any]:
        return {key: getattr(self, "declared" if key == "variables" else key) for key in _KEYS}

    def replace(self, **changes: Any) -> Self:
        """A copy with some arguments of the constructor changed, checked anew.

        ``system`` takes the place of the leading system turns, ``user`` that of the last user turn.

        Raises:
            TypeError: The constructor has no such argument.
            PromptFormatError: The result would be malformed.
        """
        state = self._state()
        if unknown := changes.keys() - {*state, "system", "user"}:
            raise TypeError(f"Prompt has no field {sorted(unknown)[0]!r}")
        if turns := {role: changes.pop(role) for role in ("system", "user") if role in changes}:
            entries = read_entries(None, None, changes.pop("messages", self.messages))
            state["messages"] = with_turns(entries, **turns)
        return type(self)(**(state | changes))

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters of the call, a new dict each time."""
        data: dict[str, Any] = json.loads(self._parameters) if self._parameters != "{}" else {}
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
        """The SHA-256 of the prompt as JSON, in hexadecimal: prompts with the same digest are equal.

        Of examples that are chosen for each rendering, only the class that chooses them counts.
        """
        text = json.dumps(self._data(FewShot.outline), sort_keys=True, ensure_ascii=True)
        from hashlib import sha256  # which takes long to import, and most prompts are never asked

        return sha256(text.encode()).hexdigest()

    def _describe(self) -> str:
        roles = ["history" if isinstance(entry, History) else entry.role for entry in self.messages]
        shots = f", few_shot={self.few_shot.size}" if self.few_shot is not None else ""
        name = f"name={self.name!r}, " if self.name else ""
        return f"Prompt({name}{' '.join(roles)}{shots}, variables={[variable.name for variable in self._variables]})"

    def _slots(self) -> list[Slot]:
        slots: list[Slot] = []
        for number, entry in enumerate(self.messages):
            match entry:
                case Turn():
                    try:
                        slots += entry.slots(self.syntax)
                    except PromptAdapterError as error:
                        raise placed(error, position(number, entry.role)) from error.__cause__
                case History():
                    slots.append(Slot(entry.name, entry.required))
                case Message():
                    pass
        names = () if self.few_shot is None else self.few_shot.variables
        return slots + [Slot(name, required=True) for name in names]

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
        before: int = 0,
    ) -> tuple[Message, ...]:
        """The messages for these values, with more say.

        Args:
            values: The variables' values.
            extra: Whether unknown variables are an error or ignored.
            separators: What stands between blocks of a block list; None for the documented rules.
            before: How many messages stand before this prompt's own, for the numbers in errors.

        Raises:
            TemplateError: As `render`.
        """
        if self._computes and shared_budget() is None:
            with spending(Budget(current_limits())):
                return self.render_messages(values, extra=extra, separators=separators, before=before)
        given, absent = self._needs.met(values, extra)
        messages: list[Message] = []
        last: int | None = None  # the prompt's own last user turn, counted in messages, as a history may give several
        own = self._last_user
        for number, planned in enumerate(self._plan):
            if number == own:
                last = len(messages)
            entry, role, template, message = planned
            try:
                if message is not None:
                    messages.append(message)
                elif template is not None and role is not None:
                    messages.append(message_of(role, template.render(given, absent=absent)))
                else:
                    messages += planned.render(self.syntax, given, absent, separators)
            except PromptAdapterError as error:
                if not isinstance(entry, Turn):
                    raise
                raise placed(error, position(before + number, entry.role)) from error.__cause__
        if self.few_shot is None:
            return tuple(messages)
        return self.few_shot.chosen(given, self._variables).shown_in(messages, last)

    # The block contract

    @property
    def system_prompt(self) -> str:
        """The template texts of the leading system turns, joined by a blank line; empty when there is none."""
        entries = self.messages[: leading(self.messages)]
        return "\n\n".join(e.template if isinstance(e, Turn) else e.text for e in entries if not isinstance(e, History))

    def render_blocks(self, /, **values: Any) -> list[dict[str, Any]]:
        """The last user turn as blocks, without separators: ``{"type": "text", "content": …}`` and media.

        Raises:
            TemplateError: As `render`.
        """
        given, absent = self._needs.met(values, "ignore")
        number = self._last_user
        turn = self.messages[number] if number >= 0 else None
        parts: tuple[Part, ...] = ()
        if isinstance(turn, Message):
            parts = turn.parts
        elif isinstance(turn, Turn):
            try:
                parts = tuple(part for group in turn.groups(self.syntax, given, absent) for part in group)
            except PromptAdapterError as error:
                raise placed(error, position(number, turn.role)) from error.__cause__
        return [_contract_block(part) for part in parts]

    # Plain data

    def to_json(self) -> dict[str, Any]:
        """The prompt as plain JSON data, without loss; `from_json` is the opposite.

        Raises:
            PromptFormatError: Its examples are chosen for each rendering.
        """
        return self._data(FewShot.to_data)

    def _data(self, few_shot: Callable[[FewShot], dict[str, Any]]) -> dict[str, Any]:
        data: dict[str, Any] = {"messages": [entry_to_data(entry) for entry in self.messages], "syntax": self.syntax}
        data |= {"few_shot": few_shot(self.few_shot)} if self.few_shot is not None else {}
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
            except (ValueError, RecursionError) as error:
                raise malformed(f"not JSON: {error}") from None
        check_plain(data, "a prompt's data", WHOLE_DEPTH)
        if not isinstance(data, Mapping) or not isinstance(data.get("messages"), list):
            raise malformed("a prompt's data need 'messages', a list")
        if unknown := data.keys() - set(_KEYS):
            raise malformed(f"a prompt's data have the unknown key {sorted(map(str, unknown))[0]!r}")
        fields = dict(data)
        fields["messages"] = [entry_from_data(e, f"message {n}") for n, e in enumerate(data["messages"], 1)]
        if "few_shot" in fields:
            fields["few_shot"] = FewShot.from_data(fields["few_shot"])
        if "variables" in fields:
            if not isinstance(fields["variables"], list):
                raise malformed(f"'variables' is {type(fields['variables']).__name__}, not a list")
            fields["variables"] = [variable_from_data(item) for item in fields["variables"]]
        return cls(**fields)


def _contract_block(part: Part) -> dict[str, Any]:
    if not isinstance(part, Text):
        return {"type": part.kind, "content": part}
    return {"type": "text", "content": part.text} | ({"cache": True} if part.cache else {})


def _json_text(data: Mapping[str, Any] | None, what: str) -> str:
    if not isinstance(data, Mapping | None) or not all(isinstance(key, str) for key in data or ()):
        raise malformed(f"a prompt's {what} are a mapping of names to plain JSON data")
    return json_text(dict(data or {}), f"a prompt's {what} are plain JSON data")
