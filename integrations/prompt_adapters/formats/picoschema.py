"""Picoschema, the short form of JSON Schema in dotprompt files, and the variables that an input schema declares.

========================================  ==============================================================================
``input.schema``, ``input.default``       the variable
========================================  ==============================================================================
``name: string, what it is``              ``Variable("name", type="text", description="what it is")``
``name: integer`` and every other type    ``Variable("name")``; the file's own schema stays in the metadata
``name?: any``                            ``Variable("name", required=False)``
``default: {name: x}``                    ``Variable("name", default=x)``
========================================  ==============================================================================

A name without ``?`` leaves it to the template whether it can do without the value, as dotprompt checks no values.
https://google.github.io/dotprompt/reference/picoschema/
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from prompt_adapters.errors import PromptFormatError
from prompt_adapters.variables import Variable

Schema: TypeAlias = Mapping[str, Any]
Named: TypeAlias = Callable[[str], Schema]

SCALARS = frozenset({"any", "boolean", "integer", "null", "number", "string"})
MAX_DEPTH = 50
_WILDCARD = "(*)"


def json_schema(schema: Any, named: Mapping[str, Schema] | None = None) -> dict[str, Any]:
    """A schema as JSON Schema.

    Args:
        schema: Picoschema, or JSON Schema, which stays as it is.
        named: Schemas that it may call by their names.

    Raises:
        PromptFormatError: (a ``ValueError``) It is neither, or calls a schema that is not there.
    """

    def find(name: str) -> Schema:
        if named is None or name not in named:
            raise _malformed(f"no schema is called {name!r}; the types are {', '.join(sorted(SCALARS))}")
        return named[name]

    return _whole(schema, find)


def _whole(schema: Any, find: Named) -> dict[str, Any]:
    if isinstance(schema, str):
        return {"type": "any"} if schema == "any" else _named(schema, find)
    if not isinstance(schema, Mapping):
        raise _malformed(f"a schema is a text or a mapping, not {type(schema).__name__}")
    if _is_json_schema(schema):
        return dict(schema)
    if isinstance(schema.get("properties"), Mapping):
        return {**schema, "type": "object"}
    return _object(schema, find, 0)


def _is_json_schema(schema: Schema) -> bool:
    kind = schema.get("type")
    return isinstance(kind, str) and (kind in SCALARS or kind in ("object", "array"))


def _value(schema: Any, find: Named, depth: int) -> dict[str, Any]:
    if depth > MAX_DEPTH:
        raise _malformed("the schema is nested too deeply")
    return _object(schema, find, depth) if isinstance(schema, Mapping) else _named(schema, find)


def _named(text: Any, find: Named) -> dict[str, Any]:
    if not isinstance(text, str):
        raise _malformed(f"a type is a text, as 'string, what it is', not {type(text).__name__}")
    kind, description = _described(text)
    scalar = {} if kind == "any" else {"type": kind}
    found = scalar if kind in SCALARS else dict(find(kind))
    return found | ({"description": description} if description else {})


def _described(text: str) -> tuple[str, str]:
    kind, _, description = text.partition(",")
    return kind, description.lstrip(" ")


def _object(fields: Schema, find: Named, depth: int) -> dict[str, Any]:
    properties: dict[str, Any] = {}
    required: list[str] = []
    others: Any = False
    for key, value in fields.items():
        if key == _WILDCARD:
            others = _value(value, find, depth + 1)
            continue
        name, optional, kind = _key(key)
        if not optional:
            required.append(name)
        properties[name] = _property(kind, value, find, depth, optional=optional)
    schema = {"type": "object", "properties": properties, "additionalProperties": others}
    return schema | ({"required": required} if required else {})


def _key(key: str) -> tuple[str, bool, str]:
    """A key's name, whether it is optional, and what stands in parentheses."""
    name, _, rest = key.partition("(")
    return name.removesuffix("?"), name.endswith("?"), rest.removesuffix(")")


def _property(kind: str, value: Any, find: Named, depth: int, *, optional: bool) -> dict[str, Any]:
    word, description = _described(kind)
    match word:
        case "" | "object":
            made = _value(value, find, depth + 1)
        case "array":
            made = {"type": "array", "items": _value(value, find, depth + 1)}
        case "enum" if isinstance(value, list):
            made = {"enum": [*value, *([None] if optional and None not in value else [])]}
        case _:
            raise _malformed(f"{word!r} is no word for what a key holds: object, array, or enum with a list")
    if optional and isinstance(made.get("type"), str):
        made["type"] = [made["type"], "null"]
    return made | ({"description": description} if description else {})


def _malformed(reason: str) -> PromptFormatError:
    return PromptFormatError(None, None, f"Picoschema: {reason}")


# Variables


def loose_schema(schema: Any) -> dict[str, Any]:
    """A schema as JSON Schema, in which nothing is known of what it calls by name.

    Raises:
        PromptFormatError: (a ``ValueError``) It is no schema.
    """
    return {} if schema is None else _whole(schema, lambda _: {})


def read_variables(schema: Any, defaults: Mapping[str, Any]) -> tuple[Variable, ...]:
    """The variables that an input schema and defaults declare.

    Raises:
        PromptFormatError: (a ``ValueError``) It is no schema.
    """
    form = loose_schema(schema)
    properties = form.get("properties")
    properties = properties if isinstance(properties, Mapping) else {}
    # A plain JSON Schema without the word says nothing of what must be given.
    required = form.get("required")
    says_optional = isinstance(required, list) or not (isinstance(schema, Mapping) and _is_written_out(schema))
    needed = required if isinstance(required, list) else []
    found = []
    for name in dict.fromkeys([*properties, *defaults]):
        about = properties.get(name)
        about = about if isinstance(about, Mapping) else {}
        optional = name in properties and says_optional and name not in needed
        optional = optional or (name in defaults and defaults[name] is None)
        description = about.get("description")
        found.append(
            Variable(
                name,
                required=False if optional else None,
                default=defaults.get(name),
                type="text" if _types(about) == {"string"} and "enum" not in about else None,
                description=description if isinstance(description, str) and description else None,
            )
        )
    return tuple(found)


def _is_written_out(schema: Schema) -> bool:
    return _is_json_schema(schema) or isinstance(schema.get("properties"), Mapping)


def _types(schema: Schema) -> set[str]:
    kind = schema.get("type")
    kinds = kind if isinstance(kind, list) else [kind]
    return {word for word in kinds if isinstance(word, str) and word != "null"}


def kind_of(schema: Schema | None) -> str | None:
    """``object``, ``array``, or ``scalar``; None where a schema leaves it open."""
    kinds = _types(schema or {})
    if kinds & {"object", "array", "any"}:
        return kinds.pop() if len(kinds) == 1 and "any" not in kinds else None
    enum = (schema or {}).get("enum")
    if isinstance(enum, list) and enum and not any(isinstance(item, dict | list) for item in enum):
        return "scalar"
    return "scalar" if kinds else None


def inner(schema: Schema | None, name: str | None = None) -> Schema | None:
    """The schema of an object's field, or without a name that of an array's items; None where nothing is known."""
    fields = (schema or {}).get("items") if name is None else ((schema or {}).get("properties") or {})
    found = fields if name is None else fields.get(name) if isinstance(fields, Mapping) else None
    return found if isinstance(found, Mapping) else None


def write_schema(variables: Sequence[Variable]) -> dict[str, str]:
    """The input schema that declares variables; those of which the defaults say everything are left out at the end."""
    needing = [number for number, variable in enumerate(variables) if _needs_entry(variable)]
    shown: Iterable[Variable] = variables[: needing[-1] + 1] if needing else ()
    return {f"{v.name}{'?' if v.required is False else ''}": _type_of(v) for v in shown}


def _needs_entry(variable: Variable) -> bool:
    plain = variable.type is None and variable.description is None and variable.required is None
    return not (plain and variable.has_default)


def _type_of(variable: Variable) -> str:
    kind = "any" if variable.type is None else "string"
    return f"{kind}, {variable.description}" if variable.description else kind


def is_declarable(variable: Variable) -> bool:
    """Whether a schema that names a variable means just that."""
    name = variable.name
    return "(" not in name and not name.endswith("?") and name != "type"
