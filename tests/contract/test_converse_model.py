"""The strict service model itself: what botocore lets through is caught."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from converse_model import request_faults

PDF = b"%PDF-1.4\n%%EOF\n"
BLOCK = {"image": {"format": "png", "source": {"bytes": b"png"}}}


# Slips that botocore itself lets through, and some that it does not.
BROKEN: list[tuple[tuple[Any, ...], Any]] = [
    (("messages", 0, "content", 0), {"txt": "a"}),
    (("messages", 0, "content", 0), {"text": "a", "image": BLOCK["image"]}),
    (("messages", 0, "content", 0, "text"), " "),
    (("messages", 0, "content", 1, "image", "format"), "jpg"),
    (("messages", 0, "content", 1, "image", "source", "bytes"), "AAAA"),
    (("messages", 0, "content", 1, "image", "source", "bytes"), b""),
    (("messages", 0, "content", 1, "image", "source"), {"s3Location": {"uri": "https://e.com"}}),
    (("messages", 0, "content", 2, "document", "name"), "a.pdf"),
    (("messages", 0, "content", 2, "document", "name"), "x" * 201),
    (("messages", 0, "content"), ({"text": "a"},)),
    (("messages", 0, "role"), "tool"),
    (("system",), [{"text": ""}]),
    (("inferenceConfig",), {"maxTokens": True}),
    (("inferenceConfig",), {"temperature": 2}),
    (("inferenceConfig",), {"topK": 2}),
]


@pytest.mark.parametrize(("path", "value"), BROKEN)
def test_the_service_model_is_strict(path: tuple[Any, ...], value: Any) -> None:
    document = {"document": {"format": "pdf", "name": "a", "source": {"bytes": PDF}}}
    request: Any = {"modelId": "m", "messages": [{"role": "user", "content": [{"text": "a"}, BLOCK, document]}]}
    assert request_faults(request) == []
    broken = copy.deepcopy(request)
    parent = broken
    for step in path[:-1]:
        parent = parent[step]
    parent[path[-1]] = value
    assert request_faults(broken)
