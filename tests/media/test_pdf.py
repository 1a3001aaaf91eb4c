import subprocess
import sys
import time
import zlib
from io import BytesIO
from typing import Any

import pytest
from pypdf import PdfWriter

from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Document
from prompt_adapters.errors import MediaTooLargeError, UnsupportedContentError
from prompt_adapters.media.fit import fit_messages
from prompt_adapters.media.pdf import PdfFacts, pdf_facts
from prompt_adapters.targets import Limits, route


def pdf(pages: int, *, packed: bool = False, **encryption: Any) -> bytes:
    writer = PdfWriter()
    for _ in range(pages):
        writer.add_blank_page(100, 100)
    if encryption:
        writer.encrypt(**encryption)
    buffer = BytesIO()
    writer.write(buffer)
    return packed_objects(pages) if packed else buffer.getvalue()


def packed_objects(pages: int) -> bytes:
    """A PDF whose pages are listed in a compressed stream, as newer writers do."""
    kids = " ".join(f"{number + 4} 0 R" for number in range(pages))
    bodies = ["<</Type/Catalog/Pages 2 0 R>>", f"<</Type/Pages/Count {pages}/Kids[{kids}]>>"]
    numbers = [1, 2, *range(4, pages + 4)]
    bodies += ["<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>"] * pages
    offsets = [sum(len(body) + 1 for body in bodies[:at]) for at in range(len(bodies))]
    index = " ".join(f"{number} {at}" for number, at in zip(numbers, offsets, strict=True)) + " "
    objects = zlib.compress((index + " ".join(bodies)).encode())
    start = b"%PDF-1.5\n"
    head = (
        f"3 0 obj\n<</Type/ObjStm/N {len(bodies)}/First {len(index)}/Filter/FlateDecode/Length {len(objects)}>>stream\n"
    )
    body = start + head.encode() + objects + b"\nendstream endobj\n"
    places = {number: (2, 3, at) for at, number in enumerate(numbers)} | {3: (1, len(start), 0), 0: (0, 0, 255)}
    table = b"".join(
        bytes([kind]) + second.to_bytes(4, "big") + third.to_bytes(2, "big")
        for _, (kind, second, third) in sorted(places.items())
    )
    xref = f"{pages + 4} 0 obj\n<</Type/XRef/Size {len(places)}/W[1 4 2]/Root 1 0 R/Length {len(table)}>>stream\n"
    return body + xref.encode() + table + f"\nendstream endobj\nstartxref\n{len(body)}\n%%EOF\n".encode()


def numbered(objects: list[bytes], extra: bytes = b"") -> bytes:
    """A PDF of these objects, the first of which is its root."""
    body, places = b"%PDF-1.5\n%/ObjStm, so that a reader has to look\n", []
    for number, item in enumerate(objects, 1):
        places.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, item)
    rows = b"".join(b"%010d 00000 n \n" % place for place in places)
    table = b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(places) + 1, rows)
    trailer = b"trailer\n<</Root 1 0 R/Size %d%s>>\n" % (len(places) + 1, extra)
    return body + table + trailer + b"startxref\n%d\n%%%%EOF" % len(body)


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "packed"])
@pytest.mark.parametrize("pages", [1, 5, 6])
def test_pages_are_counted(pages: int, packed: bool) -> None:
    data = pdf(pages, packed=packed)
    assert (b"/ObjStm" in data) is packed
    assert pdf_facts(data, 5).pages == pages
    limits = Limits("T", "", max_document_pages=5)
    messages = (Message("user", [Document(data)]),)
    if pages <= 5:
        assert fit_messages(messages, limits, style="s") == (messages, ())
        return
    with pytest.raises(MediaTooLargeError) as caught:
        fit_messages(messages, limits, style="s")
    assert caught.value.reason == "it has 6 pages and T takes at most 5"
    assert caught.value.remedy == "send fewer pages, or in several requests"
    assert fit_messages(messages, limits, on_limit="send", style="s") == (messages, ())


def test_pages_of_all_documents_are_added_up() -> None:
    limits = Limits("T", "", max_documents_pages=7)
    one, other = Document(pdf(3)), Document(pdf(4, packed=True))
    assert fit_messages((Message("user", [one, other]),), limits, style="s")[1] == ()
    with pytest.raises(MediaTooLargeError) as caught:
        fit_messages((Message("user", [one, other]), Message("user", [one])), limits, style="s")
    assert caught.value.position == "message 2 (user), part 1"
    assert caught.value.reason == "with it all documents have 10 pages and T takes at most 7 in one request"


@pytest.mark.parametrize(("model", "most"), [("claude-haiku-4-5", 100), ("bedrock/us.anthropic.claude-opus-5", 100)])
def test_documented_numbers_of_pages(model: str, most: int) -> None:
    limits = route(model).limits
    assert fit_messages((Message("user", [Document(pdf(most))]),), limits, style="s")[1] == ()
    with pytest.raises(MediaTooLargeError, match=f"have {most + 1} pages"):
        fit_messages((Message("user", [Document(pdf(most + 1))]),), limits, style="s")


@pytest.mark.parametrize("algorithm", ["RC4-128", "AES-256"])
@pytest.mark.parametrize("model", ["claude-opus-5", "gpt-4o", "gemini/gemini-2.5-pro", "hosted_vllm/any"])
def test_a_pdf_that_asks_for_a_password_is_refused(model: str, algorithm: str) -> None:
    locked = Document(pdf(2, user_password="secret", algorithm=algorithm))
    assert pdf_facts(locked.as_bytes(), None) == PdfFacts(None, encrypted=True, locked=True)
    with pytest.raises(UnsupportedContentError, match="asks for a password; save it without a password"):
        fit_messages((Message("user", [locked]),), route(model).limits, style="s")


def test_a_pdf_encrypted_without_a_password_is_refused_only_where_that_is_documented() -> None:
    data = pdf(2, user_password="", owner_password="owner", algorithm="AES-256")
    assert pdf_facts(data, 9) == PdfFacts(2, encrypted=True, locked=False)
    messages = (Message("user", [Document(data)]),)
    with pytest.raises(UnsupportedContentError, match="is encrypted, and Anthropic takes none that is"):
        fit_messages(messages, route("claude-opus-5").limits, style="s")
    assert fit_messages(messages, route("gemini/gemini-2.5-pro").limits, style="s") == (messages, ())


def test_a_cipher_that_is_not_installed_is_not_taken_for_a_password() -> None:
    code = """
import sys
sys.modules["cryptography"] = None
sys.modules["Crypto"] = None
from prompt_adapters.media.pdf import PdfFacts, pdf_facts
assert pdf_facts(sys.stdin.buffer.read(), 9) == PdfFacts(None, encrypted=True, locked=None)
"""
    data = pdf(2, user_password="", owner_password="owner", algorithm="AES-256")
    subprocess.run([sys.executable, "-c", code], input=data, check=True)


@pytest.mark.parametrize(
    "data",
    [
        b"%PDF-1.5 /ObjStm %%EOF",
        b"%PDF-1.5 /ObjStm startxref\n99\n%%EOF",
        numbered([b"<</Type/Catalog>>"]),
        numbered([b"<</Type/Catalog/Pages 9 0 R>>"]),
        numbered([b"<</Type/Catalog/Pages 2 0 R>>", b"(no pages)"]),
        packed_objects(3).replace(b"/W[1 4 2]", b"/W[9 9 9]"),
    ],
    ids=["no index", "index beyond the end", "no pages", "missing object", "pages are a text", "odd index"],
)
def test_a_malformed_pdf_is_sent_with_a_note(data: bytes) -> None:
    messages = (Message("user", [Document(data)]),)
    fitted, notes = fit_messages(messages, Limits("T", "", max_document_pages=5), style="s")
    assert fitted == messages
    assert [str(note) for note in notes] == [
        "message 1 (user), part 1: the document's pages could not be counted, and T takes 5"
    ]
    assert fit_messages(messages, Limits("T", ""), style="s") == (messages, ())


def xref_stream(rows: bytes) -> bytes:
    packed = zlib.compress(rows)
    head = b"<</Type/XRef/Size 99999999/W[1 2 1]/Root 1 0 R/Length %d/Filter/FlateDecode>>" % len(packed)
    return b"%PDF-1.5\n%/ObjStm\n1 0 obj\n" + head + b"stream\n" + packed + b"\nendstream\nendobj\nstartxref\n18\n%%EOF"


HOSTILE = {
    "pages that hold themselves": numbered(
        [b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Count 1000000000/Kids[2 0 R 2 0 R]>>"]
    ),
    "a page a hundred thousand times": numbered(
        [b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[" + b"3 0 R " * 10**5 + b"]>>", b"<</Type/Page>>"]
    ),
    "deep arrays": numbered([b"[" * 10**6]),
    "deep dictionaries": numbered([b"<</A" * 10**5]),
    "an index before itself": numbered([b"<</Type/Catalog/Pages 1 0 R>>"], b"/Prev 9"),
    "a bomb as index": xref_stream(b"\0" * 50_000_000),
    "millions of nothing": b"%PDF-1.5 /ObjStm" + b"\0" * 10**6 + b"startxref\n9\n%%EOF",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_pdf_keeps_nobody_busy(name: str) -> None:
    started = time.process_time()
    facts = pdf_facts(HOSTILE[name], 600)
    assert time.process_time() - started < 15
    assert not facts.pages
    assert not facts.locked


def test_only_pdfs_are_read_as_pdfs() -> None:
    text = Document(b"/Type /Page /Encrypt " * 9, name="a.txt")
    messages = (Message("user", [text, Document("https://e.example/a.pdf"), Document.from_uploaded("file-1")]),)
    assert fit_messages(messages, Limits("T", "", max_document_pages=1, links=None), style="s") == (messages, ())
