"""What of a value a template can reach: names that are listed here, and nothing else.

A list of what is allowed needs no list of what is dangerous: whatever a type has or will have, a template gets at none
of it unless it is named here. Values themselves are of few types by then (`pieces.admit`).
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, time, timedelta, tzinfo
from decimal import Decimal
from enum import Enum
from numbers import Number
from typing import Any

from jinja2.runtime import BlockReference, LoopContext, Macro

TEXT_METHODS = frozenset(
    [
        "capitalize",
        "casefold",
        "center",
        "count",
        "endswith",
        "expandtabs",
        "find",
        "format",
        "format_map",
        "index",
        "isalnum",
        "isalpha",
        "isascii",
        "isdecimal",
        "isdigit",
        "isidentifier",
        "islower",
        "isnumeric",
        "isprintable",
        "isspace",
        "istitle",
        "isupper",
        "join",
        "ljust",
        "lower",
        "lstrip",
        "partition",
        "removeprefix",
        "removesuffix",
        "replace",
        "rfind",
        "rindex",
        "rjust",
        "rpartition",
        "rsplit",
        "rstrip",
        "split",
        "splitlines",
        "startswith",
        "strip",
        "swapcase",
        "title",
        "upper",
        "zfill",
    ]
)
DICT_METHODS = frozenset(["copy", "get", "items", "keys", "values"])
LIST_METHODS = frozenset(["copy", "count", "index"])

_SEQUENCE = frozenset(["count", "index"])
_NUMBER = frozenset(["conjugate", "denominator", "imag", "numerator", "real"])
_DAY = frozenset(
    [
        "ctime",
        "day",
        "isocalendar",
        "isoformat",
        "isoweekday",
        "month",
        "replace",
        "strftime",
        "toordinal",
        "weekday",
        "year",
    ]
)
_HOUR = frozenset(
    [
        "dst",
        "fold",
        "hour",
        "isoformat",
        "microsecond",
        "minute",
        "replace",
        "second",
        "strftime",
        "tzinfo",
        "tzname",
        "utcoffset",
    ]
)
_MOMENT = _DAY | _HOUR | frozenset(["astimezone", "date", "time", "timestamp", "timetz"])
_LOOP = frozenset(
    [
        "changed",
        "cycle",
        "depth",
        "depth0",
        "first",
        "index",
        "index0",
        "last",
        "length",
        "nextitem",
        "previtem",
        "revindex",
        "revindex0",
    ]
)

_NAMES: Mapping[type, frozenset[str]] = {
    str: TEXT_METHODS,
    dict: DICT_METHODS,
    list: LIST_METHODS,
    tuple: _SEQUENCE,
    range: _SEQUENCE | frozenset(["start", "step", "stop"]),
    bool: _NUMBER,
    int: _NUMBER | frozenset(["as_integer_ratio", "bit_count", "bit_length", "is_integer"]),
    float: _NUMBER | frozenset(["as_integer_ratio", "hex", "is_integer"]),
    Decimal: _NUMBER
    | frozenset(
        [
            "adjusted",
            "copy_abs",
            "is_finite",
            "is_infinite",
            "is_nan",
            "is_signed",
            "is_zero",
            "normalize",
            "quantize",
            "sqrt",
        ]
    ),
    datetime: _MOMENT,
    date: _DAY,
    time: _HOUR,
    timedelta: frozenset(["days", "max", "microseconds", "min", "resolution", "seconds", "total_seconds"]),
    LoopContext: _LOOP,
    Macro: frozenset(["arguments", "caller", "catch_kwargs", "catch_varargs", "name"]),
    BlockReference: frozenset({"super"}),
}
_ENUM = frozenset(["name", "value"])
_NOTHING: frozenset[str] = frozenset()


def names_of(value: Any) -> frozenset[str]:
    """The attributes and methods of a value that a template may use."""
    kind = type(value)
    if (names := _NAMES.get(kind)) is not None:
        return names
    if isinstance(value, tuple):
        fields = getattr(kind, "_fields", ())
        return _SEQUENCE.union(name for name in fields if isinstance(name, str) and not name.startswith("_"))
    if isinstance(value, Enum):
        return _ENUM | _NUMBER
    for base in (datetime, date, time, timedelta, LoopContext):
        if isinstance(value, base):
            return _NAMES[base]
    if isinstance(value, tzinfo):
        return frozenset({"tzname"})
    return _NUMBER if isinstance(value, Number) else _NOTHING
