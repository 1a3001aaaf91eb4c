"""Chat templates of banks: Jinja with one block a message.

    {% chat role="system" %}                     a message; roles are system, user and assistant, written out
    You are {{ persona }}.
    {% endchat %}
    {% chat role="user" %}
    {{ question }} {{ photo | image }}           a slot for media: image, audio, video, document
    {% endchat %}

======================================================  ================================================================
in the template                                         in the prompt
======================================================  ================================================================
no ``{% chat %}`` at all                                one user message
``{{ x | image }}``, ``{{ x[0] | image }}``             a slot; the first element of a list
``{% if x %}{{ x | image }}{% endif %}``                a slot that may be left out
``{% for p in x %}{{ p | image }}{% endfor %}``         a slot, which takes a list; saved, it is one for a single one
``{{ "https://…" | image }}``, also with a data URL     a fixed medium
``{{ x | cache_control }}``                             a block of text that ends a cacheable prefix
``{% filter cache_control %}…{% endfilter %}``          likewise
``{{ canary_word }}``                                   a variable that must be given; there is no random word
comments outside of messages                            nothing
text, values, statements outside of messages            refused by name and line: banks leaves them out, or fills
                                                        them in for every message
a message inside ``for`` or ``if``                      refused; a prompt has fixed messages
``{% completion %}``                                    refused: it calls a model while the prompt is rendered
``lemmatize``, ``to_xml``, ``tool``; a medium's path    refused
======================================================  ================================================================

banks takes the line break after a statement away, and the blanks before one that begins its line; the templates of the
prompt are written so that they give the same without that. Blanks round a message are left out. Three things differ
from banks: a variable that is not given is an error, blanks beside media stay, and so do blank lines that statements
leave at the ends of a message. Files, names and versions of banks' registries are not read.

Saving keeps messages, slots and fixed media with a link or data; the rest (names, models, parameters, metadata,
histories, declarations) has no word and is refused, and `held` leaves it out.
https://masci.github.io/banks/
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from prompt_adapters.errors import PromptFormatError
from prompt_adapters.formats.files import errors_named, read_text, write_text
from prompt_adapters.formats.holding import read_back, whole
from prompt_adapters.prompt import Prompt

SUFFIX = ".jinja"
_ALSO = (".jinja2", ".j2")
_WHAT = "a template of banks"
_CHAT = re.compile(r"\{%[-+]?\s*+chat\b")


def detect(path: Path) -> bool:
    """Whether a file has the suffix ``.jinja``, or another one of Jinja and a ``{% chat %}`` in it.

    Raises:
        PromptFormatError: It is not UTF-8.
    """
    suffix = path.suffix.lower()
    if suffix not in (SUFFIX, *_ALSO) or not path.is_file():
        return False
    return suffix == SUFFIX or _CHAT.search(read_text(path)) is not None


def load(path: str | os.PathLike[str], *, syntax: str | None = None) -> Prompt:
    """Read a chat template.

    Args:
        path: The file.
        syntax: ``jinja``, which it is anyway.

    Raises:
        PromptNotFoundError: (a ``FileNotFoundError``) There is no such file.
        PromptFormatError: Something is malformed, or has no place in a prompt; its name and line are said.
    """
    file = Path(path)
    return parse(read_text(file), file, syntax=syntax)


def parse(text: str, path: Path | None = None, *, syntax: str | None = None) -> Prompt:
    """The prompt that a chat template means; errors as for `load`."""
    from prompt_adapters.formats.banks_reading import read_chats  # which imports Jinja

    with errors_named(path):
        if syntax not in (None, "jinja"):
            raise PromptFormatError(path, None, f"the templates of banks are Jinja, not {syntax!r}")
        turns, variables = read_chats(text)
        if not turns:
            raise PromptFormatError(path, None, "there is no message with any text; write some")
        return Prompt(messages=turns, variables=variables)


def save(prompt: Prompt, path: str | os.PathLike[str]) -> None:
    """Write a chat template, whole or not at all.

    Raises:
        PromptFormatError: The prompt has something that this format cannot hold; all of it is named.
        PromptDiskError: (an ``OSError``) The disk refuses; the old file is still there.
    """
    file = Path(path)
    write_text(file, dump(prompt, file))


def dump(prompt: Prompt, path: str | Path | None = None) -> str:
    """The text of the chat template that holds a prompt; errors as for `save`."""
    from prompt_adapters.formats.banks_writing import written  # which imports Jinja

    prompt = whole(prompt, held, _WHAT, path)
    text, _ = written(prompt)
    return read_back(text, parse(text), prompt, "banks", path)


def held(prompt: Prompt) -> tuple[Prompt, tuple[str, ...]]:
    """The nearest prompt that banks holds whole, and what of the given one it cannot hold.

    Raises:
        PromptFormatError: No message is left.
    """
    from prompt_adapters.formats.banks_writing import written  # which imports Jinja

    text, losses = written(prompt)
    return parse(text), losses
