"""Cold processes with warm bytecode: imports, the first request, and the command."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from time import perf_counter

from tests.benchmarks.timing import report

_ROUNDS = 9
_OURS = "from prompt_adapters import Prompt, Image, get_adapter"
_FIRST = (
    f"{_OURS}; "
    "p = Prompt(system='You are {{ who }}.', user='Compare {{ a }} with {{ b }}.'); "
    "get_adapter('openai_style').build_request(p, who='a critic', a='this', b='that')"
)
_THEIR_FIRST = (
    "from langchain_core.prompts import ChatPromptTemplate; "
    "p = ChatPromptTemplate([('system', 'You are {who}.'), ('human', 'Compare {a} with {b}.')]); "
    "p.invoke({'who': 'a critic', 'a': 'this', 'b': 'that'}).to_messages()"
)


def _environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "LITELLM_LOCAL_MODEL_COST_MAP": "True"}


def _inside(statement: str) -> float:
    """Milliseconds that a statement takes in a new interpreter, whose own start is not counted."""
    code = f"import time; t = time.perf_counter(); {statement}; print(time.perf_counter() - t)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, env=_environment())
    return float(run.stdout.split()[-1]) * 1000


def _whole(command: list[str]) -> float:
    """Milliseconds of a whole process."""
    start = perf_counter()
    subprocess.run(command, capture_output=True, check=True, env=_environment())
    return (perf_counter() - start) * 1000


def _side_by_side(statements: Mapping[str, str], rounds: int = _ROUNDS) -> dict[str, float]:
    for statement in statements.values():
        _inside(statement)
    times: dict[str, list[float]] = {name: [] for name in statements}
    for _ in range(rounds):
        for name, statement in statements.items():
            times[name].append(_inside(statement))
    return {name: statistics.median(found) for name, found in times.items()}


def imports() -> None:
    """What importing costs."""
    statements = {
        "import pydantic": "import pydantic",
        "import pydantic; pydantic.BaseModel": "import pydantic; pydantic.BaseModel",
        _OURS.removeprefix("from prompt_adapters "): _OURS,
        "import prompt_adapters": "import prompt_adapters",
    }
    report(
        "Imports, cold process", _side_by_side(statements), "ms", target="Prompt, Image, get_adapter: pydantic x 1.3"
    )
    firsts = {"langchain_core.prompts, messages alone": _THEIR_FIRST, "prompt_adapters, a request": _FIRST}
    report("First text in a cold process", _side_by_side(firsts, 5), "ms", target="x 0.15")


def command() -> None:
    """What starting the command costs."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "p.prompt"
        path.write_text("$system$\nYou are kind.\n$user$\nHello %name%.\n")
        script = str(Path(sys.executable).with_name("prompt-adapters"))
        render = [script, "render", str(path), "--var", "name=Ada", "--style", "openai_style"]
        litellm = [sys.executable, "-c", "import litellm"]
        for process in (render, litellm):
            _whole(process)
        values = {
            "import litellm, a whole process": statistics.median(_whole(litellm) for _ in range(3)),
            "prompt-adapters render": statistics.median(_whole(render) for _ in range(5)),
        }
    report("The command", values, "ms", target="x 0.1")
