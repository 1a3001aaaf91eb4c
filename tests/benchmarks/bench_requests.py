"""The package's own times with pytest-benchmark, to be compared from run to run.

``pytest -n 0 tests/benchmarks/bench_requests.py --benchmark-save=before``, and later ``--benchmark-compare``. Its name
keeps it out of the normal test run; it needs the ``pytest-benchmark`` plugin.
"""

from __future__ import annotations

from typing import Any

import pytest
from tests.benchmarks.cases import few_shot_case, history_case, image_case, jpeg, loop_case, png, text_case
from tests.benchmarks.peers import STYLES

from prompt_adapters import Image, Prompt, get_adapter

CASES = {
    case.name: case
    for case in (
        text_case(),
        few_shot_case(),
        history_case(),
        loop_case(),
        image_case("100 kB PNG", png(100_000), "image/png"),
    )
}


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", CASES)
def test_request(benchmark: Any, name: str, style: str) -> None:
    case, adapter = CASES[name], get_adapter(style)
    benchmark.group = name
    assert benchmark(adapter.build_body, case.prompt, case.values)


@pytest.mark.parametrize("style", STYLES[:3])
def test_a_large_image_for_the_first_time(benchmark: Any, style: str) -> None:
    data, prompt, adapter = jpeg(5_000_000), Prompt(user="Look: {{ photo }}"), get_adapter(style)
    benchmark.group = "5 MB JPEG, first time"
    assert benchmark(lambda: adapter.build_body(prompt, photo=Image(data)))
