"""The core cases of Mustache's specification, as templates of LangChain that were dumped, read and written again."""

import pytest

from dumps import read, text, turn, written
from mustache_cases import CASES, Case, count, rendered, unsupported


def render(case: Case) -> str:
    prompt = read(turn(text(case.template, template_format="mustache")))
    found = rendered(prompt, case.data)
    assert rendered(read(written(prompt)), case.data) == found
    return found


@pytest.mark.parametrize("name", CASES)
def test_case(name: str) -> None:
    unsupported(render, name)


def test_cases_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    count(render, "in LangChain's dumps", capsys)
