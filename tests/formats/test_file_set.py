import json
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from faults import CALLS, Faults
from prompt_adapters import FewShot, Prompt, load_prompt, save_prompt
from prompt_adapters.errors import PromptDiskError, PromptFormatError, PromptNotFoundError
from prompt_adapters.formats import file_set
from prompt_adapters.formats.file_set import read_set, write_set
from prompt_adapters.formats.files import JOURNAL, new_name

NAMES = ("a", "b", "c")
OLD = {"a": b"old a", "b": b"old b"}
NEW = {"a": b"new a", "c": b"new c"}
Start = Callable[[Path], dict[str, bytes] | None]


def names_in(directory: Path) -> list[str]:
    return sorted(entry.name for entry in directory.iterdir())


def test_a_set_is_replaced_and_other_files_survive(tmp_path: Path) -> None:
    directory = tmp_path / "deep" / "set"
    write_set(directory, OLD, NAMES)
    assert read_set(directory, NAMES) == OLD
    (directory / "mine").write_bytes(b"mine")
    write_set(directory, NEW, NAMES)
    assert read_set(directory, NAMES) == NEW
    assert names_in(directory) == ["a", "c", "mine"]
    assert names_in(directory.parent) == ["set"]


def test_paths_that_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    (tmp_path / "set" / "b").mkdir(parents=True)
    with pytest.raises(PromptNotFoundError, match="nowhere"):
        read_set(tmp_path / "nowhere", NAMES)
    for call in (lambda path: read_set(path, NAMES), lambda path: write_set(path, NEW, NAMES)):
        with pytest.raises(PromptFormatError, match="file: this is a file, not a directory"):
            call(tmp_path / "file")
        with pytest.raises(PromptFormatError, match="b: this is a directory, not a file"):
            call(tmp_path / "set")
    assert names_in(tmp_path / "set") == ["b"]


def test_permissions_survive(tmp_path: Path) -> None:
    write_set(tmp_path, OLD, NAMES)
    (tmp_path / "a").chmod(0o600)
    write_set(tmp_path, NEW, NAMES)
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o600


def test_a_link_is_replaced_and_not_followed(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_bytes(b"precious")
    directory = tmp_path / "set"
    directory.mkdir()
    (directory / "a").symlink_to("../elsewhere")
    (directory / "b").symlink_to("../nowhere")
    write_set(directory, NEW, NAMES)
    assert (tmp_path / "elsewhere").read_bytes() == b"precious"
    assert read_set(directory, NAMES) == NEW
    assert names_in(directory) == ["a", "c"]


def test_a_link_that_leads_out_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(b"secret")
    directory = tmp_path / "set"
    write_set(directory, OLD, NAMES)
    for target in ("../secret", str(tmp_path / "secret"), "/etc/passwd"):
        (directory / "c").symlink_to(target)
        with pytest.raises(PromptFormatError, match=r"set/c: this is a link that leads out of its directory, to /"):
            read_set(directory, NAMES)
        (directory / "c").unlink()
    (directory / "c").symlink_to("c")
    with pytest.raises(PromptDiskError, match="set/c: this cannot be read"):
        read_set(directory, NAMES)


def test_links_inside_and_to_the_directory_are_followed(tmp_path: Path) -> None:
    """As where a cluster mounts files: the names are links into a folder that is one as well."""
    (tmp_path / "set" / "..2024").mkdir(parents=True)
    (tmp_path / "set" / "..2024" / "a").write_bytes(b"a")
    (tmp_path / "set" / "..data").symlink_to("..2024")
    (tmp_path / "set" / "a").symlink_to("..data/a")
    (tmp_path / "link").symlink_to("set")
    assert read_set(tmp_path / "set", NAMES) == read_set(tmp_path / "link", NAMES) == {"a": b"a"}


def test_a_guard_may_refuse(tmp_path: Path) -> None:
    def refuse(directory: Path) -> None:
        raise PromptFormatError(directory, None, "not here")

    write_set(tmp_path, OLD, NAMES)
    with pytest.raises(PromptFormatError, match="not here"):
        write_set(tmp_path, NEW, NAMES, guard=refuse)
    assert read_set(tmp_path, NAMES) == OLD


# Every call may fail


def write_with_fault(directory: Path, at: int | None, after: bool) -> list[str]:
    with pytest.MonkeyPatch.context() as patch:
        faults = Faults(patch, at, after, KeyboardInterrupt())
        if at is None:
            write_set(directory, NEW, NAMES)
        else:
            with pytest.raises(KeyboardInterrupt):
                write_set(directory, NEW, NAMES)
        return faults.calls


def old_directory(path: Path) -> dict[str, bytes] | None:
    write_set(path, OLD, NAMES)
    (path / "mine").write_bytes(b"mine")
    return OLD


def no_directory(path: Path) -> dict[str, bytes] | None:
    return None


def interrupted_directory(path: Path) -> dict[str, bytes] | None:
    """A save was killed right after its commit, and what it left is valid."""
    old_directory(path)
    temporary = new_name()
    (path / temporary).write_bytes(b"committed")
    (path / JOURNAL).write_text(json.dumps({"rename": {"b": temporary}, "delete": ["a"]}), encoding="utf-8")
    return {"b": b"committed"}


def test_everything_is_flushed_before_it_counts(tmp_path: Path) -> None:
    lock, file, names = ["open"], ["open", "write", "fsync"], ["open", "fsync"]
    made = [*lock, "mkdir", *file, *file, *names, "rename", *names]
    assert write_with_fault(tmp_path / "new", None, False) == made
    old_directory(tmp_path / "old")
    commit = [*file, *file, *file, *names, "replace", *names]
    follow = ["replace", "replace", "unlink", *names, "unlink", *names]
    journal = ["open"]
    assert write_with_fault(tmp_path / "old", None, False) == [*lock, *journal, *commit, *follow]


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("start", [old_directory, no_directory, interrupted_directory])
def test_a_failing_call_leaves_the_old_or_the_new_set(tmp_path: Path, start: Start, after: bool) -> None:
    start(tmp_path / "trial")
    seen = set()
    for at in range(1, len(write_with_fault(tmp_path / "trial", None, after)) + 1):
        root = tmp_path / str(at)
        root.mkdir()
        directory = root / "set"
        old = start(directory)
        write_with_fault(directory, at, after)
        found = read_set(directory, NAMES) if directory.exists() else None
        assert found in (old, NEW), f"call {at}"
        if found == old == OLD:
            assert names_in(directory) == ["a", "b", "mine"], f"call {at}"
        assert names_in(root) == (["set"] if directory.exists() else []), f"call {at}"
        seen.add(found == NEW)
        write_set(directory, {"b": b"last"}, NAMES)
        assert names_in(directory) == (["b"] if old is None else ["b", "mine"]), f"call {at}"
    assert seen == {False, True}


KILLED = """
import os, sys
from pathlib import Path
from prompt_adapters.formats.file_set import write_set

root, last = Path(sys.argv[1]), 0

def child(directory, at):
    count = 0
    def watched(call):
        def counted(*args, **kwargs):
            nonlocal count
            count += 1
            if count == at:
                os._exit(9)
            return call(*args, **kwargs)
        return counted
    for name in sys.argv[2].split(","):
        setattr(os, name, watched(getattr(os, name)))
    write_set(directory, {"a": b"new a", "c": b"new c"}, ("a", "b", "c"))
    os._exit(0)

while True:
    last += 1
    directory = root / str(last) / "set"
    directory.parent.mkdir()
    if sys.argv[3] == "old":
        write_set(directory, {"a": b"old a", "b": b"old b"}, ("a", "b", "c"))
    pid = os.fork()
    if pid == 0:
        child(directory, last)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    assert status in (0, 9), status
    if status == 0:
        break
print(last)
"""


@pytest.mark.parametrize("start", ["old", "none"])
def test_a_killed_save_leaves_the_old_or_the_new_set(tmp_path: Path, start: str) -> None:
    command = [sys.executable, "-c", KILLED, str(tmp_path), ",".join(CALLS), start]
    result = subprocess.run(command, capture_output=True, text=True, encoding="utf-8")
    assert result.returncode == 0, result.stderr
    last = int(result.stdout)
    assert last > 8
    old, seen = OLD if start == "old" else None, []
    for at in range(1, last + 1):
        directory = tmp_path / str(at) / "set"
        found = read_set(directory, NAMES) if directory.exists() else None
        assert found in (old, NEW), f"call {at}"
        seen.append(found == NEW)
        write_set(directory, OLD, NAMES)
        assert names_in(directory) == ["a", "b"], f"call {at}"
        assert names_in(directory.parent) == ["set"], f"call {at}"
    assert seen == sorted(seen)
    assert set(seen) == {False, True}


# Reading while somebody writes

A = Prompt("A", "{{ a }} A", few_shot=FewShot([("a", "A")]))
B = Prompt(None, "B " * 400, few_shot=FewShot([("b", "B")], "append_to_user_prompt"), syntax="plain")


@pytest.fixture
def alternating(tmp_path: Path) -> Iterator[Path]:
    """A directory into which a thread saves A and B by turns."""
    path, stop = tmp_path / "prompt", threading.Event()
    save_prompt(A, path)

    def save() -> None:
        while not stop.is_set():
            save_prompt(B, path)
            save_prompt(A, path)

    thread = threading.Thread(target=save)
    thread.start()
    yield path
    stop.set()
    thread.join()


def test_readers_see_one_save_or_another(alternating: Path) -> None:
    seen = [load_prompt(alternating) for _ in range(300)]
    assert all(prompt in (A, B) for prompt in seen)
    assert A in seen
    assert B in seen


def test_writers_at_the_same_time_leave_one_of_their_sets(tmp_path: Path) -> None:
    directory, errors = tmp_path / "set", list[OSError]()

    def write(number: int) -> None:
        try:
            for _ in range(10):
                write_set(directory, dict.fromkeys(NAMES[: 1 + number % 3], b"%d" % number), NAMES)
        except OSError as error:
            errors.append(error)

    threads = [threading.Thread(target=write, args=[number]) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = read_set(directory, NAMES)
    assert errors == []
    assert len(set(found.values())) == 1
    assert len(found) == 1 + int(found["a"]) % 3
    assert names_in(directory) == sorted(found)


def test_prompts_saved_at_the_same_time(tmp_path: Path) -> None:
    errors: list[Exception] = []

    def save(prompt: Prompt) -> None:
        try:
            for _ in range(10):
                save_prompt(prompt, tmp_path / "prompt")
        except (OSError, PromptFormatError) as error:
            errors.append(error)

    threads = [threading.Thread(target=save, args=[prompt]) for prompt in (A, B, A)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert load_prompt(tmp_path / "prompt") in (A, B)


def test_a_set_that_changes_during_the_look_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_set(tmp_path, OLD, NAMES)
    read, looks = file_set._Look.read, list[str]()

    def disturbed(look: file_set._Look, name: str) -> bytes | None:
        data = read(look, name)
        if name == "a" and len(looks) < 2:
            looks.append(name)
            write_set(tmp_path, NEW if len(looks) == 1 else OLD, NAMES)
        return data

    monkeypatch.setattr(file_set._Look, "read", disturbed)
    assert read_set(tmp_path, NAMES) == OLD
    assert len(looks) == 2


def test_a_set_that_never_rests_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_set(tmp_path, OLD, NAMES)
    monkeypatch.setattr(file_set._Look, "is_still_true", lambda look: False)
    monkeypatch.setattr(file_set, "_ATTEMPTS", 5)
    with pytest.raises(PromptFormatError, match="being changed all the time"):
        read_set(tmp_path, NAMES)


# Journals of others

JOURNALS = [
    ({"rename": {"../evil": new_name()}, "delete": []}, "names '../evil'"),
    ({"rename": {"a": "../../etc/passwd"}, "delete": []}, "names '../../etc/passwd'"),
    ({"rename": {"a": "b"}, "delete": []}, "names 'b', which is no temporary file"),
    ({"rename": {}, "delete": ["mine"]}, "names 'mine'"),
    ({"rename": {}, "delete": ["/etc/passwd"]}, "names '/etc/passwd'"),
    ({"rename": []}, "broken"),
    ([], "broken"),
    (None, "broken"),
]


@pytest.mark.parametrize(("content", "reason"), JOURNALS, ids=[case[1] for case in JOURNALS])
def test_a_journal_names_only_the_set(tmp_path: Path, content: object, reason: str) -> None:
    (tmp_path / "mine").write_bytes(b"mine")
    (tmp_path / "evil").write_bytes(b"evil")
    directory = tmp_path / "set"
    write_set(directory, OLD, NAMES)
    (directory / "mine").write_bytes(b"mine")
    (directory / JOURNAL).write_text(json.dumps(content), encoding="utf-8")
    for call in (lambda: read_set(directory, NAMES), lambda: write_set(directory, NEW, NAMES)):
        with pytest.raises(PromptFormatError, match=reason) as caught:
            call()
        assert caught.value.path == str(directory / JOURNAL)
    assert names_in(tmp_path) == ["evil", "mine", "set"]
    assert names_in(directory) == [JOURNAL, "a", "b", "mine"]


def test_a_journal_that_has_been_followed_halfway_is_read_through(tmp_path: Path) -> None:
    write_set(tmp_path, OLD, NAMES)
    done, waiting = new_name(), new_name()
    (tmp_path / "a").write_bytes(b"renamed already")
    (tmp_path / waiting).write_bytes(b"still to be renamed")
    journal = {"rename": {"a": done, "c": waiting}, "delete": ["b"]}
    (tmp_path / JOURNAL).write_text(json.dumps(journal), encoding="utf-8")
    (tmp_path / new_name()).write_bytes(b"left by another save")
    valid = {"a": b"renamed already", "c": b"still to be renamed"}
    assert read_set(tmp_path, NAMES) == valid
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(file_set, "_replace", lambda *args: None)
        write_set(tmp_path, OLD, NAMES)
    assert names_in(tmp_path) == ["a", "c"]
    assert read_set(tmp_path, NAMES) == valid
