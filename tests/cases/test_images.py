"""Failures that people reported with pictures, each as a small input of its kind."""

from __future__ import annotations

import base64
import io
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image as Pillow

from official import built
from pictures import animated, claimed_png, corner, encoded, opened, photo, png, turned
from prompt_adapters import Image, Message, adapter_for
from prompt_adapters.errors import MediaError, MediaReadError, MediaTooLargeError, UnsupportedContentError

ANTHROPIC = "anthropic/claude-opus-5"
GEMINI = "gemini/gemini-2.5-pro"
OPENAI = "openai/gpt-4o"
CONVERSE = "bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0"
MODELS = (ANTHROPIC, GEMINI, OPENAI, CONVERSE, "mistral/pixtral-large-latest", "ollama_chat/llava", "xai/grok-4")
TYPES = {"JPEG": "image/jpeg", "PNG": "image/png", "WEBP": "image/webp", "GIF": "image/gif"}


def pictures_in(value: Any) -> Iterator[tuple[str, bytes]]:
    """What a request holds of pictures: each with what it is called there."""
    match value:
        case {"type": "base64", "media_type": str(mime), "data": str(data)}:
            yield mime, base64.b64decode(data)
        case {"mimeType": str(mime), "data": str(data)}:
            yield mime, base64.b64decode(data)
        case {"format": str(word), "source": {"bytes": str(data)}}:
            yield f"image/{word}", base64.b64decode(data)
        case {"images": [*texts]}:
            for text in texts:
                yield TYPES[opened(base64.b64decode(text)).format or ""], base64.b64decode(text)
        case str() if value.startswith("data:"):
            head, _, data = value.partition(";base64,")
            yield head.removeprefix("data:"), base64.b64decode(data)
        case dict():
            for item in value.values():
                yield from pictures_in(item)
        case list():
            for item in value:
                yield from pictures_in(item)


def sent(model: str, image: Any, **options: Any) -> tuple[str, bytes]:
    """What one picture is called in the request, and its bytes."""
    adapter = adapter_for(model, **options)
    (found,) = pictures_in(adapter.build_body(Message("user", ["Look", image])))
    assert found[0] == TYPES[opened_lazily(found[1]).format or ""]
    return found


def opened_lazily(data: bytes) -> Pillow.Image:
    return Pillow.open(io.BytesIO(data))


def notes_of(model: str, *parts: Any) -> str:
    return " | ".join(note.text for note in adapter_for(model).prepare(Message("user", list(parts))).notes)


def saved(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(("name", "kind"), [("a.png", "JPEG"), ("a.jpg", "PNG"), ("a.jpg", "WEBP"), ("a.webp", "GIF")])
def test_a_picture_is_called_what_its_bytes_are(model: str, name: str, kind: str, tmp_path: Path) -> None:
    """IMG-01: home-assistant/core#167208. A JPEG that carries a PNG's name."""
    image = Image(saved(tmp_path / name, encoded(corner(), kind)))
    sent(model, image)
    assert f"which its bytes are; its label said {image.source.declared}" in notes_of(model, image)  # type: ignore[union-attr]  # it is inline
    with pytest.raises(MediaError, match="correct the label"):
        adapter_for(model, on_limit="error").build_body(Message("user", [image]))


@pytest.mark.parametrize("label", ["image/jpg", "image/pjpeg", "IMAGE/JPEG", "image/jpeg; charset=utf-8"])
@pytest.mark.parametrize("model", MODELS)
def test_every_label_of_jpeg_is_jpeg(model: str, label: str) -> None:
    """IMG-02, IMG-47: mealie-recipes/mealie#5897, simonw/llm#1496. image/jpg is refused."""
    data = encoded(corner(), "JPEG")
    for image in (Image(f"data:{label};base64,{base64.b64encode(data).decode()}"), Image.from_bytes(data, mime=label)):
        assert sent(model, image) == ("image/jpeg", data)
        assert "label" not in notes_of(model, image)


@pytest.mark.parametrize(
    ("name", "kind"),
    [("ok.jpg", "JPEG"), ("UPPER.JPG", "JPEG"), ("pic.jfif", "JPEG"), ("noext", "PNG"), ("a.b.c", "WEBP")],
)
def test_the_type_is_not_made_of_the_suffix(name: str, kind: str, tmp_path: Path) -> None:
    """IMG-03: agentuniverse-ai/agentUniverse#1058. image/jpg for every .jpg."""
    for model in (ANTHROPIC, CONVERSE, GEMINI):
        assert sent(model, Image(saved(tmp_path / name, encoded(corner(), kind))))[0] == TYPES[kind]


@pytest.mark.parametrize("hint", ["png", "image/png", "PNG", ".png"])
@pytest.mark.parametrize("model", [ANTHROPIC, CONVERSE, GEMINI])
def test_a_short_hint_means_the_type(model: str, hint: str) -> None:
    """IMG-04: google/adk-python#2122. A format hint of 'png'."""
    data = encoded(corner(), "PNG")
    assert sent(model, Image(data, mime=hint)) == ("image/png", data)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("way", ["lines", "blanks", "URL-safe", "no padding"])
def test_base64_is_read_as_people_write_it_and_written_in_one_way(model: str, way: str) -> None:
    """IMG-08, IMG-09: Intervention/image#983, pydantic/pydantic-ai#2958. Lines, and the other alphabet."""
    data = encoded(photo((40, 30)), "PNG")
    text = base64.b64encode(data).decode()
    lines = "\r\n".join(text[at : at + 76] for at in range(0, len(text), 76))
    written = {
        "lines": lines,
        "blanks": f" {lines.replace(chr(13), ' ')} ",
        "URL-safe": base64.urlsafe_b64encode(data).decode(),
        "no padding": text.rstrip("="),
    }[way]
    assert way != "URL-safe" or set("-_") & set(written)
    body = adapter_for(model).build_body(Message("user", [Image(f"data:image/png;base64,{written}")]))
    assert list(pictures_in(body)) == [("image/png", data)]
    assert text in str(body)


@pytest.mark.parametrize(
    ("model", "limit"),
    [
        (ANTHROPIC, 10_000_000),
        ("vertex_ai/claude-opus-5", 5_000_000),
        ("bedrock/invoke/us.anthropic.claude-opus-5", 5_000_000),
    ],
)
def test_claude_counts_the_base64_text(model: str, limit: int) -> None:
    """IMG-14: langchain-ai/langchain#21654. A 4.2 MB file passes a check of 5 MB and is refused."""
    head = png(8, 8, (b"\0" + b"\x40" * 24) * 8)
    for size, fits in ((limit // 4 * 3, True), (limit // 4 * 3 + 1, False)):
        # Bytes after the end of a picture are no part of it, and count.
        image = Image(head + bytes(size - len(head)))
        if fits:
            assert adapter_for(model, on_limit="error").build_body(Message("user", [image]))
            continue
        with pytest.raises(MediaTooLargeError, match=rf"{limit + 4} bytes as base64 .*at most {limit}"):
            adapter_for(model, on_limit="error").build_body(Message("user", [image]))
        assert len(base64.b64encode(sent(model, image)[1])) <= limit
        assert f"compressed from {size} to" in notes_of(model, image)


def test_limits_can_be_set() -> None:
    """IMG-14: kolega-ai/kolega-code#354. A table, and not a constant."""
    data = encoded(photo((200, 150), 30), "PNG")
    adapter = adapter_for(ANTHROPIC, limits={"max_image_bytes": 8000})
    (found,) = pictures_in(adapter.build_body(Message("user", [Image(data)])))
    assert len(base64.b64encode(found[1])) <= 8000 < len(data)


@pytest.mark.parametrize(
    ("model", "most"),
    [(CONVERSE, 20), ("mistral/any", 8), ("groq/any", 5), ("anthropic/claude-haiku-4-5", 100), (ANTHROPIC, 600)],
)
def test_images_are_counted_before_anything_is_encoded(model: str, most: int) -> None:
    """IMG-17: vllm-project/vllm#13397. A 400 after everything was encoded."""
    tiny = Image(png(1, 1, b"\0" * 4))
    with pytest.raises(MediaTooLargeError, match=f"there are {most + 1} images and .* takes at most {most} "):
        adapter_for(model).build_body(Message("user", [tiny] * (most + 1)))
    assert len(list(pictures_in(adapter_for(model).build_body(Message("user", [tiny] * most))))) == most


@pytest.mark.parametrize("number", [1, 2])
def test_a_server_of_ones_own_has_limits_of_ones_own(number: int) -> None:
    """IMG-17: vllm-project/vllm#13513. vLLM's limit is a flag of the server."""
    adapter = adapter_for("hosted_vllm/any", limits={"max_images": 1})
    message = Message("user", [Image(png(1, 1, b"\0" * 4))] * number)
    if number == 1:
        assert adapter.build_body(message)
        return
    with pytest.raises(MediaTooLargeError, match=r"2 images and .* at most 1"):
        adapter.build_body(message)


@pytest.mark.parametrize(
    ("model", "kind", "mime"),
    [
        (GEMINI, "GIF", "image/png"),
        (OPENAI, "GIF", "image/png"),
        ("mistral/any", "GIF", "image/png"),
        (ANTHROPIC, "GIF", "image/gif"),
        (CONVERSE, "GIF", "image/gif"),
        (OPENAI, "WEBP", "image/webp"),
        (OPENAI, "PNG", "image/png"),
    ],
)
def test_animations_as_each_target_takes_them(model: str, kind: str, mime: str) -> None:
    """IMG-18: microsoft/vscode#286628. GIF is refused by Gemini."""
    data = animated(kind)
    found, after = sent(model, Image(data))
    assert found == mime
    still = (kind, mime) == ("GIF", "image/png") or (model, kind) == (OPENAI, "WEBP")
    assert (after == data) is not still
    assert ("first of its frames" in notes_of(model, Image(data))) is still
    assert opened(after).convert("RGB").getpixel((5, 5))[0] > 200  # type: ignore[index]  # three numbers in mode RGB


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("kind", ["AVIF", "TIFF", "BMP", "JPEG2000", "ICO"])
def test_types_that_nobody_takes_are_converted(model: str, kind: str) -> None:
    """IMG-19: anomalyco/opencode#17772. AVIF read from disk is sent as image/avif and refused, again and again."""
    image = Image(encoded(corner((32, 32)), kind))
    assert sent(model, image)[0] in ("image/png", "image/jpeg")
    assert f"converted from {image.mime_type}" in notes_of(model, image)
    with pytest.raises(UnsupportedContentError, match="convert it to"):
        adapter_for(model, on_limit="error").build_body(Message("user", [image]))


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_photos_of_phones_arrive_upright(model: str, kind: str) -> None:
    """IMG-26: sgl-project/sglang#33449. EXIF orientation is ignored."""
    upright = corner((32, 16))
    for value in range(1, 9):
        data = turned(upright, kind, value)
        found = opened(sent(model, Image(data))[1])
        assert found.size == (32, 16)
        assert found.getexif().get(0x0112, 1) == 1
        red, white = (found.convert("RGB").getpixel(at) for at in ((3, 3), (28, 12)))
        assert red[0] > 200 > 60 > red[1]  # type: ignore[index]  # three numbers in mode RGB
        assert min(white) > 220  # type: ignore[arg-type]  # likewise
        if value == 1 and not (model.startswith(("ollama", "xai")) and kind == "WEBP"):
            assert sent(model, Image(data))[1] == data


@pytest.mark.parametrize("into", ["image/png", "image/jpeg", "image/webp"])
def test_cyan_stays_cyan(into: str) -> None:
    """IMG-29: haiwen/seahub#5918. A CMYK JPEG cannot be written as PNG."""
    data = encoded(Pillow.new("CMYK", (40, 20), (255, 0, 0, 0)), "JPEG")
    adapter = adapter_for(OPENAI, limits={"image_types": frozenset({into}), "max_side": 20})
    (found,) = pictures_in(adapter.build_body(Message("user", [Image(data)])))
    pixel = opened(found[1]).convert("RGB").getpixel((5, 5))
    assert found[0] == into
    assert all(abs(a - b) <= 4 for a, b in zip(pixel, (0, 255, 255), strict=True))  # type: ignore[arg-type]  # three numbers in mode RGB


def test_grey_of_sixteen_bits_is_not_white() -> None:
    """IMG-30: libvips/libvips#522. 16-bit grey turned to 8 bits comes out all white."""
    adapter = adapter_for(OPENAI, limits={"image_types": frozenset({"image/jpeg"})})
    wide = (40_000).to_bytes(2, "big")
    grey, colours = png(8, 8, (b"\0" + wide * 8) * 8, 16, 0), png(8, 8, (b"\0" + wide * 24) * 8, 16, 2)
    for data in (grey, colours, encoded(Pillow.new("I;16", (8, 8), 40_000), "TIFF")):
        (found,) = pictures_in(adapter.build_body(Message("user", [Image(data)])))
        pixel = opened(found[1]).convert("RGB").getpixel((3, 3))
        assert all(abs(value - 156) <= 1 for value in pixel)  # type: ignore[union-attr]  # three numbers in mode RGB
        assert "from 16 to 8 bits" in str(adapter.prepare(Message("user", [Image(data)])).notes)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "GIF", "WEBP"])
@pytest.mark.parametrize("model", MODELS)
def test_a_picture_that_is_cut_off_is_refused(model: str, kind: str) -> None:
    """IMG-32: python-pillow/Pillow#3185. A half-downloaded picture passes the check and fails later."""
    data = encoded(photo((64, 48)), kind)
    for kept in (len(data) // 2, len(data) - 1):
        message = Message("user", ["a", Image(data[:kept])])
        with pytest.raises(MediaReadError, match=r"message 1 \(user\), part 2: .*cut off.*get the whole file"):
            adapter_for(model).build_body(message)


@pytest.mark.parametrize("name", ["zero.png", "zero.jpg", "zero"])
def test_an_empty_file_is_refused_with_its_path(name: str, tmp_path: Path) -> None:
    """IMG-33: anthropics/claude-code#12750. 'image cannot be empty', and the conversation cannot go on."""
    path = saved(tmp_path / name, b"")
    with pytest.raises(ValueError, match=name) as caught:
        Image(path)
    assert str(path) in str(caught.value)
    for empty in (b"", "data:image/png;base64,"):
        with pytest.raises(ValueError, match="empty"):
            Image(empty)


@pytest.mark.parametrize("page", [b"<!DOCTYPE html><html><body>404</body></html>", b"<!-- x --><html></html>", b"{}"])
def test_a_page_of_an_error_is_no_picture(page: bytes, tmp_path: Path) -> None:
    """IMG-34: anthropics/claude-code#19031. An HTML page saved as .jpg: 'Could not process image'."""
    looks = "text/html" if b"html" in page else "text/plain"
    with pytest.raises(MediaError, match=f"html_named.jpg is not an image: it looks like {looks}"):
        Image(saved(tmp_path / "html_named.jpg", page))


def test_a_name_is_no_proof(tmp_path: Path) -> None:
    """IMG-35: anthropics/claude-code#28684. A PNG with zeroed first bytes."""
    data = encoded(corner(), "PNG")
    with pytest.raises(MediaError, match="is not an image: bytes of no known type"):
        Image(saved(tmp_path / "a.png", bytes(8) + data[8:]))


@pytest.mark.parametrize("model", MODELS)
def test_a_bomb_is_refused_by_its_header(model: str) -> None:
    """IMG-36: tracefinity/tracefinity#178. A file of 50 KB expands to hundreds of megabytes when it is opened."""
    for side in (20_000, 30_000):
        bomb = Message("user", [Image(claimed_png(side, side))])
        adapter = adapter_for(model)
        tracemalloc.start()
        with pytest.raises(MediaTooLargeError, match=f"{side} x {side} pixels"):
            adapter.build_body(bomb)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak < 10_000_000


def test_a_tilde_is_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """IMG-39: handley-lab/mcp-handley-lab#214. '~/pics/a.png' is not found."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    data = encoded(corner(), "PNG")
    saved(tmp_path / "a.png", data)
    for path in ("~/a.png", Path("~/a.png")):
        assert Image(path).as_bytes() == data


@pytest.mark.parametrize(
    "path", ["C:\\new\\table.png", "C:/new/table.png", "\\\\host\\share\\a.png", "e:\\123", "e:/123"]
)
def test_one_letter_before_a_colon_is_a_drive(path: str) -> None:
    """IMG-41: 1038lab/ComfyUI-QwenVL#120. No spelling of a drive's path loads."""
    with pytest.raises(FileNotFoundError) as caught:
        Image(path)
    assert repr(path) in str(caught.value)


@pytest.mark.parametrize(
    ("url", "mime"),
    [
        ("https://img.example/p/1", None),
        ("https://img.example/p/1.jpeg?w=10&h=5", "image/jpeg"),
        ("https://img.example/p/1.JPG#x", "image/jpeg"),
        ("https://img.example/p/1.png?name=a.jpg", "image/png"),
    ],
)
def test_a_link_is_passed_through_whatever_its_path(url: str, mime: str | None) -> None:
    """IMG-43: BerriAI/litellm#4441. A URL without a suffix, or with a query."""
    assert Image(url).mime_type == mime
    assert url in str(built(adapter_for(OPENAI), Message("user", [Image(url)])))
    if mime is None:
        with pytest.raises(UnsupportedContentError, match="mime="):
            adapter_for(GEMINI).build_body(Message("user", [Image(url)]))
    else:
        assert mime in str(adapter_for(GEMINI).build_body(Message("user", [Image(url)])))


@pytest.mark.parametrize(
    "host", ["127.0.0.1:9000", "localhost", "[::1]", "10.1.2.3", "192.168.0.7:80", "box.local", "minio"]
)
def test_a_host_that_only_we_reach_is_noted(host: str) -> None:
    """IMG-44: BerriAI/litellm#8709. The provider says invalid_image_url."""
    link = Image(f"http://{host}/b/k.jpeg?X-Sig=abc")
    assert "cannot reach" in notes_of(OPENAI, link)
    assert "X-Sig" not in notes_of(OPENAI, link)
    assert "cannot reach" not in notes_of(OPENAI, Image("https://img.example/k.jpeg"))
    assert "cannot reach" not in notes_of("hosted_vllm/any", link)


@pytest.mark.parametrize("label", ["application/octet-stream", "binary/octet-stream", "", "*/*"])
def test_a_label_that_says_nothing_is_no_label(label: str) -> None:
    """IMG-46: BerriAI/litellm#15635. The store answers binary/octet-stream for a PNG."""
    data = encoded(corner(), "PNG")
    image = Image.from_bytes(data, mime=label)
    assert (image.mime_type, image.source.declared) == ("image/png", None)  # type: ignore[union-attr]  # it is inline
    assert sent(ANTHROPIC, image) == ("image/png", data)


def test_the_size_is_read_from_the_header() -> None:
    """PRF-04: llm-d/llm-d-router#2196. A whole image is decoded to learn its size."""
    image = Image(encoded(photo((1200, 900), 20), "PNG"))
    adapter = adapter_for(ANTHROPIC)
    adapter.prepare(Message("user", [image]))
    tracemalloc.start()
    adapter.prepare(Message("user", ["again", Image(image.as_bytes())]))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 500_000


def test_the_whole_request_is_weighed_before_it_is_sent() -> None:
    """PRF-06: agent0ai/agent-zero#1857. Twelve images that are each small enough answer 413."""
    heavy = Image(encoded(photo((300, 200), 40), "PNG"))
    size = len(base64.b64encode(heavy.as_bytes()))
    limits = {"max_request_bytes": size * 6, "max_image_bytes": size + 1}
    message = Message("user", ["Compare", *[heavy] * 12])
    with pytest.raises(MediaTooLargeError, match=rf"the request has {size * 6 + 7} bytes.*at most {size * 6}"):
        adapter_for(ANTHROPIC, limits=limits, on_limit="error").build_body(message)
    body = adapter_for(ANTHROPIC, limits=limits).build_body(message)
    assert len(str(body)) < size * 6 + 3000
    assert len(list(pictures_in(body))) == 12
