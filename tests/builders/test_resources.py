"""The cache of media files."""

import os
import pickle
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from prompt_adapters import Document, Image
from prompt_adapters.builders.resources import ResourceCache
from prompt_adapters.content import load
from prompt_adapters.errors import MediaNotFoundError, MediaReadError, UnknownMediaTypeError
from strategies import GIF, PNG


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that were read, in order."""
    seen: list[str] = []
    read = load.from_path

    def counted(kind: str, path: str | os.PathLike[str], mime: str | None = None) -> object:
        seen.append(Path(os.fsdecode(path)).name)
        return read(kind, path, mime)

    monkeypatch.setattr(load, "from_path", counted)
    return seen


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    path = tmp_path / "a.png"
    path.write_bytes(PNG)
    return path


def test_a_file_is_read_once(picture: Path, reads: list[str]) -> None:
    cache = ResourceCache()
    first = cache.get(Image, picture)
    assert first == Image(PNG)
    assert cache.get(Image, str(picture)) is first
    assert reads == ["a.png"]


def test_its_base64_is_made_once(picture: Path) -> None:
    cache = ResourceCache()
    first, second = (cache.get(Image, picture).as_data_url() for _ in range(2))
    assert first is second


def touched(path: Path) -> None:
    """The same bytes, at another time."""
    status = path.stat()
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns + 1_000_000_000))


def grown(path: Path) -> None:
    """Other bytes, at the same time."""
    status = path.stat()
    path.write_bytes(PNG + b"more")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


@pytest.mark.parametrize("change", [touched, grown])
def test_a_changed_file_is_read_again(change: Callable[[Path], None], picture: Path, reads: list[str]) -> None:
    cache = ResourceCache()
    cache.get(Image, picture)
    change(picture)
    again = cache.get(Image, picture)
    assert again.as_bytes() == picture.read_bytes()
    assert cache.get(Image, picture) is again
    assert reads == ["a.png", "a.png"]


def test_a_file_that_changes_while_it_is_read_is_not_kept(
    picture: Path, reads: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    cache, read = ResourceCache(), load.from_path

    def racing(kind: str, path: str | os.PathLike[str], mime: str | None = None) -> object:
        source = read(kind, path, mime)
        touched(picture)
        return source

    monkeypatch.setattr(load, "from_path", racing)
    assert cache.get(Image, picture) is not cache.get(Image, picture)
    assert reads == ["a.png", "a.png"]


def test_each_kind_has_its_own(tmp_path: Path, reads: list[str]) -> None:
    path = tmp_path / "a.txt"
    path.write_text("notes", encoding="utf-8")
    cache = ResourceCache()
    document = cache.get(Document, path)
    assert isinstance(document, Document)
    assert document.name == "a.txt"
    with pytest.raises(UnknownMediaTypeError, match=r"a\.txt"):
        cache.get(Image, path)
    assert reads == ["a.txt", "a.txt"]


def test_the_least_recently_used_go_first(tmp_path: Path, reads: list[str]) -> None:
    cache = ResourceCache(max_bytes=2 * len(PNG))
    for name in "abc":
        (tmp_path / name).write_bytes(PNG)
    for name in "abaca":
        cache.get(Image, tmp_path / name)
    assert reads == ["a", "b", "c"]
    cache.get(Image, tmp_path / "b")
    assert reads == ["a", "b", "c", "b"]
    assert repr(cache) == f"ResourceCache(2 files, {2 * len(PNG)} of {2 * len(PNG)} bytes)"


def test_a_file_beyond_the_limit_is_not_kept(picture: Path, reads: list[str]) -> None:
    cache = ResourceCache(max_bytes=len(PNG) - 1)
    assert cache.get(Image, picture) == cache.get(Image, picture) == Image(PNG)
    assert reads == ["a.png", "a.png"]


def test_a_file_that_grew_beyond_the_limit_makes_room(tmp_path: Path, reads: list[str]) -> None:
    path, other = tmp_path / "a", tmp_path / "b"
    path.write_bytes(PNG)
    other.write_bytes(GIF)
    cache = ResourceCache(max_bytes=len(PNG) + 1)
    cache.get(Image, path)
    grown(path)
    cache.get(Image, path)
    cache.get(Image, other)
    assert repr(cache).startswith(f"ResourceCache(1 files, {len(GIF)} of ")


def test_zero_switches_it_off(picture: Path, reads: list[str]) -> None:
    cache = ResourceCache(max_bytes=0)
    for _ in range(3):
        cache.get(Image, picture)
    assert reads == ["a.png"] * 3
    assert repr(cache) == "ResourceCache(0 files, 0 of 0 bytes)"


def test_clear_forgets(picture: Path, reads: list[str]) -> None:
    cache = ResourceCache()
    cache.get(Image, picture)
    cache.clear()
    cache.get(Image, picture)
    assert reads == ["a.png", "a.png"]


def test_a_pickled_cache_is_empty_and_works(picture: Path) -> None:
    cache = ResourceCache(max_bytes=500)
    cache.get(Image, picture)
    again = pickle.loads(pickle.dumps(cache))
    assert repr(again) == "ResourceCache(0 files, 0 of 500 bytes)"
    assert again.get(Image, picture) == Image(PNG)


def test_errors_are_those_of_reading(tmp_path: Path) -> None:
    cache = ResourceCache()
    with pytest.raises(MediaNotFoundError, match=r"nope\.png"):
        cache.get(Image, tmp_path / "nope.png")
    with pytest.raises(MediaReadError, match="null"):
        cache.get(Image, "a\0b")
    with pytest.raises(MediaReadError, match="not a regular file"):
        cache.get(Image, tmp_path)


def test_relative_paths_are_those_of_the_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reads: list[str]
) -> None:
    cache = ResourceCache()
    for name, data in (("one", PNG), ("two", GIF)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a").write_bytes(data)
        monkeypatch.chdir(tmp_path / name)
        assert cache.get(Image, "a").as_bytes() == data


def test_threads_read_a_file_once(tmp_path: Path, reads: list[str]) -> None:
    cache, names = ResourceCache(), [f"{number}.png" for number in range(4)]
    for name in names:
        (tmp_path / name).write_bytes(PNG)
    barrier = threading.Barrier(8)
    found: list[object] = []

    def work() -> None:
        barrier.wait()
        found.extend(cache.get(Image, tmp_path / name) for name in names * 20)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8 * 80
    assert sorted(reads) == names
    assert len({id(part) for part in found}) == len(names)
    assert repr(cache).startswith(f"ResourceCache(4 files, {4 * len(PNG)} of")
