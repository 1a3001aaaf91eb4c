"""Names of documents for Bedrock: what is taken, unique over the request, the same on every run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from converse_model import NAME, built
from prompt_adapters.adapters import get_adapter
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Document, ToolCall, ToolResult

PDF = b"%PDF-1.4\n%%EOF\n"


# What documents are called by their authors, and in the request.
NAMES: list[tuple[str, list[str | None], list[str]]] = [
    ("dots and underscores", ["Q3 report_v1.final.pdf"], ["Q3 report v1 final"]),
    ("signs", ["John's invoice #12 & more.pdf"], ["Johns invoice 12 more"]),
    ("two blanks", ["two  spaces.pdf"], ["two spaces"]),
    ("what is taken stays", ["[a] (b)-c.pdf"], ["[a] (b)-c"]),
    ("accents", ["résumé.pdf"], ["resume"]),
    ("nothing left", ["四半期レポート.pdf", ".pdf", "--.pdf"], ["document-1", "document-2", "document-3"]),
    ("none", [None, None], ["document-1", "document-2"]),
    ("suffixes", ["report.pdf", "report.docx", "Report.PDF"], ["report", "report (2)", "Report (3)"]),
    ("a suffix of no file type stays", ["v1.2"], ["v1 2"]),
    ("neutral names make way", [None, "document-1.pdf"], ["document-2", "document-1"]),
    ("a made name makes way", ["a.pdf", "a (2).pdf", "a.pdf"], ["a", "a (2)", "a (3)"]),
    ("long", ["x" * 210, "x" * 205], ["x" * 200, "x" * 196 + " (2)"]),
]


@pytest.mark.parametrize(("given_names", "names"), [row[1:] for row in NAMES], ids=[row[0] for row in NAMES])
def test_documents_get_names_that_are_taken(given_names: list[str | None], names: list[str]) -> None:
    inside = Message("tool", [ToolResult("c", [Document(PDF, name=given_names[-1])])])
    messages = [Message("user", [Document(PDF, name=name), "q"]) for name in given_names[:-1]] + [inside]
    messages[:0] = [Message("user", "q")]
    messages.insert(-1, Message("assistant", [ToolCall("c", "look")]))
    adapter = get_adapter("bedrock_style")
    request = built(adapter, tuple(messages))
    assert [document["name"] for document in documents(request)] == names
    assert built(adapter, tuple(messages)) == request


def documents(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        if "document" in value:
            yield value["document"]
        for item in value.values():
            yield from documents(item)
    elif isinstance(value, list):
        for item in value:
            yield from documents(item)


@given(st.lists(st.one_of(st.none(), st.text(max_size=220), st.sampled_from("aA")), min_size=1, max_size=5))
def test_whatever_documents_are_called_the_names_are_valid_and_unique(given_names: list[str | None]) -> None:
    messages = Message("user", ["q", *[Document(PDF, name=name or None) for name in given_names]])
    adapter = get_adapter("bedrock_style")
    names = [document["name"] for document in documents(built(adapter, messages))]
    assert all(NAME.fullmatch(name) and len(name) <= 200 for name in names)
    again = Message("user", ["q", *[Document(PDF, name=name) for name in names]])
    assert [document["name"] for document in documents(built(adapter, again))] == names


def test_a_document_that_is_called_otherwise_is_noted() -> None:
    message = Message("user", ["q", Document(PDF, name="a_b.pdf"), Document(PDF, name="fine.pdf"), Document(PDF)])
    (note,) = get_adapter("bedrock_style").prepare(message).notes
    assert note.position == "message 1 (user), part 2"
    assert note.text.startswith("the document 'a_b' is called 'a b'")
