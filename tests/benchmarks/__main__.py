"""Ratios of speed, each measured side by side in one run: ``python -m tests.benchmarks [SECTION …]``.

The sections are rendering, requests, media, memory, langchain, growth, folders, saved-folders, imports, command, routes
and media-memory; ``requests-fast`` leaves LiteLLM out, whose import takes seconds. Without a name all of them run.
"""

import sys
import warnings
from collections.abc import Callable
from functools import partial

from tests.benchmarks import media_memory, prompt_folders
from tests.benchmarks.faces import langchain_face
from tests.benchmarks.folders import folders
from tests.benchmarks.growth import growth
from tests.benchmarks.processes import command, imports
from tests.benchmarks.requests import media, memory, rendering, to_requests
from tests.benchmarks.routes import routes

_SECTIONS: dict[str, Callable[[], None]] = {
    "rendering": rendering,
    "requests": partial(to_requests, litellm=True),
    "media": media,
    "memory": memory,
    "langchain": langchain_face,
    "growth": growth,
    "folders": folders,
    "imports": imports,
    "command": command,
    "routes": partial(routes, litellm=True),
    "saved-folders": prompt_folders.main,
    "media-memory": media_memory.main,
}
_ONLY_WHEN_NAMED: dict[str, Callable[[], None]] = {"requests-fast": partial(to_requests, litellm=False)}


def main(names: list[str]) -> None:
    """Run sections by name, all of them when there is none."""
    known = {**_SECTIONS, **_ONLY_WHEN_NAMED}
    if unknown := [name for name in names if name not in known]:
        raise SystemExit(f"there is no section {unknown[0]!r}; there are {', '.join(known)}")
    warnings.simplefilter("ignore")  # of the libraries that are compared with
    for name in names or _SECTIONS:
        known[name]()


if __name__ == "__main__":
    main(sys.argv[1:])
