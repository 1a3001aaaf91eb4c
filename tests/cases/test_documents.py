"""Failures that people reported with documents, each as a small input of its kind."""

from __future__ import annotations

import base64
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfWriter

from official import strict_types
from prompt_adapters import Document, Message, adapter_for
from prompt_adapters.errors import MediaError, MediaTooLargeError, UnsupportedContentError

ANTHROPIC = "anthropic/claude-opus-5"
GEMINI = "gemini/gemini-2.5-pro"
OPENAI = "openai/gpt-4o"
MISTRAL = "mistral/mistral-medium-latest"
CONVERSE = "bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0"
PDF_MODELS = (ANTHROPIC, GEMINI, OPENAI, MISTRAL, CONVERSE, "openai/responses/gpt-5.6", "vertex_ai/gemini-2.5-pro")


def pdf(pages: int = 1, **encryption: Any) -> bytes:
    writer = PdfWriter()
    for _ in range(pages):
        writer.add_blank_page(100, 100)
    if encryption:
        writer.encrypt(**encryption)
    buffer = BytesIO()
    writer.write(buffer)
    return buffer.getvalue()


PDF = pdf()
TEXT = base64.b64encode(PDF).decode()


def saved(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def parts(model: str, *given: Any, **options: Any) -> list[Any]:
    adapter = adapter_for(model, **options)
    body = adapter.build_body(Message("user", ["Read.", *given]))
    assert strict_types().BODY_FAULTS[adapter.style](body) == []
    turn = (body.get("messages") or body.get("contents") or body["input"])[0]
    return list(turn.get("content") or turn["parts"])


def notes_of(model: str, *given: Any) -> list[str]:
    return [str(note) for note in adapter_for(model).prepare(Message("user", ["Read.", *given])).notes]


@pytest.mark.parametrize("model", PDF_MODELS)
def test_a_document_without_a_type_is_what_its_bytes_are(model: str, tmp_path: Path) -> None:
    """MSG-30: langchain-ai/docs#2007. application/octet-stream is refused."""
    for document in (
        Document(saved(tmp_path / "ok.pdf", PDF)),
        Document.from_base64(TEXT),
        Document(saved(tmp_path / "ok", PDF)),
        Document(PDF, mime="application/octet-stream"),
        Document(BytesIO(PDF)),
    ):
        assert document.mime_type == "application/pdf"
        assert "octet-stream" not in str(parts(model, document))
        assert TEXT in str(parts(model, document))


@pytest.mark.parametrize("page", [b"<!doctype html><title>Sign in</title>", b"Not found", b'{"error": 404}'])
def test_a_page_of_an_error_is_no_pdf(page: bytes, tmp_path: Path) -> None:
    """MSG-30: langchain-ai/docs#1672. A page of an error under the name of a PDF."""
    with pytest.raises(MediaError, match=r"not_a\.pdf is not a document: it looks like text/\w+ under the label"):
        Document(saved(tmp_path / "not_a.pdf", page))


@pytest.mark.parametrize("model", [OPENAI, "openai/responses/gpt-5.6", MISTRAL])
def test_files_are_data_urls_where_that_is_asked_for(model: str) -> None:
    """MSG-28: langchain-ai/langchainjs#9570. Bare base64 in file_data is refused."""
    assert f"data:application/pdf;base64,{TEXT}" in str(parts(model, Document(PDF, name="ok.pdf")))


@pytest.mark.parametrize("name", ["zero.pdf", "zero.txt", "zero"])
def test_an_empty_document_is_refused_with_its_path(name: str, tmp_path: Path) -> None:
    """IMG-33: anthropics/claude-code#34943. An empty file is sent."""
    with pytest.raises(ValueError, match="is empty") as caught:
        Document(saved(tmp_path / name, b""))
    assert str(tmp_path / name) in str(caught.value)


@pytest.mark.parametrize("model", PDF_MODELS)
def test_a_pdf_that_is_cut_off_or_locked_is_refused(model: str) -> None:
    whole = pdf(30)
    with pytest.raises(MediaError, match=r"part 2: the document .*cut off: there is no %%EOF"):
        parts(model, Document(whole[: len(whole) // 2]))
    locked = Document(pdf(2, user_password="secret", algorithm="AES-256"))
    with pytest.raises(UnsupportedContentError, match=r"part 2: the PDF asks for a password; save it without"):
        parts(model, locked)


@pytest.mark.parametrize(
    ("model", "most"), [(ANTHROPIC, 600), ("anthropic/claude-haiku-4-5", 100), (CONVERSE, 100), (GEMINI, 1000)]
)
def test_pages_are_counted_before_anything_is_sent(model: str, most: int) -> None:
    with pytest.raises(MediaTooLargeError, match=f"{most + 1} pages and .* takes at most {most}"):
        parts(model, Document(pdf(most + 1)))
    assert parts(model, Document(pdf(most)))


@pytest.mark.parametrize(
    ("model", "limit"), [(CONVERSE, 4_500_000), (OPENAI, 50_000_000), (GEMINI, 50_000_000), (MISTRAL, 50_000_000)]
)
def test_bytes_are_counted_before_anything_is_sent(model: str, limit: int) -> None:
    """MSG-25: aws-samples/generative-ai-use-cases#1685. One over 4.5 MB."""
    heavy = PDF + b"\n%" + b" " * (limit - len(PDF) - 7) + b"%%EOF"
    assert len(heavy) == limit
    with pytest.raises(MediaTooLargeError, match=f"it has {limit + 1} bytes and .* takes at most {limit}"):
        adapter_for(model).prepare(Message("user", ["Read.", Document(heavy + b"\n")]))
    assert adapter_for(model).prepare(Message("user", ["Read.", Document(heavy)])).messages


@pytest.mark.parametrize(
    ("name", "text", "mime"),
    [
        ("a.txt", "Größe", "text/plain"),
        ("a.md", "# Größe", "text/markdown"),
        ("a.csv", "a,b\n1,ß", "text/csv"),
        ("a.html", "<!doctype html><p>ß</p>", "text/html"),
        ("a.json", '{"ß": 1}', "application/json"),
        ("a.xml", "<?xml version='1.0'?><ß/>", "application/xml"),
        ("a.log", "ß", "text/plain"),
    ],
)
def test_text_is_a_document_where_there_are_text_documents(name: str, text: str, mime: str, tmp_path: Path) -> None:
    document = Document(saved(tmp_path / name, text.encode()))
    assert document.mime_type == mime
    (_, block) = parts(ANTHROPIC, document)
    assert block["source"] == {"type": "text", "media_type": "text/plain", "data": text}
    assert any("sent as text/plain" in note for note in notes_of(ANTHROPIC, document)) is (mime != "text/plain")
    (_, block) = parts(GEMINI, document)
    assert base64.b64decode(block["inlineData"]["data"]).decode() == text
    assert block["inlineData"]["mimeType"] == (mime if mime.startswith("text/") else "text/plain")
    (_, block) = parts(CONVERSE, document)
    known = {"text/markdown": "md", "text/csv": "csv", "text/html": "html"}
    assert block["document"]["format"] == known.get(mime, "txt")
    assert block["document"]["name"] == "a"
    with pytest.raises(UnsupportedContentError, match="convert it to application/pdf, or send its text as text"):
        parts(OPENAI, document)


def test_text_that_is_not_utf_8_says_so(tmp_path: Path) -> None:
    for encoding in ("latin-1", "utf-16"):
        with pytest.raises(MediaError, match=r"a\.csv is not a document: .*save it as UTF-8"):
            Document(saved(tmp_path / "a.csv", "Größe".encode(encoding)))


@pytest.mark.parametrize("model", [ANTHROPIC, GEMINI, OPENAI, "cohere/command-a-03-2025", "ollama_chat/llava"])
def test_a_document_that_is_not_taken_says_what_is(model: str, tmp_path: Path) -> None:
    import zipfile

    with zipfile.ZipFile(tmp_path / "a.docx", "w") as archive:
        archive.writestr("word/document.xml", "<x/>")
    with pytest.raises(UnsupportedContentError) as caught:
        parts(model, Document(tmp_path / "a.docx"))
    assert caught.value.remedy
    if model in (ANTHROPIC, GEMINI, OPENAI):
        assert "application/pdf" in caught.value.reason
        assert "convert it to" in caught.value.remedy
