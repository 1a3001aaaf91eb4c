import base64
import zipfile
from io import BytesIO
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image as Pillow

from prompt_adapters import Document, Image
from prompt_adapters.content.mime import mime_from_name, normalize_mime
from prompt_adapters.content.sniff import (
    decode_base64,
    decode_data_url,
    is_data_url,
    parse_data_url,
    sniff,
)
from prompt_adapters.errors import MediaReadError
from strategies import PDF


def picture(kind: str) -> bytes:
    buffer = BytesIO()
    Pillow.new("RGB", (8, 4), "red").save(buffer, kind)
    return buffer.getvalue()


def office(folder: str) -> bytes:
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("[Content_Types].xml", "<x/>")
        archive.writestr(f"{folder}/document.xml", "<x/>")
    return buffer.getvalue()


def box(kind: bytes, body: bytes) -> bytes:
    return (8 + len(body)).to_bytes(4, "big") + kind + body


WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


@pytest.mark.parametrize(
    ("data", "mime"),
    [
        *((picture(kind), f"image/{kind.lower()}") for kind in ("PNG", "JPEG", "GIF", "WEBP", "BMP", "TIFF", "AVIF")),
        (picture("ICO"), "image/x-icon"),
        (picture("JPEG2000"), "image/jp2"),
        (box(b"ftyp", b"heic\0\0\0\0mif1heic"), "image/heic"),
        (box(b"ftyp", b"mif1\0\0\0\0mif1heic"), "image/heic"),
        (box(b"ftyp", b"mif1\0\0\0\0mif1miaf"), "image/heif"),
        (box(b"ftyp", b"isom\0\0\0\0isommp42"), "video/mp4"),
        (box(b"ftyp", b"qt  \0\0\0\0qt  "), "video/quicktime"),
        (box(b"moov", b"\0" * 40), "video/quicktime"),
        (box(b"ftyp", b"M4A \0\0\0\0M4A "), "audio/mp4"),
        (box(b"ftyp", b"3gp4\0\0\0\x003gp4"), "video/3gpp"),
        (b"RIFF\x24\0\0\0WAVEfmt ", "audio/wav"),
        (b"RIFF\x24\0\0\0AVI LIST", "video/x-msvideo"),
        (b"RIFF\x24\0\0\0ACON", None),
        (b"FORM\0\0\0\x24AIFFCOMM", "audio/aiff"),
        (b"ID3\x04\0\0\0\0\0\0", "audio/mpeg"),
        (b"ID3\x03\0\0\0\0\x01\x02" + b"\0" * 130 + b"\xff\xfb\x90\x00", "audio/mpeg"),
        (b"ID3\x04\0\0\0\0\0\x04" + b"\0" * 4 + b"\xff\xf1\x50\x80", "audio/aac"),
        (b"ID3\x04\0\0\0\0\0\x04" + b"\0" * 4 + b"fLaC", "audio/flac"),
        (b"RF64\xff\xff\xff\xffWAVEds64", "audio/wav"),
        (b"II+\0\x08\0\0\0\x10\0\0\0\0\0\0\0", "image/tiff"),
        (b"MM\0+\0\x08\0\0\0\0\0\0\0\0\0\x10", "image/tiff"),
        (b"\xff\x4f\xff\x51\0\x2f", "image/jp2"),
        (box(b"ftyp", b"hevx\0\0\0\0mif1"), "image/heic"),
        (box(b"ftyp", b"mif1\0\0\0\0mif1avif"), "image/avif"),
        (box(b"ftyp", b"avis\0\0\0\0avif"), "image/avif"),
        (box(b"ftyp", b"crx \0\0\0\1crx isom"), None),
        (box(b"ftyp", b"3g2a\0\0\0\x003g2a"), "video/3gpp2"),
        (box(b"wide", b"") + box(b"mdat", b"\0" * 8), "video/quicktime"),
        (b"\xff\xfb\x90\x00" + b"\0" * 20, "audio/mpeg"),
        (b"\xff\xf1\x50\x80" + b"\0" * 20, "audio/aac"),
        (b"fLaC\0\0\0\x22", "audio/flac"),
        (b"OggS\0\2" + b"\0" * 20 + b"OpusHead", "audio/ogg"),
        (b"OggS\0\2" + b"\0" * 20 + b"\x80theora", "video/ogg"),
        (b"\x1aE\xdf\xa3\x9fB\x86\x81\x01B\x82\x84webm", "video/webm"),
        (b"\x1aE\xdf\xa3\x9fB\x86\x81\x01B\x82\x88matroska", "video/x-matroska"),
        (b"\x1aE\xdf\xa3\x9fB\x86\x81\x01B\x82\x88matroska" + b"made by webmaker", "video/x-matroska"),
        (b"FLV\x01\x05", "video/x-flv"),
        (b"\0\0\x01\xba\x44", "video/mpeg"),
        (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "application/pdf"),
        (b"\xef\xbb\xbf\r\n%PDF-1.4\nabc", "application/pdf"),
        (b"HTTP/1.1 200 OK\r\n\r\n%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "application/pdf"),
        (office("word"), WORD),
        (office("xl"), "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
        (office("ppt"), "application/vnd.openxmlformats-officedocument.presentationml.presentation"),
        (office("other"), "application/zip"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 8, "application/msword"),
        (b"{\\rtf1 hi}", "application/rtf"),
        (b"<!DOCTYPE html><title>404</title>", "text/html"),
        (b"  \n<HTML>", "text/html"),
        (b"<!-- saved from a page -->\n<html lang='en'>", "text/html"),
        (b"<?xml version='1.0'?><!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0'><html/>", "text/html"),
        (b"<?xml version='1.0'?>\n<html xmlns='http://www.w3.org/1999/xhtml'/>", "text/html"),
        (b"<!-- a note -->\n# A Markdown file with <svg> in it", "text/plain"),
        (b"<!-- never closed <svg>", "text/plain"),
        (b"<!DOCTYPE svg PUBLIC 'x' 'y' [ <!ENTITY a 'b'> ]>\n<svg/>", "image/svg+xml"),
        (b"\xef\xbb\xbf<?xml version='1.0'?>" + b"<!-- licence -->" * 90 + b"<svg/>", "image/svg+xml"),
        (b"<?xml version='1.0'?><list>an <svg> inside</list>", "application/xml"),
        (b"<svg xmlns='x'/>", "image/svg+xml"),
        (b"<?xml version='1.0'?><!-- c --><svg/>", "image/svg+xml"),
        (b"<?xml version='1.0'?><feed/>", "application/xml"),
        (b"plain", "text/plain"),
        ("Über\n".encode(), "text/plain"),
        (b"\xef\xbb\xbfwith a BOM", "text/plain"),
        (b"\x1b[31mred\x1b[0m\x0c\ttab", "text/plain"),
        (b"", None),
        (b"\0\0\0\0\0\0", None),
        (b"\x01\x02\x03", None),
        (b"caf\xe9", None),
    ],
    ids=lambda value: str(value)[:24],
)
def test_the_bytes_tell_the_type(data: bytes, mime: str | None) -> None:
    assert sniff(data) == mime


@pytest.mark.parametrize(
    "text",
    [
        "ID3 is an algorithm that builds decision trees.",
        "A PDF begins with the line %PDF-1.7 and ends with %%EOF.",
        "BM25 ranks documents by the words that they share with a question.",
        "RIFF is a container of chunks. WAVE is one of its kinds.",
        "PK\n",
    ],
)
def test_text_that_speaks_of_formats_stays_text(text: str) -> None:
    assert sniff(text.encode()) == "text/plain"


@pytest.mark.parametrize("text", ["hello", "# Über", "\u4f60\u597d", "abcdefghijklmnop"])
@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16_is_no_audio(text: str, encoding: str) -> None:
    assert sniff(text.encode(encoding)) in (None, "text/plain")
    assert sniff(("\ufeff" + text).encode(encoding)) is None


@given(st.text(st.characters(min_codepoint=0x20, exclude_categories=["Cs"]), min_size=1))
def test_text_without_control_characters_is_never_taken_for_audio_or_video(text: str) -> None:
    assert (sniff(text.encode()) or "").partition("/")[0] not in ("audio", "video")


@given(st.binary(max_size=200))
def test_any_bytes_are_answered(data: bytes) -> None:
    found = sniff(data)
    assert found is None or "/" in found


@pytest.mark.parametrize(
    ("data", "name", "mime"),
    [
        (b"# Title", "a.md", "text/markdown"),
        (b"a,b", "A.CSV", "text/csv"),
        (b"{}", "a.json", "application/json"),
        (b"plain", "a.svg", "text/plain"),
        (b"plain", "a.png", "text/plain"),
        (b"<html>", "a.txt", "text/html"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "a.xls", "application/vnd.ms-excel"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "a.png", "application/msword"),
        (b"%PDF-1.4", "a.png", "application/pdf"),
    ],
)
def test_a_name_decides_only_between_what_looks_alike(data: bytes, name: str, mime: str) -> None:
    assert sniff(data, name) == mime


@pytest.mark.parametrize(
    ("given_type", "canonical"),
    [
        ("image/jpg", "image/jpeg"),
        ("IMAGE/PJPEG", "image/jpeg"),
        ("image/png; charset=utf-8", "image/png"),
        (" image/png ", "image/png"),
        ("png", "image/png"),
        (".JPG", "image/jpeg"),
        ("audio/x-wav", "audio/wav"),
        ("audio/mp3", "audio/mpeg"),
        ("audio/mpga", "audio/mpeg"),
        ("image/jpeg2000", "image/jp2"),
        ("video/mov", "video/quicktime"),
        ("application/octet-stream", None),
        ("binary/octet-stream", None),
        ("", None),
        ("nonsense", None),
        ("application/x-unheard-of", "application/x-unheard-of"),
    ],
)
def test_types_have_one_spelling(given_type: str, canonical: str | None) -> None:
    assert normalize_mime(given_type) == canonical


@pytest.mark.parametrize(
    ("name", "mime"),
    [
        ("a.png", "image/png"),
        ("A.JPG", "image/jpeg"),
        ("archive.tar.pdf", "application/pdf"),
        ("https://img.example/p/1.jpeg?w=10&h=5", "image/jpeg"),
        ("https://img.example/p/1.JPG#x", "image/jpeg"),
        ("https://img.example/p/1", None),
        ("https://img.example/?file=a.png", None),
        ("https://movies.mov", None),
        ("https://notes.md/", None),
        ("s3://bucket-x/k/cat.png", "image/png"),
        ("noext", None),
        ("png", None),
        ("a.unknown", None),
        ("", None),
    ],
)
def test_names_claim_a_type(name: str, mime: str | None) -> None:
    assert mime_from_name(name) == mime


PNG = picture("PNG")
B64 = base64.b64encode(PNG).decode()
LINES = "\r\n".join(B64[i : i + 76] for i in range(0, len(B64), 76))


@pytest.mark.parametrize(
    "url",
    [
        f"data:image/png;base64,{B64}",
        f"data:image/png;base64,{LINES}",
        f"data:image/png;base64,{B64.rstrip('=')}",
        f"data:image/png;base64,{base64.urlsafe_b64encode(PNG).decode()}",
        f"data:image/png;base64,{B64.replace('+', '%2B').replace('/', '%2F').replace('=', '%3D')}",
        f"DATA:Image/PNG;Base64,{B64}",
        f"data:image/png;charset=utf-8;base64,{B64}",
        f"data:image/png;name=a.png;base64,{B64}",
        f"  data:image/png;base64, {B64}\n",
        f"data:;base64,{B64}",
        f"data:application/octet-stream;base64,{B64}",
    ],
    ids=[
        "plain",
        "lines",
        "no padding",
        "URL-safe",
        "percent",
        "capitals",
        "charset",
        "name",
        "blanks",
        "no type",
        "?",
    ],
)
def test_data_urls_as_people_write_them(url: str) -> None:
    assert is_data_url(url)
    assert parse_data_url(url) == ("image/png", B64)
    assert decode_data_url(url).data == PNG


@pytest.mark.parametrize(
    ("url", "mime", "data"),
    [
        ("data:,hello%20world", None, b"hello world"),
        ("data:text/plain;charset=utf-8,%C3%BC+", "text/plain", b"\xc3\xbc+"),
        ("data:image/jpg;base64,/9j/", "image/jpeg", b"\xff\xd8\xff"),
        ("data:text/csv,a,b", "text/csv", b"a,b"),
    ],
)
def test_data_urls_taken_apart(url: str, mime: str | None, data: bytes) -> None:
    assert decode_data_url(url) == (mime, data)


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("https://example.com/a.png", "does not start with 'data:'"),
        ("image/png;base64,AAAA", "does not start with 'data:'"),
        ("data:image/png;base64", "no comma"),
        ("data:png;base64,AAAA", "where a type such as image/png belongs"),
        ("data:image/png;base64,", "empty"),
        ("data:image/png;base64,====", "empty"),
        ("data:image/png,", "empty"),
        ("data:image/png;base64,A", "do not fit"),
        ("data:image/png;base64,AAA==", "do not fit"),
        ("data:image/png;base64,AA!A", "holds '!'"),
        ("data:image/png;base64,AA=A", "holds '='"),
        ("data:image/png;base64,AAé=", "holds 'é'"),
    ],
)
def test_broken_data_urls_are_refused_by_name(url: str, reason: str) -> None:
    with pytest.raises(MediaReadError, match=reason) as caught:
        decode_data_url(url)
    assert len(str(caught.value)) < 200


def test_a_data_url_without_any_type_is_refused() -> None:
    with pytest.raises(MediaReadError, match="no known type"):
        parse_data_url("data:;base64,AAECAw==")


@given(st.binary(min_size=1), st.booleans(), st.booleans(), st.integers(1, 80))
def test_base64_is_read_in_every_spelling(data: bytes, urlsafe: bool, padded: bool, width: int) -> None:
    text = (base64.urlsafe_b64encode if urlsafe else base64.b64encode)(data).decode()
    text = text if padded else text.rstrip("=")
    wrapped = "\n".join(text[i : i + width] for i in range(0, len(text), width))
    assert decode_base64(wrapped) == data
    assert decode_base64(wrapped.encode()) == data


@pytest.mark.parametrize(
    ("name", "mime"),
    [
        ("gs://b/my photo.png", "image/png"),
        ("gs://b/a.png#1.pdf", "application/pdf"),
        ("s3://b/what?.png", "image/png"),
        ("s3://b/a.png?x=1", None),
        ("S3://b/a?b.webp", "image/webp"),
        ("https://e.example/a.png#1.pdf", "image/png"),
        ("gs://b.png", None),
    ],
)
def test_the_name_of_an_object_holds_every_character(name: str, mime: str | None) -> None:
    assert mime_from_name(name) == mime


@pytest.mark.parametrize(
    "url", ["data://image/png;base64,{}", "DATA://IMAGE/PNG;base64,{}", "data:image/png;base64,{}"]
)
def test_slashes_after_data_are_no_part_of_the_type(url: str) -> None:
    text = base64.b64encode(PNG).decode()
    url = url.format(text)
    assert parse_data_url(url) == ("image/png", text)
    assert decode_data_url(url).mime == Image(url).mime_type == "image/png"
    assert Image(url).source.declared is None  # type: ignore[union-attr]  # it is inline


@pytest.mark.parametrize("header", ["///image/png", "image", "image/", "/png", "image/png/x", "ima ge/png", "//"])
def test_a_type_that_is_none_is_refused(header: str) -> None:
    if header == "//":
        assert parse_data_url(f"data://;base64,{base64.b64encode(PNG).decode()}")[0] == "image/png"
        return
    for read in (parse_data_url, Image):
        with pytest.raises(MediaReadError, match=f"has '{header.removeprefix('//')}' where a type such as image/png"):
            read(f"data:{header};base64,{base64.b64encode(PNG).decode()}")


@pytest.mark.parametrize(("mime", "data"), [("image/png", PNG), ("image/jpeg", PNG), ("application/pdf", PDF)])
def test_a_forgotten_base64_is_named(mime: str, data: bytes) -> None:
    url = f"data:{mime},{base64.b64encode(data).decode()}"
    for read in (parse_data_url, Image, Document):
        with pytest.raises(MediaReadError, match=f"the data URL 'data:{mime},' lacks ';base64' before its comma"):
            read(url)


@pytest.mark.parametrize(
    "url", ["data:,aGVsbG8=", "data:text/plain,aGVsbG8=", f"data:text/plain,{'iVBORw0KGgo' * 3}A=="]
)
def test_text_that_only_looks_like_base64_is_text(url: str) -> None:
    assert decode_data_url(url).data == url.partition(",")[2].encode()


@pytest.mark.parametrize("value", [None, 3, b"data:image/png;base64,AAAA", ["data:"]])
def test_a_data_url_is_a_text(value: Any) -> None:
    with pytest.raises(MediaReadError, match=f"a data URL is a text, not {type(value).__name__}"):
        parse_data_url(value)
