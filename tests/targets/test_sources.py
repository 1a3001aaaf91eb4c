"""Every row of facts names its page and the date of the copy that was read; disagreeing pages are settings."""

from __future__ import annotations

import re
from typing import Any

import pytest

from prompt_adapters.adapters import get_adapter
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Image
from prompt_adapters.content.source import Link
from prompt_adapters.errors import UnsupportedContentError
from prompt_adapters.targets import PROVIDERS, Route, limits_for
from prompt_adapters.targets.disputes import DISPUTES
from prompt_adapters.targets.limit_rows import LIMITS, MODEL_LIMITS
from prompt_adapters.targets.sources import READ, Source

DATE = re.compile(r"20\d\d-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?")
ROWS: dict[str, tuple[str, str]] = {
    **{f"limits of {'/'.join(key)}": (row.source, row.read) for key, row in LIMITS.items()},
    **{f"limits of models {n}": (row.source, row.read) for n, row in enumerate(MODEL_LIMITS)},
    **{f"provider {key}": (row.source, row.read) for key, row in PROVIDERS.items()},
    **{f"dispute {row.provider} {row.style} {row.field}": row.source for row in DISPUTES},
}


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
def test_every_row_has_its_page_and_when_it_was_read(row: tuple[str, str]) -> None:
    url, read = row
    assert url.startswith("https://")
    assert DATE.fullmatch(read)


def test_a_page_is_read_when_the_others_were() -> None:
    assert Source("https://example.org") == ("https://example.org", READ)


@pytest.mark.parametrize("dispute", DISPUTES, ids=lambda row: f"{row.provider}-{row.style}-{row.field}")
def test_where_pages_disagree_the_default_is_stated_and_can_be_set(dispute: Any) -> None:
    assert dispute.default != dispute.other
    assert dispute.why
    assert getattr(limits_for(dispute.style, dispute.provider), dispute.field) == dispute.default
    route = Route(dispute.provider, "any", dispute.style)
    for style, bound in ((dispute.style, route), ("litellm_style", route)):
        adapter = get_adapter(style, limits={dispute.field: dispute.other}).bound(bound)
        assert getattr(adapter.limits, dispute.field) == dispute.other
        assert adapter.limits.name.startswith(limits_for(dispute.style, dispute.provider).name)


def test_limits_of_ones_own_are_what_is_compared() -> None:
    pictures = Message("user", ["Compare.", *(Image(Link(f"https://example.org/{n}.png")) for n in range(3))])
    assert get_adapter("openai_style").build_body(pictures)
    with pytest.raises(UnsupportedContentError, match="there are 3 images and OpenAI takes at most 2"):
        get_adapter("openai_style", limits={"max_images": 2}).build_body(pictures)


@pytest.mark.parametrize(
    ("limits", "error", "words"),
    [({"max_pictures": 1}, ValueError, "no field 'max_pictures'.*max_images"), ([1], TypeError, "a mapping")],
)
def test_limits_that_do_not_exist_are_an_error(limits: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        get_adapter("openai_style", limits=limits)
