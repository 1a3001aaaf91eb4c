"""A prompt and media on disk, and a way to run the command in this process."""

import io
import json
import wave
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from PIL import Image as Pillow

from prompt_adapters import Prompt, save_prompt
from prompt_adapters.cli import main


class Outcome(NamedTuple):
    """How a run of the command ended."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        assert self.status == 0, self.err
        return json.loads(self.out)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., Outcome]:
    def run(*arguments: object) -> Outcome:
        capsys.readouterr()
        status = main([str(argument) for argument in arguments])
        return Outcome(status, *capsys.readouterr())

    return run


def _picture(kind: str) -> bytes:
    buffer = io.BytesIO()
    Pillow.effect_noise((24, 16), 80).convert("RGB").save(buffer, kind)
    return buffer.getvalue()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """``look`` and ``thing`` are prompts; beside them lie the media."""
    save_prompt(Prompt(system="Be brief.", user="{{ photo }}\n\n{{ question }}", syntax="plain"), tmp_path / "look")
    save_prompt(
        Prompt(user="{{ thing }}What is it?", syntax="plain", model="gemini/gemini-2.5-flash"), tmp_path / "thing"
    )
    (tmp_path / "a.png").write_bytes(_picture("PNG"))
    (tmp_path / "b.jpg").write_bytes(_picture("JPEG"))
    (tmp_path / "wrong.png").write_bytes(_picture("JPEG"))
    (tmp_path / "cut.png").write_bytes(_picture("PNG")[:-40])
    (tmp_path / "report.pdf").write_bytes(b"%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n")
    (tmp_path / "clip.mp4").write_bytes(
        b"\0\0\0\x14ftypisom\0\0\0\0isom" + b"\0\0\0\x4cmdat" + bytes(68) + b"\0\0\0\x08moov"
    )
    with wave.open(str(tmp_path / "tone.wav"), "wb") as file:
        file.setparams((1, 2, 8000, 80, "NONE", ""))
        file.writeframes(b"\0\1" * 80)
    return tmp_path
