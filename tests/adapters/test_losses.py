"""What is set and not carried, as a table."""

from __future__ import annotations

import json

import pytest

from prompt_adapters.adapters import get_adapter
from prompt_adapters.adapters.losses import losses
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Document, Image, Part, Text, ToolResult, Video

LINK = "https://e.com/a"
PDF = b"%PDF-1.4\n%%EOF\n"
TABLE: list[tuple[str, Message, str, str]] = [
    ("name", Message("user", "a", name="Ann"), "message 1 (user)", "'Ann'"),
    ("cache", Message("user", "a", cache=True), "message 1 (user)", "the cost, not the answer"),
    ("cache", Message("user", ["b", Text("a", cache=True)]), "message 1 (user), part 2", "cacheable prefix"),
    ("detail", Message("user", [Image(LINK, detail="high")]), "message 1 (user), part 1", "detail='high'"),
    ("title", Message("user", [Document(LINK, title="T")]), "message 1 (user), part 1", "'T'"),
    ("clip", Message("user", [Video(LINK, start=1, fps=2)]), "message 1 (user), part 1", "start=1 and fps=2"),
    ("error", Message("tool", [ToolResult("c", "a", error=True)]), "message 1 (tool), part 1", "failed"),
    (
        "cache",
        Message("tool", [ToolResult("c", [Text("a", cache=True)])]),
        "message 1 (tool), part 1, item 1",
        "prefix",
    ),
]


@pytest.mark.parametrize(("field", "message", "place", "text"), TABLE)
def test_what_is_set_is_noted_unless_it_is_carried(field: str, message: Message, place: str, text: str) -> None:
    (note,) = losses([message], frozenset())
    assert note.position == place
    assert text in note.text
    assert losses([message], frozenset({field})) == []


@pytest.mark.parametrize(
    "part", [Text("a"), Image(LINK), Image(LINK, detail="auto"), Document(LINK, name="a"), Video(LINK)]
)
def test_what_is_not_set_is_not_noted(part: Part) -> None:
    assert losses([Message("user", [part])], frozenset()) == []


DOCUMENTS: list[tuple[str, Document, str | None]] = [
    ("openai_style", Document(PDF, name="a.pdf"), None),
    ("openai_style", Document.from_uploaded("file-1", name="a.pdf"), "there is no field for it"),
    ("openai_responses_style", Document(PDF, name="a.pdf"), None),
    ("openai_responses_style", Document(LINK, name="a.pdf"), "there is no field for it"),
    ("openai_responses_style", Document.from_uploaded("file-1", name="a.pdf"), "there is no field for it"),
    ("anthropic_style", Document(PDF, name="a.pdf"), None),
    ("anthropic_style", Document(PDF, name="a.pdf", title="T"), "it goes by its title 'T'"),
    ("anthropic_style", Document.from_uploaded("file_1", name="a.pdf"), None),
    ("google_style", Document(PDF, name="a.pdf"), "there is no field for it"),
    ("bedrock_style", Document(PDF, name="a.pdf"), None),
    ("bedrock_style", Document(PDF, name="a.pdf", title="T"), "it goes by its title 'T'"),
    ("mistral_style", Document(PDF, name="a.pdf"), None),
    ("mistral_style", Document(LINK, name="a.pdf"), None),
    ("mistral_style", Document.from_uploaded("f-1", name="a.pdf"), "there is no field for it"),
]


@pytest.mark.parametrize(("style", "document", "why"), DOCUMENTS)
def test_a_document_s_name_is_sent_or_noted(style: str, document: Document, why: str | None) -> None:
    adapter = get_adapter(style)
    message = Message("user", ["q", document])
    notes = [str(note) for note in adapter.prepare(message).notes if "'a.pdf'" in note.text]
    place = "message 1 (user), part 2: the document's name 'a.pdf' is not sent"
    called = [note for note in notes if "is called" not in note]  # Bedrock says by itself how it calls a document
    assert called == ([] if why is None else [f"{place}: {why}"])
    sent = json.dumps(adapter.build_body(message))
    assert ("a.pdf" in sent or (style == "bedrock_style" and '"name": "a"' in sent)) == (why is None)


def test_the_name_of_a_document_from_a_tool_is_noted_too() -> None:
    message = Message("tool", [ToolResult("c", ["a", Document(PDF, name="a.pdf")], name="t")])
    (note,) = losses([message], frozenset(), get_adapter("google_style").document_name)
    assert str(note) == (
        "message 1 (tool), part 1, item 2: the document's name 'a.pdf' is not sent: there is no field for it"
    )


def test_whoever_says_nothing_of_names_is_told_nothing() -> None:
    assert losses([Message("user", [Document(PDF, name="a.pdf")])], frozenset()) == []
