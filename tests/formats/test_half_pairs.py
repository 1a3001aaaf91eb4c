"""Halves of surrogate pairs, which no file can hold: every format refuses them by their place."""

from pathlib import Path

import pytest

from prompt_adapters import FewShot, Prompt, Variable, save_prompt
from prompt_adapters.errors import PromptFormatError
from prompt_adapters.formats import FORMATS

HALF = "ab\ud83d"
PLACES: dict[str, tuple[Prompt, str]] = {
    "system": (Prompt(HALF, "Hi"), r"message 1 \(system\) holds U\+D83D at character 2"),
    "user": (Prompt("Hi", f"\U0001f680{HALF}"), r"message 2 \(user\) holds U\+D83D at character 3"),
    "block": (Prompt(user=[{"type": "text", "content": HALF}]), "message 1 .* holds U.D83D at character 2"),
    "metadata": (Prompt(user="Hi", metadata={"a": [{"b": HALF}]}), "metadata 'a' holds U.D83D at character 2"),
    "key": (Prompt(user="Hi", metadata={HALF: 1}), "metadata .* holds U.D83D at character 2"),
    "parameter": (Prompt(user="Hi", parameters={"stop": [HALF]}), "parameter 'stop' holds U.D83D at character 2"),
    "name": (Prompt(user="Hi", name=HALF), "the name holds U.D83D at character 2"),
    "version": (Prompt(user="Hi", version=HALF), "the version holds U.D83D at character 2"),
    "model": (Prompt(user="Hi", model=HALF), "the model holds U.D83D at character 2"),
    "variable": (
        Prompt(user="Hi {{ x }}", variables=[Variable("x", default=HALF)]),
        "variable 'x' holds U.D83D at character 2",
    ),
}


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize(("prompt", "reason"), PLACES.values(), ids=PLACES)
def test_half_a_pair_is_refused_with_its_place(prompt: Prompt, reason: str, name: str, tmp_path: Path) -> None:
    with pytest.raises(PromptFormatError, match=reason) as caught:
        save_prompt(prompt, tmp_path / "prompt", name)
    assert caught.value.path == str(tmp_path / "prompt")
    assert list(tmp_path.iterdir()) == []
    str(caught.value).encode()


def test_an_example_does_not_even_begin() -> None:
    with pytest.raises(PromptFormatError, match=r"few-shot example 1, output: a text holds U\+D83D at character 2"):
        FewShot([("a", HALF)])
