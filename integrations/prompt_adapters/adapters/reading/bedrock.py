"""Requests in the shape of Amazon Bedrock's Converse.

The top-level ``system`` becomes one system message, each block a text. A user's turn becomes as many messages as it
changes between tool results and the rest. A cache point marks what stands before it. A document's name gets the suffix
of its format, as in ``report.pdf``: Bedrock names have none.

https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from types import MappingProxyType
from typing import Any

from prompt_adapters.adapters.bedrock import FORMATS
from prompt_adapters.adapters.bedrock_parameters import BEDROCK_TABLE
from prompt_adapters.adapters.reading import Conversation
from prompt_adapters.adapters.reading.chat import message, role_of, tool_call, tool_result, with_results_apart
from prompt_adapters.adapters.reading.fields import REQUEST, Fields, as_list, json_object, json_text, refuse
from prompt_adapters.adapters.reading.media import from_address, from_data
from prompt_adapters.adapters.reading.settings import Settings, schema_format
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Part, Text
from prompt_adapters.content.position import position

# Bedrock's other words for the same types.
_MORE_FORMATS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "image": {},
        "audio": {
            "opus": "audio/ogg",
            "mkv": "audio/x-matroska",
            "x-aac": "audio/aac",
            "m4a": "audio/mp4",
            "mpeg": "audio/mpeg",
            "mpga": "audio/mpeg",
        },
        "video": {"mpg": "video/mpeg"},
        "document": {},
    }
)
_MIMES: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        kind: MappingProxyType({**{word: mime for mime, word in words.items()}, **_MORE_FORMATS[kind]})
        for kind, words in FORMATS.items()
    }
)
_INFERENCE: Mapping[str, str] = MappingProxyType(
    {"maxTokens": "max_tokens", "temperature": "temperature", "topP": "top_p", "stopSequences": "stop"}
)
_MORE = "additionalModelRequestFields"


def read(request: Mapping[str, Any]) -> Conversation:
    """What a request says."""
    settings = Settings()
    with Fields(request, REQUEST) as fields:
        where = f"{REQUEST}, 'system'"
        system = _blocks(fields.items("system"), where, lambda index: f"{where}, block {index + 1}", ("text",))
        messages = [message("system", system, where)] if system else []
        for number, item in enumerate(as_list(fields.need("messages"), f"{REQUEST}, 'messages'")):
            messages += _turn(item, number)
        model = fields.maybe_text("modelId")
        _parameters(fields, settings)
    return Conversation(tuple(messages), model, settings.shared, settings.own)


def _turn(item: object, number: int) -> list[Message]:
    with Fields(item, f"message {number + 1}") as fields:
        role = role_of(fields, ("user", "assistant"))
        fields.where = where = position(number, role)
        content = as_list(fields.need("content"), f"{where}, 'content'")
        return with_results_apart(
            role, _blocks(content, where, lambda index: position(number, role, index), _IN_TURNS), where
        )


def _blocks(items: list[Any], where: str, place: Callable[[int], str], known: Collection[str]) -> list[Part]:
    parts: list[Part] = []
    for index, item in enumerate(items):
        with Fields(item, place(index)) as block:
            if block.marked("cachePoint", "type", "default"):
                if not parts:
                    refuse(where, "begins with a cache point, and there is nothing before it")
                parts[-1] = parts[-1].replace(cache=True)
                continue
            kinds = [name for name in known if name in block]
            if not kinds and block.left():
                refuse(block.where, f"is a {block.left()[0]!r:.60} block; the known ones are {', '.join(known)}")
            parts.append(_BLOCKS[block.one_of(*known)](block))
    return parts


def _text(block: Fields) -> Part:
    return Text(block.text("text"))


def _json(block: Fields) -> Part:
    """Data that a tool gave, as their JSON text."""
    return Text(json_text(block.need("json"), block.where))


def _media(kind: str) -> Callable[[Fields], Part]:
    def read_media(block: Fields) -> Part:
        with block.inner(kind) as media:
            word = media.text("format")
            if word not in _MIMES[kind]:
                refuse(block.where, f"has the format {word!r:.40}; the known ones are {', '.join(_MIMES[kind])}")
            named = {"name": f"{media.text('name')}.{word}"} if kind == "document" else {}
            with media.inner("source") as source:
                if source.one_of("bytes", "s3Location") == "bytes":
                    return from_data(kind, source.need("bytes"), _MIMES[kind][word], block.where, **named)
                with source.inner("s3Location") as bucket:
                    return from_address(kind, bucket.text("uri"), block.where, mime=_MIMES[kind][word], **named)

    return read_media


def _tool_use(block: Fields) -> Part:
    with block.inner("toolUse") as call:
        return tool_call(call.text("toolUseId"), call.text("name"), call.take("input", {}), block.where)


def _tool_result(block: Fields) -> Part:
    with block.inner("toolResult") as result:
        content, where = result.items("content"), block.where
        parts = _blocks(content, where, lambda index: f"{where}, item {index + 1}", _IN_RESULTS)
        error = (status := result.maybe_text("status")) == "error"
        if status not in (None, "success", "error"):
            refuse(where, f"has the status {status!r:.40}, which is neither success nor error")
        return tool_result(result.text("toolUseId"), parts, where, error=error)


_BLOCKS: Mapping[str, Callable[[Fields], Part]] = MappingProxyType(
    {
        "text": _text,
        **{kind: _media(kind) for kind in FORMATS},
        "toolUse": _tool_use,
        "toolResult": _tool_result,
        "json": _json,
    }
)
_IN_TURNS = tuple(name for name in _BLOCKS if name != "json")
_IN_RESULTS = ("text", "json", "image", "video", "document")


def _parameters(fields: Fields, settings: Settings) -> None:
    if "inferenceConfig" in fields:
        with fields.inner("inferenceConfig") as inference:
            settings.sort(inference, _INFERENCE)
    if "outputConfig" in fields:
        with fields.inner("outputConfig") as output:
            _output(output, settings)
    if _MORE in fields:
        with fields.inner(_MORE) as more:
            _more(more, settings)
    settings.sort(fields, {}, BEDROCK_TABLE.own)


def _more(more: Fields, settings: Settings) -> None:
    """Fields of the model's vendor: `top_k` of Claude and of Nova are shared, the others are the vendor's own."""
    vendors: dict[str, Any] = {}
    for name in more.left():
        value = more.take(name)
        if name == "top_k":
            settings.share(name, value, more.where)
        elif name == "inferenceConfig" and isinstance(value, Mapping) and value.keys() == {"topK"}:
            settings.share("top_k", value["topK"], more.where)
        else:
            vendors[name] = value
    if vendors:
        settings.own[_MORE] = vendors


def _output(output: Fields, settings: Settings) -> None:
    if "textFormat" in output:
        with output.inner("textFormat") as described:
            described.only("type", "json_schema")
            with described.inner("structure") as structure, structure.inner("jsonSchema") as schema:
                data = json_object(schema.need("schema"), schema.where)
                more = {name: schema.text(name) for name in ("name", "description") if name in schema}
                settings.share("response_format", schema_format(data, **more), output.where)
    if "effort" in output:
        settings.own["outputConfig"] = {"effort": output.take("effort")}
