"""What an error says on the command line: the same, in the command's words.

Errors are raised for people who write Python, and their remedies name what stands in Python. One table has the words of
the command for them; a remedy that the command does not offer is left out.
"""

from __future__ import annotations

import re

from prompt_adapters.errors import MissingVariableError

_OPTION = r"set the adapter's option \w+='\w+'"
_WORDS = tuple(
    (re.compile(python), command)
    for python, command in (
        (r"get_adapter\(STYLE\)", "--style STYLE"),
        (r"bind a model, as get_adapter\('litellm_style', model='([^']+)'\)", r"give a model, as --model \1"),
        (r"use adapter_for\('([^']+)'\) and the provider's own client", r"use --model \1 without --style"),
        (r"on_limit='(\w+)'", r"--on-limit \1"),
        (rf", {_OPTION}(?=, or)", ""),
        (rf",? or {_OPTION}", ""),
        (r"use Image\(\.\.\.\)", "use --image"),
        (r"use Audio\(\.\.\.\)", "use --audio"),
        (r"use Video\(\.\.\.\)", "use --video"),
        (r"use Document\(\.\.\.\)", "use --document"),
        (r", or give mime= if it has another type", ""),
        (r"give it, as mime=('[^']+')", r"give a file whose bytes tell it, as of \1"),
        (r"(with|and) format=", r"\1 --format"),
    )
)


def sentence(error: BaseException) -> str:
    """What an error says.

    Args:
        error: Any error of this package, of typer or of the operating system.
    """
    if isinstance(error, MissingVariableError):
        return _missing(error)
    text: str = getattr(error, "format_message", error.__str__)()
    for python, command in _WORDS:
        text = python.sub(command, text)
    return text or "aborted"


def _missing(error: MissingVariableError) -> str:
    name = error.names[0] if len(error.names) == 1 else "NAME"
    how = f"give {'it' if len(error.names) == 1 else 'each'} by --var {name}=TEXT or, for media, --image {name}=PATH"
    return f"{error}; {how}"


def shown(text: str) -> str:
    """A text as one line that a terminal only shows: what would steer it is written out."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in " ".join(text.split()))
