"""What is fuzzed: inputs, and what reads them."""

from __future__ import annotations

import base64
import datetime
import json
import tempfile
from collections.abc import Callable, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import yaml
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

import pictures
from attacks import TABLE
from prompt_adapters import (
    Audio,
    Document,
    Image,
    Prompt,
    Video,
    adapter_for,
    from_request,
    get_adapter,
    load_prompt,
    route,
)
from prompt_adapters.adapters import PROMPT_ADAPTER_REGISTRY
from prompt_adapters.errors import PromptAdapterError
from prompt_adapters.formats import FORMATS
from prompt_adapters.targets.cost_map import chat_models
from prompt_adapters.templates import SYNTAXES, TemplateLimits, compile_template
from strategies import GIF, MP4, PDF, PNG, WAV

TABLES: dict[str, list[dict[str, Any]]] = yaml.safe_load(TABLE.read_text(encoding="utf-8"))


def joined(words: list[str], most: int, text: int = 4) -> SearchStrategy[str]:
    """Texts of these words, and of others."""
    return st.lists(st.sampled_from(words) | st.text(max_size=text), max_size=most).map("".join)


# Templates and values

NAMES = [
    "x",
    "n",
    "items",
    "data",
    "photo",
    "date",
    "big",
    "record",
    "loop",
    "self",
    "caller",
    "ns",
    "m",
    "_",
    "__class__",
]
EXPRESSIONS = [
    *NAMES,
    ".",
    "[",
    "]",
    "(",
    ")",
    "|",
    "~",
    "+",
    "-",
    "*",
    "**",
    "/",
    "//",
    "%",
    "==",
    "<",
    "in ",
    "not ",
    "is ",
]
EXPRESSIONS += [
    " and ",
    " or ",
    " if ",
    " else ",
    ",",
    ":",
    "=",
    "'a'",
    "'%s'",
    "'{}'",
    "1",
    "999999999",
    "-1",
    "0.5",
    "{}",
    "none",
]
FILTERS = [
    "upper",
    "join",
    "map('upper')",
    "list",
    "sort",
    "length",
    "tojson",
    "indent(9)",
    "center(99)",
    "replace('a', 'b')",
]
FILTERS += [
    "batch(3)",
    "slice(3)",
    "groupby('a')",
    "sum",
    "unique",
    "wordwrap(9)",
    "urlize",
    "format(1)",
    "round(2)",
    "attr('a')",
]
FILTERS += [
    "int",
    "default('a')",
    "first",
    "select('in', items)",
    "truncate(9)",
    "string",
    "xmlattr",
    "pprint",
    "striptags",
    "title",
]
METHODS = [
    ".format(x)",
    ".items()",
    ".strftime('%Y')",
    ".split()",
    ".join(items)",
    ".upper()",
    ".get('a')",
    ".replace('', x)",
]
STATEMENTS = [
    "{% for x in items %}",
    "{% for a, b in data.items() recursive %}",
    "{% endfor %}",
    "{% if x %}",
    "{% else %}",
]
STATEMENTS += [
    "{% elif n > 1 %}",
    "{% endif %}",
    "{% set ns = namespace(a=x) %}",
    "{% set ns.a = [ns.a, ns.a] %}",
    "{% set y %}",
]
STATEMENTS += [
    "{% endset %}",
    "{% macro m(a, b=x) %}",
    "{% endmacro %}",
    "{% call m(x) %}",
    "{% endcall %}",
    "{{ m(x) }}",
    "{{ x }}",
]
STATEMENTS += [
    "{% filter upper %}",
    "{% endfilter %}",
    "{% with y = x %}",
    "{% endwith %}",
    "{% raw %}",
    "{% endraw %}",
    "{# x #}",
]
STATEMENTS += [
    "{% block b %}",
    "{% endblock %}",
    "{{ self.b() }}",
    "{{ loop(items) }}",
    "{{ caller() }}",
    "{{-",
    "-}}",
    "\r\n",
    "{% include x %}",
]
EXPRESSION = joined([*EXPRESSIONS, *[f"|{name}" for name in FILTERS], *METHODS], 10, 2)
ATTACKS = [row["template"] for row in TABLES["templates"]]
TEMPLATE = st.lists(
    st.sampled_from(STATEMENTS)
    | EXPRESSION.map("{{{{ {} }}}}".format)
    | st.sampled_from(ATTACKS)
    | st.text(max_size=5),
    max_size=12,
).map("".join)
GIVEN: dict[str, Any] = {
    "x": "a b",
    "n": 3,
    "items": [1, "a", None, {"a": 2}],
    "data": {"a": 1, "b": [1]},
    "photo": Image.from_uploaded("f"),
    "date": datetime.datetime(2026, 1, 2),
    "big": Decimal("1e99999"),
    "record": datetime.UTC,
}
FEW = TemplateLimits(steps=20_000, text=200_000, items=20_000, range=1000)


def read_template(given: tuple[str, str]) -> None:
    """Compile and render a template in a syntax."""
    text, syntax = given
    with FEW.applied():
        compile_template(text, syntax).render(GIVEN, absent={"y", "a", "b", "ns", "m", "_"})


PLAIN: SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.binary()
    | st.dates()
    | st.uuids()
    | st.complex_numbers(),
    lambda inner: (
        st.lists(inner) | st.dictionaries(st.text() | st.integers() | st.none(), inner) | st.tuples(inner, inner)
    ),
    max_leaves=12,
)


def read_value(given: tuple[Any, str]) -> None:
    """Render a value in all syntaxes, by itself and in a history."""
    value, syntax = given
    slot = {"percent": "%x%", "braces": "{x}", "f-string": "{x}"}.get(syntax, "{{ x }}{% if x %}{{ x }}{% endif %}")
    if syntax in ("plain", "none"):
        slot = "{{ x }}"
    for content in (slot, [slot, {"type": "image", "variable": "x"}]):
        try:
            Prompt(user=content, syntax=syntax).render_messages({"x": value}, extra="ignore")
        except PromptAdapterError:
            continue


# Files

WORDS = [
    "---\n",
    "model: a\n",
    "name: x\n",
    "inputs:\n  a: 1\n",
    "$system$\n",
    "$user$\n",
    "$assistant$\n",
    "%a%",
    "{{a}}",
    "{{#if a}}",
]
WORDS += [
    '{{role "system"}}',
    "{{media url=a}}",
    "{{/if}}",
    "{{> p}}",
    "system:\n",
    "user:\n",
    "![x](y.png)",
    "prompts:\n",
    "- ",
    "  ",
]
WORDS += [
    "user_prompt:\n",
    "- text: a\n",
    "- image: {source: a, index: 0}\n",
    "metadata: {a: b}\n",
    '{% chat role="user" %}',
    "{% endchat %}",
]
WORDS += [
    "{",
    "}",
    "[",
    "]",
    '"role": "user"',
    '"content": "x"',
    ", ",
    ": ",
    "&a ",
    "*a ",
    "!!python/object:os.system ",
    "<<: *a\n",
]
WORDS += [
    '{"messages": [{"role": "user", "content": "x"}]}',
    '{"user_prompt_component": {"template": "{{ x }}", "variables": ["x"]}}',
]
WORDS += [
    '{"lc": 1, "type": "constructor", "id": ["langchain", "prompts", "x"], "kwargs": {}}',
    "\ufeff",
    "\0",
    "\r",
    "\n",
    "\t",
    "null",
    "1e999",
]
WORDS += [row["text"] for row in TABLES["documents"] if "repeat" not in row]
WORDS += [
    "${file:a.json}",
    "${env:HOME}",
    "file://a.json",
    "exec: a",
    "python:a.py",
    "{% include 'a' %}",
    "{% completion %}",
]
WORDS += ["inputs:\n- {name: a, kind: image}\n", "template: {format: mustache}\n", "_conversation", "{{ a | dump }}"]
WORDS += ["assistant[name=a]:\n", "{{ a | image }}", '"tool_calls": []', '"tool_call_id": "1"', "\ud800", "\u2028"]
CONTENT_WORDS = list(WORDS)
CONTENT = joined(WORDS, 14, 6).map(lambda text: text.encode("utf-8", "surrogatepass")) | st.binary(max_size=60)
SUFFIXES = ["", ".yaml", ".yml", ".json", ".jsonl", ".prompt", ".prompty", ".txt", ".md", ".jinja", ".j2", ".csv"]
FOLDER = tempfile.TemporaryDirectory(prefix="fuzz")


def read_file(given: tuple[bytes, str, str | None]) -> None:
    """Load a file, in a format or in the one that it seems to be in."""
    content, suffix, name = given
    path = Path(FOLDER.name) / f"p{suffix}"
    path.write_bytes(content)
    try:
        load_prompt(path, name).to_json()
    finally:
        path.unlink()


# Media

HEADS = [
    "data:",
    "image/png",
    "image/svg+xml",
    "text/plain",
    ";base64",
    ";charset=utf-8",
    ",",
    ";",
    "%",
    "%00",
    "=",
    "iVBORw0KGgo=",
    "://",
]
DATA_URL = joined(HEADS, 8, 6).map("data:".__add__) | st.builds(
    "data:{};base64,{}".format,
    st.sampled_from(["image/png", "audio/wav", "x"]),
    st.binary(max_size=60).map(base64.b64encode).map(bytes.decode),
)
KINDS = [Image, Audio, Video, Document]


def read_data_url(given: tuple[str, type[Any]]) -> None:
    """Read a data URL as a medium."""
    url, kind = given
    kind(url)


PICTURE = pictures.photo((40, 30))
SAMPLES = [
    PNG,
    GIF,
    WAV,
    MP4,
    PDF,
    *(pictures.encoded(PICTURE, kind) for kind in ("PNG", "JPEG", "GIF", "WEBP", "BMP", "TIFF")),
]
SAMPLES += [
    pictures.turned(PICTURE, "JPEG", 6),
    pictures.animated("GIF"),
    pictures.pages(2),
    pictures.claimed_png(99_999, 99_999),
]


@st.composite
def changed_bytes(draw: Callable[[SearchStrategy[Any]], Any]) -> bytes:
    """A sample of which some bytes are others, gone or doubled."""
    data = bytearray(draw(st.sampled_from(SAMPLES)))
    for at, kind, byte in draw(
        st.lists(st.tuples(st.integers(0, 4000), st.integers(0, 3), st.binary(max_size=4)), max_size=6)
    ):
        place = at % (len(data) + 1)
        if kind == 0:
            data[place : place + len(byte)] = byte
        elif kind == 1:
            del data[place : place + 1 + 7 * len(byte)]
        elif kind == 2:
            data[place:place] = byte
        else:
            data[place:place] = data[place : place + 40]
    return bytes(data)


def read_media(given: tuple[bytes, type[Any], str]) -> None:
    """Fit bytes to a provider's limits."""
    data, kind, style = given
    prompt = Prompt(user=["see", {"type": kind.kind, "variable": "x"}])
    get_adapter(style, parameters={"max_tokens": 9}).build_body(prompt, x=kind(data))


# Requests and models

STYLES = sorted(
    key for key in PROMPT_ADAPTER_REGISTRY if PROMPT_ADAPTER_REGISTRY[key].__module__.startswith("prompt_adapters.")
)
KEYS = [
    "messages",
    "contents",
    "input",
    "system",
    "role",
    "content",
    "parts",
    "text",
    "type",
    "image_url",
    "url",
    "source",
    "data",
    "bytes",
]
KEYS += [
    "tool_calls",
    "function",
    "arguments",
    "id",
    "toolUse",
    "inlineData",
    "mimeType",
    "file_data",
    "model",
    "config",
    "system_instruction",
]
TEXTS = [
    "user",
    "assistant",
    "system",
    "tool",
    "text",
    "image_url",
    "image",
    "input_text",
    "tool_use",
    "base64",
    "{}",
    "[",
    "data:image/png;base64,iVBOR",
]
LEAF = (
    st.sampled_from(TEXTS)
    | st.none()
    | st.booleans()
    | st.integers(-9, 9)
    | st.floats()
    | st.text(max_size=4)
    | st.binary(max_size=8)
)
REQUEST: SearchStrategy[Any] = st.recursive(
    LEAF,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=5),
    max_leaves=25,
)
BODIES = [
    get_adapter(style, model="gpt-4o" if style == "litellm_style" else None, parameters={"max_tokens": 9}).build_body(
        Prompt("S", "a {{ x }}", few_shot=None), x="b"
    )
    for style in STYLES
]


@st.composite
def changed_body(draw: Callable[[SearchStrategy[Any]], Any]) -> Any:
    """A request of which some values are others."""
    body = json.loads(json.dumps(draw(st.sampled_from(BODIES))))
    for _ in range(draw(st.integers(1, 3))):
        place = body
        while isinstance(place, dict | list) and place:
            key = draw(st.sampled_from(sorted(place) if isinstance(place, dict) else range(len(place))))
            if not isinstance(place[key], dict | list) or not place[key] or draw(st.booleans()):
                place[key] = draw(REQUEST)
                break
            place = place[key]
    return body


def read_request(given: tuple[str, Any]) -> None:
    """Read a request back into messages."""
    from_request(*given)


MODELS = sorted(chat_models())
MODEL = joined(
    [*MODELS[:400], "/", ":", "bedrock/", "azure/", "us.", "openai/", "@", "..", " ", "\n"], 4, 6
) | st.sampled_from(MODELS)


def read_model(name: str) -> None:
    """Route a model's name, and make its adapter."""
    route(name)
    adapter_for(name)


TARGETS: Mapping[str, tuple[SearchStrategy[Any], Callable[[Any], object]]] = {
    "templates": (st.tuples(TEMPLATE, st.sampled_from(["jinja"] * 5 + list(SYNTAXES))), read_template),
    "values": (st.tuples(PLAIN, st.sampled_from(SYNTAXES)), read_value),
    "files": (st.tuples(CONTENT, st.sampled_from(SUFFIXES), st.sampled_from([None, *FORMATS])), read_file),
    "data-urls": (st.tuples(DATA_URL, st.sampled_from(KINDS)), read_data_url),
    "media": (st.tuples(changed_bytes(), st.sampled_from(KINDS), st.sampled_from(STYLES[:6])), read_media),
    "requests": (st.tuples(st.sampled_from(STYLES), REQUEST | changed_body()), read_request),
    "models": (MODEL, read_model),
}
