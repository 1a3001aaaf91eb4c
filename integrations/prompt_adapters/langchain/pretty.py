"""Prompts for people, as LangChain prints its own."""

from __future__ import annotations

from collections.abc import Iterable

from langchain_core.messages.base import get_msg_title_repr
from langchain_core.utils.input import get_colored_text

from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Part, Text, ToolCall, ToolResult
from prompt_adapters.langchain.short import short, shortened
from prompt_adapters.prompt import Block, FewShot, History, Prompt, Turn

_TITLES = {
    "system": "System Message",
    "developer": "Developer Message",
    "user": "Human Message",
    "assistant": "AI Message",
    "tool": "Tool Message",
}
_PLACES = {"append_to_user_prompt": "user", "append_to_system_prompt": "system"}


def pretty(prompts: Iterable[Prompt], *, html: bool) -> str:
    """The messages of prompts under their titles; placeholders stay as they are written.

    Args:
        prompts: The prompts.
        html: Whether titles are bold and slots coloured, for a notebook.
    """
    return "\n\n".join(piece for prompt in prompts for piece in _pieces(prompt, html))


def _pieces(prompt: Prompt, html: bool) -> list[str]:
    pieces = [_entry(entry, html) for entry in prompt.messages]
    if prompt.few_shot is not None:
        pieces.append(_examples(prompt.few_shot, html))
    return pieces


def _examples(few_shot: FewShot, html: bool) -> str:
    where = _PLACES.get(few_shot.format)
    title = "Examples" if where is None else f"Examples, appended to the {where} message"
    if few_shot.selector is not None:
        return f"{get_msg_title_repr(title, bold=html)}\n\n[chosen by {few_shot.size}]"
    shown = [f"Input: {_parts(e.input)}\nOutput: {_parts(e.output)}" for e in few_shot.examples]
    return "\n\n".join([get_msg_title_repr(title, bold=html), *shown])


def _entry(entry: Turn | Message | History, html: bool) -> str:
    match entry:
        case History():
            title, text = "Messages Placeholder", _slot(entry.name, html)
        case Turn():
            title, text = _TITLES[entry.role], "".join(_block(block, html) for block in entry.blocks)
        case Message():
            title, text = _TITLES[entry.role], _parts(entry.parts)
    return f"{get_msg_title_repr(title, bold=html)}\n\n{text}"


def _block(block: Block, html: bool) -> str:
    if block.template is not None:
        return block.template
    if block.variable is not None:
        index = "" if block.index is None else f"[{block.index}]"
        return _slot(f"{block.variable}{index}", html)
    if block.pattern is not None:
        return f"[{block.type}: {shortened(block.pattern.data)}]"
    return "" if block.part is None else _parts((block.part,))


def _slot(name: str, html: bool) -> str:
    return get_colored_text(f"{{{name}}}", "yellow") if html else f"{{{name}}}"


def _parts(parts: Iterable[Part]) -> str:
    shown = []
    for part in parts:
        match part:
            case Text():
                shown.append(part.text)
            case ToolCall() | ToolResult():
                shown.append(f"[{part.describe()}]")
            case _:
                shown.append(short(part))
    return "".join(shown)
