import hashlib

import pytest

from prompt_adapters.content.source import Inline, Link, Uploaded
from prompt_adapters.errors import MediaReadError


def test_inline_describes_itself_by_type_size_and_digest() -> None:
    inline = Inline(b"abc", "text/plain")
    assert inline.digest == hashlib.sha256(b"abc").hexdigest()
    assert str(inline) == f"text/plain, 3 bytes, sha256 {inline.digest[:8]}"


@pytest.mark.parametrize("data", [bytearray(b"abc"), memoryview(b"abc"), "abc", None], ids=lambda v: type(v).__name__)
def test_inline_holds_bytes_only(data: bytes) -> None:
    with pytest.raises(TypeError, match="must be bytes"):
        Inline(data, "image/png")


def test_inline_is_never_empty() -> None:
    with pytest.raises(MediaReadError, match="empty"):
        Inline(b"", "image/png")


@pytest.mark.parametrize(
    ("url", "kept", "scheme"),
    [
        ("https://example.com/a.png", "https://example.com/a.png", "https"),
        ("HTTPS://Example.com/A.png", "https://Example.com/A.png", "https"),
        ("  http://example.com ", "http://example.com", "http"),
        ("gs://bucket/a b.png".replace(" ", "%20"), "gs://bucket/a%20b.png", "gs"),
        ("s3://bucket/k/cat.png", "s3://bucket/k/cat.png", "s3"),
        ("https://user:word@example.com/a", "https://user:word@example.com/a", "https"),
        ("https://[::1]:8080/a", "https://[::1]:8080/a", "https"),
        ("https://例え.jp/絵.png", "https://例え.jp/絵.png", "https"),
        ("gs://b/my photo.png", "gs://b/my photo.png", "gs"),
        ("GS://b/my%20photo.png", "gs://b/my%20photo.png", "gs"),
        ("s3://b/a#1?b=c &d.png", "s3://b/a#1?b=c &d.png", "s3"),
        ("s3://b/family \U0001f468\u200d\U0001f469.png", "s3://b/family \U0001f468\u200d\U0001f469.png", "s3"),
        ("  gs://b/ends with a blank ", "gs://b/ends with a blank ", "gs"),
        ("s3://b/né\u00a0\u3000x", "s3://b/né\u00a0\u3000x", "s3"),
    ],
)
def test_link_keeps_the_url(url: str, kept: str, scheme: str) -> None:
    link = Link(url)
    assert (link.url, link.scheme) == (kept, scheme)


@pytest.mark.parametrize(
    "url",
    [
        "ftp://example.com/a",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "example.com/a.png",
        "https://",
        "https:///",
        "https:///a.png",
        "https://?a=b",
        "https:/example.com",
        "https:example.com",
        "https://user@/a",
        "https://:80/a",
        "s3://",
        "",
        "https://example.com/a b",
        "https://example.com/a\nb",
        "https://example.com/a\0b",
        "https://example.com/\u202egnp.a",
        "gs://b/a\nb",
        "gs://b/a\n",
        "s3://b/a\x7fb",
        "s3://b/a\x85b",
        "s3://b/a\ud83d",
        "gs:///a",
        "gs:// b/a",
    ],
)
def test_link_refuses_what_is_none(url: str) -> None:
    with pytest.raises(MediaReadError):
        Link(url)


def test_link_shows_neither_query_nor_password() -> None:
    text = str(Link("https://ann:secret@example.com/a.png?X-Signature=secret"))
    assert text == "https://example.com/a.png"


def test_an_object_shows_its_whole_name() -> None:
    for url in ("gs://b/who?#1 @home.png", "s3://b/me@home/a b"):
        assert str(Link(url)) == url


def test_a_control_character_in_the_name_of_an_object_is_named() -> None:
    with pytest.raises(MediaReadError, match=r"the name of the object 'gs://b/a\\tb' holds '\\t'; remove"):
        Link("gs://b/a\tb")


@pytest.mark.parametrize("uri", ["gs://b/my photo.png", "s3://b/a #1?", "file-abc", "https://files.example/a"])
def test_uploaded_keeps_the_uri(uri: str) -> None:
    assert Uploaded(uri).uri == uri


def test_long_links_are_cut() -> None:
    assert len(str(Link("https://example.com/" + "a" * 500))) == 80


@pytest.mark.parametrize("uri", ["", " ", "file 1", "file\n1", "https://files.example/a b", "gs://b/a\nb"])
def test_uploaded_needs_an_id(uri: str) -> None:
    with pytest.raises(MediaReadError, match="id of an uploaded file"):
        Uploaded(uri)


def test_uploaded_describes_itself() -> None:
    assert str(Uploaded("file-abc")) == "uploaded file-abc"
