"""LiteLLM's lists of callbacks: getting into them, and out of all of them again.

``litellm.callbacks`` is where a callback is registered; on the first call LiteLLM copies it into half a dozen other
lists, from which emptying the first one does not take it away.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import litellm
import litellm.utils

from prompt_adapters.errors import PromptAdapterError


def add(callback: Any) -> None:
    """Register a callback; one that is registered already stays where it is.

    Raises:
        PromptAdapterError: LiteLLM did not take it, as when it has too many.
    """
    litellm.logging_callback_manager.add_litellm_callback(callback)
    if not any(known is callback for known in litellm.callbacks):
        raise PromptAdapterError(
            f"LiteLLM did not register the manager: it has {len(litellm.callbacks)} callbacks; remove some first"
        )


def remove(callback: Any) -> None:
    """Take a callback out of every list that LiteLLM has put it into."""
    with litellm.logging_callback_manager.callback_lists_lock:
        for callbacks in _lists():
            callbacks[:] = [known for known in callbacks if known is not callback]


def _lists() -> Iterator[list[Any]]:
    for name, value in vars(litellm).items():
        if isinstance(value, list) and name.endswith(("callback", "callbacks")):
            yield value
    if isinstance(known := litellm.utils.callback_list, list):  # a copy that LiteLLM makes on the first call
        yield known
