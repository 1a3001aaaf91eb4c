"""What a route costs: known already, met for the first time, and in a fresh process; beside LiteLLM's own."""

from __future__ import annotations

import statistics
import subprocess
import sys
from itertools import count

from tests.benchmarks.timing import Run, medians, report

from prompt_adapters.targets import route

# The first tells its vendor by its prefix and the second by its name; for the others LiteLLM's table is read.
_NAMES = ("openai/gpt-4o", "claude-opus-5", "command-a-03-2025", "anthropic/claude-opus-latest", "gtp-4o")
_PROCESSES = 5
_COLD = """
import sys, time
from prompt_adapters.targets import route
start = time.perf_counter()
try: route(sys.argv[1])
except KeyError: pass
print((time.perf_counter() - start) * 1e3)
"""


def routes(*, litellm: bool = False) -> None:
    """Routes that are known, met for the first time, and the first of a process.

    Args:
        litellm: Whether LiteLLM is imported, which takes seconds, and asked as well.
    """
    number = count()
    warm: dict[str, Run] = {
        "known": lambda: route("bedrock/us.anthropic.claude-opus-5"),
        "at an address": lambda: route("my-model", api_base="http://localhost:8000/v1"),
        "first time, prefix": lambda: route(f"groq/model-{next(number)}"),
        "first time, name": lambda: route(f"gpt-4o-{next(number)}"),
    }
    if litellm:
        import os

        os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
        from litellm import get_llm_provider

        warm["litellm.get_llm_provider"] = lambda: get_llm_provider("openai/gpt-4o")
    report("Routes", medians(warm), target="known below 5 us")
    report("First route of a process", {name: _cold(name) for name in _NAMES}, "ms", target="below 100 ms")


def _cold(name: str) -> float:
    """The median time in milliseconds, without the import."""
    command = [sys.executable, "-c", _COLD, name]
    done = (subprocess.run(command, check=True, capture_output=True, text=True) for _ in range(_PROCESSES))
    return statistics.median(float(process.stdout) for process in done)
