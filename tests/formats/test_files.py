import os
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from faults import Faults
from prompt_adapters.errors import (
    PromptDiskError,
    PromptFormatError,
    PromptNotFoundError,
    TemplateError,
    UnknownMediaTypeError,
)
from prompt_adapters.formats import files
from prompt_adapters.formats.files import (
    JOURNAL,
    TEMPORARY,
    decode,
    encode,
    errors_named,
    locked,
    new_name,
    read_text,
    write_text,
)

TEXT = "  a\r\nb\rc\n\n \u2028\x00é🚀\n "


def test_text_is_written_and_read_verbatim(tmp_path: Path) -> None:
    write_text(tmp_path / "deep" / "a.txt", TEXT)
    assert (tmp_path / "deep" / "a.txt").read_bytes() == TEXT.encode()
    assert read_text(tmp_path / "deep" / "a.txt") == TEXT


@pytest.mark.parametrize(
    ("data", "text"),
    [(b"\xef\xbb\xbfa", "a"), (b"\xef\xbb\xbf\xef\xbb\xbfa", "\ufeffa"), (b"a\xef\xbb\xbf", "a\ufeff"), (b"", "")],
    ids=["mark", "two marks", "mark inside", "empty"],
)
def test_one_byte_order_mark_is_removed(data: bytes, text: str) -> None:
    assert decode(data, Path("a.txt")) == text


@pytest.mark.parametrize(
    ("data", "line", "reason"),
    [
        ("ä".encode("utf-16"), None, "UTF-16"),
        ("ä".encode("utf-16-be").join([b"\xfe\xff", b""]), None, "UTF-16"),
        ("ä".encode("utf-32"), None, "UTF-32"),
        ("a: 1\n".encode("utf-16-le"), None, "UTF-16 without a byte order mark; save it as UTF-8"),
        ("user_prompt: [{text: 'long enough'}]\n".encode("utf-16-be"), None, "UTF-16 without a byte order mark"),
        ("prompt: 变 abc".encode("utf-16-le"), None, "UTF-16 without a byte order mark"),
        ("你好吗? Please answer.".encode("utf-16-le"), None, "UTF-16 without a byte order mark"),
        ("你好吗? Please answer.".encode("utf-16-be"), None, "UTF-16 without a byte order mark"),
        ("abc".encode("utf-32-le"), None, "UTF-32 without a byte order mark; save it as UTF-8"),
        ("变量: {{ value }}".encode("utf-32-be"), None, "UTF-32 without a byte order mark"),
        (b"\n\xe9", 2, "byte 0xe9 at offset 1"),
        (b"a\r\nb\rc\xe9", 3, "byte 0xe9 at offset 6"),
        (b"a\ncaf\xe9", 2, "byte 0xe9 at offset 5 is not UTF-8"),
        (b"\xef\xbb\xbf\xff", 1, "byte 0xff at offset 3 is not UTF-8"),
    ],
    ids=[
        "utf-16",
        "utf-16 big endian",
        "utf-32",
        "little endian, no mark",
        "big endian, no mark",
        "other scripts, no mark",
        "other scripts first, no mark",
        "other scripts first, big endian, no mark",
        "utf-32, no mark",
        "utf-32, big endian, no mark",
        "second line",
        "lines that end otherwise",
        "latin-1",
        "offset counts the mark",
    ],
)
def test_other_encodings_are_refused_by_name(data: bytes, line: int | None, reason: str) -> None:
    with pytest.raises(PromptFormatError, match=reason) as caught:
        decode(data, Path("a.txt"))
    assert (caught.value.path, caught.value.line) == ("a.txt", line)


@pytest.mark.parametrize(
    "data",
    [b"a\x00", b"a\x00b\x00", b"\x00\x00\x00\x00\x00\x00", b"a\x00b\x00c\x00d\x00e\x00 f", b"a\x00" * 8 + b"b"],
    ids=repr,
)
def test_a_text_may_have_nul_in_it(data: bytes) -> None:
    assert decode(data, Path("a.txt")) == data.decode()
    assert encode(data.decode(), Path("a.txt")) == data


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_a_text_that_could_not_be_read_again_is_not_written(encoding: str, tmp_path: Path) -> None:
    text = "plain ASCII".encode(encoding).decode("ascii")
    name = encoding[:6].upper()
    with pytest.raises(PromptFormatError, match=rf"NUL characters where {name} has them, for which it would be taken"):
        write_text(tmp_path / "a.txt", text)
    assert list(tmp_path.iterdir()) == []


def test_half_a_surrogate_pair_is_refused_with_its_position(tmp_path: Path) -> None:
    write_text(tmp_path / "a.txt", "old")
    with pytest.raises(PromptFormatError, match=r"a\.txt: line 2: character 2 is U\+D83D, half of a surrogate pair"):
        write_text(tmp_path / "a.txt", "\nb\ud83d")
    assert read_text(tmp_path / "a.txt") == "old"
    with pytest.raises(PromptFormatError, match="line 3: character 3 is U"):
        encode("\r\r\n\udfff", tmp_path)
    assert encode("🚀", tmp_path) == b"\xf0\x9f\x9a\x80"


@pytest.mark.parametrize(
    ("name", "error"),
    [("missing.txt", PromptNotFoundError), ("file/inside.txt", PromptNotFoundError), ("folder", PromptFormatError)],
)
def test_what_is_no_file_is_refused(tmp_path: Path, name: str, error: type[Exception]) -> None:
    (tmp_path / "file").write_bytes(b"")
    (tmp_path / "folder").mkdir()
    with pytest.raises(error, match=name):
        read_text(tmp_path / name)


def test_a_directory_is_not_overwritten(tmp_path: Path) -> None:
    with pytest.raises(PromptFormatError, match="this is a directory"):
        write_text(tmp_path, "a")


# Whole or not at all


def write_with_fault(path: Path, at: int | None, after: bool) -> list[str]:
    with pytest.MonkeyPatch.context() as patch:
        faults = Faults(patch, at, after, OSError(28, "No space left on device"))
        if at is None:
            write_text(path, "new")
        else:
            with pytest.raises(OSError, match="No space left"):
                write_text(path, "new")
        return faults.calls


def test_everything_is_flushed_before_it_counts(tmp_path: Path) -> None:
    lock, file, names = ["open"], ["open", "write", "fsync"], ["open", "fsync"]
    assert write_with_fault(tmp_path / "a.txt", None, False) == [*lock, *file, "replace", *names]


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_a_failing_call_leaves_the_old_or_the_new_file(tmp_path: Path, after: bool) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"old")
    seen = set()
    for at in range(1, len(write_with_fault(path, None, after)) + 1):
        path.write_bytes(b"old")
        write_with_fault(path, at, after)
        seen.add(read_text(path))
        assert [entry.name for entry in tmp_path.iterdir()] == ["a.txt"]
    assert seen == {"old", "new"}


def open_descriptors() -> list[int]:
    found = []
    for descriptor in range(512):
        with suppress(OSError):
            os.fstat(descriptor)
            found.append(descriptor)
    return found


def test_no_file_stays_open(tmp_path: Path) -> None:
    before = open_descriptors()
    write_text(tmp_path / "a.txt", "a")
    read_text(tmp_path / "a.txt")
    assert open_descriptors() == before


def test_short_writes_are_continued(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, data: write(descriptor, data[:3]))
    write_text(tmp_path / "a.txt", "0123456789")
    assert (tmp_path / "a.txt").read_bytes() == b"0123456789"


def test_permissions_and_links_survive(tmp_path: Path) -> None:
    (tmp_path / "real.txt").write_bytes(b"old")
    (tmp_path / "real.txt").chmod(0o640)
    (tmp_path / "link.txt").symlink_to("real.txt")
    write_text(tmp_path / "link.txt", "new")
    assert (tmp_path / "link.txt").is_symlink()
    assert read_text(tmp_path / "real.txt") == "new"
    assert (tmp_path / "real.txt").stat().st_mode & 0o777 == 0o640


def test_a_new_file_has_the_usual_permissions(tmp_path: Path) -> None:
    (tmp_path / "usual.txt").touch()
    write_text(tmp_path / "a.txt", "a")
    assert (tmp_path / "a.txt").stat().st_mode == (tmp_path / "usual.txt").stat().st_mode


def test_a_leftover_link_is_cleared_away_and_not_followed(tmp_path: Path) -> None:
    (tmp_path / "precious").mkdir()
    (tmp_path / "precious" / "a.txt").write_bytes(b"a")
    (tmp_path / new_name()).symlink_to("precious")
    write_text(tmp_path / "b.txt", "b")
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["b.txt", "precious"]
    assert (tmp_path / "precious" / "a.txt").exists()


def test_leftovers_are_cleared_away_unless_a_journal_needs_them(tmp_path: Path) -> None:
    leftover, folder = tmp_path / new_name(), tmp_path / new_name()
    assert TEMPORARY.fullmatch(leftover.name)
    leftover.write_bytes(b"half")
    folder.mkdir()
    (folder / "a.txt").write_bytes(b"half")
    (tmp_path / JOURNAL).write_bytes(b"{}")
    write_text(tmp_path / "a.txt", "new")
    assert leftover.exists()
    assert folder.exists()
    (tmp_path / JOURNAL).unlink()
    write_text(tmp_path / "a.txt", "newer")
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.txt"]


def test_writers_come_one_after_another(tmp_path: Path) -> None:
    order = []

    def second() -> None:
        with locked(tmp_path):
            order.append("second")

    with locked(tmp_path):
        thread = threading.Thread(target=second)
        thread.start()
        thread.join(0.2)
        order.append("first")
    thread.join()
    assert order == ["first", "second"]


@pytest.mark.parametrize("error", [OSError(95, "Operation not supported"), KeyboardInterrupt()], ids=repr)
def test_without_a_lock_nothing_is_cleared_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    import fcntl

    def refuse(descriptor: int, operation: int) -> None:
        raise error

    monkeypatch.setattr(fcntl, "flock", refuse)
    leftover = tmp_path / files.new_name()
    leftover.write_bytes(b"of a writer at work")
    before = open_descriptors()
    if isinstance(error, OSError):
        write_text(tmp_path / "a.txt", "new")
        assert read_text(tmp_path / "a.txt") == "new"
    else:
        with pytest.raises(KeyboardInterrupt):
            write_text(tmp_path / "a.txt", "new")
        assert not (tmp_path / "a.txt").exists()
    assert leftover.exists()
    assert open_descriptors() == before


# Errors

ERRORS = [
    (PromptFormatError(None, 3, "odd"), None, "f.txt: line 3: odd", 3),
    (PromptFormatError("g.txt", None, "odd"), None, "g.txt: odd", None),
    (TemplateError("odd", line=2), None, "f.txt: line 2: odd", 2),
    (TemplateError("odd"), None, "f.txt: odd", None),
    (TemplateError("odd", line=2), "user.template", "f.txt: user.template: line 2: odd", None),
    (UnknownMediaTypeError("odd"), None, "f.txt: odd", None),
]


@pytest.mark.parametrize(("error", "what", "message", "line"), ERRORS, ids=[case[2] for case in ERRORS])
def test_errors_name_the_file(error: Exception, what: str | None, message: str, line: int | None) -> None:
    with pytest.raises(PromptFormatError) as caught, errors_named(Path("f.txt"), what):
        raise error
    assert str(caught.value) == message
    assert caught.value.line == line
    assert caught.value is error or caught.value.__cause__ is error


def test_what_the_disk_refuses_names_the_file_that_was_meant(tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        Faults(patch, 1, False, OSError(28, "No space left on device"))
        with pytest.raises(PromptDiskError, match=r"p\.json: this cannot be written: No space left") as caught:
            write_text(tmp_path / "p.json", "{}")
    assert isinstance(caught.value, OSError)
    assert ".tmp" not in str(caught.value)
