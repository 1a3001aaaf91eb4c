"""Every recipe runs to its last assertion, without a key and without leaving the machine."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

COOKBOOK = Path(__file__).parents[1] / "cookbook"
RECIPES = sorted(COOKBOOK.glob("*.py"))
NO_NETWORK = {
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "HTTPS_PROXY": "http://127.0.0.1:9",
    "HTTP_PROXY": "http://127.0.0.1:9",
}


def test_there_are_recipes() -> None:
    assert len(RECIPES) >= 4


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.stem)
def test_recipe(recipe: Path, tmp_path: Path) -> None:
    lines = recipe.read_text(encoding="utf-8").rstrip().splitlines()
    assert lines[-1].startswith("assert "), "a recipe ends in assertions"
    keyless = {name: value for name, value in os.environ.items() if not name.endswith("_API_KEY")}
    result = subprocess.run(
        [sys.executable, "-W", "error::SyntaxWarning", str(recipe)],
        cwd=tmp_path,
        env=keyless | NO_NETWORK,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert result.returncode == 0, result.stderr[-2000:]
    assert result.stdout
