"""The conversation in a request, without what makes no difference to the provider.

Two requests that say the same may be spelled differently where the provider documents both ways:

* bytes are base64, in the standard or the URL-safe alphabet; arguments are data, or JSON in a text;
* a content that is a text is a list with one text block, and an image of Mistral a text or ``{"url": …}``;
* Google's names are in camel or in snake case;
* keys that hold nothing or the default may be left out (`_DEFAULTS`);
* the ``instructions`` of the Responses API are a first system message.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from typing import Any

from pydantic.alias_generators import to_camel

# Where each shape has its conversation.
PLACES: Mapping[str, tuple[str, ...]] = {
    "openai_style": ("messages",),
    "openai_responses_style": ("instructions", "input"),
    "anthropic_style": ("system", "messages"),
    "google_style": ("systemInstruction", "contents"),
    "bedrock_style": ("system", "messages"),
    "mistral_style": ("messages",),
    "cohere_style": ("messages",),
    "ollama_style": ("messages",),
}
# Names below which everything is the author's own.
_OWN = frozenset({"args", "response", "input", "json"})
_DEFAULTS: Mapping[str, Mapping[str, Any]] = {
    "openai_responses_style": {"type": "message", "detail": "auto", "annotations": []},
    "anthropic_style": {"is_error": False},
    "bedrock_style": {"status": "success"},
    "ollama_style": {"images": [], "tool_calls": []},
}


def conversation(style: str, request: Mapping[str, Any]) -> dict[str, Any]:
    """The part of a request that is compared, as JSON data in the shape in which it is sent."""
    found: dict[str, Any] = {place: _sent(request.get(place)) for place in PLACES[style]}
    return {place: value for place, value in found.items() if value not in (None, [])}


def _sent(value: Any) -> Any:
    match value:
        case bytes():
            return base64.b64encode(value).decode()
        case dict():
            return {name: _sent(item) for name, item in value.items() if item is not None}
        case list() | tuple():
            return [_sent(item) for item in value]
    return value


def comparable(style: str, sent: Mapping[str, Any]) -> dict[str, Any]:
    """The same for what is said alike."""
    plain = {place: _plain(value, style, place) for place, value in sent.items()}
    if instructions := plain.pop("instructions", None):
        plain["input"] = [{"role": "system", "content": instructions}, *plain.get("input", [])]
    return plain


def _plain(value: Any, style: str, key: str = "", role: str = "user") -> Any:
    match value:
        case str():
            return _text(value, style, key, role)
        case dict() if key in _OWN:
            return value
        case dict():
            return _object(value, style, value.get("role", role))
        case list():
            return [_plain(item, style, "", role) for item in value]
    return value


def _text(value: str, style: str, key: str, role: str) -> Any:
    responses = style == "openai_responses_style"
    if responses and key in ("content", "instructions", "output"):
        return [{"type": "output_text" if role == "assistant" else "input_text", "text": value}]
    if key in ("content", "system") and style != "ollama_style":
        return [{"type": "text", "text": value}]
    if key == "arguments":
        return json.loads(value)
    if key == "data" and style == "google_style":
        return value.replace("-", "+").replace("_", "/")
    return {"url": value} if key == "image_url" and style == "mistral_style" else value


def _object(value: dict[str, Any], style: str, role: str) -> dict[str, Any]:
    if value.get("tool_calls") and value.get("content") == "":
        value = {name: item for name, item in value.items() if name != "content"}
    spelled = {to_camel(name) if style == "google_style" else name: item for name, item in value.items()}
    defaults = _DEFAULTS.get(style, {})
    kept = {name: item for name, item in spelled.items() if not (name in defaults and defaults[name] == item)}
    return {name: _plain(item, style, name, role) for name, item in kept.items()}
