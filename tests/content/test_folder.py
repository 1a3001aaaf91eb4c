from __future__ import annotations

import os
from pathlib import Path

import pytest

from prompt_adapters.content.folder import OutsideError, text_below
from prompt_adapters.errors import PromptFormatError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "root"
    (root / "a").mkdir(parents=True)
    (root / "a" / "b.txt").write_text("text\r\n", newline="")
    (tmp_path / "secret").write_text("secret")
    (root / "link").symlink_to(tmp_path / "secret")
    (root / "inner").symlink_to(root / "a" / "b.txt")
    (root / "ring").symlink_to(root / "ring")
    (root / "out").symlink_to(tmp_path)
    os.mkfifo(root / "pipe")
    return root


@pytest.mark.parametrize("name", ["a/b.txt", "a//b.txt", "./a/b.txt", "inner"])
def test_files_below(folder: Path, name: str) -> None:
    assert text_below(folder, name, 6) == "text\r\n"
    assert text_below(Path(os.path.relpath(folder)), name, 6) == "text\r\n"


@pytest.mark.parametrize(
    "name",
    [
        "",
        ".",
        "..",
        "../secret",
        "a/../../secret",
        "a/../a/b.txt",
        "/etc/passwd",
        "//a",
        "a\\b.txt",
        "C:a",
        "a\0b",
        "link",
        "out/secret",
        "file:///etc/passwd",
    ],
)
def test_names_that_lead_out(folder: Path, name: str) -> None:
    with pytest.raises(OutsideError):
        text_below(folder, name, 100)


@pytest.mark.parametrize(
    ("name", "message"),
    [("none", "there is no file 'none'"), ("ring", "no file"), ("a", "is no file"), ("pipe", "is no file")],
)
def test_what_is_no_file(folder: Path, name: str, message: str) -> None:
    with pytest.raises(PromptFormatError, match=message):
        text_below(folder, name, 100)


@pytest.mark.parametrize(
    ("data", "most", "message"),
    [
        (b"\xff", 9, "no text in UTF-8"),
        (b"aaaa", 3, "more than 3 characters"),
        ("é".encode() * 9, 3, "more than 3 characters"),
    ],
)
def test_what_is_no_text(tmp_path: Path, data: bytes, most: int, message: str) -> None:
    (tmp_path / "f").write_bytes(data)
    with pytest.raises(PromptFormatError, match=message):
        text_below(tmp_path, "f", most)


def test_a_byte_order_mark_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes("\ufeffx".encode())
    assert text_below(tmp_path, "f", 9) == "x"
