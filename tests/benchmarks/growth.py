"""Whether cost grows in step with the work: from 10 to 10,000 turns, blocks and kilobytes."""

from __future__ import annotations

from collections.abc import Callable
from math import log10

from tests.benchmarks.cases import png
from tests.benchmarks.peers import STYLES
from tests.benchmarks.timing import Run, medians

from prompt_adapters import History, Image, Message, Prompt, Text, get_adapter

_UNLIMITED = dict.fromkeys(("max_image_bytes", "max_images_bytes", "max_request_bytes"))
_SIZES = (10, 100, 1_000, 10_000)


def _turns(size: int) -> tuple[Prompt, dict[str, object]]:
    chat = [Message("assistant" if number % 2 else "user", f"turn {number}") for number in range(size)]
    return Prompt(messages=[History("chat"), ("user", "Why?")]), {"chat": chat}


def _blocks(size: int) -> tuple[Prompt, dict[str, object]]:
    return Prompt(user="{{ parts }}"), {"parts": [Text(f"block {number}\n") for number in range(size)]}


def _items(size: int) -> tuple[Prompt, dict[str, object]]:
    return Prompt(user="{% for item in items %}{{ item }}, {% endfor %}"), {"items": list(range(size))}


def _kilobytes(size: int) -> tuple[Prompt, dict[str, object]]:
    return Prompt(user="Look: {{ photo }}"), {"photo": png(size * 1000)}


_GROWING: dict[str, Callable[[int], tuple[Prompt, dict[str, object]]]] = {
    "turns": _turns,
    "text blocks": _blocks,
    "items of a Jinja loop": _items,
    "kB of an image": _kilobytes,
}


def growth() -> None:
    """Times per size, and the slope: 1 is linear, 2 would be quadratic."""
    print("\nGrowth, us per size   [slope from 100 to 10,000: 1 is linear]")
    print(f"  {'':24} {'':18} " + "".join(f"{size:>12,}" for size in _SIZES) + "   slope")
    for what, make in _GROWING.items():
        for style in STYLES:
            build = get_adapter(style, limits=_UNLIMITED).build_body
            runs = {str(size): _run(build, *make(size)) for size in _SIZES}
            times = list(medians(runs).values())
            slope = log10(times[-1] / times[1]) / 2
            print(f"  {what:24} {style:18} " + "".join(f"{time:12.1f}" for time in times) + f"   {slope:5.2f}")


def _run(build: Callable[..., object], prompt: Prompt, values: dict[str, object]) -> Run:
    if isinstance(data := values.get("photo"), bytes):  # a new value each time, so that nothing is kept from before
        return lambda: build(prompt, photo=Image(data))
    return lambda: build(prompt, values)
