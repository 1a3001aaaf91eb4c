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
    "capitalize casefold center count endswith expandtabs find format format_map index isalnum isalpha isascii "
    "isdecimal isdigit isidentifier islower isnumeric isprintable isspace istitle isupper join ljust lower lstrip "
    "partition removeprefix removesuffix replace rfind rindex rjust rpartition rsplit rstrip split splitlines "
    "startswith strip swapcase title upper zfill".split()
)
DICT_METHODS = frozenset("copy get items keys values".split())
LIST_METHODS = frozenset("copy count index".split())

_SEQUENCE = frozenset("count index".split())
_NUMBER = frozenset("conjugate denominator imag numerator real".split())
_DAY = frozenset("ctime day isocalendar isoformat isoweekday month replace strftime toordinal weekday year".split())
_HOUR = frozenset("dst fold hour isoformat microsecond minute replace second strftime tzinfo tzname utcoffset".split())
_MOMENT = _DAY | _HOUR | frozenset("astimezone date time timestamp timetz".split())
_LOOP = frozenset(
    "changed cycle depth depth0 first index index0 last length nextitem previtem revindex revindex0".split()
)

_NAMES: Mapping[type, frozenset[str]] = {
    str: TEXT_METHODS,
    dict: DICT_METHODS,
    list: LIST_METHODS,
    tuple: _SEQUENCE,
    range: _SEQUENCE | frozenset("start step stop".split()),
    bool: _NUMBER,
    int: _NUMBER | frozenset("as_integer_ratio bit_count bit_length is_integer".split()),
    float: _NUMBER | frozenset("as_integer_ratio hex is_integer".split()),
    Decimal: _NUMBER
    | frozenset("adjusted copy_abs is_finite is_infinite is_nan is_signed is_zero normalize quantize sqrt".split()),
    datetime: _MOMENT,
    date: _DAY,
    time: _HOUR,
    timedelta: frozenset("days max microseconds min resolution seconds total_seconds".split()),
    LoopContext: _LOOP,
    Macro: frozenset("arguments caller catch_kwargs catch_varargs name".split()),
    BlockReference: frozenset({"super"}),
}
_ENUM = frozenset("name value".split())
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
