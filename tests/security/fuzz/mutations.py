"""Inputs made quickly: samples of which pieces are cut out, doubled, swapped for others or filled with telling words.

They cost a tenth of those that hypothesis makes, and find what is near to a sample; hypothesis finds what is far off.
"""

from __future__ import annotations

import copy
import json
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, TypeVar

from tests.security.fuzz.samples import MORE
from tests.security.fuzz.targets import (
    BODIES,
    CONTENT_WORDS,
    HEADS,
    KINDS,
    MODELS,
    SAMPLES,
    STYLES,
    SUFFIXES,
    TABLES,
    read_data_url,
    read_media,
    read_model,
    read_request,
    read_template,
)

from prompt_adapters import (
    FewShot,
    History,
    Message,
    Prompt,
    PromptAssetStore,
    ToolCall,
    ToolResult,
    get_adapter,
    load_prompt,
    save_prompt,
)
from prompt_adapters.errors import PromptAdapterError
from prompt_adapters.formats import FORMATS, held_by
from prompt_adapters.langchain import AdapterPromptTemplate, load
from prompt_adapters.templates import SYNTAXES

Text = TypeVar("Text", str, bytes)

FOLDER = tempfile.TemporaryDirectory(prefix="fuzz")


def mutated(dice: Random, samples: Sequence[Text], words: Sequence[Text], most: int = 6) -> Text:
    """A sample with up to so many changes."""
    text = dice.choice(samples)
    for _ in range(dice.randint(1, most)):
        start = dice.randint(0, len(text))
        end = min(len(text), start + dice.choice((0, 0, 1, 2, 5, 20, 100)))
        match dice.randrange(6):
            case 0:
                text = text[:start] + text[end:]
            case 1:
                text = text[:start] + dice.choice(words) + text[start:]
            case 2:
                text = text[:start] + dice.choice(words) + text[end:]
            case 3:
                text = text[:end] + text[start:]
            case 4:
                other = dice.choice(samples)
                text = text[:start] + other[dice.randint(0, len(other)) :]
            case _:
                text = text[:start] + text[start:end] * dice.choice((2, 3, 50)) + text[end:]
    return text


# Files, each format by its own loader

PROMPTS = [
    Prompt(
        "S {{ a }}",
        "U {{ b }}",
        parameters={"temperature": 0.5, "stop": ["x"]},
        name="n",
        version="1.10",
        model="gpt-4o",
    ),
    Prompt(user="{% if a %}{{ b }}{% endif %}", few_shot=FewShot([("i", "o")]), metadata={"k": [1, {"a": None}]}),
    Prompt(messages=[("system", "s"), History("h"), ("user", ["t", {"type": "image", "variable": "p"}])]),
    Prompt("s", "%a% %%", syntax="percent"),
    Prompt("s", "{a} {{}}", syntax="braces"),
    Prompt("s", "a\n\n**Examples**\nExample 1:\nInput: x\nOutput: y"),
]


def _saved() -> dict[str, list[bytes]]:
    """What the formats write of some prompts, by format."""
    found: dict[str, list[bytes]] = {name: [] for name in FORMATS}
    for number, prompt in enumerate(PROMPTS):
        for name in FORMATS:
            path = Path(FOLDER.name) / f"sample{number}"
            try:
                save_prompt(held_by(prompt, name)[0], path, name)
            except PromptAdapterError:
                continue
            files = sorted(path.iterdir()) if path.is_dir() else [path]
            found[name] += [file.read_bytes() for file in files]
            for file in files:
                file.unlink()
            if path.is_dir():
                path.rmdir()
    return found


FILES: Mapping[str, list[bytes]] = {name: [*samples, *MORE.get(name, ())] for name, samples in _saved().items()}
WORDS = [word.encode("utf-8", "surrogatepass") for word in CONTENT_WORDS]


def file_of(name: str) -> Callable[[Random], tuple[str, str, list[bytes]]]:
    def make(dice: Random) -> tuple[str, str, list[bytes]]:
        suffix = dice.choice(SUFFIXES) if dice.random() < 0.3 else next(iter(FORMATS[name].suffixes), "")
        count = 3 if name == "standardized" else 1
        return name, suffix, [mutated(dice, FILES[name], WORDS) for _ in range(count)]

    return make


def read_format(given: tuple[str, str, list[bytes]]) -> None:
    """Load what claims to be of a format; what loads is told, held by another format, and found again."""
    name, suffix, contents = given
    path = Path(FOLDER.name) / f"p{suffix}"
    files = [path]
    if name == "standardized":
        path = Path(FOLDER.name) / "saved"
        path.mkdir(exist_ok=True)
        files = [path / inner for inner in ("user_prompt.txt", "few_shot.json", "prompt.json")]
    for file, content in zip(files, contents, strict=True):
        file.write_bytes(content)
    try:
        prompt = load_prompt(path, name)
        assert Prompt.from_json(prompt.to_json()) == prompt
        repr(prompt)
        other = sorted(FORMATS)[len(contents[0]) % len(FORMATS)]
        held_by(prompt, other)
    finally:
        for file in files:
            file.unlink(missing_ok=True)


ASSETS = [
    b"user_prompt:\n- text: a {{ x }}\n- image: {source: p, index: 0}\nsystem_prompt: s\nmetadata: {a: b}\n",
    b"user_prompt: x\n",
]
INDEXES = [b'{"labels": {"production": "v1"}, "versions": {"v1": {"content": "a", "file": "b"}}}']


def asset_of(dice: Random) -> tuple[bytes, bytes]:
    return mutated(dice, ASSETS, WORDS, 2), mutated(dice, INDEXES, WORDS)


def read_asset(given: tuple[bytes, bytes]) -> None:
    """Get a prompt of a store whose index and file are these."""
    folder = Path(FOLDER.name) / "store" / "a"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "v1.yaml").write_bytes(given[0])
    (folder / "index.json").write_bytes(given[1])
    store = PromptAssetStore(folder.parent)
    store.labels("a")
    store.get("a")


# Templates, links and models

TEMPLATES = [
    (row["template"], row.get("syntax", "jinja"))
    for table in ("templates", "slots", "endless")
    for row in TABLES[table]
    if "repeat" not in row and "999" not in row["template"]
]
TEMPLATE_WORDS = [
    *"{}|.[]()'\"%xn\n",
    "{{",
    "}}",
    "{%",
    "%}",
    "{#",
    "#}",
    "{{#",
    "{{/",
    "{{^",
    "{{!",
    "{{>",
    "{{=",
    "%x%",
]
TEMPLATE_WORDS += ["{x}", "{x!r}", "{x:>9}", "\r\n", "items", "{% for x in items %}", "{% endfor %}", "{% if x %}"]
TEMPLATE_WORDS += ["{% endif %}", "{% set x = n %}", "{% macro m() %}"]
TEMPLATE_WORDS += ["{{ x|upper }}", "{{ '%s' % x }}", "\0", "\ud800", "é", "__class__", "٩"]


def template_of(dice: Random) -> tuple[str, str]:
    syntax = dice.choice(SYNTAXES)
    texts = [text for text, own in TEMPLATES if own == syntax] or [text for text, _ in TEMPLATES]
    return mutated(dice, texts, TEMPLATE_WORDS, 4), syntax


URLS = ["data:image/png;base64,iVBORw0KGgo=", "data:text/plain;charset=utf-8,a%20b", "https://example.org/a.png?b#c"]


def url_of(dice: Random) -> tuple[str, type[Any]]:
    return "data:" * dice.randint(0, 1) + mutated(dice, URLS, HEADS), dice.choice(KINDS)


def media_of(dice: Random) -> tuple[bytes, type[Any], str]:
    words = [b"\0", b"\xff", b"\xff\xff\xff\xff", b"\x80\0\0\0", b"IHDR", b"Exif\0\0", b"\0\0\0\0\0\0\0\0"]
    return mutated(dice, SAMPLES, words, 4), dice.choice(KINDS), dice.choice(STYLES[:6])


def model_of(dice: Random) -> str:
    return mutated(dice, MODELS, ["/", ":", "bedrock/", "azure/", "us.", "@", "..", " ", "\n", "%", "é"], 3)


# Plain data

LEAVES: list[Any] = [
    None,
    True,
    0,
    -1,
    1.5,
    10**30,
    float("nan"),
    "",
    "x",
    "user",
    "tool",
    "\ud800",
    b"x",
    [],
    {},
    [[]],
]
LEAVES += [
    "data:image/png;base64,iVBOR",
    "file:///etc/passwd",
    {"type": "text", "text": "x"},
    {"role": "system"},
    ["x"],
]


def changed(dice: Random, sample: Any, others: Sequence[Any]) -> Any:
    """Data of which some values are others."""
    data = copy.deepcopy(sample)
    for _ in range(dice.randint(1, 3)):
        places = list(_places(data))
        if not places:
            return dice.choice(LEAVES)
        holder, key = dice.choice(places)
        match dice.randrange(4):
            case 0:
                del holder[key]
            case 1 if isinstance(holder, dict):
                holder[dice.choice(("type", "role", "content", "text", "id", "x", 1))] = copy.deepcopy(
                    dice.choice(LEAVES)
                )
            case 2:
                donor = list(_places(dice.choice(others)))
                holder[key] = copy.deepcopy(donor[dice.randrange(len(donor))][0]) if donor else None
            case _:
                holder[key] = copy.deepcopy(dice.choice(LEAVES))
    return data


def _places(data: Any) -> Iterator[tuple[Any, Any]]:
    for key, item in data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ():
        yield data, key
        yield from _places(item)


TURNS = (
    Message("system", "S"),
    Message("user", ["a", "b"]),
    Message("assistant", ["h", ToolCall("1", "f", {"a": [1]})]),
    Message("tool", [ToolResult("1", "y", name="f")]),
)


def _adapter(style: str, **options: Any) -> Any:
    return get_adapter(style, model="gpt-4o" if style == "litellm_style" else None, **options)


RICH = {style: _adapter(style, parameters={"max_tokens": 9}).build_body(TURNS) for style in STYLES}
ALL_BODIES = [*BODIES, *RICH.values()]


def request_of(dice: Random) -> tuple[str, Any]:
    style = dice.choice(STYLES)
    return style, changed(dice, RICH[style], ALL_BODIES)


NAMES = {
    style: sorted({*_adapter(style).parameter_table().own, *_adapter(style).parameter_table().shared})
    for style in STYLES
}
SHAPES: list[Any] = [
    {"type": "json_schema", "json_schema": {"name": "x", "schema": {"type": "object"}}},
    [{"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}],
    {"type": "enabled", "budget_tokens": 9},
    ["a", "b"],
    {"effort": "low"},
]


def parameters_of(dice: Random) -> tuple[str, dict[str, Any]]:
    style = dice.choice(STYLES)
    value = changed(dice, dice.choice(SHAPES), SHAPES) if dice.random() < 0.6 else dice.choice(LEAVES)
    return style, {dice.choice(NAMES[style]): value}


def read_parameters(given: tuple[str, dict[str, Any]]) -> None:
    """Build a request with parameters, of the adapter's and of the prompt's."""
    style, parameters = given
    makes: list[Callable[[], object]] = [
        lambda: _adapter(style, parameters=parameters).build_body(Prompt(user="x")),
        lambda: _adapter(style).build_request(Prompt(user="x", parameters=parameters)),
    ]
    for make in makes:
        try:
            make()
        except PromptAdapterError:
            continue


def _dumps() -> list[Any]:
    from langchain_core.load import dumpd
    from langchain_core.prompts import ChatPromptTemplate

    made = [AdapterPromptTemplate.from_prompt(prompt) for prompt in PROMPTS]
    theirs = ChatPromptTemplate.from_messages([("system", "s"), ("user", "{x}"), ("placeholder", "{h}")])
    return [json.loads(json.dumps(dumpd(prompt))) for prompt in (*made, theirs)]


DUMPS = _dumps()
MESSAGES: list[Any] = [
    [["system", "s"], ["user", "{x} {y!r:>9}"], ["placeholder", "{h}"]],
    [
        {
            "role": "user",
            "content": [{"type": "text", "text": "{x}"}, {"type": "image_url", "image_url": {"url": "{u}"}}],
        }
    ],
    [{"role": "assistant", "content": None, "tool_calls": [{"id": "1", "function": {"name": "f", "arguments": "{}"}}]}],
    [
        {
            "role": "user",
            "content": [{"type": "image", "source_type": "base64", "data": "{d}", "mime_type": "image/png"}],
        }
    ],
]


def langchain_of(dice: Random) -> tuple[str, Any]:
    if dice.random() < 0.4:
        return "dump", changed(dice, dice.choice(DUMPS), DUMPS)
    return dice.choice(("f-string", "jinja2", "mustache")), changed(dice, dice.choice(MESSAGES), MESSAGES)


def read_langchain(given: tuple[str, Any]) -> None:
    """Load a dump, or make a template of messages and fill it."""
    kind, data = given
    if kind == "dump":
        load(data)
        return
    template = AdapterPromptTemplate.from_messages(data, template_format=kind)
    template.invoke(dict.fromkeys(template.input_variables, "x"))


QUICK: Mapping[str, tuple[Callable[[Random], Any], Callable[[Any], object]]] = {
    **{f"quick-{name}": (file_of(name), read_format) for name in FORMATS},
    "quick-assets": (asset_of, read_asset),
    "quick-templates": (template_of, read_template),
    "quick-data-urls": (url_of, read_data_url),
    "quick-media": (media_of, read_media),
    "quick-models": (model_of, read_model),
    "quick-requests": (request_of, read_request),
    "quick-parameters": (parameters_of, read_parameters),
    "quick-dumps": (langchain_of, read_langchain),
}
