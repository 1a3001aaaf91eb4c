"""Media that are small and claim, or become, much: refused or harmless, soon over; no setting of Pillow is touched."""

from __future__ import annotations

import struct
import zlib
from io import BytesIO
from typing import Any

import pytest
from PIL import Image as Pillow
from PIL import ImageFile, PngImagePlugin

from clock import soon
from prompt_adapters import Document, Image, Prompt, get_adapter
from prompt_adapters.errors import PromptAdapterError

STYLES = ("anthropic_style", "bedrock_style", "mistral_style", "google_style")
MANY = zlib.compress(b"A" * 50_000_000, 9)


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png(width: int, height: int, extra: bytes = b"", pixels: bytes | None = None) -> bytes:
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
    body = chunk(b"IDAT", zlib.compress(bytes(110)) if pixels is None else pixels)
    return b"\x89PNG\r\n\x1a\n" + head + extra + body + chunk(b"IEND", b"")


def jpeg() -> bytes:
    buffer = BytesIO()
    Pillow.new("RGB", (64, 48), "red").save(buffer, "JPEG")
    return buffer.getvalue()


def with_segment(marker: bytes, *bodies: bytes) -> bytes:
    plain = jpeg()
    segments = b"".join(marker + struct.pack(">H", 2 + len(body)) + body for body in bodies)
    return plain[:2] + segments + plain[2:]


def tiff(width: int, height: int, packing: int, *more: tuple[int, int, int, int]) -> bytes:
    tags = [(256, 4, 1, width), (257, 4, 1, height), (258, 3, 1, 8), (259, 3, 1, packing), (262, 3, 1, 1)]
    tags += [(273, 4, 1, 8), (277, 3, 1, 1), (278, 4, 1, height), (279, 4, 1, 10), *more]
    fields = b"".join(struct.pack("<HHII", *tag) for tag in sorted(tags))
    return b"II*\0" + struct.pack("<I", 24) + bytes(16) + struct.pack("<H", len(tags)) + fields + bytes(4)


def bmp(width: int, height: int, bits: int, packing: int, more: bytes = b"") -> bytes:
    info = struct.pack("<IiiHHIIiiII", 40, width, height, 1, bits, packing, len(more), 0, 0, 0, 0)
    return b"BM" + struct.pack("<IHHI", 54 + len(more), 0, 0, 54) + info + more


def icon(picture: bytes) -> bytes:
    return struct.pack("<HHHBBBBHHII", 0, 1, 1, 0, 0, 0, 0, 1, 32, len(picture), 22) + picture


def webp(side: int) -> bytes:
    size = struct.pack("<I", side - 1)[:3]
    return (
        b"RIFF" + struct.pack("<I", 30) + b"WEBPVP8X" + struct.pack("<I", 10) + bytes(4) + size * 2 + b"VP8L" + bytes(4)
    )


RING = b"II*\0" + struct.pack("<IHHHIII", 8, 1, 256, 4, 1, 10, 8)
TIFF_IN_EXIF = b"Exif\0\0II*\0" + struct.pack("<IH", 8, 5000) + struct.pack("<HHII", 0x112, 7, 2**31, 8) * 5000
LAUGHS = b'<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa">' + b"".join(
    b'<!ENTITY a%d "%s">' % (n, (b"&a%d;" % (n - 1) if n else b"&a;") * 10) for n in range(9)
)
SVG = b'<?xml version="1.0"?>%b<svg xmlns="http://www.w3.org/2000/svg"><text>&a8;</text></svg>'

BOMBS: dict[str, bytes] = {
    "PNG of many pixels": png(60_000, 60_000),
    "PNG of one long row": png(2**31 - 1, 1),
    "PNG whose pixels never end": png(100, 100, pixels=MANY),
    "PNG with packed text": png(10, 10, chunk(b"zTXt", b"k\0\0" + MANY)),
    "PNG with packed international text": png(10, 10, chunk(b"iTXt", b"k\0\1\0\0\0" + MANY)),
    "PNG with a packed profile": png(10, 10, chunk(b"iCCP", b"k\0\0" + MANY)),
    "PNG with many texts": png(10, 10, chunk(b"tEXt", b"k\0x") * 50_000),
    "PNG of many frames": png(10, 10, chunk(b"acTL", struct.pack(">II", 2**31 - 1, 0))),
    "GIF of many pixels": b"GIF89a" + struct.pack("<HH", 65_535, 65_535) + b"\0\0\0,\0\0\0\0\1\0\1\0\0\2\2D\1\0;",
    "GIF with a large frame": b"GIF89a\x0a\0\x0a\0\0\0\0,"
    + struct.pack("<HHHH", 0, 0, 65_535, 65_535)
    + b"\0\2\2D\1\0;",
    "WebP of many pixels": webp(2**24),
    "BMP of many pixels": bmp(60_000, 60_000, 24, 0),
    "BMP of many packed pixels": bmp(30_000, 30_000, 8, 1, bytes(1024) + b"\0\1\0\1"),
    "icon with a PNG of many pixels": icon(png(30_000, 30_000)),
    "icon with an icon": icon(icon(png(10, 10))),
    "icon that lists many": struct.pack("<HHH", 0, 1, 65_535)
    + struct.pack("<BBBBHHII", 16, 16, 0, 0, 1, 32, 40, 22) * 65_535,
    "ICNS": b"icns" + struct.pack(">I", 60) + b"ic10" + struct.pack(">I", 52) + png(30_000, 30_000),
    "TIFF of many pixels": tiff(60_000, 60_000, 5),
    "TIFF of many packed pixels": tiff(30_000, 30_000, 8),
    "TIFF with a long field": tiff(10, 10, 1, (339, 3, 2**31, 8)),
    "TIFF whose directories go round": RING,
    "JPEG 2000 of many pixels": b"\xff\x4f\xff\x51"
    + struct.pack(">HHIIIIIIIIH", 41, 0, *([60_000] * 2 + [0] * 2) * 2, 1)
    + b"\7\1\1\xff\xd9",
    "JPEG of many pixels": jpeg().replace(struct.pack(">HH", 48, 64), struct.pack(">HH", 65_500, 65_500), 1),
    "JPEG with a long EXIF field": with_segment(b"\xff\xe1", TIFF_IN_EXIF[:65_000]),
    "JPEG whose EXIF goes round": with_segment(b"\xff\xe1", b"Exif\0\0" + RING),
    "JPEG with many segments": with_segment(b"\xff\xe1", *[b"ab"] * 100_000),
    "JPEG with a large profile": with_segment(
        b"\xff\xe2", *(b"ICC_PROFILE\0" + bytes([n + 1, 255]) + bytes(30_000) for n in range(255))
    ),
    "SVG with entities in entities": SVG % (LAUGHS + b"]>"),
    "SVG with a file": SVG % b'<!DOCTYPE svg [<!ENTITY a8 SYSTEM "file:///etc/passwd">]>',
}
INDEX = b"<</Type/XRef/Size 4/W[1 4 2]/Root 1 0 R/Filter/FlateDecode/Length %d>>stream\n%b\nendstream\nendobj\n"
PAGES = b"%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
FORKS = b"".join(
    b"%d 0 obj<</Type/Pages/Count 1/Kids[%d 0 R %d 0 R]>>endobj\n" % (n, n + 1, n + 1) for n in range(2, 40)
)
DOCUMENTS: dict[str, bytes] = {
    "PDF with a packed index": PAGES + b"3 0 obj" + INDEX % (len(MANY), MANY) + b"/ObjStm startxref\n52\n%%EOF",
    "PDF whose pages fork": PAGES + FORKS + b"trailer<</Root 1 0 R>>/ObjStm\nstartxref\n0\n%%EOF",
    "PDF of deep lists": PAGES
    + b"3 0 obj"
    + b"[" * 100_000
    + b"endobj trailer<</Root 3 0 R>>/ObjStm\nstartxref\n52\n%%EOF",
    "ZIP in name only": b"PK\3\4" + bytes(30) + b"PK\5\6" + bytes(18),
}
SETTINGS = ("MAX_IMAGE_PIXELS",), ("LOAD_TRUNCATED_IMAGES", "MAXBLOCK"), ("MAX_TEXT_CHUNK", "MAX_TEXT_MEMORY")


def settings() -> list[Any]:
    modules = (Pillow, ImageFile, PngImagePlugin)
    return [getattr(module, name) for module, names in zip(modules, SETTINGS, strict=True) for name in names]


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", [*BOMBS, *DOCUMENTS])
def test_bombs_do_not_go_off(name: str, style: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Pillow, "open", None)  # which would try every reader that is registered
    told = ""
    before = settings()
    with soon(1):
        try:
            medium = Image(BOMBS[name]) if name in BOMBS else Document(DOCUMENTS[name])
            prompt = Prompt(user=["see", {"type": medium.kind, "variable": "x"}])
            get_adapter(style, parameters={"max_tokens": 9}).build_body(prompt, x=medium)
        except PromptAdapterError as error:
            told = str(error)
    assert "\n" not in told
    assert "root:" not in told
    assert settings() == before


def test_a_large_profile_is_left_out_and_noted() -> None:
    picture = with_segment(b"\xff\xe2", *(b"ICC_PROFILE\0" + bytes([n + 1, 255]) + bytes(30_000) for n in range(255)))
    prepared = get_adapter("bedrock_style").prepare(Prompt(user="{{ x }}"), x=Image(picture))
    assert any("stripped of its colour profile, which has 7650000 bytes" in str(note) for note in prepared.notes)
    part: Any = prepared.messages[0].parts[0]
    assert len(part.source.data) < 10_000
