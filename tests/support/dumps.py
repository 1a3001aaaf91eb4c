"""Dumps of LangChain's prompts, written by hand and read; and what messages say."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from langchain_core.prompts import ChatPromptTemplate

from prompt_adapters import Message, Prompt, Text
from prompt_adapters.content.parts import Part
from prompt_adapters.formats.langchain import dump, parse

HERE = Path("prompt.json")
SECRET = {"lc": 1, "type": "secret", "id": ["OPENAI_API_KEY"]}


def read(data: object) -> Prompt:
    return parse(json.dumps(data), HERE)


def written(prompt: Prompt) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(dump(prompt, HERE))
    return data


def chat(*messages: Any, **options: Any) -> ChatPromptTemplate:
    return ChatPromptTemplate([*messages], **options)


def of(name: str, fields: dict[str, Any], path: str = "langchain.prompts.chat") -> dict[str, Any]:
    return {"lc": 1, "type": "constructor", "id": [*path.split("."), name], "kwargs": fields}


def text(template: object = "{q}", **more: Any) -> dict[str, Any]:
    return of(
        "PromptTemplate", {"template": template, "template_format": "f-string", **more}, "langchain.prompts.prompt"
    )


def turn(prompt: object, **more: Any) -> dict[str, Any]:
    return of("ChatPromptTemplate", {"messages": [of("HumanMessagePromptTemplate", {"prompt": prompt, **more})]})


def message(**fields: Any) -> dict[str, Any]:
    return of("ChatPromptTemplate", {"messages": [of("HumanMessage", fields, "langchain.schema.messages")]})


MARK = object()


def said(messages: Iterable[Message]) -> list[tuple[object, ...]]:
    """What messages say: their texts joined; a mark before anything, or after a mark, marks nothing."""
    return [(message.role, message.name, *_joined(message.parts)) for message in messages]


def _joined(parts: Iterable[Part]) -> list[object]:
    found: list[object] = []
    for part in parts:
        last = found[-1] if found else MARK
        if not isinstance(part, Text):
            found.append(part.replace(cache=False))
        elif part.text and isinstance(last, str):
            found[-1] = last + part.text
        elif part.text:
            found.append(part.text)
        if part.cache and found and found[-1] is not MARK:
            found.append(MARK)
    return found
