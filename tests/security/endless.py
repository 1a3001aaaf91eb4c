"""Renders templates that would never end, one after the other, and says what each took; run as a program.

Standard input is a JSON list of templates; standard output a line of JSON for each, with the name of the error, the
limit that it names, and the seconds of processor time. What takes more than 200 MB beside what is there ends in a
``MemoryError``.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from attacks import values
from prompt_adapters import Prompt
from prompt_adapters.errors import PromptAdapterError

MOST_BYTES = 200_000_000
MOST_SECONDS = 120


def limit_memory() -> None:
    """Let this process have no more than it has, and 200 MB."""
    import resource

    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + MOST_BYTES,) * 2)
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS))


def outcome(template: str) -> dict[str, object]:
    """What becomes of a template."""
    started = time.process_time()
    try:
        given = values()
        prompt = Prompt(user=template, variables=list(given))
        prompt.render(given)
        found: dict[str, object] = {"error": None}
    except PromptAdapterError as error:
        found = {"error": type(error).__name__, "limit": getattr(error, "limit", None), "message": str(error)[:300]}
    return found | {"seconds": time.process_time() - started}


if __name__ == "__main__":
    outcome("{% for a in items %}{{ a|e }}{% endfor %}")  # loads what is loaded once
    if sys.platform == "linux":
        limit_memory()
    for text in json.load(sys.stdin):
        sys.stdout.write(json.dumps(outcome(text)) + "\n")
        sys.stdout.flush()
