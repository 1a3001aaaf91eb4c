"""Whether the PDFs of a request can be opened, and have no more pages than the target takes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from prompt_adapters.content.parts import Document, MediaPart
from prompt_adapters.content.source import Inline
from prompt_adapters.media.budget import Placed
from prompt_adapters.media.notes import Note
from prompt_adapters.media.pdf import PdfFacts, pdf_facts
from prompt_adapters.media.rules import Refusal
from prompt_adapters.targets.limits import Limits

_UNLOCK = "save it without a password"
_FEWER = "send fewer pages, or in several requests"

Found: TypeAlias = tuple[str, MediaPart, Refusal | Note]


def check_pages(placed: Iterable[Placed], limits: Limits) -> Iterator[Found]:
    """Where a PDF stands, the PDF, and why it is refused or what is to be said of it.

    Args:
        placed: All media.
        limits: What the target takes.
    """
    each, together = limits.max_document_pages, limits.max_documents_pages
    most = min((number for number in (each, together) if number is not None), default=None)
    total = 0
    for where, part in placed:
        if not (isinstance(part, Document) and isinstance(part.source, Inline)):
            continue
        if part.source.mime != "application/pdf":
            continue
        facts = pdf_facts(part.source.data, None if most is None else max(0, most - total))
        if (closed := _closed(facts, limits)) is not None:
            yield where, part, closed
        if facts.pages is None:
            if most is not None:
                text = f"the document's pages could not be counted, and {limits.name} takes {most}"
                yield where, part, Note(where, text)
            continue
        total += facts.pages
        if (refusal := _too_many(facts.pages, total, limits)) is not None:
            yield where, part, refusal


def _closed(facts: PdfFacts, limits: Limits) -> Refusal | None:
    if facts.locked:
        return Refusal("the PDF asks for a password", _UNLOCK)
    if facts.encrypted and not limits.encrypted_documents:
        return Refusal(f"the PDF is encrypted, and {limits.name} takes none that is", "save it without encryption")
    return None


def _too_many(pages: int, total: int, limits: Limits) -> Refusal | None:
    each, together = limits.max_document_pages, limits.max_documents_pages
    if each is not None and pages > each:
        reason = f"it has {pages} pages and {limits.name} takes at most {each}"
        return Refusal(reason, _FEWER, too_large=True)
    if together is not None and total > together:
        reason = f"with it all documents have {total} pages and {limits.name} takes at most {together} in one request"
        return Refusal(reason, _FEWER, too_large=True)
    return None
