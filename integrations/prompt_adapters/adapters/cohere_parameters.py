"""Where Cohere has the parameters of a call."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from types import MappingProxyType
from typing import Any

from prompt_adapters.adapters.parameters import Table, Translation, json_schema_of, names, schema_fields_lost, texts

_MOST_STOPS = 5


def _within(name: str, least: float, most: float) -> Translation:
    """A number that the API takes only in this range."""

    def convert(value: Any) -> Mapping[str, Any]:
        if isinstance(value, int | float) and not least <= value <= most:
            raise ValueError(f"Cohere takes a number from {least:g} to {most:g}, not {value:g}")
        return {name: value}

    return Translation((name,), convert)


def _stop(value: Any) -> Mapping[str, Any]:
    stops = texts(value)
    if len(stops) > _MOST_STOPS:
        raise ValueError(f"Cohere takes at most {_MOST_STOPS} texts, not {len(stops)}")
    return {"stop_sequences": stops}


_LOST = schema_fields_lost("name", "description", "strict")


def _response_format(value: Any) -> Mapping[str, Any]:
    """OpenAI's response_format in Cohere's words, and Cohere's own: https://docs.cohere.com/docs/structured-outputs."""
    if isinstance(value, Mapping) and value.get("type") == "json_object":
        return {"response_format": deepcopy(dict(value))}
    schema = json_schema_of(value)
    return {"response_format": {"type": "text"} if schema is None else {"type": "json_object", "json_schema": schema}}


_P = _within("p", 0.01, 0.99)
_K = _within("k", 0, 500)
_STOP = Translation(("stop_sequences",), _stop)

# https://docs.cohere.com/reference/chat
COHERE_TABLE = Table(
    shared=MappingProxyType(
        {name: name for name in ("temperature", "max_tokens", "seed")}
        | {name: _within(name, 0, 1) for name in ("presence_penalty", "frequency_penalty")}
        | {"top_p": _P, "p": _P, "top_k": _K, "k": _K, "stop": _STOP, "stop_sequences": _STOP}
        | {"response_format": Translation(("response_format",), _response_format, _LOST)}
    ),
    own=names("citation_options documents logprobs priority safety_mode strict_tools thinking tool_choice tools"),
    source="https://docs.cohere.com/reference/chat",
)
