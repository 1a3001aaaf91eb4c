"""Every exception the package raises on purpose.

    PromptAdapterError
    ├── TemplateError (ValueError)              a template cannot be compiled or rendered
    │   ├── MissingVariableError (KeyError)     a required variable was not given
    │   ├── UnknownVariableError (KeyError)     a given variable is used nowhere
    │   └── UnsafeTemplateError                 the template reaches for what it may not have
    │       └── TemplateLimitError              it, or a value, asks for more than `TemplateLimits` allow
    ├── MediaError (ValueError)                 an image, audio, video or document is unusable
    │   ├── UnknownMediaTypeError               its bytes are not of an expected type
    │   ├── MediaTooLargeError                  it exceeds a limit; also an UnsupportedContentError
    │   ├── MediaReadError                      it cannot be read, or is broken
    │   │   ├── MediaNotFoundError (FileNotFoundError)
    │   │   └── ForeignImageError (RuntimeError) an image object of another library fails
    │   └── FetchRefusedError                   a link may not be downloaded
    ├── UnsupportedContentError (ValueError)    the provider has no place for a part
    ├── UnknownAdapterError (KeyError)          no such wire shape
    │   └── UnknownModelError                   a model string that names no provider
    │       └── NoChatModelError                one that names something else than a chat model
    ├── PromptFormatError (ValueError)          a prompt, or a file that holds one, is malformed
    │   ├── PromptNotFoundError (FileNotFoundError)
    │   ├── PromptTypeError (TypeError)         something in it is of another Python type
    │   └── PromptDiskError (OSError)           the disk refuses to read or write a prompt
    └── MissingDependencyError (ImportError)    an optional package is needed

``str(error)`` is one readable line; every class survives pickling.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from copy import copy
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from pathlib import Path

_LINE_BREAKS = re.compile(r"\s*[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]\s*")

# The most characters of a name that a message shows.
_LONGEST = 100


def _restore(cls: type[PromptAdapterError], args: tuple[Any, ...], state: dict[str, Any]) -> PromptAdapterError:
    # OSError lays out its instances in its own way, and the MRO of a class that is also a ValueError hides its __new__.
    maker = OSError if issubclass(cls, OSError) else cls
    error: PromptAdapterError = maker.__new__(cls)
    error.args = args
    error.__dict__.update(state)
    return error


class PromptAdapterError(Exception):
    """The base of every error that this package raises on purpose.

    Args:
        message: What went wrong, where, and what to do about it.
    """

    def __init__(self, message: str) -> None:
        super().__init__(message)

    def __str__(self) -> str:
        return _LINE_BREAKS.sub(" ", str(self.args[0])).strip() if self.args else ""

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (type(self), self.args, dict(self.__dict__))


class TemplateError(PromptAdapterError, ValueError):
    """A template cannot be compiled or rendered.

    Args:
        message: The reason.
        line: The 1-based line in the template, when it is known.

    Attributes:
        line: That line.
        place: Which template of a prompt it is, as ``"message 2 (user)"``; None for a template by itself.
        reason: The message without place and line.
    """

    def __init__(self, message: str, *, line: int | None = None) -> None:
        super().__init__(message if line is None else f"line {line}: {message}")
        self.line = line
        self.place: str | None = None
        self.reason = message

    def on(self, line: int | None) -> Self:
        """The same error, said of a line of the template, unless it names one already."""
        if line is None or self.line is not None:
            return self
        error: Self = copy(self)
        error.line = line
        error.args = (f"line {line}: {self.args[0]}",)
        return error

    def at(self, place: str) -> Self:
        """The same error, said of a template in its place.

        Args:
            place: As ``"message 2 (user)"``; it stands before a place that the error has already.
        """
        error: Self = copy(self)
        error.place = place if self.place is None else f"{place}, {self.place}"
        begins = str(self.args[0]) != self.reason  # with a place or line of its own
        error.args = (f"{place}{', ' if begins else ': '}{self.args[0]}",)
        return error


class MissingVariableError(TemplateError, KeyError):
    """Required variables were not given.

    Args:
        names: The missing variables.
        unused: Given variables that are used nowhere and look like a missing one.
        hint: A remedy to add to the sentence.
    """

    def __init__(self, names: Iterable[str], *, unused: Iterable[str] = (), hint: str = "") -> None:
        self.names = tuple(names)
        self.unused = tuple(unused)
        text = f"missing {_plural(self.names, 'variable')} {_listed(self.names)}"
        if self.unused:
            text += f"; {_listed(self.unused)} was given but is used nowhere: was it meant?"
        super().__init__(f"{text}; {hint}" if hint else text)


class UnknownVariableError(TemplateError, KeyError):
    """Variables were given that the prompt does not have.

    Args:
        names: The unknown variables.
        known: The variables that the prompt has.
        suggestions: Known names that resemble the unknown ones.
    """

    def __init__(self, names: Iterable[str], *, known: Iterable[str], suggestions: Iterable[str] = ()) -> None:
        self.names = tuple(names)
        self.known = tuple(known)
        self.suggestions = tuple(suggestions)
        has = f"the prompt has {_listed(self.known)}" if self.known else "the prompt has no variables"
        text = f"unknown {_plural(self.names, 'variable')} {_listed(self.names)}: {has}"
        super().__init__(text + _did_you_mean(self.suggestions))


class UnsafeTemplateError(TemplateError):
    """A template reaches for something that templates may not have."""


class TemplateLimitError(UnsafeTemplateError):
    """A template, or a value in it, asks for more than a limit allows.

    Args:
        limit: The field of `TemplateLimits`, as ``"steps"``.
        value: What was asked for, or None where that cannot be told.
        maximum: What is allowed.
        what: What is too much.
        line: The 1-based line in the template, when it is known.
    """

    def __init__(self, limit: str, value: int | None, maximum: int, what: str, *, line: int | None = None) -> None:
        self.limit = limit
        self.value = value
        self.maximum = maximum
        super().__init__(f"{what}; if it means to, allow more with TemplateLimits({limit}=...).applied()", line=line)


class MediaError(PromptAdapterError, ValueError):
    """An image, audio, video or document cannot be used."""


class UnknownMediaTypeError(MediaError):
    """The bytes are of no expected media type."""


class MediaReadError(MediaError):
    """Media cannot be read, or are broken."""


class MediaNotFoundError(MediaReadError, FileNotFoundError):
    """A media file does not exist."""


class ForeignImageError(MediaReadError, RuntimeError):
    """An image object of another library fails while it is asked for its content; its own error is the cause."""


class FetchRefusedError(MediaError):
    """A link may not be downloaded."""


class UnsupportedContentError(PromptAdapterError, ValueError):
    """A provider has no place for something that the prompt holds.

    Args:
        adapter: The wire shape or endpoint, as ``"anthropic_style"``.
        part: What cannot be sent, as ``"audio (audio/wav)"``.
        position: Where it stands, as ``"message 2 (user), part 1"``.
        reason: Why the provider cannot take it.
        remedy: What to do instead.
    """

    def __init__(self, adapter: str, part: str, position: str, reason: str, remedy: str) -> None:
        self.adapter = adapter
        self.part = part
        self.position = position
        self.reason = reason
        self.remedy = remedy
        super().__init__(f"{adapter} cannot take {part} at {position}: {reason}; {remedy}")


class MediaTooLargeError(MediaError, UnsupportedContentError):
    """A media part, or their number, exceeds a limit of the provider; fields and arguments are those of its base."""


class UnknownAdapterError(PromptAdapterError, KeyError):
    """No adapter has this name.

    Args:
        name: The name that was asked for.
        suggestions: Names that exist and resemble it.
        known: All names that exist.
    """

    def __init__(self, name: str, suggestions: Iterable[str] = (), *, known: Iterable[str] = ()) -> None:
        self.name = name
        self.suggestions = tuple(suggestions)
        self.known = tuple(known)
        super().__init__(self._sentence())

    def _sentence(self) -> str:
        known = f"; there are {_listed(self.known)}" if self.known else ""
        return f"no adapter is called {_short(self.name)}{_did_you_mean(self.suggestions)}{known}"


class UnknownModelError(UnknownAdapterError):
    """A model string from which no provider can be told.

    Args:
        name: The model string.
        suggestions: Model strings that resemble it.
        known: All that exist, where they can be listed.
        remedy: What else can be done than to write the provider in front.
    """

    def __init__(
        self,
        name: str,
        suggestions: Iterable[str] = (),
        *,
        known: Iterable[str] = (),
        remedy: str = "or choose the shape with get_adapter(STYLE)",
    ) -> None:
        self.remedy = remedy
        super().__init__(name, suggestions, known=known)

    def _sentence(self) -> str:
        return (
            f"cannot tell the provider of model {_short(self.name)}{_did_you_mean(self.suggestions)}; "
            f"write the provider in front, as 'openai/NAME', {self.remedy}"
        )


class NoChatModelError(UnknownModelError):
    """A model string that names something else than a chat model.

    Args:
        name: The model string.
        serves: What it is for, as ``"embeddings"``.
    """

    def __init__(self, name: str, serves: str) -> None:
        self.serves = serves
        super().__init__(name)

    def _sentence(self) -> str:
        return f"model {_short(self.name)} is for {self.serves} and takes no prompt; name a chat model"


class PromptFormatError(PromptAdapterError, ValueError):
    """A prompt is malformed, or a file does not hold the prompt that it should.

    Args:
        path: The file, or None for a prompt made in code.
        line: The 1-based line, when it is known.
        reason: What is wrong, and what to do about it.
    """

    def __init__(self, path: str | Path | None, line: int | None, reason: str) -> None:
        self.path = None if path is None else str(path)
        self.line = line
        self.reason = reason
        where = "" if self.path is None else f"{self.path}: "
        super().__init__(f"{where}{'' if line is None else f'line {line}: '}{reason}")


class PromptNotFoundError(PromptFormatError, FileNotFoundError):
    """A prompt file or directory does not exist."""


class PromptTypeError(PromptFormatError, TypeError):
    """Something of a prompt is of another Python type than it must be."""


class PromptDiskError(PromptFormatError, OSError):
    """The disk refuses to read or write a prompt."""


class MissingDependencyError(PromptAdapterError, ImportError):
    """An optional package is not installed.

    Args:
        package: What could not be imported.
        extra: The extra of this distribution that brings it.
        purpose: What it is needed for.
    """

    def __init__(self, package: str, extra: str, purpose: str) -> None:
        super().__init__(f"{purpose} needs {package}: pip install 'prompt-adapters[{extra}]'")
        self.package = package
        self.extra = extra


def _listed(names: Iterable[str]) -> str:
    return ", ".join(repr(name) for name in names)


def _plural(names: tuple[str, ...], noun: str) -> str:
    return noun if len(names) == 1 else f"{noun}s"


def _did_you_mean(suggestions: tuple[str, ...]) -> str:
    return f"; did you mean {' or '.join(map(_short, suggestions))}?" if suggestions else ""


def _short(name: str) -> str:
    """A name as it is shown, which is no place for a page of text."""
    return repr(name if len(name) <= _LONGEST else f"{name[:_LONGEST]}…")
