"""Threads and tasks that render, save and load the same prompts at once get what they would get alone.

``CONCURRENCY_SECONDS`` sets for how long; the default is short.
"""

from __future__ import annotations

import asyncio
import os
import random
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from prompt_adapters import FewShot, Image, Prompt, get_adapter, load_prompt, save_prompt
from prompt_adapters.adapters import PROMPT_ADAPTER_REGISTRY
from prompt_adapters.errors import PromptAdapterError
from prompt_adapters.templates import MAX_CACHED_TEMPLATES, TemplateLimits, compile_template
from prompt_adapters.templates import _cached as cached_templates
from strategies import PNG

SECONDS = float(os.environ.get("CONCURRENCY_SECONDS", "1.5"))
THREADS = 32
TASKS = 1000
STYLES = ["openai_style", "anthropic_style", "google_style", "bedrock_style"]

LOOP = "{% macro row(d) %}<{{ d.title | upper }}>{% endmacro %}{% for d in docs %}{{ row(d) }}{{ photo }}{% endfor %}"
PROMPTS = [
    Prompt("S", "Say {{ x }} twice: {{ x }}"),
    Prompt("S", LOOP),
    Prompt(user="%x% and %photo%", syntax="percent"),
    Prompt("S {{ x }}", "{% if x %}{{ docs }}{% endif %}", few_shot=FewShot([("a", "b")])),
]


def values(number: int) -> dict[str, Any]:
    return {"x": f"x{number}", "photo": Image(PNG), "docs": [{"title": f"t{number}{n}"} for n in range(3)]}


def rendered(number: int) -> Any:
    prompt = PROMPTS[number % len(PROMPTS)]
    return prompt.render_messages(values(number % 50), extra="ignore")


def requested(number: int) -> Any:
    adapter = get_adapter(STYLES[number % len(STYLES)], parameters={"max_tokens": 9})
    return adapter.build_body(PROMPTS[0], x=f"x{number % 50}")


def compiled(number: int) -> Any:
    return compile_template(f"{{% if x %}}{number % 2000}{{% endif %}}").render({"x": 1})


def limited(number: int) -> Any:
    """Limits of one thread are no other's."""
    template = compile_template("{% for i in range(n) %}x{% endfor %}")
    with TemplateLimits(steps=40 if number % 2 else 400).applied():
        try:
            return template.render({"n": 100})
        except PromptAdapterError as error:
            return str(error)


WORK: list[Callable[[int], Any]] = [rendered, requested, compiled, limited]


def expected() -> dict[tuple[str, int], Any]:
    """What each piece of work gives when it is alone."""
    return {(work.__name__, number): work(number) for work in WORK for number in range(200)}


def test_threads_get_what_they_would_get_alone() -> None:
    alone = expected()
    wrong: list[Any] = []
    done = [0] * THREADS
    ends = time.monotonic() + SECONDS

    def run(thread: int) -> None:
        dice = random.Random(thread)
        try:
            while done[thread] == 0 or time.monotonic() < ends:
                work, number = dice.choice(WORK), dice.randrange(200)
                if (found := work(number)) != alone[work.__name__, number]:
                    wrong.append((work.__name__, number, found))
                done[thread] += 1
        except BaseException as error:  # noqa: BLE001 - it is raised again in the test
            wrong.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert min(done) > 0
    assert cached_templates.cache_info().currsize <= MAX_CACHED_TEMPLATES


async def test_tasks_get_what_they_would_get_alone() -> None:
    alone = expected()
    ends = time.monotonic() + SECONDS

    async def run(task: int) -> int:
        dice = random.Random(task)
        done = 0
        while done == 0 or time.monotonic() < ends:
            number = dice.randrange(200)
            style = STYLES[number % len(STYLES)]
            adapter = get_adapter(style, parameters={"max_tokens": 9})
            limits = TemplateLimits(text=1000 if task % 2 else 100_000)
            with limits.applied():
                body = await adapter.abuild_body(PROMPTS[0], x=f"x{number % 50}")
                await asyncio.sleep(0)
                assert rendered(number) == alone["rendered", number]
            assert body == alone["requested", number]
            done += 1
        return done

    assert min(await asyncio.gather(*(run(number) for number in range(TASKS)))) > 0


FILES = {"p": None, "p.json": None, "p.prompt": "simple_prompt"}


@pytest.mark.parametrize("name", FILES)
def test_files_are_never_torn(name: str, tmp_path: Path) -> None:
    """One that loads while others save gets a prompt that somebody saved, whole."""
    path = tmp_path / name
    syntax = "percent" if name.endswith(".prompt") else "plain"
    versions = [Prompt("S" * 5000 + str(n), "U" * 5000 + str(n), syntax=syntax) for n in range(4)]
    save_prompt(versions[0], path, FILES[name])
    whole = {prompt.render() for prompt in versions}
    wrong: list[Any] = []
    loaded = [0]
    ends = time.monotonic() + SECONDS / 3

    def save(thread: int) -> None:
        try:
            while time.monotonic() < ends:
                save_prompt(versions[thread % len(versions)], path, FILES[name])
        except BaseException as error:  # noqa: BLE001 - it is raised again in the test
            wrong.append(error)

    def load(_: int) -> None:
        try:
            while time.monotonic() < ends:
                if load_prompt(path, FILES[name]).render() not in whole:
                    wrong.append("torn")
                loaded[0] += 1
        except BaseException as error:  # noqa: BLE001 - it is raised again in the test
            wrong.append(error)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(THREADS // 2) for work in (save, load)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert loaded[0] > 0
    assert [entry.name for entry in tmp_path.iterdir() if not entry.name.startswith(".")] == [name]


def test_every_style_can_be_shared() -> None:
    assert set(STYLES) <= set(PROMPT_ADAPTER_REGISTRY)
