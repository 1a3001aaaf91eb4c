"""What is rendered and converted: the same work, written for this package and for LangChain's prompts."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any, NamedTuple

from prompt_adapters import FewShot, History, Image, Prompt

_HOLES = {"f-string": "{%s}", "mustache": "{{{%s}}}", "jinja2": "{{ %s }}"}
_LOOP = "{% for item in items %}- {{ item.name }}: {{ item.price }}\n{% endfor %}What is the total?"
FORMATS = tuple(_HOLES)


class Case(NamedTuple):
    """One piece of work.

    Attributes:
        name: What it is.
        prompt: The prompt as this package has it.
        values: Its values.
        theirs: LangChain's prompts by template format.
        their_values: The values as LangChain's prompts take them.
        media: The bytes that LangChain's users turn into the data URL `photo_url` at each call; None for none.
        messages: OpenAI's messages with the same content, as users of LiteLLM write them.
    """

    name: str
    prompt: Prompt
    values: dict[str, Any]
    theirs: Mapping[str, Any]
    their_values: dict[str, Any]
    messages: list[dict[str, Any]]
    media: bytes | None = None


def png(size: int) -> bytes:
    """A PNG file of about so many bytes, whole in its structure."""
    head = b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", (64).to_bytes(4, "big") * 2 + b"\x08\x02\0\0\0")
    return head + _chunk(b"IDAT", _noise(size)) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, body: bytes) -> bytes:
    return len(body).to_bytes(4, "big") + kind + body + bytes(4)


def jpeg(size: int) -> bytes:
    """A JPEG file of about so many bytes, with the segments of a camera, whole in its structure."""
    frame = b"\x08" + (64).to_bytes(2, "big") * 2 + b"\x03\x01\x22\0\x02\x11\x01\x03\x11\x01"
    segments = [(0xE0, b"JFIF\0\x01\x01\0\0\x01\0\x01\0\0"), (0xDB, bytes(65)), (0xDB, bytes(65)), (0xC0, frame)]
    segments += [(0xC4, bytes(28))] * 4 + [(0xDA, b"\x03\x01\0\x02\x11\x03\x11\0\x3f\0")]
    head = b"".join(b"\xff" + bytes([kind]) + (len(body) + 2).to_bytes(2, "big") + body for kind, body in segments)
    return b"\xff\xd8" + head + _noise(size) + b"\xff\xd9"


def _noise(size: int) -> bytes:
    return (bytes(range(0, 250, 7)) * (size // 36 + 1))[:size]


def _template(entries: list[Any], template_format: str) -> Any:
    from langchain_core.prompts import ChatPromptTemplate

    return ChatPromptTemplate(entries, template_format=template_format)  # type: ignore[arg-type]  # one of FORMATS


def _by_format(system: str, user: Any) -> dict[str, Any]:
    return {
        form: _template([("system", _filled(system, hole)), ("human", _filled(user, hole))], form)
        for form, hole in _HOLES.items()
    }


def _filled(content: Any, hole: str) -> Any:
    """A content whose slots are written as ``<name>``, in a template format."""
    match content:
        case str():
            for name in ("who", "a", "b", "q", "photo_url"):
                content = content.replace(f"<{name}>", hole % name)
            return content
        case list():
            return [_filled(item, hole) for item in content]
        case dict():
            return {key: _filled(item, hole) for key, item in content.items()}
    return content


def _said(system: str, user: Any, between: list[dict[str, Any]] | None = None) -> list[dict[str, Any]]:
    return [{"role": "system", "content": system}, *(between or []), {"role": "user", "content": user}]


def text_case() -> Case:
    """Text with three variables."""
    values = {"who": "a critic", "a": "this", "b": "that"}
    return Case(
        "text, 3 variables",
        Prompt(system="You are {{ who }}.", user="Compare {{ a }} with {{ b }}."),
        values,
        _by_format("You are <who>.", "Compare <a> with <b>."),
        values,
        _said("You are a critic.", "Compare this with that."),
    )


def few_shot_case(count: int = 20) -> Case:
    """Few-shot examples as turns."""
    from langchain_core.prompts import FewShotChatMessagePromptTemplate

    examples = [{"input": f"in {number}", "output": f"out {number}"} for number in range(count)]
    values = {"who": "a critic", "q": "Why?"}
    theirs = {}
    for form, hole in _HOLES.items():
        pair = _template([("human", hole % "input"), ("ai", hole % "output")], form)
        shots = FewShotChatMessagePromptTemplate(examples=examples, example_prompt=pair)
        system, user = (_filled(text, hole) for text in ("You are <who>.", "<q>"))
        theirs[form] = _template([("system", system), shots, ("human", user)], form)
    shown = [{"role": role, "content": e[key]} for e in examples for role, key in _ROLES]
    prompt = Prompt(system="You are {{ who }}.", user="{{ q }}", few_shot=FewShot(examples))
    return Case(f"{count} few-shot examples", prompt, values, theirs, values, _said("You are a critic.", "Why?", shown))


_ROLES = (("user", "input"), ("assistant", "output"))


def image_case(name: str, data: bytes, mime: str) -> Case:
    """A text and an image that is at hand; LangChain's users make the data URL themselves."""
    url = f"data:{mime};base64,{base64.b64encode(data).decode()}"
    text = "Compare <a> with this:"
    blocks: list[Any] = [{"type": "text", "text": text}, {"type": "image_url", "image_url": {"url": "<photo_url>"}}]
    said = [{"type": "text", "text": "Compare that with this:"}, {"type": "image_url", "image_url": {"url": url}}]
    values = {"who": "a critic", "a": "that"}
    return Case(
        name,
        Prompt(system="You are {{ who }}.", user="Compare {{ a }} with this: {{ photo }}"),
        {**values, "photo": Image(data)},
        _by_format("You are <who>.", blocks),
        values,
        _said("You are a critic.", said),
        data,
    )


def history_case(count: int = 50) -> Case:
    """A conversation of many turns, each side's messages in its own form."""
    from langchain_core.messages import AIMessage, HumanMessage

    from prompt_adapters import Message

    said = [("assistant" if number % 2 else "user", f"This is turn {number}.") for number in range(count)]
    ours = [Message(role, text) for role, text in said]
    theirs = [(AIMessage if role == "assistant" else HumanMessage)(text) for role, text in said]
    values = {"who": "a critic", "q": "Why?"}
    entries = {
        form: _template(
            [("system", _filled("You are <who>.", hole)), ("placeholder", "{chat}"), ("human", hole % "q")], form
        )
        for form, hole in _HOLES.items()
    }
    return Case(
        f"{count} turns",
        Prompt(messages=[("system", "You are {{ who }}."), History("chat"), ("user", "{{ q }}")]),
        {**values, "chat": ours},
        entries,
        {**values, "chat": theirs},
        _said("You are a critic.", "Why?", [{"role": role, "content": text} for role, text in said]),
    )


def loop_case(count: int = 50) -> Case:
    """A Jinja loop; of LangChain's formats only jinja2 has one."""
    items = [{"name": f"item {number}", "price": number} for number in range(count)]
    values = {"who": "a critic", "items": items}
    said = "".join(f"- item {number}: {number}\n" for number in range(count)) + "What is the total?"
    return Case(
        f"Jinja loop, {count} items",
        Prompt(system="You are {{ who }}.", user=_LOOP),
        values,
        {"jinja2": _template([("system", "You are {{ who }}."), ("human", _LOOP)], "jinja2")},
        values,
        _said("You are a critic.", said),
    )


def all_cases() -> list[Case]:
    """Every case."""
    return [
        text_case(),
        few_shot_case(),
        history_case(),
        loop_case(),
        image_case("100 kB PNG", png(100_000), "image/png"),
        image_case("5 MB JPEG", jpeg(5_000_000), "image/jpeg"),
    ]
