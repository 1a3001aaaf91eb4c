"""What an error says on the command line: the same, in the command's words.

Errors are raised for people who write Python, and their remedies name what stands in Python. One table has the words of
the command for them; a remedy that the command does not offer is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from prompt_adapters.errors import MissingVariableError, PromptFormatError

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
        (r"; if it means to, allow more with TemplateLimits\(\w+=\.\.\.\)\.applied\(\)", ""),
        (r"give a folder, as Prompt\(\.\.\., includes='\w+'\), ", ""),
        (r", or give mime= if it has another type", ""),
        (r"give it, as mime=('[^']+')", r"give a file whose bytes tell it, as of \1"),
    )
)
_FORMAT = re.compile(r"\bformat=(?:'(\w+)'|(?=[\s:;,.]|$))")
_SYNTAX = re.compile(r"\bsyntax='([\w-]+)'")


def sentence(error: BaseException) -> str:
    """What an error says.

    Args:
        error: Any error of this package, of typer or of the operating system.
    """
    if isinstance(error, MissingVariableError):
        return _missing(error)
    text: str = getattr(error, "format_message", error.__str__)()
    return in_words(text) or "aborted"


def in_words(text: str, format_option: str = "--format", syntax_option: str = "--syntax") -> str:
    """A sentence for people who write Python, in the words of the command.

    Args:
        text: The sentence.
        format_option: The option that says the format of what the sentence is about.
        syntax_option: The option that says its placeholder syntax.
    """
    for python, command in _WORDS:
        text = python.sub(command, text)
    text = _FORMAT.sub(lambda found: f"{format_option} {found[1]}" if found[1] else format_option, text)
    return _SYNTAX.sub(rf"{syntax_option} \1", text)


@contextmanager
def about(format_option: str, syntax_option: str = "--syntax") -> Iterator[None]:
    """What is raised inside names these options for the format and the syntax."""
    try:
        yield
    except PromptFormatError as error:
        error.args = (in_words(str(error), format_option, syntax_option),)
        raise


def _missing(error: MissingVariableError) -> str:
    name = error.names[0] if len(error.names) == 1 else "NAME"
    how = f"give {'it' if len(error.names) == 1 else 'each'} by --var {name}=TEXT or, for media, --image {name}=PATH"
    return f"{error}; {how}"


def shown(text: str) -> str:
    """A text as one line that a terminal only shows: what would steer it is written out."""
    return visible(" ".join(text.split()))


def visible(line: str) -> str:
    """A line of a text with its own blanks, where what would steer a terminal is written out."""
    return "".join(c if c.isprintable() or c == "\t" else c.encode("unicode_escape").decode("ascii") for c in line)
