"""The variables of a prompt: what is declared, what the templates use, and whether the given values fit."""

from __future__ import annotations

import json
import reprlib
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, NamedTuple

from prompt_adapters.content.parts import MEDIA_PARTS
from prompt_adapters.content.plain_data import json_text
from prompt_adapters.content.value import Value
from prompt_adapters.errors import MissingVariableError, PromptFormatError, UnknownVariableError
from prompt_adapters.templates import Slot


def malformed(reason: str) -> PromptFormatError:
    """The error for a prompt made in code."""
    return PromptFormatError(None, None, reason)


def canonical(text: str) -> str:
    """JSON text without the order of its keys, so that equal data are equal texts."""
    return text if text in ("null", "{}") else json.dumps(json.loads(text), sort_keys=True)


_TYPES = ("text", *MEDIA_PARTS, "messages")


class Variable(Value):
    """A variable of a prompt.

    Attributes:
        name: Its name.
        required: Whether it must be given; None leaves that to the templates, as they are written.
        default: The value when none is given (plain data); it makes the variable optional.
        type: What it holds, for people and schemas: text, image, audio, video, document or messages.
        description: What it is for.
    """

    __slots__ = ("_default", "description", "name", "required", "type")
    _compared: ClassVar = ("name", "required", "_default", "type", "description")
    _also_accepted: ClassVar = frozenset({"default"})
    name: str
    required: bool | None
    _default: str
    type: str | None
    description: str | None

    def __init__(
        self,
        name: str,
        *,
        required: bool | None = None,
        default: Any = None,
        type: str | None = None,  # noqa: A002 - the word for it in every schema
        description: str | None = None,
    ) -> None:
        self._set(name=name, required=required, type=type, description=description)
        self._set(**self._as_fields({"default": default}))
        self._check()

    @classmethod
    def _as_fields(cls, changes: dict[str, Any]) -> dict[str, Any]:
        if "default" not in changes:
            return changes
        text = json_text(changes["default"], "the default of a variable is not plain JSON data")
        return {name: value for name, value in changes.items() if name != "default"} | {"_default": text}

    def _check(self) -> None:
        if not isinstance(self.name, str) or not self.name:
            raise malformed(f"a variable is called by a name, not {reprlib.repr(self.name)}")
        if not isinstance(self.required, bool | None):
            raise malformed(
                f"variable {self.name!r}: required is true, false or None, not {reprlib.repr(self.required)}"
            )
        if self.has_default and self.required:
            raise malformed(f"variable {self.name!r} has a default, so it cannot be required")
        if self.type is not None and self.type not in _TYPES:
            shown = reprlib.repr(self.type)
            raise malformed(f"variable {self.name!r}: {shown} is not a type; the types are {', '.join(_TYPES)}")
        if not isinstance(self.description, str | None):
            raise malformed(f"variable {self.name!r}: its description is a text, not {type(self.description).__name__}")

    def _key(self) -> tuple[Any, ...]:
        return self.name, self.required, canonical(self._default), self.type, self.description

    @property
    def has_default(self) -> bool:
        """Whether there is a value when none is given."""
        return self._default != "null"

    @property
    def default(self) -> Any:
        """The value when none is given, a new one each time; None when there is no default."""
        return json.loads(self._default)

    def _describe(self) -> str:
        return f"Variable({', '.join(f'{name}={value!r}' for name, value in self.to_data().items())})"

    def to_data(self) -> dict[str, Any]:
        """As JSON data."""
        names = ("name", "required", "default", "type", "description")
        return {name: value for name in names if (value := getattr(self, name)) is not None}


def read_variables(variables: Iterable[str | Variable] | None) -> tuple[Variable, ...]:
    """Declared variables from what people write: names and `Variable` objects; a set is sorted.

    Raises:
        PromptFormatError: They are no list, or one is declared twice.
    """
    if isinstance(variables, str | bytes | Mapping) or not isinstance(variables, Iterable | None):
        raise malformed(f"variables are a list of names or Variable(...), not {type(variables).__name__}")
    items: Iterable[Any] = () if variables is None else variables
    if isinstance(items, set | frozenset):
        items = sorted(items, key=lambda item: item.name if isinstance(item, Variable) else str(item))
    found: dict[str, Variable] = {}
    for item in items:
        variable = item if isinstance(item, Variable) else Variable(item)
        if found.setdefault(variable.name, variable) != variable:
            raise malformed(f"variable {variable.name!r} is declared twice")
    return tuple(found.values())


def resolve_variables(declared: Iterable[Variable], slots: Iterable[Slot]) -> tuple[Variable, ...]:
    """Declared variables and then those that only the templates use, each with `required` known."""
    needed: dict[str, bool] = {}
    for slot in slots:
        needed[slot.name] = needed.get(slot.name, False) or slot.required
    variables = {}
    for variable in declared:
        required = variable.required
        if required is None:
            required = needed.get(variable.name, False) and not variable.has_default
        variables[variable.name] = variable.replace(required=required)
    for name, required in needed.items():
        variables.setdefault(name, Variable(name, required=required))
    return tuple(variables.values())


class Needs(NamedTuple):
    """What the variables of a prompt ask of values, made once for all its renders.

    Attributes:
        variables: The variables, each with `required` known.
        known: Their names.
        required: The names of those that must be given.
        optional: The names of the others.
        defaults: Whether any has a value when none is given.
        hint: A remedy for one that was not given at all.
    """

    variables: tuple[Variable, ...]
    known: frozenset[str]
    required: tuple[str, ...]
    optional: frozenset[str]
    defaults: bool
    hint: str = ""

    @classmethod
    def of(cls, variables: tuple[Variable, ...], hint: str) -> Needs:
        """The needs of variables."""
        return cls(
            variables,
            frozenset(variable.name for variable in variables),
            tuple(variable.name for variable in variables if variable.required),
            frozenset(variable.name for variable in variables if not variable.required),
            any(variable.has_default for variable in variables),
            hint,
        )

    def met(self, values: Mapping[str, Any], extra: str) -> tuple[Mapping[str, Any], frozenset[str]]:
        """What `check_values` gives; the values themselves where nothing is to be said about them."""
        if type(values) is dict and not self.defaults:
            for name in self.required:
                if values.get(name) is None:
                    break
            else:  # as many as are required are just these
                if len(values) == len(self.required) or extra == "ignore" or values.keys() <= self.known:
                    return values, self.optional
        return check_values(self.variables, values, extra, self.hint)


def check_values(
    variables: tuple[Variable, ...], values: Mapping[str, Any], extra: str, hint: str = ""
) -> tuple[Mapping[str, Any], frozenset[str]]:
    """The values with defaults filled in, and the names that may be absent.

    Args:
        variables: The prompt's variables, each with `required` known.
        values: The given values; None counts as not given.
        extra: ``forbid`` or ``ignore`` unknown names.
        hint: A remedy for one that was not given at all.

    Raises:
        MissingVariableError: A required variable is not given.
        UnknownVariableError: A variable is given that the prompt does not have, and `extra` forbids it.
    """
    known = [variable.name for variable in variables]
    missing = [v.name for v in variables if v.required and values.get(v.name) is None]
    unknown = [str(name) for name in values if name not in known]
    if missing:
        unused = [name for name in unknown if _alike(name, missing)]
        raise MissingVariableError(missing, unused=unused, hint=_hint(missing, values, hint))
    if unknown and extra == "forbid":
        close = [match for name in unknown for match in _closest(name, known, 0.6)]
        raise UnknownVariableError(unknown, known=known, suggestions=dict.fromkeys(close))
    defaults = {v.name: v.default for v in variables if v.has_default and values.get(v.name) is None}
    return {**values, **defaults}, frozenset([v.name for v in variables if not v.required])


def _hint(missing: list[str], values: Mapping[str, Any], hint: str) -> str:
    """What to do about missing variables: some were not given, and some were given as None."""
    none = [repr(name) for name in missing if name in values]
    given = [f"{', '.join(none)} was given as None, which counts as not given"] if none else []
    return "; ".join([*given, *([hint] if hint and len(none) < len(missing) else [])])


def merge_values(values: Mapping[str, Any] | None, more: Mapping[str, Any]) -> dict[str, Any]:
    """The values of both; a name in both is an error."""
    if values is not None and not isinstance(values, Mapping):
        raise TypeError(f"values are a mapping of names to values, not {type(values).__name__}")
    if twice := sorted(str(name) for name in (values or {}).keys() & more.keys()):
        raise TypeError(f"variable {twice[0]!r} is given twice")
    return {**(values or {}), **more}


def variable_from_data(item: object) -> Variable:
    """A declared variable from JSON data: a name, or an object."""
    if isinstance(item, str):
        return Variable(item)
    if not isinstance(item, Mapping) or "name" not in item:
        raise malformed(f"a variable is a name or an object with a name, not {reprlib.repr(item)}")
    if unknown := item.keys() - {"name", "required", "default", "type", "description"}:
        raise malformed(f"a variable has the unknown key {sorted(map(str, unknown))[0]!r}")
    return Variable(**item)


def _alike(name: str, names: Iterable[str]) -> bool:
    return bool(_closest(name, names, 0.5)) or any(name in n or n in name for n in names)


def _closest(name: str, names: Iterable[str], cutoff: float) -> list[str]:
    """The one name that looks most like another, upper and lower case being the same."""
    from difflib import get_close_matches

    folded = {n.casefold(): n for n in names}
    return [folded[match] for match in get_close_matches(name.casefold(), folded, 1, cutoff)]
