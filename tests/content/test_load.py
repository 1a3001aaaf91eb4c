import base64
import os
import stat
import struct
import sys
import zlib
from collections.abc import Callable
from io import BytesIO, StringIO
from pathlib import Path

import pytest
from PIL import Image as Pillow

from prompt_adapters import Image
from prompt_adapters.content import load
from prompt_adapters.content.mime import mime_from_name
from prompt_adapters.content.source import Inline, Link, Uploaded
from prompt_adapters.errors import MediaError, MediaNotFoundError, MediaReadError, UnknownMediaTypeError


def picture(kind: str = "PNG", mode: str = "RGB") -> bytes:
    buffer = BytesIO()
    Pillow.new(mode, (8, 4), 0).save(buffer, kind)
    return buffer.getvalue()


PNG, JPEG = picture(), picture("JPEG")
WAV = b"RIFF\x24\0\0\0WAVEfmt " + b"\0" * 24
MP4 = b"\0\0\0\x18ftypisom\0\0\0\0isommp42"
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 8
HEIC = b"\0\0\0\x18ftypmif1\0\0\0\0mif1miaf"


@pytest.mark.parametrize("name", ["a.png", "with two  spaces.png", "絵 é.png", "noext", "it's #1 & more.png", "-a.png"])
def test_a_path_is_read_whatever_its_name(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    file.write_bytes(PNG)
    for path in (file, str(file), os.fspath(file)):
        assert load.from_any("image", path) == Inline(PNG, "image/png")


def test_the_tilde_is_the_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.png").write_bytes(PNG)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert load.from_any("image", "~/a.png").mime == "image/png"
    assert load.from_any("image", Path("~/a.png")).mime == "image/png"


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("missing.png", "'missing.png'"),
        ("C:\\new\\table.png", "'C:\\\\new\\\\table.png'"),
        ("C:/new/table.png", "'C:/new/table.png'"),
        ("\\\\host\\share\\a.png", "'\\\\\\\\host\\\\share\\\\a.png'"),
        ("~nobody-of-that-name/a.png", "'~nobody-of-that-name/a.png'"),
        ("/no/such/" + "folder/" * 12 + "a", "folder/a'"),
    ],
)
def test_a_missing_file_is_named(path: str, shown: str) -> None:
    with pytest.raises(MediaNotFoundError, match="image file not found") as caught:
        load.from_any("image", path)
    assert shown in str(caught.value)
    assert isinstance(caught.value, FileNotFoundError)


def test_a_long_path_without_dots_is_a_path_though_it_looks_like_base64(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = base64.b64encode(PNG).decode().replace("/", "_")[:200].rstrip("=")
    (tmp_path / name).write_bytes(JPEG)
    monkeypatch.chdir(tmp_path)
    assert load.from_any("image", name).mime == "image/jpeg"


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("", "the path of the image is empty"),
        (".", "not a regular file"),
        ("a\0b.png", "cannot read the image"),
        ("x" * 5000, "cannot read the image"),
        ("file:///a.png", "scheme 'file' is not supported"),
        ("ftp://example.com/a.png", "scheme 'ftp' is not supported"),
        ("https://", "is not a link"),
    ],
    ids=["empty", "directory", "NUL", "too long", "file", "ftp", "no host"],
)
def test_what_is_no_file_is_refused(path: str, reason: str) -> None:
    with pytest.raises(MediaReadError, match=reason):
        load.from_any("image", path)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no named pipes in the file system")
def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)
    with pytest.raises(MediaReadError, match="not a regular file"):
        load.from_path("image", tmp_path / "pipe")


@pytest.mark.parametrize("kind", ["image", "audio", "video", "document"])
def test_empty_files_are_refused_with_their_path(tmp_path: Path, kind: str) -> None:
    (tmp_path / "zero.bin").touch()
    with pytest.raises(MediaReadError, match=r"zero\.bin is empty"):
        load.from_path(kind, tmp_path / "zero.bin")


@pytest.mark.parametrize(
    ("kind", "name", "data", "mime", "declared"),
    [
        ("image", "a.png", JPEG, "image/jpeg", "image/png"),
        ("image", "a.jpg", PNG, "image/png", "image/jpeg"),
        ("image", "a.jfif", JPEG, "image/jpeg", None),
        ("image", "a.heic", HEIC, "image/heif", None),
        ("image", "a.txt", PNG, "image/png", "text/plain"),
        ("audio", "a.mp3", WAV, "audio/wav", "audio/mpeg"),
        ("audio", "a.m4a", MP4, "audio/mp4", None),
        ("audio", "a.mp4", MP4, "audio/mp4", None),
        ("video", "a.mp4", MP4, "video/mp4", None),
        ("video", "a.m4v", MP4, "video/mp4", None),
        ("audio", "a.pcm", b"\0\1\0\2", "audio/pcm", None),
        ("document", "a.md", b"# Hi", "text/markdown", None),
        ("document", "a.csv", b"a,b", "text/csv", None),
        ("document", "a.txt", b"<html>", "text/html", "text/plain"),
        ("document", "a.xls", OLE, "application/vnd.ms-excel", None),
    ],
)
def test_the_bytes_decide_and_a_wrong_name_is_kept(
    tmp_path: Path, kind: str, name: str, data: bytes, mime: str, declared: str | None
) -> None:
    (tmp_path / name).write_bytes(data)
    source = load.from_path(kind, tmp_path / name)
    assert (source.mime, source.declared, source.data) == (mime, declared, data)


@pytest.mark.parametrize(
    ("kind", "data", "label", "mime", "declared"),
    [
        ("image", JPEG, "image/jpg", "image/jpeg", None),
        ("image", JPEG, "image/pjpeg; q=1", "image/jpeg", None),
        ("image", PNG, "png", "image/png", None),
        ("image", PNG, "application/octet-stream", "image/png", None),
        ("image", PNG, "image/gif", "image/png", "image/gif"),
        ("document", b"a,b", "text/csv", "text/csv", None),
        ("document", b"{}", "application/json", "application/json", None),
        ("document", b"plain", "application/x-own", "text/plain", "application/x-own"),
        ("document", OLE, "application/vnd.ms-powerpoint", "application/vnd.ms-powerpoint", None),
        ("audio", b"\0\1\0\2", "audio/pcm", "audio/pcm", None),
        ("audio", MP4, "video/mp4", "audio/mp4", None),
    ],
)
def test_a_label_is_believed_only_where_bytes_cannot_tell(
    kind: str, data: bytes, label: str, mime: str, declared: str | None
) -> None:
    source = load.from_bytes(kind, data, label)
    assert (source.mime, source.declared) == (mime, declared)
    url = f"data:{label.replace('; ', ';') if '/' in label else 'image/png'};base64,{base64.b64encode(data).decode()}"
    assert load.from_data_url(kind, url).mime == mime


@pytest.mark.parametrize(
    ("kind", "name", "data", "reason"),
    [
        ("image", "a.jpg", b"<!DOCTYPE html><h1>404</h1>", "looks like text/html under the label image/jpeg"),
        ("image", "a.png", b"\0\0\0\0" + PNG[4:], "bytes of no known type"),
        ("image", "a.pdf", b"%PDF-1.4", r"looks like application/pdf; use Document\(...\) if that is meant"),
        ("image", "a.mp4", MP4, r"use Video\(...\)"),
        ("document", "a.pdf", b"<html>login</html>", "looks like text/html under the label application/pdf"),
        ("document", "a.docx", b"not found", "looks like text/plain under the label"),
        ("document", "a.png", PNG, r"use Image\(...\)"),
        ("document", "a.txt", "hällo".encode("utf-16"), "looks like UTF-16 text; save it as UTF-8"),
        ("document", "a.csv", "hällo".encode("latin-1"), "its text is not UTF-8; save it as UTF-8"),
        ("audio", "a.mp3", b"hello", "looks like text/plain"),
        ("video", "a.mp4", PNG, "looks like image/png under the label video/mp4"),
    ],
)
def test_bytes_of_another_kind_are_refused(tmp_path: Path, kind: str, name: str, data: bytes, reason: str) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(UnknownMediaTypeError, match=reason) as caught:
        load.from_path(kind, tmp_path / name)
    assert name in str(caught.value)


@pytest.mark.parametrize("text", [base64.b64encode(PNG).decode(), base64.urlsafe_b64encode(PNG).decode().rstrip("=")])
def test_a_long_string_of_base64_is_decoded(text: str) -> None:
    assert load.from_any("image", text) == Inline(PNG, "image/png")
    assert load.from_base64("image", text) == Inline(PNG, "image/png")


@pytest.mark.parametrize("wrap", [bytes, bytearray, memoryview], ids=lambda cls: cls.__name__)
def test_bytes_of_every_class(wrap: type) -> None:
    assert load.from_any("image", wrap(PNG)) == Inline(PNG, "image/png")


@pytest.mark.parametrize(
    ("text", "url", "mime"),
    [
        ("https://img.example/p/1", "https://img.example/p/1", None),
        (" HTTPS://img.example/a.JPG?x=1 ", "https://img.example/a.JPG?x=1", "image/jpeg"),
        ("gs://b/a.png", "gs://b/a.png", "image/png"),
        ("s3://b/a.png", "s3://b/a.png", "image/png"),
    ],
)
def test_links_stay_links(text: str, url: str, mime: str | None) -> None:
    assert load.from_any("image", text) == Link(url, mime)


def test_a_given_type_of_a_link_wins_in_canonical_spelling() -> None:
    assert load.from_url("image", "https://e.example/a.png", "image/jpg") == Link(
        "https://e.example/a.png", "image/jpeg"
    )


@pytest.mark.parametrize(
    ("source", "mime", "expected"),
    [
        (Link("https://e.example/a"), None, Link("https://e.example/a")),
        (Link("https://e.example/a"), "jpg", Link("https://e.example/a", "image/jpeg")),
        (Uploaded("file-1"), "image/jpg", Uploaded("file-1", "image/jpeg")),
        (Inline(PNG, "image/png"), None, Inline(PNG, "image/png")),
        (Inline(PNG, "image/png"), "image/jpeg", Inline(PNG, "image/png", declared="image/jpeg")),
    ],
    ids=["link", "link with type", "uploaded with type", "inline", "inline with wrong type"],
)
def test_a_source_is_taken_with_the_type_given_for_it(
    source: Inline | Link | Uploaded, mime: str | None, expected: Inline | Link | Uploaded
) -> None:
    made = load.from_any("image", source, mime)
    assert made == expected
    assert getattr(made, "declared", None) == getattr(expected, "declared", None)


def test_file_objects_are_read_from_where_they_stand_and_stay_open(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"skip# Title")
    with (tmp_path / "a.md").open("rb") as file:
        file.seek(4)
        assert load.from_any("document", file) == Inline(b"# Title", "text/markdown")
        assert not file.closed
    assert load.from_any("image", BytesIO(PNG)) == Inline(PNG, "image/png")


def test_file_objects_that_give_no_bytes_are_refused(tmp_path: Path) -> None:
    at_the_end = BytesIO(PNG)
    at_the_end.read()
    closed = BytesIO(PNG)
    closed.close()
    with pytest.raises(MediaReadError, match="open it in binary mode"):
        load.from_any("image", StringIO("text"))
    with pytest.raises(MediaReadError, match=r"stands at its end, after 69 bytes, .* rewind it with seek\(0\)"):
        load.from_any("image", at_the_end)
    with pytest.raises(MediaReadError, match="closed file"):
        load.from_any("image", closed)


@pytest.mark.parametrize(
    "mode", ["1", "L", "LA", "P", "PA", "RGB", "RGBA", "RGBX", "I", "I;16", "CMYK", "YCbCr", "HSV"]
)
def test_pil_images_of_every_mode(mode: str) -> None:
    assert load.from_any("image", Pillow.new(mode, (8, 4))).mime == "image/png"
    with Pillow.open(BytesIO(load.from_pil("image", Pillow.new(mode, (8, 4))).data)) as read:
        assert (read.format, read.size) == ("PNG", (8, 4))


def test_pil_images_keep_colour_and_come_upright() -> None:
    cyan = Pillow.new("CMYK", (8, 4), (255, 0, 0, 0))
    cyan.info["icc_profile"] = b"a profile of inks"
    with Pillow.open(BytesIO(load.from_pil("image", cyan).data)) as read:
        assert read.getpixel((0, 0)) == (0, 255, 255)
        assert "icc_profile" not in read.info
    turned = Pillow.new("RGB", (8, 4))
    turned.getexif()[0x0112] = 6
    with Pillow.open(BytesIO(load.from_pil("image", turned).data)) as read:
        assert read.size == (4, 8)
        assert read.getexif().get(0x0112, 1) == 1


@pytest.mark.parametrize("mode", ["I", "I;16", "I;16B", "I;16L"])
def test_pil_images_of_16_bits_keep_them(mode: str) -> None:
    with Pillow.open(BytesIO(load.from_pil("image", Pillow.new(mode, (2, 2), 40000)).data)) as read:
        assert read.getpixel((0, 0)) == 40000


def test_a_pil_image_without_a_range_is_refused() -> None:
    with pytest.raises(MediaReadError, match="convert it to L"):
        load.from_any("image", Pillow.new("F", (2, 2)))


def test_a_broken_pil_image_is_refused() -> None:
    buffer = BytesIO()
    Pillow.effect_noise((200, 200), 50).save(buffer, "JPEG")
    cut_off = buffer.getvalue()[:-3000]
    with (
        Pillow.open(BytesIO(cut_off)) as picture_cut_off,
        pytest.raises(MediaReadError, match="cannot encode"),
    ):
        load.from_any("image", picture_cut_off)


@pytest.mark.parametrize("value", [None, 1, 1.5, ["a.png"], {"url": "x"}, object()], ids=lambda v: type(v).__name__)
def test_other_things_are_refused_by_their_class(value: object) -> None:
    with pytest.raises(MediaReadError, match=f"cannot make an image from {type(value).__name__}"):
        load.from_any("image", value)


def test_only_images_come_from_pil() -> None:
    with pytest.raises(MediaError, match="cannot make a document from a PIL image"):
        load.from_any("document", Pillow.new("RGB", (1, 1)))


@pytest.mark.parametrize(
    ("kind", "url", "mime"),
    [
        ("image", "https://e.example/a", None),
        ("image", "https://e.example/a.php?f=a.pdf", None),
        ("image", "gs://b/my photo.png", "image/png"),
        ("audio", "https://e.example/a.mp4", "audio/mp4"),
        ("video", "https://e.example/a.m4a", "video/mp4"),
        ("document", "https://e.example/a.md", "text/markdown"),
    ],
)
def test_the_type_of_a_link_is_of_the_kind(kind: str, url: str, mime: str | None) -> None:
    assert load.from_any(kind, url) == load.from_any(kind, Link(url, mime)) == Link(url, mime)


@pytest.mark.parametrize(
    ("kind", "url", "remedy"),
    [
        (
            "image",
            "https://e.example/a.pdf",
            r"is application/pdf, not an image; use Document\(\.\.\.\) if that is meant",
        ),
        ("image", "https://e.example/a.html", r"is text/html, not an image; use Document"),
        ("image", "s3://b/a b.mp3", r"is audio/mpeg, not an image; use Audio"),
        ("audio", "https://e.example/a.png", r"is image/png, not an audio; use Image"),
        ("video", "https://e.example/a.gif", r"is image/gif, not a video; use Image"),
        ("document", "https://e.example/a.mov", r"is video/quicktime, not a document; use Video.*, or give mime="),
    ],
)
def test_the_type_of_a_link_must_be_of_the_kind(kind: str, url: str, remedy: str) -> None:
    mime = mime_from_name(url)
    ways: list[Callable[[], object]] = [
        lambda: load.from_any(kind, url),
        lambda: load.from_any(kind, Link(url, mime)),
        lambda: load.from_any(kind, "https://e.example/a", mime),
        lambda: load.from_uploaded(kind, "file-1", mime),
        lambda: load.from_any(kind, Uploaded("file-1", mime)),
        lambda: load.from_any(kind, Uploaded("file-1"), mime),
    ]
    for make in ways:
        with pytest.raises(UnknownMediaTypeError, match=remedy.partition(" is ")[2] or remedy):
            make()
    with pytest.raises(UnknownMediaTypeError, match=remedy):
        load.from_any(kind, url)


def test_a_given_type_says_what_a_link_leads_to() -> None:
    assert Image("https://e.example/a.pdf", mime="image/png").mime_type == "image/png"
    assert Image.from_uploaded("gs://b/my photo.png").source == Uploaded("gs://b/my photo.png")


def test_a_file_object_at_its_beginning_may_be_empty() -> None:
    class Unknown:
        def read(self) -> bytes:
            return b""

    for file in (BytesIO(), Unknown()):
        with pytest.raises(MediaReadError, match="is empty"):
            load.from_any("image", file)


def test_what_is_no_image_is_said_in_good_grammar() -> None:
    with pytest.raises(
        UnknownMediaTypeError, match=r"^the image's content is not an image: it looks like application/pdf"
    ):
        load.from_any("image", b"%PDF-1.4 %%EOF")


def test_an_mpeg_film_is_no_sound_whatever_mp3_is_called() -> None:
    film = b"\0\0\1\xba\x44" + bytes(40)
    with pytest.raises(UnknownMediaTypeError, match="looks like video/mpeg"):
        load.from_bytes("audio", film)
    song = b"\xff\xfb\x90\x00" + bytes(413)
    assert load.from_bytes("audio", song, "video/mpeg") == Inline(song, "audio/mpeg")
    assert load.from_bytes("audio", song, "video/mpeg").declared is None
    assert load.from_url("audio", "https://e.example/a.mpeg").mime == "audio/mpeg"


@pytest.mark.parametrize(
    "error", [EOFError(), IndexError("no\nsuch byte"), zlib.error("bad data"), struct.error("short")]
)
def test_a_pil_image_that_cannot_be_decoded_is_an_error_of_ours(error: Exception) -> None:
    class Broken(Pillow.Image):
        def load(self) -> None:
            raise error

    with pytest.raises(MediaReadError, match="cannot encode the PIL image") as caught:
        load.from_pil("image", Broken())
    assert "\n" not in str(caught.value)
