"""The documented system of prompt adapters, row by row: registry, separators, block contract, payloads, assets."""

import ast
import inspect
import socket
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import prompt_adapters.adapters
from prompt_adapters import (
    PROMPT_ADAPTER_REGISTRY,
    SEPARATOR_RULES,
    BasePromptAdapter,
    GoogleGenAIStylePromptAdapter,
    Image,
    ImageWrapper,
    OpenAIStylePromptAdapter,
    Prompt,
    get_adapter,
    get_separator,
)
from prompt_adapters.adapters.registry import AdapterRegistry
from prompt_adapters.errors import (
    PromptFormatError,
    UnknownAdapterError,
    UnsupportedContentError,
)
from rows import Check, Rows
from strategies import PNG

ROWS = Rows()

PNG1 = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
DU1 = "data:image/png;base64," + PNG1


class Template:
    """A template with nothing but what the block contract asks for."""

    def __init__(self, blocks: Any, system: str | None = None) -> None:
        self.system_prompt = system
        self._blocks = blocks
        self.calls: list[dict[str, Any]] = []

    def render_blocks(self, **kwargs: Any) -> Any:
        self.calls.append(kwargs)
        return self._blocks


class Foreign:
    """An image wrapper of somebody else."""

    def as_data_url(self) -> str:
        return DU1

    def as_bytes(self) -> bytes:
        return PNG


def text(content: str) -> dict[str, Any]:
    return {"type": "text", "content": content}


A, B, IMG = text("A"), text("B"), {"type": "image", "content": ImageWrapper(PNG)}
OPENAI, GOOGLE = OpenAIStylePromptAdapter(), GoogleGenAIStylePromptAdapter()


# The registry


@ROWS.row("S0-01")
@ROWS.row("S0-02")
@ROWS.row("S0-03")
def _(folder: Path) -> None:
    assert {"openai_style", "google_style"} <= set(PROMPT_ADAPTER_REGISTRY.keys())
    assert PROMPT_ADAPTER_REGISTRY.get("openai_style") is OpenAIStylePromptAdapter
    assert PROMPT_ADAPTER_REGISTRY.get("google_style") is GoogleGenAIStylePromptAdapter


@ROWS.row("S0-04")
def _(folder: Path) -> None:
    for key in PROMPT_ADAPTER_REGISTRY:
        assert isinstance(PROMPT_ADAPTER_REGISTRY.get(key)(), BasePromptAdapter)


@ROWS.row("S0-05")
def _(folder: Path) -> None:
    registry = AdapterRegistry()
    assert type(PROMPT_ADAPTER_REGISTRY) is AdapterRegistry

    @registry.register("own_style")
    class Own(BasePromptAdapter):
        def build_payload(self, template: Any, **kwargs: Any) -> list[Any]:
            return [template.system_prompt, *template.render_blocks(**kwargs)]

    assert registry.get("own_style") is Own
    assert registry.get("own_style")().build_payload(Template([A], "S")) == ["S", A]


@ROWS.row("S0-06")
def _(folder: Path) -> None:
    with pytest.raises(UnknownAdapterError, match=r"'nope'.*openai_style"):
        PROMPT_ADAPTER_REGISTRY.get("nope")
    with pytest.raises(ValueError, match="'openai_style' is taken"):
        PROMPT_ADAPTER_REGISTRY.register("openai_style")(GoogleGenAIStylePromptAdapter)


# Separators


@ROWS.row("S0-07")
def _(folder: Path) -> None:
    assert isinstance(SEPARATOR_RULES, Mapping)
    assert all(len(pair) == 2 and isinstance(rule, str) for pair, rule in SEPARATOR_RULES.items())


def separator(previous: str, current: str, rule: str, folder: Path) -> None:
    assert get_separator(previous, current) == rule


SEPARATORS = {
    "S0-08": ("text", "image", "\n"),
    "S0-09": ("image", "text", "\n\n"),
    "S0-10": ("image", "image", "\n\n"),
    "S0-11": ("text", "text", "\n"),
    "S0-12": ("audio", "text", "\n"),
}
ROWS |= {name: partial(separator, *rule) for name, rule in SEPARATORS.items()}


# The block contract


@ROWS.row("S0-13")
def _(folder: Path) -> None:
    assert inspect.isabstract(BasePromptAdapter)
    with pytest.raises(TypeError, match="abstract"):
        BasePromptAdapter()  # type: ignore[abstract]  # the point of the row


@ROWS.row("S0-14")
def _(folder: Path) -> None:
    assert BasePromptAdapter.__abstractmethods__ == {"build_payload"}
    signature = inspect.signature(BasePromptAdapter.build_payload, eval_str=True)
    assert list(signature.parameters) == ["self", "template", "kwargs"]
    assert signature.parameters["kwargs"].kind is inspect.Parameter.VAR_KEYWORD
    assert signature.return_annotation == list[Any]


@ROWS.row("S0-15")
def _(folder: Path) -> None:
    assert OPENAI.build_payload(Template([A], "S"))[0] == {"role": "system", "content": "S"}
    assert GOOGLE.build_payload(Template([A], "S")) == ["S\n\nA"]


@ROWS.row("S0-16")
def _(folder: Path) -> None:
    for adapter in (OPENAI, GOOGLE):
        template, b = Template([A]), [2]
        adapter.build_payload(template, a=1, b=b)
        assert template.calls == [{"a": 1, "b": [2]}]
        assert template.calls[0]["b"] is b


# OpenAI style


def openai_text(content: str) -> dict[str, Any]:
    return {"type": "text", "text": content}


IMAGE_URL = {"type": "image_url", "image_url": {"url": DU1}}


def openai(system: str | None, blocks: list[Any], content: list[Any], folder: Path) -> None:
    expected = [{"role": "system", "content": system}] if system else []
    payload = OPENAI.build_payload(Template(blocks, system))
    assert payload == [*expected, {"role": "user", "content": content}]
    assert type(payload) is list
    assert type(payload[-1]["content"]) is list


OPENAI_PAYLOADS: dict[str, tuple[str | None, list[Any], list[Any]]] = {
    "S0-17": ("S", [A], [openai_text("A")]),
    "S0-18": ("", [A], [openai_text("A")]),
    "S0-18, None": (None, [A], [openai_text("A")]),
    "S0-19": (None, [A], [openai_text("A")]),
    "S0-20": ("S", [A, IMG], [openai_text("A"), openai_text("\n"), IMAGE_URL]),
    "S0-21": (None, [IMG, A], [IMAGE_URL, openai_text("\n\n"), openai_text("A")]),
    "S0-22": (None, [IMG, IMG], [IMAGE_URL, openai_text("\n\n"), IMAGE_URL]),
    "S0-23": (None, [A, B], [openai_text("A"), openai_text("\n"), openai_text("B")]),
    "S0-24": (
        None,
        [A, IMG, B],
        [openai_text("A"), openai_text("\n"), IMAGE_URL, openai_text("\n\n"), openai_text("B")],
    ),
}
ROWS |= {name: partial(openai, *row) for name, row in OPENAI_PAYLOADS.items()}


@ROWS.row("S0-25")
def _(folder: Path) -> None:
    for block in (A, IMG):
        assert len(OPENAI.build_payload(Template([block]))[0]["content"]) == 1
        assert len(GOOGLE.build_payload(Template([block]))) == 1


@ROWS.row("S0-26")
def _(folder: Path) -> None:
    for adapter in (OPENAI, GOOGLE):
        with pytest.raises(PromptFormatError, match="an empty message is never sent"):
            adapter.build_payload(Template([], "S"))


# Google style


def google(system: str | None, blocks: list[Any], expected: list[Any], folder: Path) -> None:
    """`expected` has bytes where an image stands."""
    payload = GOOGLE.build_payload(Template(blocks, system))
    assert type(payload) is list
    assert [part if isinstance(part, str) else part.inline_data.data for part in payload] == expected


GOOGLE_PAYLOADS: dict[str, tuple[str | None, list[Any], list[Any]]] = {
    "S0-27": (None, [A], ["A"]),
    "S0-28": ("S", [A], ["S\n\nA"]),
    "S0-29": ("S", [A, B], ["S\n\nA", "\n", "B"]),
    "S0-30": ("", [A], ["A"]),
    "S0-30, None": (None, [A], ["A"]),
    "S0-31": ("S", [IMG, A], [PNG, "\n\n", "S\n\nA"]),
    "S0-33": ("S", [A, IMG, B], ["S\n\nA", "\n", PNG, "\n\n", "B"]),
    "S0-35": ("S", [IMG], ["S", "\n", PNG]),
}
ROWS |= {name: partial(google, *row) for name, row in GOOGLE_PAYLOADS.items()}


@ROWS.row("S0-32")
def _(folder: Path) -> None:
    from google.genai import types

    for image in (ImageWrapper(PNG), Foreign()):
        (part,) = GOOGLE.build_payload(Template([{"type": "image", "content": image}]))
        assert part == types.Part.from_bytes(data=PNG, mime_type="image/png")


@ROWS.row("S0-34")
def _(folder: Path) -> None:
    from google.genai import _transformers

    (content,) = _transformers.t_contents(GOOGLE.build_payload(Template([A, IMG, B], "S")))
    assert content.role == "user"
    assert len(content.parts or []) == 5


@ROWS.row("S0-36")
def _(folder: Path) -> None:
    import PIL.Image

    PIL.Image.new("RGB", (2, 2)).save(folder / "a.jpg")
    (part,) = GOOGLE.build_payload(Template([{"type": "image", "content": ImageWrapper("a.jpg")}]))
    assert part.inline_data.mime_type == "image/jpeg"


# What surfaces as an exception


@ROWS.row("S0-53")
def _(folder: Path) -> None:
    for adapter, style_name in ((OPENAI, "openai_style"), (GOOGLE, "google_style")):
        with pytest.raises(UnsupportedContentError) as caught:
            adapter.build_payload(Template([A, {"type": "widget", "content": b""}, B]))
        error = caught.value
        assert (error.adapter, error.part, error.position) == (style_name, "a block of type 'widget'", "block 2")
        assert error.remedy in str(error)
        with pytest.raises(PromptFormatError, match="block 1 is not a block"):
            adapter.build_payload(Template([{"content": "A"}]))


@ROWS.row("S0-54")
def _(folder: Path) -> None:
    for adapter in (OPENAI, GOOGLE):
        for content in (PNG, "a.png", None, object()):
            with pytest.raises(
                TypeError, match=r"block 2 \(image\) must hold Image\(...\), or an object with as_data_url"
            ):
                adapter.build_payload(Template([A, {"type": "image", "content": content}]))


@ROWS.row("S0-55")
def _(folder: Path) -> None:
    for adapter in (OPENAI, GOOGLE):
        with pytest.raises(TypeError, match=r"object is not a prompt: .*render_blocks"):
            adapter.build_payload(object())
        with pytest.raises(TypeError, match=r"Template\.render_blocks\(\) must give a list of blocks, not str"):
            adapter.build_payload(Template("A"))


@ROWS.row("S0-56")
def _(folder: Path) -> None:
    class Odd(Foreign):
        def as_data_url(self) -> str:
            return "data:image/png;base64,odd"

    class Failing(Foreign):
        def as_data_url(self) -> str:
            raise RuntimeError("the wrapper's own")

    content = OPENAI.build_payload(Template([{"type": "image", "content": Odd()}]))[0]["content"]
    assert content[0]["image_url"]["url"] == "data:image/png;base64,odd"
    with pytest.raises(RuntimeError, match="the wrapper's own"):
        OPENAI.build_payload(Template([{"type": "image", "content": Failing()}]))


# What belongs where

CLIENTS = {"openai", "anthropic", "httpx", "requests", "aiohttp", "urllib", "socket", "boto3", "litellm"}


@ROWS.row("S0-57")
def _(folder: Path) -> None:
    for path in Path(prompt_adapters.adapters.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not {name.partition(".")[0] for name in names} & CLIENTS, path.name
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket, "socket", None)
        assert len(OPENAI.build_payload(Template([A, IMG], "S"))) == 2
        assert len(GOOGLE.build_payload(Template([A, IMG], "S"))) == 3


@ROWS.row("S0-59")
def _(folder: Path) -> None:
    for key in PROMPT_ADAPTER_REGISTRY:
        public = [name for name in dir(PROMPT_ADAPTER_REGISTRY.get(key)) if not name.startswith("_")]
        assert not [name for name in public if any(word in name for word in ("parse", "response", "answer", "output"))]


@ROWS.row("S0-60")
def _(folder: Path) -> None:
    for adapter in (OPENAI, GOOGLE):
        blocks = [dict(A), {"type": "image", "content": Foreign()}, dict(B)]
        template, before = Template(blocks, "S"), [dict(block) for block in blocks]
        first = adapter.build_payload(template, a=1)
        assert adapter.build_payload(template, a=1) == first
        assert (template.system_prompt, blocks) == ("S", before)
        first.clear()
        assert adapter.build_payload(template, a=1) != []


# The document's own examples


@ROWS.row("S0, typical output shape")
def _(folder: Path) -> None:
    assert get_adapter("openai_style").build_payload(Template([text("..."), IMG], "...")) == [
        {"role": "system", "content": "..."},
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "..."},
                {"type": "text", "text": "\n"},
                {"type": "image_url", "image_url": {"url": DU1}},
            ],
        },
    ]


@ROWS.row("S0, every shape keeps the contract")
def _(folder: Path) -> None:
    for key in PROMPT_ADAPTER_REGISTRY:
        template = Template([A, IMG, B], "the system text")
        payload = get_adapter(key).build_payload(template, a=1)
        assert type(payload) is list
        assert template.calls == [{"a": 1}]
        shown = str(payload)
        assert "the system text" in shown, key
        assert PNG1 in shown or repr(PNG)[:8] in shown, key


@ROWS.row("S0, a prompt of ours follows the contract too")
def _(folder: Path) -> None:
    prompt = Prompt(system="S", user=[text("{{ a }}"), {"type": "image", "variable": "b"}, text("B")])
    for adapter in (OPENAI, GOOGLE):
        mine = adapter.build_payload(prompt, a="A", b=Image(PNG))
        assert mine == adapter.build_payload(Template([A, IMG, B], "S"))


@ROWS.parametrize()
def test_row(check: Check, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    check(tmp_path)
