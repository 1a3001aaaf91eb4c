"""Bedrock's Converse as people write it."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from prompt_adapters import Audio, Document, Image, Message, Text, ToolCall, ToolResult, Video, from_request
from prompt_adapters.adapters import read_request
from prompt_adapters.errors import MediaError, PromptFormatError
from strategies import MP4, PDF, PNG, WAV

B64 = base64.b64encode(PNG).decode()
POINT = {"cachePoint": {"type": "default"}}


def user(*blocks: Any) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": list(blocks)}]}


def image(**fields: Any) -> dict[str, Any]:
    return {"image": {"format": "png", "source": {"bytes": B64}, **fields}}


READ: dict[str, tuple[dict[str, Any], tuple[Message, ...]]] = {
    "system with a point": (
        {"system": [{"text": "A"}, POINT, {"text": "B"}], "messages": []},
        (Message("system", [Text("A", cache=True), Text("B")]),),
    ),
    "bytes and base64": (
        user(
            image(),
            image(source={"bytes": PNG}),
            {"audio": {"format": "wav", "source": {"bytes": WAV}}},
            {"document": {"format": "pdf", "name": "report (2)", "source": {"bytes": PDF}}},
            {"text": "?"},
        ),
        (Message("user", [Image(PNG), Image(PNG), Audio(WAV), Document(PDF, name="report (2).pdf"), Text("?")]),),
    ),
    "places in S3 and other words for formats": (
        user(
            {"video": {"format": "mpg", "source": {"s3Location": {"uri": "s3://bucket/a"}}}},
            {"video": {"format": "mp4", "source": {"bytes": MP4}}},
        ),
        (Message("user", [Video.from_url("s3://bucket/a", mime="video/mpeg"), Video(MP4)]),),
    ),
    "calls, and results beside text": (
        {
            "messages": [
                {"role": "assistant", "content": [{"toolUse": {"toolUseId": "1", "name": "f", "input": {"a": 1}}}]},
                {
                    "role": "user",
                    "content": [
                        {
                            "toolResult": {
                                "toolUseId": "1",
                                "content": [{"json": {"a": 1}}, image()],
                                "status": "success",
                            }
                        },
                        POINT,
                        {"toolResult": {"toolUseId": "2", "content": [], "status": "error"}},
                        {"text": "So?"},
                    ],
                },
            ]
        },
        (
            Message("assistant", ToolCall("1", "f", {"a": 1})),
            Message("tool", [ToolResult("1", ['{"a": 1}', Image(PNG)], cache=True), ToolResult("2", error=True)]),
            Message("user", "So?"),
        ),
    ),
}


@pytest.mark.parametrize(("request_", "messages"), READ.values(), ids=READ)
def test_what_people_write_is_read(request_: dict[str, Any], messages: tuple[Message, ...]) -> None:
    assert from_request("bedrock_style", request_) == messages


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "no messages": ({}, "the request has no 'messages'"),
    "OpenAI's content": (
        {"messages": [{"role": "user", "content": "a"}]},
        "message 1 (user), 'content' is of type str",
    ),
    "OpenAI's block": (user({"type": "text", "text": "a"}), "message 1 (user), part 1 has 'type'"),
    "a system role": ({"messages": [{"role": "system", "content": []}]}, "message 1 has the role 'system'"),
    "an image of the system": (
        {"system": [image()], "messages": []},
        "the request, 'system', block 1 is a 'image' block; the known ones are text",
    ),
    "a guard": (user({"guardContent": {"text": {"text": "a"}}}), "part 1 is a 'guardContent' block"),
    "data in a turn": (user({"json": {}}), "part 1 is a 'json' block"),
    "an empty block": (user({}), "message 1 (user), part 1 has none of text, image"),
    "a block of two kinds": (user({"text": "a", **image()}), "part 1 has 'text' and 'image' at once"),
    "a point at the beginning": (user(POINT, {"text": "a"}), "message 1 (user) begins with a cache point"),
    "a point that lasts": (user({"text": "a"}, {"cachePoint": {"type": "default", "ttl": "1h"}}), "'1h' as 'ttl'"),
    "an unknown format": (user(image(format="jpg")), "part 1 has the format 'jpg'; the known ones are png, jpeg"),
    "no source": (user(image(source={})), "part 1, 'image', 'source' has none of bytes, s3Location"),
    "an owner of a bucket": (
        user(image(source={"s3Location": {"uri": "s3://bucket/a", "bucketOwner": "1"}})),
        "'s3Location' has 'bucketOwner'",
    ),
    "citations": (
        user({"document": {"format": "pdf", "name": "a", "source": {"bytes": PDF}, "citations": {"enabled": True}}}),
        "'document' has 'citations'",
    ),
    "bytes that are none": (user(image(source={"bytes": 3})), "part 1 has int where bytes or base64 belong"),
    "a status that is none": (
        user({"toolResult": {"toolUseId": "1", "content": [], "status": "odd"}}),
        "part 1 has the status 'odd'",
    ),
    "a sound that a tool gave": (
        user({"toolResult": {"toolUseId": "1", "content": [{"audio": {}}]}}),
        "message 1 (user), part 1, item 1 is a 'audio' block",
    ),
    "an unknown limit": ({"messages": [], "inferenceConfig": {"max_tokens": 1}}, "'inferenceConfig' has 'max_tokens'"),
}


@pytest.mark.parametrize(("request_", "said"), REFUSED.values(), ids=REFUSED)
def test_what_messages_cannot_say_is_refused_by_name_and_place(request_: dict[str, Any], said: str) -> None:
    with pytest.raises(PromptFormatError) as caught:
        from_request("bedrock_style", request_)
    assert said in str(caught.value)


def test_no_request_names_a_path() -> None:
    for source in ({"bytes": "/etc/passwd"}, {"s3Location": {"uri": "/etc/passwd"}}):
        with pytest.raises(MediaError, match=r"^message 1 \(user\), part 1: "):
            from_request("bedrock_style", user(image(source=source)))


@pytest.mark.parametrize(
    ("more", "shared", "own"),
    [
        ({"top_k": 3}, {"top_k": 3}, {}),
        ({"inferenceConfig": {"topK": 3}}, {"top_k": 3}, {}),
        ({"inferenceConfig": {"topK": 3, "x": 1}}, {}, {"inferenceConfig": {"topK": 3, "x": 1}}),
        ({"thinking": {}, "top_k": 3}, {"top_k": 3}, {"thinking": {}}),
    ],
)
def test_vendors_fields_are_sorted(more: dict[str, Any], shared: dict[str, Any], own: dict[str, Any]) -> None:
    request = {"messages": [], "modelId": "m", "additionalModelRequestFields": more, "inferenceConfig": {"topP": 1}}
    found = read_request("bedrock_style", request)
    assert found.model == "m"
    assert found.parameters == {"top_p": 1, **shared}
    assert found.own == ({"additionalModelRequestFields": own} if own else {})


def test_a_schema_is_the_shared_response_format() -> None:
    schema = {"schema": '{"type": "object"}', "name": "verdict"}
    form = {"type": "json_schema", "structure": {"jsonSchema": schema}}
    found = read_request("bedrock_style", {"messages": [], "outputConfig": {"textFormat": form, "effort": "low"}})
    described = {"name": "verdict", "schema": {"type": "object"}}
    assert found.parameters == {"response_format": {"type": "json_schema", "json_schema": described}}
    assert found.own == {"outputConfig": {"effort": "low"}}
