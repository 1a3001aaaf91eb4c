"""Parameters of a call: from the names that every provider shares to each provider's own.

The shared names are OpenAI's, which people know: temperature, top_p, top_k, max_tokens, stop (a string or a list),
seed, presence_penalty, frequency_penalty, response_format, n. A provider's own names pass as they are. What a provider
has no place for is refused by name, or left out with a note. None means that a parameter is not set.
"""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, TypeAlias

from prompt_adapters.content.characters import check_data
from prompt_adapters.errors import PromptFormatError, UnsupportedContentError
from prompt_adapters.media.notes import Note

UnknownParameters: TypeAlias = Literal["refuse", "drop"]

SHARED = (
    "temperature",
    "top_p",
    "top_k",
    "max_tokens",
    "stop",
    "seed",
    "presence_penalty",
    "frequency_penalty",
    "response_format",
    "n",
)
SAMPLING = frozenset({"temperature", "top_p", "top_k"})
# What goes into the body beside the parameters that are known by name: the official clients' word for it.
EXTRA_BODY = "extra_body"


# What others call a shared parameter: a remedy names the word that is understood everywhere.
CALLED_ELSEWHERE: Mapping[str, str] = MappingProxyType(
    {
        own: shared
        for shared, owns in {
            "top_p": "topP p",
            "top_k": "topK k",
            "max_tokens": "max_completion_tokens max_output_tokens max_new_tokens maxTokens maxOutputTokens "
            "num_predict",
            "stop": "stop_sequences stopSequences",
            "seed": "random_seed",
            "presence_penalty": "presencePenalty",
            "frequency_penalty": "frequencyPenalty",
            "response_format": "response_schema response_json_schema responseSchema responseJsonSchema",
            "n": "candidate_count candidateCount",
        }.items()
        for own in owns.split()
    }
)
_NUMBERS = frozenset(
    {"temperature", "top_p", "top_k", "max_tokens", "seed", "presence_penalty", "frequency_penalty", "n"}
)


def _no_number(name: str, value: Any) -> str | None:
    """Why a value is none for a parameter that is a number, as a text is that looks like one to some readers."""
    if CALLED_ELSEWHERE.get(name, name) not in _NUMBERS or not isinstance(value, str | bool | Mapping | Sequence):
        return None
    given = f"the text {value[:40]!r}" if isinstance(value, str) else reprlib.repr(value)
    return f"it is a number, not {given}; write 12 rather than '12' or 012"


class Translation(NamedTuple):
    """A shared parameter that is more than renamed.

    Attributes:
        names: The provider's names that it may set.
        convert: From its value to the provider's parameters; a ``ValueError`` says why there is no place for it.
        lost: What of a value that it takes is not sent, as a sentence; None for nothing.
    """

    names: tuple[str, ...]
    convert: Callable[[Any], Mapping[str, Any]]
    lost: Callable[[Any], str | None] = lambda _: None


class Table(NamedTuple):
    """Where a provider has its parameters.

    Attributes:
        shared: From shared names to the provider's own names or translations.
        own: The provider's own names.
        source: The page that lists them.
    """

    shared: Mapping[str, str | Translation]
    own: frozenset[str]
    source: str

    def names_for(self, name: str) -> tuple[str, ...]:
        """The provider's names for a given one; none when it has no place for it."""
        match self.shared.get(name):
            case Translation(names=names):
                return names
            case str() as own:
                return (own,)
        return (name,) if name in self.own else ()


class Translator(NamedTuple):
    """A table, together with what is known of the call.

    Attributes:
        style: The wire shape.
        table: Where the provider has its parameters.
        sampling: Whether the model takes temperature and its like; None when that is not known.
        unknown: What becomes of a parameter without a place.
    """

    style: str
    table: Table
    sampling: bool | None
    unknown: UnknownParameters

    def translate(self, layers: tuple[Mapping[str, Any], ...]) -> tuple[dict[str, Any], list[Note]]:
        """The parameters under the provider's names; later layers win.

        Raises:
            UnsupportedContentError: (a ``ValueError``) There is no place for one.
            PromptFormatError: (a ``ValueError``) One is given under two names at once, or holds half of a surrogate
                pair.
        """
        placed: dict[str, Any] = {}
        notes: list[Note] = []
        for layer in layers:
            here: dict[str, str] = {}
            for name, value in layer.items():
                objection = self._objection(name) or _no_number(name, value)
                if objection is None and value is None:
                    for own in self.table.names_for(name):
                        placed = {n: v for n, v in placed.items() if n != own and not n.startswith(f"{own}.")}
                elif value is not None:
                    check_data(value, f"parameter {name!r}")
                    for own, own_value in self._one(name, value, objection, notes):
                        if here.setdefault(own, name) != name:
                            raise PromptFormatError(None, None, f"parameters {here[own]!r} and {name!r} mean the same")
                        placed[own] = own_value
        return placed, notes

    def _objection(self, name: str) -> str | None:
        if not self.table.names_for(name):
            return "it has no such parameter"
        if name in SAMPLING and self.sampling is False:
            return "this model takes no sampling parameters"
        return None

    def _one(self, name: str, value: Any, objection: str | None, notes: list[Note]) -> Iterator[tuple[str, Any]]:
        if objection is None:
            try:
                yield from self._placed(name, value)
            except ValueError as error:
                objection = str(error)
            except (ArithmeticError, AttributeError, LookupError, TypeError):  # of what is done to another type
                objection = f"it cannot be {reprlib.repr(value)}"
            else:
                rule = self.table.shared.get(name)
                if isinstance(rule, Translation) and (lost := rule.lost(value)) is not None:
                    notes.append(Note("parameters", f"of {name!r}, {lost}"))
                return
        if self.unknown == "refuse":
            raise UnsupportedContentError(
                self.style, f"parameter {name!r}", "parameters", objection, self._remedy(name)
            ) from None
        notes.append(Note("parameters", f"{name!r} is left out: {objection}"))

    def _placed(self, name: str, value: Any) -> Iterator[tuple[str, Any]]:
        rule = self.table.shared.get(name, name)
        if isinstance(rule, Translation):
            yield from rule.convert(value).items()
        else:
            yield rule, deepcopy(value)

    def _remedy(self, name: str) -> str:
        from difflib import get_close_matches

        leave = "leave it out, or set the adapter's option unknown_parameters='drop'"
        if self.table.names_for(name):
            return leave
        if (neutral := CALLED_ELSEWHERE.get(name)) is not None:
            write = f"write {neutral!r}, which every adapter puts under its provider's name; or "
            return f"{write if self.table.names_for(neutral) else ''}{leave}"
        known = [word for word in (*SHARED, *self.table.own) if self.table.names_for(word)]
        like = get_close_matches(name, known, n=1, cutoff=0.75)
        return f"did you mean {like[0]!r}? {leave}" if like else leave


def names(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


def texts(value: Any) -> list[str]:
    """The texts of a parameter that is a text or a list of texts.

    Raises:
        ValueError: It is neither.
    """
    found = [value] if isinstance(value, str) else value
    if not isinstance(found, list | tuple) or not all(isinstance(item, str) for item in found):
        raise ValueError("it is a text, or a list of texts")
    return list(found)


def stop_list(name: str) -> Translation:
    """`stop` for a provider that takes a list only."""
    return Translation((name,), lambda value: {name: texts(value)})


def schema_fields_lost(*lacking: str) -> Callable[[Any], str | None]:
    """What is not sent of an OpenAI `response_format` by a provider that has a place for the schema only.

    Args:
        lacking: The fields beside the schema that it has no place for.
    """

    def lost(response_format: Any) -> str | None:
        match response_format:
            case {"type": "json_schema", "json_schema": Mapping() as given}:
                there = [name for name in lacking if given.get(name) is not None]
                what = ", ".join(f"{name}={given[name]!r:.60}" for name in there)
                return f"{what} is not sent: there is no field for it" if there else None
        return None

    return lost


def json_schema_of(response_format: Any) -> Mapping[str, Any] | None:
    """The JSON schema in an OpenAI `response_format`; None when any JSON will do, or any text.

    Raises:
        ValueError: It is malformed.
    """
    match response_format:
        case {"type": "json_schema", "json_schema": {"schema": Mapping() as schema}}:
            return deepcopy(dict(schema))
        case {"type": "json_object" | "text"}:
            return None
    raise ValueError(
        "a response_format is {'type': 'json_schema', 'json_schema': {'name': …, 'schema': …}}, "
        "{'type': 'json_object'} or {'type': 'text'}"
    )


NO_PARAMETERS: Mapping[str, Any] = MappingProxyType({})
