"""What is sent is read back: as the messages that were sent, and so that it would be sent again as it was."""

from __future__ import annotations

import copy
import json
from typing import Any

import merging
from prompt_adapters.adapters import from_request, get_adapter, read_request
from prompt_adapters.errors import PromptAdapterError


def requests(case: Any) -> list[dict[str, Any]]:
    """The request and the body of a case; none when it is refused."""
    try:
        return [
            case.adapter.build_request(case.conversation.messages),
            case.adapter.build_body(case.conversation.messages),
        ]
    except PromptAdapterError:
        return []


def test_messages_come_back_up_to_documented_merging(case: Any) -> None:
    for request in requests(case):
        untouched = copy.deepcopy(request)
        sent = case.adapter.prepare(case.conversation.messages).messages
        found = from_request(case.style, request)
        assert merging.merged(found, case.adapter) == merging.merged(sent, case.adapter)
        assert request == untouched


def test_what_was_read_is_sent_as_it_was(case: Any) -> None:
    for form, request in zip(("request", "body"), requests(case), strict=False):
        found = read_request(case.style, request)
        options = {**case.conversation.options, "parameters": {**found.parameters, **found.own}}
        again = get_adapter(case.style, **options)
        if case.adapter.route is not None:
            again = again.bound(case.adapter.route)
        assert getattr(again, f"build_{form}")(found.messages) == request


def test_a_body_survives_json(case: Any) -> None:
    for body in requests(case)[1:]:
        assert from_request(case.style, json.loads(json.dumps(body))) == from_request(case.style, body)


def test_the_model_and_the_parameters_come_back(case: Any) -> None:
    for request in requests(case)[:1]:
        found = read_request(case.style, request)
        assert found.model == case.adapter.model
        if case.name == "sampling":
            assert found.parameters.items() >= {"temperature": 0.5}.items()
