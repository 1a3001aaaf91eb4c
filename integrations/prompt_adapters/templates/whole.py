"""What the templates of one prompt may take together, while the prompt is made or loaded.

Compiling one template is bounded by itself, but a prompt has as many as its author likes, each as costly as it can be.
What is counted does not depend on what was compiled before and is still known.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from prompt_adapters.templates.limits import TemplateLimits, current_limits

_LEAST = 40  # what the smallest template costs beyond its tokens


class Whole:
    """What the templates of one prompt have taken so far, each counted once.

    Args:
        limits: The limits that hold.
    """

    def __init__(self, limits: TemplateLimits) -> None:
        self._limits = limits
        self._tokens = 0
        self._included = 0
        self._compiled: set[tuple[str, str]] = set()
        self._expanded: dict[str, str] = {}

    def compiled(self, text: str, syntax: str, tokens: int) -> None:
        """Count a template.

        Raises:
            TemplateLimitError: The prompt has more tokens than it may have.
        """
        key = text, syntax
        if key not in self._compiled:
            self._compiled.add(key)
            self._tokens += max(_LEAST, tokens)
            self._limits.check("tokens", self._tokens)

    def expanded(self, text: str) -> str | None:
        """A text with what it includes, when it was looked at before."""
        return self._expanded.get(text)

    def includes(self, text: str, whole: str) -> None:
        """Count what a text includes.

        Raises:
            TemplateLimitError: The templates of the prompt include more than they may.
        """
        self._expanded[text] = self._expanded[whole] = whole
        self._included += max(0, len(whole) - len(text))
        self._limits.check("source", self._included)


_whole: ContextVar[Whole | None] = ContextVar("prompt_adapters_whole_prompt", default=None)


def current_whole() -> Whole | None:
    """The prompt that is made or loaded here; None where none is."""
    return _whole.get()


@contextmanager
def one_prompt() -> Iterator[None]:
    """While this is entered, what is compiled belongs to one prompt; inside of another it changes nothing."""
    if _whole.get() is not None:
        yield
        return
    token = _whole.set(Whole(current_limits()))
    try:
        yield
    finally:
        _whole.reset(token)
