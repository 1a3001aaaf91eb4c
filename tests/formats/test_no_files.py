"""What stands where a file should, and is none: pipes, sockets, devices, directories, and links to them."""

import os
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import FrameType

import pytest

from prompt_adapters import Prompt, PromptAssetStore, SimplePrompt, TextPromptAdapter, load_prompt, save_prompt
from prompt_adapters.errors import PromptAdapterError, PromptDiskError, PromptFormatError
from prompt_adapters.formats import FORMATS, held_by
from prompt_adapters.formats.files import JOURNAL, open_file
from prompt_adapters.formats.folders import iter_prompts

PROMPT = Prompt(user="Hi")


@pytest.fixture(autouse=True)
def _unflushed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Flushing is for machines that die, and takes long."""
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)


@pytest.fixture(autouse=True)
def _nobody_waits() -> Iterator[None]:
    """Who opens a pipe waits for its other end, for ever: here it is an error."""

    def refuse(number: int, frame: FrameType | None) -> None:
        raise AssertionError("this waits for somebody to write into the pipe")

    before = signal.signal(signal.SIGALRM, refuse)
    signal.alarm(20)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def pipe(path: Path) -> None:
    os.mkfifo(path)


def device(path: Path) -> None:
    """A link to one, as only few may make one."""
    path.symlink_to(os.devnull)


KINDS: dict[str, tuple[Callable[[Path], None], str]] = {
    "pipe": (pipe, "this is a pipe, not a file"),
    "device": (device, "this is a device, not a file"),
    "directory": (Path.mkdir, "this is a directory, not a file"),
}
FILES = [name for name, row in FORMATS.items() if "" not in row.suffixes]


@pytest.mark.parametrize(("make", "reason"), KINDS.values(), ids=KINDS)
@pytest.mark.parametrize("name", FILES)
def test_a_format_neither_reads_nor_replaces_it(
    name: str, make: Callable[[Path], None], reason: str, tmp_path: Path
) -> None:
    path = tmp_path / f"prompt{(*FORMATS[name].suffixes, '.json')[0]}"
    make(path)
    before = os.lstat(path)
    for call in (lambda: load_prompt(path, name), lambda: save_prompt(held_by(PROMPT, name)[0], path, name)):
        with pytest.raises(PromptFormatError, match=reason):
            call()
    with pytest.raises(PromptFormatError):
        load_prompt(path)
    assert (os.lstat(path).st_ino, os.lstat(path).st_mode) == (before.st_ino, before.st_mode)
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize(("make", "reason"), KINDS.values(), ids=KINDS)
@pytest.mark.parametrize("name", ["user_prompt.txt", "few_shot.json", "prompt.json", JOURNAL])
def test_a_directory_with_it(name: str, make: Callable[[Path], None], reason: str, tmp_path: Path) -> None:
    save_prompt(PROMPT, tmp_path / "judge", "standardized")
    (tmp_path / "judge" / name).unlink(missing_ok=True)
    make(tmp_path / "judge" / name)
    with pytest.raises(PromptFormatError, match="leads out of its directory" if make is device else reason) as caught:
        load_prompt(tmp_path / "judge")
    assert caught.value.path == str(tmp_path / "judge" / name)
    with pytest.raises(PromptFormatError, match=reason) as caught:
        save_prompt(PROMPT, tmp_path / "judge")
    assert caught.value.path == str(tmp_path / "judge" / name)


@pytest.mark.parametrize(("make", "reason"), KINDS.values(), ids=KINDS)
def test_a_store_with_it(make: Callable[[Path], None], reason: str, tmp_path: Path) -> None:
    store = PromptAssetStore(tmp_path)
    store.add(PROMPT, "greet", "v1")
    make(tmp_path / "greet" / "v2.yaml")
    assert store.versions("greet") == ["v1"]
    with pytest.raises(PromptAdapterError):
        store.add(PROMPT, "greet", "v2")
    (tmp_path / "greet" / "index.json").unlink()
    make(tmp_path / "greet" / "index.json")
    reason = "leads out of the store's root" if make is device else reason
    calls: list[Callable[[], object]] = [
        partial(store.get, "greet"),
        partial(store.add, PROMPT, "greet", "v3"),
        partial(store.set_label, "greet", "live"),
    ]
    for call in calls:
        with pytest.raises(PromptFormatError, match=reason):
            call()
    assert [reason in str(error) for error in store.verify()] == [True]


@pytest.mark.parametrize(("make", "reason"), KINDS.values(), ids=KINDS)
def test_the_documented_systems(make: Callable[[Path], None], reason: str, tmp_path: Path) -> None:
    make(tmp_path / "a.prompt")
    calls: list[Callable[[], object]] = [
        lambda: SimplePrompt(tmp_path / "a.prompt"),
        lambda: TextPromptAdapter().set_user_prompt(file_path=str(tmp_path / "a.prompt")),
        lambda: PromptAssetStore(tmp_path).resolve(tmp_path / "a.prompt"),
    ]
    for call in calls:
        with pytest.raises(PromptFormatError, match=reason):
            call()


def test_a_folder_with_them(tmp_path: Path) -> None:
    save_prompt(PROMPT, tmp_path / "a.json")
    pipe(tmp_path / "b.json")
    pipe(tmp_path / "c.yaml")
    pipe(tmp_path / "d.prompt")
    found = {path.name: result for path, result in iter_prompts(tmp_path)}
    assert found.pop("a.json") == PROMPT
    assert all(isinstance(result, PromptFormatError) for result in found.values())


def test_a_socket(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as made:
        made.bind("a.yaml")  # a name of few characters, as sockets have them
    with pytest.raises(PromptDiskError, match="this cannot be read"):
        load_prompt("a.yaml", "asset")
    with pytest.raises(PromptFormatError, match="this is a socket, not a file"):
        save_prompt(PROMPT, "a.yaml")


def descriptors() -> list[int]:
    found = []
    for descriptor in range(256):
        with suppress(OSError):
            os.fstat(descriptor)
            found.append(descriptor)
    return found


def test_nothing_stays_open_of_what_is_refused(tmp_path: Path) -> None:
    pipe(tmp_path / "a")
    before = descriptors()
    for _ in range(3):
        with pytest.raises(PromptFormatError):
            open_file(tmp_path / "a")
    assert descriptors() == before
