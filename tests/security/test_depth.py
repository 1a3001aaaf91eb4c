"""Data nested a thousand levels deep, or that hold themselves, at every door: an error of the package, no crash."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from prompt_adapters import (
    FewShot,
    History,
    Message,
    Prompt,
    PromptAssetStore,
    SimplePrompt,
    ToolCall,
    ToolResult,
    Variable,
    convert_messages_to_gemini,
    format_prompt,
    from_request,
    get_adapter,
    load_prompt,
    save_prompt,
)
from prompt_adapters.adapters import PROMPT_ADAPTER_REGISTRY
from prompt_adapters.cli import main
from prompt_adapters.content.plain_data import MAX_DEPTH, check_plain
from prompt_adapters.errors import PromptAdapterError, PromptFormatError
from prompt_adapters.formats import FORMATS
from prompt_adapters.langchain import AdapterPromptTemplate, AdapterRunnable, load
from prompt_adapters.litellm import LiteLLMBridge

STYLES = sorted(key for key in PROMPT_ADAPTER_REGISTRY if PROMPT_ADAPTER_REGISTRY[key].__module__.startswith("prompt_"))


def deep(levels: int, kind: int) -> Any:
    value: Any = "x"
    for level in range(levels):
        value = [value] if kind == 0 or (kind == 1 and level % 2) else {"a": value}
    return value


def ring() -> Any:
    data: dict[str, Any] = {}
    data["a"] = [data]
    return data


def laughs() -> Any:
    value: Any = ["x"]
    for _ in range(40):
        value = [value, value]
    return value


DEEP: dict[str, Callable[[], Any]] = {
    f"{name}, {levels}": (lambda levels=levels, kind=kind: deep(levels, kind))  # type: ignore[misc]  # its defaults
    for levels in (150, 400, 950, 30_000)
    for kind, name in enumerate(("lists", "both", "objects"))
}
DEEP |= {"ring": ring, "laughs": laughs}


def adapter(style: str, **options: Any) -> Any:
    return get_adapter(style, model="gpt-4o" if style == "litellm_style" else None, **options)


def each(*uses: Callable[[], object]) -> None:
    """Each of several uses gives a result or an error of the package."""
    for use in uses:
        try:
            use()
        except PromptAdapterError as error:
            assert "\n" not in str(error)  # noqa: PT017 - it need not be raised


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from places(item, (*path, key))


def put(value: Any, path: tuple[Any, ...], data: Any) -> Any:
    if not path:
        return data
    whole = place = copy.deepcopy(value)
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = data
    return whole


TURNS = (
    Message("system", "S"),
    Message("user", "a"),
    Message("assistant", ["h", ToolCall("1", "f", {"a": 1})]),
    Message("tool", [ToolResult("1", "y", name="f")]),
)
BODIES = {style: adapter(style, parameters={"max_tokens": 9}).build_body(TURNS) for style in STYLES}
SHAPES: list[Callable[[Any], dict[str, Any]]] = [
    lambda data: {"stop": data},
    lambda data: {"tools": [{"type": "function", "function": {"name": "f", "parameters": data}}]},
    lambda data: {"response_format": {"type": "json_schema", "json_schema": {"name": "x", "schema": data}}},
    lambda data: {"extra_body": data},
    lambda data: {"metadata": {"a": data}},
    lambda data: {"unknown": data},
]
CONTENTS: list[Callable[[Any], Any]] = [
    lambda data: data,
    lambda data: [data],
    lambda data: [{"role": "user", "content": data}],
    lambda data: [{"role": "user", "content": [data]}],
    lambda data: [{"role": "user", "content": [{"type": "image_url", "image_url": data}]}],
    lambda data: [
        {"role": "assistant", "tool_calls": [{"id": "1", "function": {"name": "f", "arguments": {"a": data}}}]}
    ],
    lambda data: [{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1", "content": data}]}],
]


def by_parameters(data: Any, _: Path) -> None:
    for shape in SHAPES:
        for style in STYLES:
            each(
                lambda style=style, shape=shape: adapter(style, parameters=shape(data)).build_body(Prompt(user="x")),  # type: ignore[misc]  # its defaults
                lambda style=style, shape=shape: adapter(style).build_request(Prompt(user="x", parameters=shape(data))),  # type: ignore[misc]  # its defaults
            )


def by_requests(data: Any, _: Path) -> None:
    for style, body in BODIES.items():
        for path in places(body):
            each(lambda style=style, body=body, path=path: from_request(style, put(body, path, data)))  # type: ignore[misc]  # its defaults


def by_prompt(data: Any, folder: Path) -> None:
    def made(**arguments: Any) -> None:
        prompt = Prompt(user="{{ x }}", **arguments)
        assert prompt == Prompt.from_json(prompt.to_json())
        assert prompt.digest
        assert repr(prompt)
        for name in FORMATS:
            path = folder / f"saved-{name}"
            each(partial(save_prompt, prompt, path, name), partial(load_prompt, path, name))

    each(
        lambda: made(parameters={"a": data}),
        lambda: made(metadata={"a": data}),
        lambda: made(variables=[Variable("x", default=data)]),
        lambda: Prompt(user=["a", data]),
        lambda: FewShot([{"input": data, "output": "x"}]),
        lambda: Prompt.from_json({"messages": [data]}),
        lambda: Prompt.from_json({"messages": [{"role": "user", "blocks": [data]}]}),
        lambda: Prompt.from_json({"messages": [{"role": "user", "parts": [data]}]}),
        lambda: Prompt.from_json({"messages": [{"role": "user", "blocks": [{"type": "image", "pattern": data}]}]}),
        lambda: ToolCall("1", "f", {"a": data}),
    )


def by_messages(data: Any, _: Path) -> None:
    for shape in CONTENTS:
        given = shape(data)
        each(
            lambda given=given: Prompt(messages=[History("c"), ("user", "x")]).render(c=given),  # type: ignore[misc]  # its default
            lambda given=given: convert_messages_to_gemini(given),  # type: ignore[misc]  # its default
            lambda given=given: format_prompt([{"role": "user", "content": given}], {}, nested=True),  # type: ignore[misc]  # its default
            lambda given=given: SimplePrompt.from_string("$user$\n%x%").build_messages(x=given),  # type: ignore[misc]  # its default
        )


def by_langchain(data: Any, _: Path) -> None:
    from langchain_core.messages import AIMessage, HumanMessage

    chat = AdapterPromptTemplate.from_messages([("placeholder", "{c}"), ("user", "{x}")])
    block = {"type": "image_url", "image_url": {"url": "{x}", "more": data}}
    template_formats = ("f-string", "jinja2", "mustache")
    for made in (data, [data], block, [block]):
        for written in template_formats:
            each(lambda made=made, w=written: AdapterPromptTemplate.from_messages([("user", made)], template_format=w))  # type: ignore[misc]  # its defaults
    each(lambda: chat.invoke({"x": data, "c": []}), lambda: chat.invoke({"x": "y", "c": data}))
    for message in (
        AIMessage("x", tool_calls=[{"id": "1", "name": "f", "args": {"a": data}}]),
        HumanMessage("x", additional_kwargs={"a": data}),
        HumanMessage("x", response_metadata={"a": data}),
    ):
        each(
            lambda m=message: chat.invoke({"x": "y", "c": [m]}).to_messages(),  # type: ignore[misc]  # its default
            lambda m=message: AdapterRunnable("openai_style").invoke([m]),  # type: ignore[misc]  # its default
        )
    each(lambda: load(data), lambda: load({"lc": 1, "type": "constructor", "id": ["x"], "kwargs": {"a": data}}))


def by_litellm(data: Any, _: Path) -> None:
    bridge = LiteLLMBridge(model="gpt-4o")
    for name in ("tools", "metadata", "extra_headers", "response_format", "stop", "unknown"):
        each(lambda name=name: bridge.request(Prompt(user="x"), {}, **{name: data}))  # type: ignore[misc]  # its default
    for shape in SHAPES:
        each(lambda shape=shape: bridge.request(Prompt(user="x", parameters=shape(data)), {}))  # type: ignore[misc]  # its default


def by_asset_store(data: Any, folder: Path) -> None:
    each(lambda: PromptAssetStore(folder).resolve({"init_config": {"prompt_info": {"prompt_id": "a"}, "more": data}}))


DOORS = [by_parameters, by_requests, by_prompt, by_messages, by_langchain, by_litellm, by_asset_store]


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("name", DEEP)
def test_deep_data_are_refused(door: Callable[[Any, Path], None], name: str, tmp_path: Path) -> None:
    if name == "laughs" and door is by_langchain:
        return  # pydantic looks through each message before this package sees it
    door(DEEP[name](), tmp_path)


WRITTEN = {
    "a.json": ['{"user_prompt": "x", "metadata": X}', '{"user_prompt": "x", "few_shot": X}', '{"user_prompt": X}', "X"],
    "a.yaml": ["user_prompt: [{text: x}]\nmetadata: {a: X}", "user_prompt: X", "X"],
    "a.prompt": ["---\na: X\n---\n$user$\nx"],
}


@pytest.mark.parametrize("levels", [90, 150, 330, 700, 950, 30_000])
@pytest.mark.parametrize("name", WRITTEN)
def test_deep_files_are_refused(name: str, levels: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for text in WRITTEN[name]:
        for data in ("[" * levels + "]" * levels, '{"a":' * levels + "1" + "}" * levels):
            path = tmp_path / name
            path.write_text(text.replace("X", data))
            each(lambda path=path: save_prompt(load_prompt(path), path))  # type: ignore[misc]  # its default
            main(["convert-request", "--from", "openai_style", "--to", "anthropic_style", str(path)])
            assert "Traceback" not in "".join(capsys.readouterr())


def test_as_deep_as_data_may_be(tmp_path: Path) -> None:
    for kind in range(3):
        prompt = Prompt(user="x", metadata={"a": deep(MAX_DEPTH - 1, kind)})
        assert Prompt.from_json(json.dumps(prompt.to_json())) == prompt
        save_prompt(prompt, tmp_path / "p.json")
        assert load_prompt(tmp_path / "p.json") == prompt
        call = Message("assistant", [ToolCall("1", "f", {"a": deep(MAX_DEPTH - 1, kind)})])
        for style in STYLES:
            turns = (Message("user", "x"), call, Message("tool", [ToolResult("1", "y", name="f")]))
            body = adapter(style, parameters={"max_tokens": 9}).build_body(turns)
            assert any(isinstance(part, ToolCall) for turn in from_request(style, body) for part in turn.parts)
        with pytest.raises(PromptFormatError, match="plain JSON data: they are nested too deeply"):
            prompt.replace(metadata={"a": deep(MAX_DEPTH, kind)})


@pytest.mark.parametrize("value", [None, "x", 1, b"x", object(), {1, 2}])
def test_what_holds_nothing_is_not_deep(value: Any) -> None:
    check_plain(value, "x")


def test_a_tool_result_in_a_tool_result_is_refused() -> None:
    part: dict[str, Any] = {"type": "text", "text": "x"}
    for _ in range(20):
        part = {"type": "tool_result", "id": "1", "parts": [part]}
    with pytest.raises(PromptFormatError, match="a tool result holds text and media, not ToolResult"):
        Prompt.from_json({"messages": [{"role": "tool", "parts": [part]}]})
