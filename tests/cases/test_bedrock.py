"""Failures that people reported with Bedrock's Converse and the Responses API, each as a small input of its kind."""

from __future__ import annotations

import base64
import io
import re
from pathlib import Path
from typing import Any

import pytest
from PIL import Image as Pillow

from converse_model import built
from prompt_adapters.adapters import adapter_for
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Document, Image
from prompt_adapters.errors import UnsupportedContentError

PDF = b"%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n"
CLAUDE = "bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0"
TAKEN = re.compile(r"[A-Za-z0-9()\[\]-]+( [A-Za-z0-9()\[\]-]+)*")


def picture(kind: str) -> bytes:
    file = io.BytesIO()
    Pillow.new("RGB", (4, 4), "red").save(file, kind)
    return file.getvalue()


def saved(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def documents(*turns: list[Any]) -> list[dict[str, Any]]:
    messages = tuple(Message("user", ["Compare.", *turn]) for turn in turns)
    request = built(adapter_for(CLAUDE), messages)
    return [block["document"] for turn in request["messages"] for block in turn["content"] if "document" in block]


@pytest.mark.parametrize(
    ("name", "kind", "word"), [("a.png", "JPEG", "jpeg"), ("a.jpg", "PNG", "png"), ("a.jpg", "WEBP", "webp")]
)
def test_the_format_comes_from_the_first_bytes(name: str, kind: str, word: str, tmp_path: Path) -> None:
    """IMG-01: BerriAI/litellm#24900. A JPEG that carries a PNG's name."""
    adapter = adapter_for(CLAUDE)
    message = Message("user", [Image(saved(tmp_path, name, picture(kind)))])
    assert built(adapter, message)["messages"][0]["content"][0]["image"]["format"] == word
    assert "its label said" in str(adapter.prepare(message).notes)


@pytest.mark.parametrize("label", ["image/jpg", "image/pjpeg", "image/jpeg"])
def test_a_jpeg_is_a_jpeg_whatever_its_label(label: str) -> None:
    """IMG-02: NousResearch/hermes-agent#55432. A data URL labelled image/jpg."""
    url = f"data:{label};base64,{base64.b64encode(picture('JPEG')).decode()}"
    content = built(adapter_for(CLAUDE), Message("user", [Image(url)]))["messages"][0]["content"]
    assert content[0]["image"]["format"] == "jpeg"


@pytest.mark.parametrize("hint", ["png", "image/png"])
def test_a_short_hint_means_the_full_type(hint: str) -> None:
    """IMG-04: google/adk-python#2122. A format hint of 'png'."""
    for image in (Image(picture("PNG"), mime=hint), Image("s3://bucket-x/cat", mime=hint)):
        content = built(adapter_for(CLAUDE), Message("user", [image]))["messages"][0]["content"]
        assert content[0]["image"]["format"] == "png"


def test_more_images_than_the_target_takes_are_counted() -> None:
    """IMG-17: earendil-works/pi#120. A 400 after everything was encoded."""
    twenty = [Image(picture("PNG"))] * 20
    assert len(built(adapter_for(CLAUDE), Message("user", twenty))["messages"][0]["content"]) == 20
    with pytest.raises(UnsupportedContentError, match=r"21 images.*at most 20"):
        adapter_for(CLAUDE).build_request(Message("user", [*twenty, twenty[0]]))


def test_bedrock_reads_s3_itself() -> None:
    """IMG-49: BerriAI/litellm#21746. An s3:// link is refused or downloaded."""
    message = Message("user", [Image("s3://bucket-x/k/cat.png")])
    assert built(adapter_for(CLAUDE), message)["messages"][0]["content"] == [
        {"image": {"format": "png", "source": {"s3Location": {"uri": "s3://bucket-x/k/cat.png"}}}}
    ]
    with pytest.raises(UnsupportedContentError, match="Bedrock reads s3://"):
        adapter_for("openai/responses/gpt-5.6").build_request(message)


def test_a_web_link_is_refused_with_a_remedy() -> None:
    """IMG-52: BerriAI/litellm#18430. URL sources are not supported."""
    with pytest.raises(UnsupportedContentError, match="give the file or its bytes"):
        adapter_for(CLAUDE).build_request(Message("user", [Image("https://img.example/p/1.png")]))


def test_names_hold_only_what_is_taken(tmp_path: Path) -> None:
    """MSG-21: simonw/llm-bedrock#8. A file name with a dot, underscore, apostrophe or two spaces."""
    names = ["Q3 report_v1.final.pdf", "John's invoice #12 & more.pdf", "two  spaces.pdf", f"{'x' * 203}.pdf"]
    found = documents([Document(saved(tmp_path, name, PDF)) for name in names])
    assert [document["format"] for document in found] == ["pdf"] * 4
    assert all(TAKEN.fullmatch(document["name"]) and len(document["name"]) <= 200 for document in found)
    assert [document["name"] for document in found[:3]] == ["Q3 report v1 final", "Johns invoice 12 more", "two spaces"]


def test_a_name_without_a_usable_character_is_a_neutral_one(tmp_path: Path) -> None:
    """MSG-22: vercel/ai#20366. A name that is empty after cleaning."""
    given = [Document(saved(tmp_path, name, PDF)) for name in ("四半期レポート.pdf", ".pdf", "résumé.pdf")]
    names = [document["name"] for document in documents(given)]
    assert names == ["document-1", "document-2", "resume"]
    assert names == [document["name"] for document in documents(given)]


def test_names_differ_over_the_whole_request(tmp_path: Path) -> None:
    """MSG-23: maximhq/bifrost#7003. Messages can't contain duplicate document names."""
    report, page = saved(tmp_path, "report.pdf", PDF), saved(tmp_path, "report.html", b"<html></html>")
    again = Document(PDF, name="REPORT.pdf")
    names = [document["name"] for document in documents([Document(report), Document(page)], [Document(report), again])]
    assert len({name.lower() for name in names}) == 4
    assert names[0] == "report"
    long = [document["name"] for document in documents([Document(PDF, name="y" * 200), Document(PDF, name="Y" * 200)])]
    assert [len(name) for name in long] == [200, 200]


def test_six_documents_and_a_big_one_are_refused() -> None:
    """MSG-25: aws-samples/generative-ai-use-cases#1685. More than five documents, or one over 4.5 MB."""
    with pytest.raises(UnsupportedContentError, match=r"6 documents.*at most 5"):
        documents([Document(PDF)] * 6)
    big = PDF.replace(b"%%EOF", b"%" * 4_500_000 + b"\n%%EOF")
    with pytest.raises(UnsupportedContentError, match="4500000"):
        documents([Document(big)])


def test_the_responses_api_gets_a_data_url() -> None:
    """MSG-28: strands-agents/harness-sdk#3576. Bare base64 in file_data."""
    body = adapter_for("openai/responses/gpt-5.6").build_body(Message("user", ["q", Document(PDF, name="ok.pdf")]))
    data = body["input"][0]["content"][1]["file_data"]
    assert data == f"data:application/pdf;base64,{base64.b64encode(PDF).decode()}"
