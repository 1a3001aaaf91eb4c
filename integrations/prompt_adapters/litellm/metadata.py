"""What LiteLLM's loggers are told of the prompt that made a call: it stands in LiteLLM's own ``metadata``.

======================================  ==========================================================================
``metadata["prompt_adapters"]``         name, version and digest of the prompt, and the notes of the fitting
``metadata["prompt_management_metadata"]``  the prompt where LiteLLM's own prompt managers put it, and its loggers look
======================================  ==========================================================================

Both are plain JSON, without values of variables and without media. LiteLLM keeps them for its logs; no provider gets
them: https://docs.litellm.ai/docs/observability/custom_callback
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from prompt_adapters.prompt import Prompt

KEY = "prompt_adapters"
MANAGED = "prompt_management_metadata"
# In LiteLLM's native routes `metadata` is a parameter of the provider, so that its own has another name there.
CHAT_FIELD = "metadata"
NATIVE_FIELD = "litellm_metadata"


def identity(prompt: Any, notes: list[str]) -> dict[str, Any]:
    """What is said of a prompt, as plain JSON.

    Args:
        prompt: The prompt; of messages only the notes are said.
        notes: What was changed on the way to the provider; this very list is put in.
    """
    told: dict[str, Any] = {}
    said: dict[str, Any] = {}
    if isinstance(prompt, Prompt):
        named = {"name": prompt.name, "version": prompt.version}
        said = {key: value for key, value in named.items() if value is not None} | {"digest": _digest(prompt)}
        told[MANAGED] = {
            "prompt_id": prompt.name or said["digest"],
            "prompt_variables": None,
            "prompt_integration": KEY,
        }
    return told | {KEY: said | {"notes": notes}}


# A prompt with photos in its examples takes milliseconds, and most programs send the same few prompts.
@lru_cache(maxsize=8)
def _digest(prompt: Prompt) -> str:
    return prompt.digest


def is_named(prompt: Any) -> bool:
    """Whether a prompt says who it is."""
    return isinstance(prompt, Prompt) and (prompt.name is not None or prompt.version is not None)


def with_identity(request: Mapping[str, Any], told: Mapping[str, Any], field: str = CHAT_FIELD) -> dict[str, Any]:
    """A request whose metadata say which prompt made it.

    Args:
        request: The arguments of a call, the caller's own among them; its metadata win.
        told: What `identity` says.
        field: Where LiteLLM takes metadata for itself in this call.

    Returns:
        A new dict. Metadata that are no mapping are left to LiteLLM.
    """
    given = request.get(field)
    if not isinstance(given, Mapping | None):
        return dict(request)
    return {**request, field: {**told, **(given or {})}}


def notes_in(metadata: Any) -> list[str] | None:
    """The list of notes in the metadata of a call under way; None where the caller has something else there."""
    said = metadata.get(KEY) if isinstance(metadata, Mapping) else None
    notes = said.get("notes") if isinstance(said, Mapping) else None
    return notes if isinstance(notes, list) else None
