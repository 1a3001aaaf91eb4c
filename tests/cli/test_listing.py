"""`prompt-adapters vars` and `prompt-adapters adapters`."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from prompt_adapters import PROMPT_ADAPTER_REGISTRY, Prompt, Variable, save_prompt

Run = Callable[..., Any]


def test_variables_are_listed(tmp_path: Path, run: Run) -> None:
    prompt = Prompt(
        system="{{ tone }}",
        user="{{ photo }}{{ question }}{% if hint %}{{ hint }}{% endif %}",
        variables=[
            Variable("photo", type="image", description="What to look at."),
            Variable("tone", default="brief"),
        ],
    )
    save_prompt(prompt, tmp_path / "p.json")
    assert run("vars", tmp_path / "p.json").out.splitlines() == [
        "photo     required         image  What to look at.",
        'tone      default "brief"',
        "question  required",
        "hint      optional",
    ]
    assert run("vars", tmp_path / "p.json", "--json").json == [
        {"name": "photo", "required": True, "type": "image", "description": "What to look at."},
        {"name": "tone", "required": False, "default": "brief"},
        {"name": "question", "required": True},
        {"name": "hint", "required": False},
    ]


def test_a_prompt_without_variables_says_so(tmp_path: Path, run: Run) -> None:
    save_prompt(Prompt(user="Hi"), tmp_path / "p")
    assert run("vars", tmp_path / "p").out == "the prompt has no variables\n"
    assert run("vars", tmp_path / "p", "--json").json == []


def test_every_adapter_is_listed_with_its_class_and_purpose(run: Run) -> None:
    lines = run("adapters").out.splitlines()
    listed = {line.split()[0]: line.split(maxsplit=2)[1:] for line in lines}
    assert listed.keys() == set(PROMPT_ADAPTER_REGISTRY)
    for key, (cls, purpose) in listed.items():
        assert cls == PROMPT_ADAPTER_REGISTRY[key].__name__
        assert purpose.endswith(".")
