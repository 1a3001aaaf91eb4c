"""The options of an adapter: how it works, never what a prompt says."""

from __future__ import annotations

import reprlib
from collections.abc import Mapping
from copy import deepcopy
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, NoReturn, TypeAlias, get_args

from prompt_adapters.adapters.blocks import Extra, Separators
from prompt_adapters.adapters.parameters import UnknownParameters
from prompt_adapters.adapters.roles import SystemInMiddle, SystemText
from prompt_adapters.content.frozen import names_of, replaced
from prompt_adapters.content.plain_data import check_plain

if TYPE_CHECKING:
    from prompt_adapters.targets import Limits

OnLimit: TypeAlias = Literal["convert", "error", "send"]
Fetch: TypeAlias = Literal["needed", "always"]

_CHOICES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "on_limit": get_args(OnLimit),
        "fetch": get_args(Fetch),
        "system_in_middle": get_args(SystemInMiddle),
        "unknown_parameters": get_args(UnknownParameters),
        "extra": get_args(Extra),
        "system": get_args(SystemText),
    }
)


class Options(NamedTuple):
    """What `MessageAdapter` describes, checked."""

    model: str | None = None
    parameters: Mapping[str, Any] | None = None
    on_limit: OnLimit = "convert"
    fetcher: Any = None
    system_in_middle: SystemInMiddle = "refuse"
    separators: Separators | None = None
    unknown_parameters: UnknownParameters = "refuse"
    extra: Extra = "forbid"
    system: SystemText = "auto"
    limits: Mapping[str, Any] | None = None
    fetch: Fetch = "needed"

    def checked(self) -> Options:
        """The same, and the adapter's own.

        Raises:
            TypeError: An option has the wrong type.
            ValueError: It has an impossible value.
        """
        for name, choices in _CHOICES.items():
            if (value := getattr(self, name)) not in choices:
                raise ValueError(
                    f"the option {name} is one of {', '.join(map(repr, choices))}, not {reprlib.repr(value)}"
                )
        if not isinstance(self.model, str | None):
            raise TypeError(f"the option model is a text, not {type(self.model).__name__}")
        if self.fetcher is not None and not callable(getattr(self.fetcher, "fetch", None)):
            raise TypeError(f"the option fetcher has no method fetch: {type(self.fetcher).__name__}; use HttpFetcher()")
        if self.fetcher is None and self.fetch == "always":
            raise ValueError("the option fetch is 'always' and there is no fetcher; give fetcher=HttpFetcher()")
        if self.model is not None and not self.model.strip():
            raise ValueError("the option model is empty; leave it out when no model is bound")
        return self._replace(
            parameters=_own(self.parameters), separators=_pairs(self.separators), limits=_fields(self.limits)
        )

    def copied(self) -> Options:
        """A copy that shares nothing that can be changed."""
        return self._replace(
            parameters=deepcopy(self.parameters),
            separators=self.separators and dict(self.separators),
            limits=self.limits and dict(self.limits),
        )

    def limited(self, known: Limits) -> Limits:
        """The documented limits under those that the user set."""
        return replaced(known, **self.limits) if self.limits else known

    def key(self) -> tuple[Any, ...]:
        """What two adapters must share to hash alike; parameters may hold anything and are left to equality."""
        return self.model, self.on_limit, self.system_in_middle, self.unknown_parameters, self.extra, self.system

    def __repr__(self) -> str:
        """Only what was set."""
        defaults = self._field_defaults
        return ", ".join(f"{n}={v!r}" for n, v in zip(self._fields, self, strict=True) if v != defaults[n])


def _own(parameters: Any) -> Mapping[str, Any] | None:
    if parameters is None:
        return None
    if not isinstance(parameters, Mapping) or not all(isinstance(name, str) for name in parameters):
        raise TypeError("the option parameters is a mapping, as {'temperature': 0.2}")
    check_plain(parameters, "the data in the option parameters")
    return deepcopy(dict(parameters)) or None


def _pairs(separators: Any) -> Separators | None:
    if separators is None:
        return None
    if not isinstance(separators, Mapping) or not all(
        isinstance(pair, tuple) and len(pair) == 2 and isinstance(text, str) for pair, text in separators.items()
    ):
        raise TypeError("the option separators is a mapping, as {('text', 'image'): '\\n'}")
    return dict(separators)


def _fields(limits: Any) -> Mapping[str, Any] | None:
    if limits is None:
        return None
    if not isinstance(limits, Mapping):
        raise TypeError("the option limits is a mapping, as {'max_images': 500}")
    from prompt_adapters.targets.limits import Limits

    known = set(names_of(Limits))
    if unknown := [name for name in limits if name not in known]:
        raise ValueError(f"the option limits has no field {unknown[0]!r}; its fields are {', '.join(sorted(known))}")
    return dict(limits) or None


def refuse_unknown(cls: type, unknown: Mapping[str, Any]) -> NoReturn:
    """Refuse an option that does not exist.

    Raises:
        TypeError: Always; it names the options that there are.
    """
    from difflib import get_close_matches

    name = next(iter(unknown))
    like = get_close_matches(name, Options._fields, n=1)
    meant = f"; did you mean {like[0]!r}? Its" if like else "; its"
    raise TypeError(f"{cls.__name__} has no option {name!r}{meant} options are {', '.join(Options._fields)}")
