"""The core cases of Mustache's specification, as templates of a prompt."""

import pytest

from mustache_cases import CASES, Case, count, rendered, unsupported
from prompt_adapters import Prompt


def render(case: Case) -> str:
    return rendered(Prompt(user=case.template, syntax="mustache"), case.data)


@pytest.mark.parametrize("name", CASES)
def test_case(name: str) -> None:
    unsupported(render, name)


def test_cases_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    count(render, "as templates", capsys)
