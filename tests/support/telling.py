"""Prompts that each have one thing which some format may lack; import them as ``from telling import TELLING``."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from prompt_adapters import (
    Audio,
    Document,
    FewShot,
    History,
    Image,
    Message,
    Prompt,
    Text,
    ToolCall,
    ToolResult,
    Variable,
    Video,
)
from prompt_adapters.content.parts import Part
from prompt_adapters.formats import FORMATS
from prompt_adapters.prompt import Block, Turn
from strategies import GIF, MP4, PDF, PNG, WAV

_SHOTS = [{"input": "What is red?", "output": "The boat."}, {"input": "What is blue?", "output": "The sea."}]
_ASK = [("system", "Be brief."), ("user", "Why {{ topic }}?")]


def _slot(*blocks: Any) -> Prompt:
    return Prompt(messages=[Turn("user", blocks, spaced=False)])


TELLING: dict[str, Prompt] = {
    "text": Prompt("Be brief.", "Why is the sky blue?"),
    "several turns": Prompt(messages=[("user", "Hi."), ("assistant", "Hello!"), ("user", "Why {{ topic }}?")]),
    "final assistant turn": Prompt(messages=[*_ASK, ("assistant", "Because")]),
    "developer turn": Prompt(messages=[("developer", "Be brief."), ("user", "Why?")]),
    "system turn in the middle": Prompt(messages=[("user", "Hi."), ("system", "Be brief."), ("user", "Why?")]),
    "history": Prompt(messages=[("system", "Be brief."), History("chat"), ("user", "Why {{ topic }}?")]),
    "optional history": Prompt(messages=[History("chat", required=False), ("user", "Why {{ topic }}?")]),
    "last messages of a history": Prompt(messages=[History("chat", last=4), ("user", "Why {{ topic }}?")]),
    "tool turns": Prompt(
        messages=[
            ("user", "Weather?"),
            Message("assistant", [ToolCall("call_1", "weather", {"city": "Rome"})]),
            Message("tool", [ToolResult("call_1", "17 degrees")]),
            ("user", "And {{ topic }}?"),
        ]
    ),
    "result of a tool with an image": Prompt(
        messages=[
            ("user", "Show {{ topic }}."),
            Message(
                "assistant", [Text("I draw."), ToolCall("call_1", "draw", {"n": 1}), ToolCall("call_2", "draw", {})]
            ),
            Message("tool", [ToolResult("call_1", [Image(PNG)]), ToolResult("call_2", "failed", error=True)]),
        ]
    ),
    "block list": Prompt("Be brief.", ["Why {{ topic }}?", "Answer in {{ language }}."]),
    "empty text": Prompt(messages=[Message("user", [Image(PNG), Text("")])]),
    "empty text beside a tool call": Prompt(
        messages=[("user", "Weather?"), Message("assistant", [Text(""), ToolCall("call_1", "weather", {})])]
    ),
    "text of blanks": Prompt(messages=[Message("user", [Image(PNG), Text(" \n")])]),
    "participant's name": Prompt(messages=[Message("user", "Hi.", name="ada"), ("user", "Why?")]),
    "variables": Prompt("Answer in {{ language }}.", "Why {{ topic }}?"),
    "default value": Prompt(user="Why {{ topic }}?", variables=[Variable("topic", default="rain")]),
    "description of a variable": Prompt(
        user="Why {{ topic }}?", variables=[Variable("topic", description="what is asked about")]
    ),
    "optional variable": Prompt(
        user="Why {{ topic }}?{{ hint }}", variables=["topic", Variable("hint", required=False)]
    ),
    "type of a variable": Prompt(user="Look at {{ photo }}", variables=[Variable("photo", type="image")]),
    "variable that no template uses": Prompt(user="Why {{ topic }}?", variables=["topic", "later"]),
    "few-shot turns": Prompt(messages=_ASK, few_shot=FewShot(_SHOTS)),
    "few-shot in the user turn": Prompt(messages=_ASK, few_shot=FewShot(_SHOTS, "append_to_user_prompt")),
    "few-shot in the system turn": Prompt(messages=_ASK, few_shot=FewShot(_SHOTS, "append_to_system_prompt")),
    "few-shot turns with an image": Prompt(
        messages=_ASK, few_shot=FewShot([{"input": ["What is this?", Image(PNG)], "output": "A dot."}])
    ),
    "image slot": _slot("Look: ", {"type": "image", "variable": "photo"}),
    "one image of a list": _slot("Look: ", {"type": "image", "variable": "photos", "index": 0}, " and {{ topic }}"),
    "image slot with separators": Prompt(user=["Look:", {"type": "image", "variable": "photo"}, "and {{ topic }}"]),
    "image": Prompt(messages=[Message("user", ["Look:", Image(PNG)])]),
    "link to an image": Prompt(messages=[Message("user", ["Look:", Image.from_url("https://example.org/a.png")])]),
    "detail of an image": Prompt(messages=[Message("user", ["Look:", Image(PNG, detail="low")])]),
    "uploaded file": Prompt(
        messages=[Message("user", ["Read:", Document.from_uploaded("file-abc123", mime="application/pdf")])]
    ),
    "audio slot": _slot("Listen: ", {"type": "audio", "variable": "sound"}),
    "audio slot with separators": Prompt(user=["Listen:", {"type": "audio", "variable": "sound"}]),
    "video slot": _slot("Watch: ", {"type": "video", "variable": "clip"}),
    "document slot": _slot("Read: ", {"type": "document", "variable": "report"}),
    "video": Prompt(messages=[Message("user", ["Watch:", Video(MP4)])]),
    "audio": Prompt(messages=[Message("user", ["Listen:", Audio(WAV)])]),
    "document": Prompt(messages=[Message("user", ["Read:", Document(PDF)])]),
    "name of a document": Prompt(messages=[Message("user", ["Read:", Document(PDF, name="report.pdf")])]),
    "cache mark": Prompt(messages=[Message("system", [Text("Be brief.", cache=True)]), ("user", "Why?")]),
    "cache mark in a block list": Prompt(
        messages=[Turn("user", [Block("text", template="Long {{ topic }}.", cache=True), "Why?"])]
    ),
    "model": Prompt(user="Why?", model="openai/gpt-4o"),
    "temperature": Prompt(user="Why?", parameters={"temperature": 0.2, "max_tokens": 300}),
    "nested parameter": Prompt(user="Why?", parameters={"response_format": {"type": "json_object"}}),
    "name": Prompt(user="Why?", name="sky"),
    "version": Prompt(user="Why?", version="3"),
    "metadata": Prompt(user="Why?", metadata={"owner": "vision", "reviewed": True}),
    "loop": Prompt(user="{% for topic in topics %}Why {{ topic }}? {% endfor %}"),
    "condition": Prompt(user="Why {{ topic }}?{% if hint %} Hint: {{ hint }}{% endif %}"),
    "filter": Prompt(user="Why {{ topic | upper }}?"),
    "comment": Prompt(user="Why {{ topic }}?{# asked often #}"),
    "set and macro": Prompt(
        user="{% set who = name | title %}{% macro hi(x) %}Hi {{ x }}!{% endmacro %}{{ hi(who) }} {{ hi('you') }}"
    ),
    "raw text": Prompt(user="Why {{ topic }}? Write {% raw %}{{ topic }} and {% if %}{% endraw %}."),
    "mustache section": Prompt(
        user="{{#topics}}Why {{name}}? {{/topics}}{{^topics}}Why?{{/topics}}", syntax="mustache"
    ),
    "slot and LaTeX": Prompt(user=r"Solve \frac{a}{b} for {{ a }}, as {\"a\": 1}.", syntax="plain"),
    "slot and percent signs": Prompt(user="Is %share% more than 50%?", syntax="percent"),
    "slot and JSON": Prompt(user='Fill {name} into {"k": {"name": 1}}.', syntax="braces"),
    "f-string slot": Prompt(user="Fill {name} into {{}}.", syntax="f-string"),
    "text like a slot": Prompt(user="Write {{ name }} and {name} as they stand.", syntax="none"),
}

# Where a format is written under a suffix that belongs to another one first.
_SUFFIXES = {"messages": ".json", "langchain": ".json", "dotprompt": ".prompt", "promptfoo": ".json"}


def place_for(folder: Path, format_: str, stem: str = "prompt") -> Path:
    """A path for a prompt of a format."""
    suffixes = FORMATS[format_].suffixes
    return folder / f"{stem}{suffixes[0] if suffixes else _SUFFIXES.get(format_, '')}"


def values(prompt: Prompt) -> dict[str, Any]:
    """Values for the variables of one of these prompts that have no default."""
    slots = {
        block.variable: block.type for entry in prompt.messages if isinstance(entry, Turn) for block in entry.blocks
    }
    found: dict[str, Any] = {
        "image": Image(PNG),
        "audio": Audio(WAV),
        "video": Video(MP4),
        "document": Document(PDF),
        "chat": [("user", "Hi."), ("assistant", "Hello!")],
        "photos": [Image(PNG), Image(GIF)],
        "topics": [{"name": "tides"}] if prompt.syntax == "mustache" else ["tides", "rain"],
    }
    given = [variable for variable in prompt.variables if not variable.has_default]
    return {v.name: found.get(v.name, found.get(v.type or slots.get(v.name, ""), f"<{v.name}>")) for v in given}


def bare(messages: Iterable[Message]) -> list[Message]:
    """Messages in which texts beside each other are one, however they were written."""
    made = []
    for message in messages:
        parts: list[Part] = []
        for part in message.parts:
            last = parts[-1] if parts else None
            if isinstance(part, Text) and isinstance(last, Text) and not (part.cache or last.cache):
                parts[-1] = Text(last.text + part.text)
            else:
                parts.append(part)
        made.append(message.replace(parts=parts))
    return made
