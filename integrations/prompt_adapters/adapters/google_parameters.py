"""Where Google has the parameters of a call: the client's `config`, and the fields of the wire's body."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from prompt_adapters.adapters.parameters import Table, Translation, json_schema_of, names, schema_fields_lost, stop_list

# https://ai.google.dev/api/generate-content#v1beta.GenerationConfig
_GENERATION = names(
    "temperature top_p top_k candidate_count max_output_tokens stop_sequences response_logprobs logprobs "
    "presence_penalty frequency_penalty seed response_mime_type response_schema response_json_schema "
    "response_modalities media_resolution speech_config audio_timestamp thinking_config image_config routing_config "
    "model_selection_config enable_enhanced_civic_answers audio_transcription_config"
)
# https://ai.google.dev/api/generate-content#request-body: these stand beside generationConfig.
_BESIDE = names("safety_settings tools tool_config labels cached_content service_tier model_armor_config store")
# What stands under these names is the author's own: nothing in it is renamed.
_VERBATIM = names("labels response_json_schema parameters_json_schema args response default example enum required")
# What stands under these is the author's names, with Google's words below them.
_NAMED = frozenset({"properties", "defs"})


_LOST = schema_fields_lost("name", "description", "strict")


def _response_format(value: Any) -> Mapping[str, Any]:
    """OpenAI's response_format in Google's words: https://ai.google.dev/gemini-api/docs/structured-output."""
    schema = json_schema_of(value)
    if schema is not None:
        return {"response_mime_type": "application/json", "response_json_schema": schema}
    return {"response_mime_type": "application/json" if value["type"] == "json_object" else "text/plain"}


def _camel_name(name: str) -> str:
    head, *rest = name.split("_")
    return head + "".join(word[:1].upper() + word[1:] for word in rest)


_OWN = _GENERATION | _BESIDE

GOOGLE_TABLE = Table(
    shared=MappingProxyType(
        # The wire's own spelling is taken as well.
        {_camel_name(name): name for name in _OWN}
        | {
            "max_tokens": "max_output_tokens",
            "n": "candidate_count",
            "stop": stop_list("stop_sequences"),
            "response_format": Translation(("response_mime_type", "response_json_schema"), _response_format, _LOST),
        }
    ),
    own=_OWN,
    source="https://ai.google.dev/api/generate-content",
)


def body_from_config(config: Mapping[str, Any]) -> dict[str, Any]:
    """The wire's fields for the client's `config`."""
    body: dict[str, Any] = {}
    generation: dict[str, Any] = {}
    for name, value in config.items():
        (body if name in _BESIDE else generation)[_cached_name(name)] = _below(name, value, _VERBATIM)
    return body | ({"generationConfig": generation} if generation else {})


def camel(value: Any, verbatim: frozenset[str] = _VERBATIM) -> Any:
    """The same JSON data with the wire's names.

    Args:
        value: JSON data in the client's words.
        verbatim: Names below which everything is the author's own.
    """
    if isinstance(value, list | tuple):
        return [camel(item, verbatim) for item in value]
    if not isinstance(value, Mapping):
        return value
    return {_cased(name): _below(name, item, verbatim) for name, item in value.items()}


def _below(name: str, value: Any, verbatim: frozenset[str]) -> Any:
    if name in verbatim:
        return value
    if name in _NAMED and isinstance(value, Mapping):
        return {key: camel(item, verbatim) for key, item in value.items()}
    return camel(value, verbatim)


_cached_name = lru_cache(maxsize=512)(_camel_name)


def _cased(name: Any) -> Any:
    """A key in the wire's spelling; JSON data in code may have numbers as keys."""
    return _cached_name(name) if isinstance(name, str) else name
