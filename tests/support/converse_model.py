"""Bedrock's Converse as botocore's service model describes it, made strict.

botocore checks required fields, lower bounds, unknown keys and that a union has one member. It lets through wrong words
of enumerations, patterns, upper bounds, texts in place of bytes, booleans for numbers, and tuples; all of it is checked
here, and the rules that AWS writes only in prose.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

NAME = re.compile(r"[A-Za-z0-9()\[\]-]+( [A-Za-z0-9()\[\]-]+)*")
_NUMBERS: dict[str, tuple[type, ...]] = {
    "integer": (int,),
    "long": (int,),
    "float": (int, float),
    "double": (int, float),
}


@lru_cache(maxsize=1)
def _input() -> Any:
    import botocore.session  # type: ignore[import-untyped]  # botocore has no types

    model = botocore.session.get_session().get_service_model("bedrock-runtime")
    return model.operation_model("Converse").input_shape


def request_faults(request: dict[str, Any]) -> list[str]:
    """What is wrong with boto3's keyword arguments; nothing when they are right."""
    return _faults(request, _input(), "$", lambda value: type(value) is bytes) + _rule_faults(request)


def stock_report(request: dict[str, Any]) -> str:
    """What botocore itself says against boto3's keyword arguments."""
    from botocore.validate import ParamValidator  # type: ignore[import-untyped]  # botocore has no types

    report: str = ParamValidator().validate(request, _input()).generate_report()
    return report


def body_faults(body: dict[str, Any]) -> list[str]:
    """What is wrong with the JSON body, in which the model is not and bytes are base64."""
    unplaced = ["$.modelId: belongs into the address"] if "modelId" in body else []
    return unplaced + _faults(body | {"modelId": "m"}, _input(), "$", _is_base64) + _rule_faults(body)


def as_wire(value: Any) -> Any:
    """The same with bytes as base64."""
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, dict):
        return {key: as_wire(item) for key, item in value.items()}
    return [as_wire(item) for item in value] if isinstance(value, list) else value


def built(adapter: Any, messages: Any) -> dict[str, Any]:
    """The request, valid under the service model, as is the body, which says the same."""
    request: dict[str, Any] = adapter.build_request(messages)
    body = adapter.build_body(messages)
    assert request_faults({"modelId": "m"} | request) == []
    assert body_faults(body) == []
    assert as_wire({name: value for name, value in request.items() if name != "modelId"}) == body
    return request


def _is_base64(value: Any) -> bool:
    try:
        return base64.b64encode(base64.b64decode(value, validate=True)).decode() == value and bool(value)
    except (TypeError, ValueError):
        return False


def _faults(value: Any, shape: Any, path: str, is_blob: Callable[[Any], bool]) -> list[str]:
    match shape.type_name:
        case "structure":
            return _plain_json(value, path) if shape.is_document_type else _structure(value, shape, path, is_blob)
        case "list":
            if type(value) is not list:
                return [f"{path}: no list"]
            bounds = _bounds(len(value), shape, path)
            return bounds + [f for n, v in enumerate(value) for f in _faults(v, shape.member, f"{path}.{n}", is_blob)]
        case "map":
            if type(value) is not dict:
                return [f"{path}: no object"]
            keys = [f for key in value for f in _faults(key, shape.key, f"{path}.{key}", is_blob)]
            return keys + [f for k, v in value.items() for f in _faults(v, shape.value, f"{path}.{k}", is_blob)]
        case "string":
            return _string(value, shape, path)
        case "blob":
            return [] if is_blob(value) and len(value) > 0 else [f"{path}: no bytes"]
        case "boolean":
            return [] if type(value) is bool else [f"{path}: no boolean"]
        case kind:
            return _bounds(value, shape, path) if type(value) in _NUMBERS[kind] else [f"{path}: no {kind}"]


def _structure(value: Any, shape: Any, path: str, is_blob: Callable[[Any], bool]) -> list[str]:
    if type(value) is not dict:
        return [f"{path}: no object"]
    faults = [f"{path}.{key}: unknown" for key in value if key not in shape.members]
    faults += [f"{path}.{key}: missing" for key in shape.required_members if key not in value]
    if shape.is_tagged_union and len(value) != 1:
        faults.append(f"{path}: exactly one of {', '.join(shape.members)}")
    known = [(key, item) for key, item in value.items() if key in shape.members]
    return faults + [f for k, item in known for f in _faults(item, shape.members[k], f"{path}.{k}", is_blob)]


def _string(value: Any, shape: Any, path: str) -> list[str]:
    if type(value) is not str:
        return [f"{path}: no text"]
    faults = _bounds(len(value), shape, path)
    if shape.enum and value not in shape.enum:
        faults.append(f"{path}: {value!r} is none of {shape.enum}")
    pattern = shape.metadata.get("pattern")
    if pattern and not re.fullmatch(pattern, value):
        faults.append(f"{path}: {value!r} does not match {pattern}")
    return faults


def _bounds(size: float, shape: Any, path: str) -> list[str]:
    low, high = shape.metadata.get("min"), shape.metadata.get("max")
    outside = (low is not None and size < low) or (high is not None and size > high)
    return [f"{path}: {size} is not from {low} to {high}"] if outside else []


def _plain_json(value: Any, path: str) -> list[str]:
    if type(value) is dict:
        return [fault for key, item in value.items() for fault in _plain_json(item, f"{path}.{key}")]
    if type(value) is list:
        return [fault for index, item in enumerate(value) for fault in _plain_json(item, f"{path}.{index}")]
    return [] if value is None or type(value) in (str, int, float, bool) else [f"{path}: no JSON data"]


def _rule_faults(request: dict[str, Any]) -> list[str]:
    """The rules in prose: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Message.html."""
    messages = request.get("messages") or []
    faults = [f"$.messages.{n}: two turns of one role" for n in _repeated([m.get("role") for m in messages])]
    if messages and messages[0].get("role") != "user":
        faults.append("$.messages.0: the first turn is not the user's")
    for number, message in enumerate(messages):
        blocks = [block for block in message.get("content") or [] if isinstance(block, dict)]
        path = f"$.messages.{number}"
        if not blocks:
            faults.append(f"{path}: empty")
        if any("document" in block for block in blocks) and not any("text" in block for block in blocks):
            faults.append(f"{path}: a document without a text")
        if message.get("role") != "user" and any(block.keys() & {"image", "document"} for block in blocks):
            faults.append(f"{path}: media that are not the user's")
    found = list(_walked(request))
    faults += [f"$: blank text {v!r}" for k, v in found if k == "text" and isinstance(v, str) and not v.strip()]
    names = [v["name"] for k, v in found if k == "document" and isinstance(v, dict) and isinstance(v.get("name"), str)]
    faults += [f"$: the name {name!r}" for name in names if not NAME.fullmatch(name)]
    if len({name.lower() for name in names}) != len(names):
        faults.append(f"$: names that are not unique: {names}")
    if sum(key == "cachePoint" for key, _ in found) > 4:
        faults.append("$: more than four cache points")
    return faults


def _repeated(roles: list[Any]) -> list[int]:
    return [number for number in range(1, len(roles)) if roles[number] == roles[number - 1]]


def _walked(value: Any) -> Iterator[tuple[str, Any]]:
    """Every key and its value, outside of what is the author's own."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield key, item
            if key not in ("input", "additionalModelRequestFields", "toolConfig"):
                yield from _walked(item)
    elif isinstance(value, list):
        for item in value:
            yield from _walked(item)
