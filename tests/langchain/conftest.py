"""Small media of every kind, as bytes that tell what they are."""

import struct
import zlib

import pytest

from prompt_adapters import Audio, Document, Image, Video
from prompt_adapters.langchain import AdapterPromptTemplate


def png(colour: int = 0) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    pixels = zlib.compress(b"\0" + bytes([colour, 0, 0]))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


def wav() -> bytes:
    samples = b"\0\0" * 8
    form = struct.pack("<HHIIHH", 1, 1, 8000, 16000, 2, 16)
    body = b"WAVEfmt " + struct.pack("<I", len(form)) + form + b"data" + struct.pack("<I", len(samples)) + samples
    return b"RIFF" + struct.pack("<I", len(body)) + body


PDF = b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n"  # noqa: E501 - the bytes of one file
MP4 = b"\0\0\0\x18ftypisom\0\0\2\0isomiso2" + b"\0\0\0\x08free" + b"\0\0\0\x08moov"


@pytest.fixture
def photo() -> Image:
    return Image(png())


@pytest.fixture
def photos() -> list[Image]:
    return [Image(png(n)) for n in (1, 2, 3)]


@pytest.fixture
def sound() -> Audio:
    return Audio(wav())


@pytest.fixture
def film() -> Video:
    return Video(MP4)


@pytest.fixture
def report() -> Document:
    return Document(PDF, name="report.pdf")


@pytest.fixture
def photo_url(photo: Image) -> str:
    return photo.as_data_url()


@pytest.fixture
def template() -> AdapterPromptTemplate:
    return AdapterPromptTemplate.from_messages([("system", "Be {tone}."), ("human", "Say {word}.")])
