"""Names of documents for Bedrock, which wants one for each.

=========================================  ===========================================================================
the title, or else the file's name         kept as far as the rules allow, without the suffix: the format says that
letters with accents                       their plain letters
other characters                           a blank; only ASCII letters, digits, single blanks, ``- ( ) [ ]`` are taken
none, or nothing left                      ``document-1``, ``document-2``, …; nothing that a model could take for words
the same name again                        ``report (2)``; compared without case, over the whole request
=========================================  ===========================================================================

The same messages get the same names on every run.

Source: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_DocumentBlock.html
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from itertools import count
from typing import NamedTuple

from prompt_adapters.adapters.spots import Spot, documents_in
from prompt_adapters.content.message import Message
from prompt_adapters.content.mime import mime_from_name
from prompt_adapters.content.parts import Document
from prompt_adapters.media.notes import Note

_LONGEST = 200
_APOSTROPHES = re.compile("['\u2019]")
_NOT_TAKEN = re.compile(r"[^A-Za-z0-9()\[\]-]+")
_SAYS_SOMETHING = re.compile("[A-Za-z0-9]")


class Named(NamedTuple):
    """The name of one document.

    Attributes:
        label: What its author called it, without a suffix; None when it has no name.
        name: What it is called in the request.
    """

    label: str | None
    name: str


def document_names(messages: Iterable[Message]) -> Mapping[Spot, Named]:
    """The names of all documents, by their places; those that their authors named come first."""
    names: dict[Spot, Named] = {}
    taken: set[str] = set()
    nameless: list[tuple[Spot, str | None]] = []
    for spot, document in documents_in(messages):
        label = _label(document)
        if cleaned := _cleaned(label or ""):
            names[spot] = Named(label, _free(cleaned, taken))
        else:
            nameless.append((spot, label))
    numbers = count(1)
    for spot, label in nameless:
        neutral = next(name for name in (f"document-{number}" for number in numbers) if name not in taken)
        taken.add(neutral)
        names[spot] = Named(label, neutral)
    return names


def renamed(messages: Iterable[Message]) -> list[Note]:
    """A note for every document that is not called what its author called it."""
    reason = "Bedrock takes letters, digits, single blanks, '-', '()' and '[]', and every name once"
    return [
        Note(str(spot), f"the document {named.label!r} is called {named.name!r}: {reason}")
        for spot, named in document_names(messages).items()
        if named.label is not None and named.label != named.name
    ]


def _label(document: Document) -> str | None:
    if document.title:
        return document.title
    name = document.name
    return (name.rpartition(".")[0] if name and mime_from_name(name) else name) or None


def _cleaned(label: str) -> str:
    plain = "".join(c for c in unicodedata.normalize("NFKD", label) if not unicodedata.combining(c))
    name = _NOT_TAKEN.sub(" ", _APOSTROPHES.sub("", plain)).strip()[:_LONGEST].rstrip()
    return name if _SAYS_SOMETHING.search(name) else ""


def _free(name: str, taken: set[str]) -> str:
    free, number = name, 1
    while free.lower() in taken:
        number += 1
        suffix = f" ({number})"
        free = name[: _LONGEST - len(suffix)].rstrip() + suffix
    taken.add(free.lower())
    return free
