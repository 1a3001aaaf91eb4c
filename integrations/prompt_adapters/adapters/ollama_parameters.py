"""Where Ollama has the parameters of a call: most of them stand in ``options``."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from prompt_adapters.adapters.nested_parameters import fields_of, path
from prompt_adapters.adapters.parameters import Table, Translation, json_schema_of, names, schema_fields_lost, stop_list

_OPTIONS = "options"
# https://docs.ollama.com/modelfile#valid-parameters-and-values, and those that the official client knows
_FIELDS = tuple(
    sorted(
        names(
            "embedding_only f16_kv frequency_penalty logits_all low_vram main_gpu min_p mirostat mirostat_eta "
            "mirostat_tau num_batch num_ctx num_gpu num_keep num_predict num_thread numa penalize_newline "
            "presence_penalty repeat_last_n repeat_penalty seed stop temperature tfs_z top_k top_p typical_p use_mlock "
            "use_mmap vocab_only"
        )
    )
)


def _option(name: str) -> Translation:
    return Translation((path(_OPTIONS, name),), lambda value: {path(_OPTIONS, name): value})


_LOST = schema_fields_lost("name", "description", "strict")


def _response_format(value: Any) -> Mapping[str, Any]:
    """OpenAI's response_format in Ollama's words: https://docs.ollama.com/capabilities/structured-outputs."""
    schema = json_schema_of(value)
    if schema is not None:
        return {"format": schema}
    return {"format": "json"} if value["type"] == "json_object" else {}


# https://docs.ollama.com/api/chat
OLLAMA_TABLE = Table(
    shared=MappingProxyType(
        {name: _option(name) for name in _FIELDS}
        | {
            "max_tokens": _option("num_predict"),
            "stop": stop_list(path(_OPTIONS, "stop")),
            "response_format": Translation(("format",), _response_format, _LOST),
            _OPTIONS: fields_of(_OPTIONS, _FIELDS),
        }
    ),
    own=names("format keep_alive logprobs stream think tools top_logprobs"),
    source="https://docs.ollama.com/api/chat",
)
