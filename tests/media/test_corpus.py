"""Whatever goes in: what comes out is what the target takes, and every change is said; or an error says why not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from io import BytesIO
from typing import Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image as Pillow

from pictures import (
    animated,
    claimed_png,
    corner,
    encoded,
    heic,
    mime_of,
    pages,
    photo,
    png,
    profile,
    screenshot,
    turned,
)
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Image
from prompt_adapters.content.source import Inline
from prompt_adapters.errors import MediaReadError, MediaTooLargeError, UnsupportedContentError
from prompt_adapters.media.fit import fit_messages
from prompt_adapters.media.header import image_size, is_animated, orientation
from prompt_adapters.media.rules import COMMON_IMAGES, base64_size
from prompt_adapters.targets import Limits
from prompt_adapters.targets.limit_rows import LIMITS

MODES = {
    "PNG": ("1", "L", "LA", "P", "RGB", "RGBA", "I;16"),
    "JPEG": ("L", "RGB", "CMYK"),
    "GIF": ("1", "L", "P", "RGB"),
    "WEBP": ("RGB", "RGBA"),
    "TIFF": ("1", "L", "LA", "P", "RGB", "RGBA", "CMYK", "YCbCr", "LAB", "I;16", "I", "F"),
    "BMP": ("1", "L", "P", "RGB", "RGBA"),
    "ICO": ("L", "P", "RGB", "RGBA"),
    "AVIF": ("L", "RGB", "RGBA"),
    "JPEG2000": ("L", "LA", "RGB", "RGBA", "I;16"),
}
SIZES = ((1, 1), (33, 17), (1, 300), (300, 1))


def plain(mode: str, size: tuple[int, int]) -> Pillow.Image:
    if mode in ("I;16", "I", "F"):
        return Pillow.new(mode, size, 1000)
    if mode == "LAB":
        return Pillow.new(mode, size, (128, 100, 100))
    image = corner(size, mode)
    if mode in ("LA", "RGBA"):
        image.putalpha(Pillow.linear_gradient("L").resize(size))
    return image


def _made() -> Iterator[tuple[str, bytes, str]]:
    for kind, modes in MODES.items():
        for mode in modes:
            for size in SIZES:
                options = {"sizes": [(min(256, size[0]), min(256, size[1]))]} if kind == "ICO" else {}
                yield f"{kind} {mode} {size}", encoded(plain(mode, size), kind, **options), mime_of(kind)
    for mode in ("L", "RGB", "RGBA"):
        yield f"HEIC {mode}", heic(plain(mode, (33, 17))), "image/heic"
    for kind in ("JPEG", "PNG", "WEBP", "TIFF", "AVIF"):
        for value in range(1, 9):
            yield f"{kind} turned {value}", turned(photo((48, 32)), kind, value), mime_of(kind)
        yield f"{kind} profile", encoded(corner(), kind, icc_profile=profile()), mime_of(kind)
    for kind in ("GIF", "PNG", "WEBP", "AVIF"):
        yield f"{kind} animated", animated(kind), mime_of(kind)
    wide = b"\0" + bytes(range(48))
    for colours, channels in ((0, 1), (2, 3), (4, 2), (6, 4)):
        yield f"PNG 16 bits {colours}", png(4, 2, wide[: 1 + 8 * channels] * 2, 16, colours), "image/png"
    yield "progressive", encoded(photo((64, 64)), "JPEG", progressive=True), "image/jpeg"
    yield "several pictures", encoded(corner(), "MPO", save_all=True, append_images=[corner()]), "image/jpeg"
    yield "several pages", pages(2), "image/tiff"
    yield "a photo", encoded(photo((200, 150), 30), "PNG"), "image/png"
    yield "a screenshot", encoded(screenshot((200, 150)), "PNG"), "image/png"
    yield "a bomb", claimed_png(30_000, 30_000), "image/png"
    yield "cut off", encoded(photo((64, 64)), "PNG")[:-20], "image/png"
    yield "nothing in it", png(8, 8, b""), "image/png"
    yield "an SVG", b"<svg xmlns='http://www.w3.org/2000/svg'/>", "image/svg+xml"
    yield "JPEG XL", b"\xff\x0a" + bytes(40), "image/jxl"


CORPUS = {name: Inline(data, mime) for name, data, mime in _made()}
TARGETS = {f"{provider} {style}": limits for (provider, style), limits in LIMITS.items()}
# As the targets are, but so narrow that small pictures meet every limit.
NARROW = {
    "sides": Limits("T", "", image_types=frozenset({"image/png", "image/jpeg"}), max_side=20),
    "pixels": Limits("T", "", image_types=frozenset({"image/webp"}), max_pixels=200),
    "bytes": Limits("T", "", image_types=COMMON_IMAGES, still_types=COMMON_IMAGES, max_image_bytes=900),
    "base64": Limits(
        "T", "", image_types=COMMON_IMAGES, max_image_bytes=1200, image_bytes_counted="base64", max_side=100
    ),
    "only JPEG": Limits("T", "", image_types=frozenset({"image/jpeg"}), max_image_bytes=2000, max_request_bytes=1500),
    "only PNG": Limits("T", "", image_types=frozenset({"image/png"}), max_image_bytes=700, max_images_bytes=600),
    "only WebP": Limits("T", "", image_types=frozenset({"image/webp"}), max_pixels=100, max_image_bytes=300),
    "unknown": Limits("T", "", max_side=30),
    "nothing": Limits("T", "", image_types=frozenset()),
}


def faults(source: Inline, limits: Limits) -> list[str]:
    """What the table of limits holds against a picture; read from the file by Pillow and not by what is tested."""
    found = []
    types = limits.image_types
    if types is not None and source.mime not in types:
        found.append(f"type {source.mime}")
    read = None if source.mime in ("image/heic", "image/jxl") else Pillow.open(BytesIO(source.data))
    size = read.size if read is not None else image_size(source) or (1, 1)
    if read is not None and source.mime in limits.still_types and getattr(read, "n_frames", 1) > 1:
        found.append("frames")
    if limits.max_side is not None and max(size) > limits.max_side:
        found.append(f"side {size}")
    if limits.max_pixels is not None and size[0] * size[1] > limits.max_pixels:
        found.append(f"pixels {size}")
    weight = base64_size(source.data) if limits.image_bytes_counted == "base64" else len(source.data)
    if limits.max_image_bytes is not None and weight > limits.max_image_bytes:
        found.append(f"bytes {weight}")
    if limits.max_images_bytes is not None and len(source.data) > limits.max_images_bytes:
        found.append("bytes of images")
    if limits.max_request_bytes is not None and base64_size(source.data) > limits.max_request_bytes:
        found.append("bytes of the request")
    return found


def check_refusal(error: MediaReadError | UnsupportedContentError) -> None:
    """It says in one line where, which limit, which value, and what to do."""
    assert "\n" not in str(error)
    assert "message 1 (user), part 1" in str(error)
    if isinstance(error, MediaReadError):
        assert "broken or cut off" in str(error)
        return
    assert error.remedy
    if isinstance(error, MediaTooLargeError):
        assert len(re.findall(r"\d+", error.reason)) >= 2, error.reason


def check(source: Inline, limits: Limits, on_limit: Literal["convert", "error"]) -> None:
    messages = (Message("user", [Image(source)]),)
    try:
        fitted, notes = fit_messages(messages, limits, on_limit=on_limit, style="s")
    except (MediaReadError, UnsupportedContentError) as error:
        check_refusal(error)
        return
    (part,) = fitted[0].parts
    assert isinstance(part, Image)
    assert isinstance(part.source, Inline)
    assert faults(part.source, limits) == []
    assert orientation(part.source) == 1 or part.source.mime == "image/tiff"
    assert (part.source is source) is (notes == ())
    before, after = image_size(source), image_size(part.source)
    if part.source is not source:
        said = " ".join(note.text for note in notes)
        assert (part.source.mime != source.mime) is (f"converted from {source.mime}" in said)
        assert before is not None
        assert after is not None
        assert ("turned upright" in said) is (orientation(source) != 1 or "AVIF" in said) or source.mime == "image/avif"
        assert (sorted(before) != sorted(after)) <= ("scaled from" in said or "compressed from" in said)
        assert is_animated(source) <= ("first of its frames" in said)


@pytest.mark.parametrize("target", TARGETS)
def test_every_picture_for_every_target(target: str) -> None:
    for name, source in CORPUS.items():
        try:
            check(source, TARGETS[target], "convert")
        except Exception as error:
            error.add_note(name)
            raise


@pytest.mark.parametrize("on_limit", ["convert", "error"])
@pytest.mark.parametrize("target", NARROW)
def test_every_picture_for_narrow_targets(target: str, on_limit: Literal["convert", "error"]) -> None:
    for name, source in CORPUS.items():
        try:
            check(source, NARROW[target], on_limit)
        except Exception as error:
            error.add_note(name)
            raise


SENT_AS_THEY_ARE = {"image/png", "image/jpeg", "image/webp"}
REFUSED = ("several pages", "a bomb", "cut off", "nothing in it", "an SVG", "JPEG XL", "TIFF F ")


@pytest.mark.parametrize("target", TARGETS)
def test_what_a_person_has_works_with_every_model_that_sees(target: str) -> None:
    """Every picture but the few that nobody could send is sent, as it is or converted."""
    for name, source in CORPUS.items():
        if name.startswith(REFUSED):
            continue
        limits = replace(TARGETS[target], image_types=TARGETS[target].image_types or None)
        fitted, notes = fit_messages((Message("user", [Image(source)]),), limits, style="s")
        (part,) = fitted[0].parts
        assert isinstance(part, Image)
        if source.mime in SENT_AS_THEY_ARE & (limits.image_types or SENT_AS_THEY_ARE) and "turned" not in name:
            assert (part.source is source) or (is_animated(source) and source.mime in limits.still_types), name
        if part.source is not source:
            assert notes, name


@st.composite
def limits_of_any_kind(draw: st.DrawFn) -> Limits:
    some = st.frozensets(
        st.sampled_from(["image/png", "image/jpeg", "image/webp", "image/gif", "image/heic"]), min_size=1
    )
    changes: dict[str, Any] = {
        "image_types": draw(st.none() | some),
        "still_types": draw(st.frozensets(st.sampled_from(["image/gif", "image/webp", "image/png"]))),
        "max_side": draw(st.none() | st.integers(1, 400)),
        "max_pixels": draw(st.none() | st.integers(1, 40_000)),
        "max_image_bytes": draw(st.none() | st.integers(1, 20_000)),
        "image_bytes_counted": draw(st.sampled_from(["raw", "base64"])),
        "max_images_bytes": draw(st.none() | st.integers(1, 20_000)),
        "max_request_bytes": draw(st.none() | st.integers(1, 20_000)),
    }
    return Limits("T", "", **changes)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(sorted(CORPUS)), limits_of_any_kind(), st.sampled_from(["convert", "error"]))
def test_any_picture_for_any_limits(name: str, limits: Limits, on_limit: Literal["convert", "error"]) -> None:
    check(CORPUS[name], limits, on_limit)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(sorted(CORPUS)), st.integers(0, 10**6), st.binary(min_size=1, max_size=8))
def test_a_picture_with_damage_is_sent_as_it_is_or_refused(name: str, at: int, damage: bytes) -> None:
    source = CORPUS[name]
    at %= len(source.data)
    harmed = Inline(source.data[:at] + damage + source.data[at + len(damage) :], source.mime)
    messages = (Message("user", [Image(harmed)]),)
    for limits in (NARROW["only PNG"], TARGETS["anthropic anthropic_style"]):
        try:
            fitted, notes = fit_messages(messages, limits, style="s")
        except (MediaReadError, UnsupportedContentError) as error:
            check_refusal(error)
        else:
            assert notes or fitted == messages


def test_many_threads_fit_at_once() -> None:
    names = [name for name in CORPUS if not name.startswith(REFUSED)] * 2

    def fit(name: str) -> tuple[bytes, list[str]]:
        fitted, notes = fit_messages((Message("user", [Image(CORPUS[name])]),), NARROW["sides"], style="s")
        (part,) = fitted[0].parts
        assert isinstance(part, Image)
        return part.as_bytes(), [note.text for note in notes]

    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(fit, names))
    assert together == [fit(name) for name in names]
