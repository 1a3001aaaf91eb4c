"""README, CONTRIBUTING and the CI script say what is so."""

import re
from pathlib import Path

import prompt_adapters
from prompt_adapters import PROMPT_ADAPTER_REGISTRY
from prompt_adapters.formats import FORMATS

PROJECT = Path(__file__).parents[2]
README = (PROJECT / "README.md").read_text(encoding="utf-8")


def code_blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


def table_rows(heading: str) -> list[list[str]]:
    """The cells of the first table below a heading, without its head."""
    section = README.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
    lines = [line for line in section.partition("\n|")[2].partition("\n\n")[0].splitlines() if line]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def test_ci_runs_the_readme_test_command_word_for_word() -> None:
    commands = [line for block in code_blocks("sh") for line in block.splitlines() if "pytest" in line]
    assert len(commands) == 1
    assert commands[0] in (PROJECT / ".ci" / "run").read_text(encoding="utf-8").splitlines()


def test_the_adapter_table_names_what_exists() -> None:
    named = {row[0].strip("`"): row[1].strip("`") for row in table_rows("Adapters")}
    registered = {key: PROMPT_ADAPTER_REGISTRY.get(key).__name__ for key in PROMPT_ADAPTER_REGISTRY}
    assert named == registered


def test_the_table_of_files_names_every_format() -> None:
    assert [row[0].strip("`") for row in table_rows("Files")] == list(FORMATS)


def test_public_names_in_readme_exist() -> None:
    for block in code_blocks("python"):
        for names in re.findall(r"^from prompt_adapters import (.+)$", block, re.MULTILINE):
            for name in names.split(","):
                assert hasattr(prompt_adapters, name.strip()), name


def test_paths_in_readme_exist() -> None:
    for path in re.findall(r"`?((?:cookbook|integrations|tests)/[\w./-]+)", README):
        assert (PROJECT / path.rstrip(".")).exists(), path
