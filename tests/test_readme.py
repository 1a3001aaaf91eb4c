"""The README's programs run as they stand."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[1]
BLOCKS = re.findall(
    r"^```python\n(.*?)^```", (PROJECT / "README.md").read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
)


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_readme_program(number: int, tmp_path: Path) -> None:
    (tmp_path / "cookbook").symlink_to(PROJECT / "cookbook")
    result = subprocess.run(
        [sys.executable, "-c", BLOCKS[number]], cwd=tmp_path, capture_output=True, text=True, timeout=120
    )
    assert result.returncode == 0, result.stderr[-2000:]


def test_there_are_programs() -> None:
    assert len(BLOCKS) >= 3
