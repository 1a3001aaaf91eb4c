"""`prompt-adapters check`: whether models take a prompt with its media."""

from __future__ import annotations

import json
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image as Pillow

from prompt_adapters import Document, Image, Prompt, save_prompt

Run = Callable[..., Any]
CLAUDE, GEMINI, GPT = "anthropic/claude-sonnet-4-5", "gemini/gemini-2.5-flash", "openai/gpt-4o"


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    save_prompt(Prompt(user="{{ question }} {{ photo }}"), tmp_path / "look")
    Pillow.new("RGB", (960, 540), "red").save(tmp_path / "fine.png")
    Pillow.new("CMYK", (64, 64)).save(tmp_path / "photo.tif")
    Pillow.new("RGB", (9000, 90), "red").save(tmp_path / "wide.png")
    (tmp_path / "cut.png").write_bytes((tmp_path / "fine.png").read_bytes()[:-20])
    (tmp_path / "song.mp3").write_bytes(b"ID3\x04" + b"\0" * 200)
    return tmp_path


def check(folder: Path, picture: str, *more: object) -> list[object]:
    return ["check", folder / "look", "--image", f"photo={folder / picture}", "--var", "question=What?", *more]


def test_a_prompt_that_is_taken_as_it_is(pictures: Path, run: Run) -> None:
    result = run(*check(pictures, "fine.png", "--model", GEMINI))
    assert result.status == 0
    assert result.out.splitlines() == [
        "gemini/gemini-2.5-flash: accepted",
        "  tokens  message 1 (user), part 2: about 1548 for 960 x 540 pixels",
        "  source  https://ai.google.dev/gemini-api/docs/image-understanding",
    ]


def test_what_would_be_changed_is_said(pictures: Path, run: Run) -> None:
    result = run(*check(pictures, "photo.tif", "--model", CLAUDE))
    assert result.status == 0
    lines = result.out.splitlines()
    assert lines[0] == f"{CLAUDE}: accepted after changes"
    assert lines[1].startswith("  change  message 1 (user), part 2: the image")
    assert "converted" in lines[1]
    assert any(line.startswith("  note    parameters: max_tokens") for line in lines)


def test_a_refusal_says_why(pictures: Path, run: Run) -> None:
    result = run("check", pictures / "look", "--audio", f"photo={pictures / 'song.mp3'}", "--var", "question=What?",
                 "--model", CLAUDE, "--model", GEMINI)  # fmt: skip
    assert result.status == 1
    assert f"{CLAUDE}: refused\n  why     anthropic_style cannot take audio" in result.out
    assert f"{GEMINI}: accepted" in result.out


def test_a_broken_file_is_refused(pictures: Path, run: Run) -> None:
    result = run(*check(pictures, "cut.png", "--model", GPT, "--model", CLAUDE))
    assert result.status == 1
    assert result.out.count(": refused\n") == 2
    assert "cut off" in result.out


def test_refusing_in_place_of_changing(pictures: Path, run: Run) -> None:
    assert run(*check(pictures, "wide.png", "--model", CLAUDE)).status == 0
    result = run(*check(pictures, "wide.png", "--model", CLAUDE, "--on-limit", "error"))
    assert result.status == 1
    assert "8000" in result.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--model", "nobody/knows"], "nobody"),
        (["--model", GPT, "--on-limit", "maybe"], "--on-limit"),
        (["--model", GPT, "--var", "other=1"], "unknown variable"),
        ([], "--model or --style"),
    ],
)
def test_a_mistake_is_an_error(arguments: list[str], said: str, pictures: Path, run: Run) -> None:
    result = run(*check(pictures, "fine.png", *arguments))
    assert result.status == 2
    assert said in result.err
    assert not result.out


def test_a_value_that_lacks_is_an_error(pictures: Path, run: Run) -> None:
    result = run("check", pictures / "look", "--var", "question=What?", "--model", GPT)
    assert result.status == 2
    assert "photo" in result.err


def test_as_json(pictures: Path, run: Run) -> None:
    result = run(*check(pictures, "photo.tif", "--model", GPT, "--json"))
    (found,) = json.loads(result.out)
    assert found["model"] == GPT
    assert found["verdict"] == "accepted after changes"
    assert found["reason"] is None
    assert found["images"][0]["tokens"] == 85 + 170


def test_the_model_of_the_prompt_and_a_style(tmp_path: Path, run: Run) -> None:
    buffer = BytesIO()
    Pillow.new("RGB", (8, 8)).save(buffer, "BMP")
    fixed = [{"type": "image", "content": Image(buffer.getvalue())}, {"type": "text", "content": "?"}]
    save_prompt(Prompt(user=fixed, model=GPT), tmp_path / "fixed")
    assert run("check", tmp_path / "fixed").out.startswith(f"{GPT}: accepted after changes")
    assert run("check", tmp_path / "fixed", "--style", "mistral_style").out.startswith("mistral_style: accepted")


def test_links_and_documents(tmp_path: Path, run: Run) -> None:
    save_prompt(Prompt(user="{{ photo }} {{ page }}"), tmp_path / "both")
    (tmp_path / "page.txt").write_text("A page.", encoding="utf-8")
    arguments = ["check", tmp_path / "both", "--image", "photo=https://example.com/a.png", "--document",
                 f"page={tmp_path / 'page.txt'}", "--model"]  # fmt: skip
    assert run(*arguments, CLAUDE).status == 0
    refused = run(*arguments, "bedrock/us.amazon.nova-pro-v1:0")
    assert refused.status == 1
    assert "link" in refused.out
    assert Document(tmp_path / "page.txt").source.mime == "text/plain"


def test_a_link_that_may_not_be_downloaded_is_refused(tmp_path: Path, run: Run) -> None:
    save_prompt(Prompt(user="Look: {{ photo }}"), tmp_path / "look")
    result = run("check", tmp_path / "look", "--image", "photo=https://127.0.0.1:9/a.png", "--fetch", "--model",
                 "bedrock/us.amazon.nova-pro-v1:0")  # fmt: skip
    assert result.status == 1
    assert "not a public address" in result.out
