"""Errors of a managed prompt, as those see them who only know its id."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from pathlib import Path

from prompt_adapters.errors import PromptAdapterError, PromptFormatError

# LiteLLM's Router retries no such error and does not let a deployment rest for it; its proxy answers with this status.
BAD_REQUEST = 400
_LONGEST = 120  # characters of an id, which a client may have made up


@contextmanager
def told_by_id(prompt_id: object, root: Path | None) -> Iterator[None]:
    """Errors name the prompt by its id, and files from the folder of the prompts on.

    Args:
        prompt_id: The prompt.
        root: That folder.

    Raises:
        PromptAdapterError: Of the class that was raised, with ``status_code`` 400.
    """
    try:
        yield
    except PromptAdapterError as error:
        raise _told(error, f"prompt {_shown(prompt_id)}", root) from error


def _told(error: PromptAdapterError, name: str, root: Path | None) -> PromptAdapterError:
    told = copy(error)
    if isinstance(told, PromptFormatError) and root is not None:
        told.path = None if told.path is None else _below(told.path, root)
        told.reason = _below(told.reason, root)
    text = str(error.args[0]) if error.args else ""
    text = text if root is None else _below(text, root)
    told.args = (text if text.startswith(name) else f"{name}: {text}",)
    told.status_code = BAD_REQUEST  # type: ignore[attr-defined]  # where LiteLLM looks for it
    told.type = "invalid_request_error"  # type: ignore[attr-defined]  # and for this
    return told


def _shown(prompt_id: object) -> str:
    text = repr(prompt_id)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _below(text: str, root: Path) -> str:
    return text.replace(f"{root}{os.sep}", "")
