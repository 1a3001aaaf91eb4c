"""The official clients' own types, made strict: unknown keys, wrong types and missing fields are errors.

The stock checkers let things through, and each hole is closed here:

* unknown keys, at every level: refused;
* ``Iterable[X]``, which pydantic never looks into: a list, and every item is checked;
* ``"0.5"`` for a number, ``True`` for 1, tuples for lists: refused, the payload is plain JSON;
* response models and open files in the unions of request types: no JSON matches them;
* a file part that names no file: refused;
* Mistral's, Cohere's and Ollama's types, which take any word, any key or any message: see the functions for them;
* Google's models, which take either spelling, any base64 and any word for an enumeration: one spelling, standard
  base64, the listed words, and fields described as "Required." are required.
"""

from __future__ import annotations

import base64
import binascii
import collections.abc
import enum
import types
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal, NamedTuple, NotRequired, Required, Union, get_args, get_origin

import pydantic
import typing_extensions
from pydantic.alias_generators import to_camel

import converse_model

_LISTS = (list, collections.abc.Iterable, collections.abc.Sequence)
_DICTS = (dict, collections.abc.Mapping)


class Strict(NamedTuple):
    """One way of reading the types.

    Attributes:
        spelled: How the name of a model's field is spelled in the payload.
        raw_bytes: Whether bytes are bytes; otherwise they are standard base64.
    """

    spelled: Callable[[str], str] = to_camel
    raw_bytes: bool = False

    def faults(self, value: Any, wanted: Any, path: str = "$") -> list[str]:
        """What is wrong with a value, each fault with its path; nothing when it is right."""
        origin = get_origin(wanted)
        if wanted is Any or wanted is object:
            return []
        if origin in (Required, NotRequired, typing_extensions.Required, typing_extensions.NotRequired):
            return self.faults(value, get_args(wanted)[0], path)
        if origin is typing_extensions.Annotated:
            return self.faults(value, get_args(wanted)[0], path)
        if isinstance(wanted, typing_extensions.TypeAliasType):
            return self.faults(value, wanted.__value__, path)
        if isinstance(origin, typing_extensions.TypeAliasType):
            return self.faults(value, origin.__value__[get_args(wanted)], path)
        if origin is Literal:
            known = get_args(wanted)
            return [] if value in known and type(value) is str else [f"{path}: {value!r} is none of {known}"]
        if origin in (Union, types.UnionType):
            return self._any_of(value, get_args(wanted), path)
        if origin in _LISTS or wanted is list:
            return self._list(value, (get_args(wanted) or (Any,))[0], path)
        if origin in _DICTS or wanted is dict:
            item = (get_args(wanted) or (str, Any))[1]
            return self._dict(value, dict.fromkeys(value, item) if isinstance(value, dict) else {}, set(), path)
        if typing_extensions.is_typeddict(wanted):
            return self._typed_dict(value, wanted, path)
        return self._plain(value, wanted, path)

    def _plain(self, value: Any, wanted: Any, path: str) -> list[str]:
        fault = [f"{path}: {value!r:.60} is no {getattr(wanted, '__name__', wanted)}"]
        if wanted is float:
            return [] if type(value) in (int, float) else fault
        if wanted is bytes:
            return [] if (type(value) is bytes if self.raw_bytes else _is_base64(value)) else fault
        if wanted in (str, int, bool):
            return [] if type(value) is wanted else fault
        if wanted is None or wanted is type(None):
            return [] if value is None else fault
        if isinstance(wanted, type) and issubclass(wanted, enum.Enum):
            return [] if value in {member.value for member in wanted} else fault
        if (
            isinstance(wanted, type)
            and issubclass(wanted, pydantic.BaseModel)
            and wanted.__module__ == "google.genai.types"
        ):
            return self._model(value, wanted, path)
        return fault

    def _any_of(self, value: Any, choices: tuple[Any, ...], path: str) -> list[str]:
        found = [self.faults(value, choice, path) for choice in choices]
        if [] in found:
            return []
        # The choice that came nearest says it best.
        return min(found, key=lambda faults: (-max(fault.count(".") for fault in faults), len(faults)))

    def _list(self, value: Any, item: Any, path: str) -> list[str]:
        if type(value) is not list:
            return [f"{path}: {value!r:.60} is no list"]
        return [fault for index, entry in enumerate(value) for fault in self.faults(entry, item, f"{path}.{index}")]

    def _dict(self, value: Any, fields: Mapping[str, Any], required: set[str], path: str) -> list[str]:
        if type(value) is not dict:
            return [f"{path}: {value!r:.60} is no object"]
        faults = [f"{path}.{key}: unknown" for key in value if key not in fields]
        faults += [f"{path}.{key}: missing" for key in sorted(required - value.keys())]
        for key, entry in value.items():
            if key in fields:
                faults += self.faults(entry, fields[key], f"{path}.{key}")
        return faults

    def _typed_dict(self, value: Any, wanted: Any, path: str) -> list[str]:
        hints = typing_extensions.get_type_hints(wanted, include_extras=True)
        required = {name for name, hint in hints.items() if _is_required(wanted, name, hint)}
        faults = self._dict(value, hints, required, path)
        if wanted.__name__ == "FileFile" and type(value) is dict and not value.keys() & {"file_id", "file_data"}:
            faults.append(f"{path}: names no file")
        return faults

    def _model(self, value: Any, wanted: type[pydantic.BaseModel], path: str) -> list[str]:
        fields = {self.spelled(name): field for name, field in wanted.model_fields.items()}
        required = {name for name, field in fields.items() if (field.description or "").startswith("Required.")}
        return self._dict(value, {name: field.annotation for name, field in fields.items()}, required, path)


def _is_required(wanted: Any, name: str, hint: Any) -> bool:
    origin = get_origin(hint)
    if origin in (Required, typing_extensions.Required):
        return True
    if origin in (NotRequired, typing_extensions.NotRequired):
        return False
    owner = next(cls for cls in _typed_dicts(wanted) if name in cls.__annotations__)
    return bool(owner.__total__)


def _typed_dicts(wanted: Any) -> Iterator[Any]:
    """A TypedDict and those it derives from, the most basic first; a field belongs to the first that has it."""
    for base in wanted.__orig_bases__:
        if hasattr(base, "__total__"):
            yield from _typed_dicts(base)
    yield wanted


def _is_base64(value: Any) -> bool:
    if type(value) is not str:
        return False
    try:
        return base64.b64encode(base64.b64decode(value, validate=True)).decode() == value
    except (binascii.Error, ValueError):
        return False


def openai_faults(body: dict[str, Any]) -> list[str]:
    """What OpenAI's types say against a body of chat completions."""
    from openai.types.chat.completion_create_params import CompletionCreateParamsNonStreaming

    return Strict().faults(body, CompletionCreateParamsNonStreaming)


# Anthropic's client has no keyword for these any longer, but the API has the fields.
_SAMPLING = {"temperature": float, "top_p": float, "top_k": int}


def anthropic_faults(body: dict[str, Any]) -> list[str]:
    """What Anthropic's types say against a body of messages."""
    from anthropic.types.message_create_params import MessageCreateParamsNonStreaming

    strict = Strict()
    known = {name: value for name, value in body.items() if name not in _SAMPLING}
    sampling = [f for n, wanted in _SAMPLING.items() if n in body for f in strict.faults(body[n], wanted, f"$.{n}")]
    return strict.faults(known, MessageCreateParamsNonStreaming) + sampling


def openai_responses_faults(body: dict[str, Any]) -> list[str]:
    """What OpenAI's types say against a body of the Responses API; they demand neither of the first two fields."""
    from openai.types.responses.response_create_params import ResponseCreateParamsNonStreaming

    missing = [f"$.{name}: missing" for name in ("model", "input") if name not in body]
    return missing + Strict().faults(body, ResponseCreateParamsNonStreaming)


def google_faults(body: dict[str, Any]) -> list[str]:
    """What Google's models say against a body of generateContent."""
    from google.genai import types as google

    fields: dict[str, Any] = {
        "contents": list[google.Content],
        "systemInstruction": google.Content,
        "generationConfig": google.GenerationConfig,
        "safetySettings": list[google.SafetySetting],
        "tools": list[google.Tool],
        "toolConfig": google.ToolConfig,
        "labels": dict[str, str],
        "cachedContent": str,
    }
    return Strict()._dict(body, fields, {"contents"}, "$")


def google_request_faults(request: dict[str, Any]) -> list[str]:
    """What Google's models say against the client's arguments, in the client's own spelling and with raw bytes."""
    from google.genai import types as google

    fields: dict[str, Any] = {
        "model": str,
        "contents": list[google.Content],
        "config": google.GenerateContentConfig,
    }
    return Strict(spelled=str, raw_bytes=True)._dict(request, fields, {"model", "contents"}, "$")


class Models(Strict):
    """Models of pydantic as they are written, but that unknown keys are refused and `type` and `role` are required."""

    def _plain(self, value: Any, wanted: Any, path: str) -> list[str]:
        if isinstance(wanted, type) and issubclass(wanted, pydantic.BaseModel):
            return self._model(value, wanted, path)
        return super()._plain(value, wanted, path)

    def _any_of(self, value: Any, choices: tuple[Any, ...], path: str) -> list[str]:
        known = tuple(choice for choice in choices if choice is not Any)  # an enumeration, or whatever
        return super()._any_of(value, known, path)

    def _model(self, value: Any, wanted: type[pydantic.BaseModel], path: str) -> list[str]:
        fields = wanted.model_fields
        required = {name for name, field in fields.items() if field.is_required()} | (fields.keys() & {"type", "role"})
        return self._dict(value, {name: field.annotation for name, field in fields.items()}, required, path)


def mistral_faults(body: dict[str, Any]) -> list[str]:
    """What Mistral's TypedDicts say; its models would take any key, and turn a wrong chunk into an unknown one."""
    from mistralai.client.models import ChatCompletionRequestTypedDict

    match body:
        case {"response_format": {"json_schema": {"schema": schema, **rest}} as given}:
            # The client's own word for the schema is not the wire's.
            wanted = {"response_format": {**given, "json_schema": {**rest, "schema_definition": schema}}}
            return Strict().faults(body | wanted, ChatCompletionRequestTypedDict)
    return Strict().faults(body, ChatCompletionRequestTypedDict)


def cohere_faults(body: dict[str, Any]) -> list[str]:
    """What Cohere's models say against the keywords of its client, which are the fields of the body."""
    from cohere.v2.client import V2Client

    hints = typing_extensions.get_type_hints(V2Client.chat, include_extras=True)
    fields = {name: hint for name, hint in hints.items() if name not in ("return", "request_options")}
    return Models()._dict(body, fields, {"model", "messages"}, "$")


class OllamaModels(Models):
    """Ollama's, in which an image is bare base64 and a role is one of the four."""

    def _plain(self, value: Any, wanted: Any, path: str) -> list[str]:
        from ollama._types import Image

        if wanted is Image:
            return [] if _is_base64(value) else [f"{path}: {value!r:.60} is no base64"]
        return super()._plain(value, wanted, path)


def ollama_faults(body: dict[str, Any]) -> list[str]:
    """What Ollama's models say, its own messages and options enforced; the documentation demands every content."""
    import ollama
    from ollama._types import ChatRequest

    fields = {name: field.annotation for name, field in ChatRequest.model_fields.items()}
    fields |= {"messages": list[ollama.Message], "options": ollama.Options}
    faults = OllamaModels()._dict(body, fields, {"model", "messages"}, "$")
    for number, message in enumerate(body.get("messages", ())):
        if isinstance(message, dict):
            faults += [f"$.messages.{number}.content: missing"] if "content" not in message else []
            if message.get("role") not in ("system", "user", "assistant", "tool"):
                faults.append(f"$.messages.{number}.role: {message.get('role')!r} is none")
    return faults


BODY_FAULTS: Mapping[str, Callable[[dict[str, Any]], list[str]]] = {
    "openai_style": openai_faults,
    "openai_responses_style": openai_responses_faults,
    "anthropic_style": anthropic_faults,
    "google_style": google_faults,
    "bedrock_style": converse_model.body_faults,
    "mistral_style": mistral_faults,
    "cohere_style": cohere_faults,
    "ollama_style": ollama_faults,
}
