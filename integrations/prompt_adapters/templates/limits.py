"""How much a template may ask for, and what a render has used of it so far.

Templates may come from people who are not trusted. Whatever they say, compiling one and rendering it ends soon and in
little memory: each loop, filter, method and operator is paid for before it works, from the budget of its render.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar, Token

from prompt_adapters.content.frozen import frozen, names_of
from prompt_adapters.errors import PromptFormatError, TemplateLimitError

_WHAT = {
    "source": "a template is longer than {} characters",
    "tokens": "a template, or all of one prompt together, has more than {} names, numbers and signs in its tags",
    "nesting": "something is nested more than {} levels deep",
    "depth": "macros, recursive loops or includes call one another more than {} levels deep",
    "steps": "rendering takes more than {} steps",
    "text": "rendering makes more than {} characters of text",
    "items": "a value has more than {} items",
    "range": "a range has more than {} numbers",
    "bits": "a number has more than {} bits",
}


@frozen(kw_only=True)
class TemplateLimits:
    """What one template, and one render of it, may use. The defaults are beyond what any model can read.

    Give others for a part of a program: ``with TemplateLimits(steps=5_000_000).applied(): …``. They hold for what is
    compiled and rendered inside, in this thread or task and in those that take over its context.

    Attributes:
        source: Characters of a template, in any syntax, what it includes among them; and of all that the templates of
            one prompt include.
        tokens: Names, numbers and signs in the tags of a template; a bare slot counts as three. Of texts, comments and
            blanks between them there may be eight times as many. The templates of one prompt that are more than slots
            have as many together, each counted as 40 at the least.
        nesting: How deep expressions and statements, or the lists and dicts of a value, stand inside one another.
        depth: How deep macros, recursive loops and included files call one another.
        steps: What a render does: about one for four parts of the body of a loop or macro each time round, one for each
            item that a filter goes through, and one for 64 to 1,024 characters that are worked on.
        text: Characters that a render makes, on the way and in the end, beyond those of the template and of values that
            are texts.
        items: Items of the lists and dicts of one value, as often as they stand in it.
        range: Numbers of a ``range``.
        bits: Bits of a whole number that a template computes.
    """

    source: int = 5_000_000
    tokens: int = 20_000
    nesting: int = 100
    depth: int = 50
    steps: int = 500_000
    text: int = 10_000_000
    items: int = 300_000
    range: int = 100_000
    bits: int = 10_000

    def __post_init__(self) -> None:
        for name in names_of(TemplateLimits):
            value = getattr(self, name)
            if type(value) is not int or value < 1:
                raise PromptFormatError(None, None, f"TemplateLimits: {name} is a whole number above 0, not {value!r}")

    @contextmanager
    def applied(self) -> Iterator[None]:
        """While this is entered, these limits hold."""
        token = _limits.set(self)
        try:
            yield
        finally:
            _limits.reset(token)

    def exceeded(self, limit: str, value: int | None = None, line: int | None = None) -> TemplateLimitError:
        """The error about a limit.

        Args:
            limit: Its field.
            value: What was asked for, where that is known.
            line: The 1-based line of the template, where that is known.
        """
        maximum: int = getattr(self, limit)
        return TemplateLimitError(limit, value, maximum, _WHAT[limit].format(maximum), line=line)

    def check(self, limit: str, value: int) -> None:
        """Refuse what is more than a limit.

        Raises:
            TemplateLimitError: It is.
        """
        if value > getattr(self, limit):
            raise self.exceeded(limit, value)


DEFAULT_LIMITS = TemplateLimits()

_limits: ContextVar[TemplateLimits] = ContextVar("prompt_adapters_template_limits", default=DEFAULT_LIMITS)


def current_limits() -> TemplateLimits:
    """The limits that hold here."""
    return _limits.get()


class Budget:
    """What is left to one render.

    Args:
        limits: The limits.
        given: Characters that the render may make besides: those of the template and of values that are texts.

    Attributes:
        limits: The limits.
        tokens: How many names, numbers and signs a template has that was compiled with this budget.
    """

    __slots__ = ("_depth", "_steps", "_text", "limits", "tokens")

    def __init__(self, limits: TemplateLimits, given: int = 0) -> None:
        self.limits = limits
        self.tokens = 0
        self._steps = limits.steps
        self._text = limits.text + given
        self._depth = 0

    def allow(self, characters: int) -> None:
        """Let the render make more text, as much as another template and its values have."""
        self._text += characters

    def take(self, steps: int) -> None:
        """Pay for work that is about to be done.

        Raises:
            TemplateLimitError: It is more than what is left.
        """
        self._steps -= steps
        if self._steps < 0:
            raise self.limits.exceeded("steps", self.limits.steps - self._steps)

    def make(self, characters: int) -> None:
        """Pay for text that is about to be made.

        Raises:
            TemplateLimitError: It is more than what is left.
        """
        if characters > 0:
            self._text -= characters
            if self._text < 0:
                raise self.limits.exceeded("text", self.limits.text - self._text)

    def enter(self) -> None:
        """Go a level deeper.

        Raises:
            TemplateLimitError: That is too deep.
        """
        if self._depth >= self.limits.depth:
            raise self.limits.exceeded("depth", self._depth + 1)
        self._depth += 1

    def leave(self) -> None:
        """Come back from a level."""
        self._depth -= 1


_budget: ContextVar[Budget | None] = ContextVar("prompt_adapters_template_budget", default=None)


def shared_budget() -> Budget | None:
    """The budget of what goes on around here, as the render of a whole prompt; None outside of one."""
    return _budget.get()


def budget() -> Budget:
    """The budget of the render that goes on; outside of one, a new one."""
    return _budget.get() or Budget(_limits.get())


class spending:  # noqa: N801 - used as a function, and quicker than one that yields
    """While this is entered, what is done is paid for from a budget.

    Args:
        allowed: The budget.
    """

    __slots__ = ("_allowed", "_token")
    _token: Token[Budget | None]

    def __init__(self, allowed: Budget) -> None:
        self._allowed = allowed

    def __enter__(self) -> Budget:
        self._token = _budget.set(self._allowed)
        return self._allowed

    def __exit__(self, *_: object) -> None:
        _budget.reset(self._token)
