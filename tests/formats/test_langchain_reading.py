"""The objects of a dump of LangChain as a prompt."""

import json
from pathlib import Path
from typing import Any

import pytest
from langchain_core.load import dumpd
from langchain_core.messages import AIMessage, ChatMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.prompts import (
    AIMessagePromptTemplate,
    ChatMessagePromptTemplate,
    HumanMessagePromptTemplate,
    MessagesPlaceholder,
    PromptTemplate,
    SystemMessagePromptTemplate,
)
from langchain_core.prompts.image import ImagePromptTemplate

from dumps import chat, read, said
from prompt_adapters import (
    History,
    Image,
    Message,
    Prompt,
    Text,
    ToolCall,
    ToolResult,
    Variable,
    load_prompt,
)
from prompt_adapters.blocks import Block
from prompt_adapters.content.read import read_messages
from prompt_adapters.langchain import from_langchain
from prompt_adapters.patterns import Pattern
from prompt_adapters.turns import Turn

URL = "https://example.org/a.png"
CALL = {"type": "tool_call", "id": "1", "name": "f", "args": {"a": [1]}}
IMAGE = {"type": "image_url", "image_url": {"url": "{u}"}}
# name: (what is dumped, the prompt)
ROWS: dict[str, tuple[Any, Prompt]] = {
    "chat": (
        chat(("system", "Be {tone}. {{}}"), ("human", "{q}"), ("ai", "So:")),
        Prompt(messages=[("system", "Be {tone}. {{}}"), ("user", "{q}"), ("assistant", "So:")], syntax="f-string"),
    ),
    "mustache": (
        chat(("human", "{{{q}}} {{#docs}}{{t}}{{/docs}}"), template_format="mustache"),
        Prompt(messages=[("user", "{{{q}}} {{#docs}}{{t}}{{/docs}}")], syntax="mustache"),
    ),
    "string": (PromptTemplate.from_template("{q}?"), Prompt(user="{q}?", syntax="f-string")),
    "partial": (
        PromptTemplate.from_template("{q} {n}", partial_variables={"n": "3"}),
        Prompt(user="{q} {n}", variables=[Variable("n", default="3")], syntax="f-string"),
    ),
    "partial of a chat": (
        chat(("human", "{q} {n}")).partial(n="3"),
        Prompt(messages=[("user", "{q} {n}")], variables=[Variable("n", default="3")], syntax="f-string"),
    ),
    "placeholders": (
        chat(MessagesPlaceholder("a"), MessagesPlaceholder("b", optional=True, n_messages=2), ("human", "{q}")),
        Prompt(
            messages=[History("a"), History("b", required=False, last=2), ("user", "{q}")],
            syntax="f-string",
        ),
    ),
    "roles": (
        chat(
            SystemMessagePromptTemplate.from_template("{q}", additional_kwargs={"__openai_role__": "developer"}),
            ChatMessagePromptTemplate.from_template("{q}", role="assistant"),
            AIMessagePromptTemplate.from_template("{q}"),
        ),
        Prompt(messages=[("developer", "{q}"), ("assistant", "{q}"), ("assistant", "{q}")], syntax="f-string"),
    ),
    "blocks": (
        chat(("human", [{"type": "text", "text": "a {q}"}, IMAGE])),
        Prompt(
            messages=[
                Turn("user", [Block("text", template="a {q}"), Block.read(Pattern(IMAGE), "")], spaced=False),
            ],
            syntax="f-string",
        ),
    ),
    "fixed image": (
        chat(HumanMessage([{"type": "text", "text": "{q}"}, {"type": "image_url", "image_url": {"url": URL}}])),
        Prompt(messages=[Message("user", [Text("{q}"), Image(URL)])]),
    ),
    "image template": (
        ImagePromptTemplate(template={"url": URL}, input_variables=[]),
        Prompt(messages=[Message("user", [Image(URL)])]),
    ),
    "literal": (
        chat(SystemMessage("{s}"), HumanMessage("{q}", name="Bo"), ChatMessage(content="c", role="user")),
        Prompt(messages=[Message("system", "{s}"), Message("user", "{q}", name="Bo"), Message("user", "c")]),
    ),
    "tools": (
        chat(AIMessage("z", tool_calls=[CALL]), ToolMessage("r", tool_call_id="1", status="error")),
        Prompt(
            messages=[
                Message("assistant", [Text("z"), ToolCall("1", "f", {"a": [1]})]),
                Message("tool", [ToolResult("1", "r", error=True)]),
            ]
        ),
    ),
    "one message": (HumanMessage("hi"), Prompt(messages=[Message("user", "hi")])),
    "one template": (HumanMessagePromptTemplate.from_template("{q}"), Prompt(user="{q}", syntax="f-string")),
    "one placeholder": (MessagesPlaceholder("a"), Prompt(messages=[History("a")])),
    "chat in a chat": (
        chat(("system", "s"), chat(("human", "{q}"))),
        Prompt(messages=[("system", "s"), ("user", "{q}")], syntax="f-string"),
    ),
    "metadata": (
        chat(("human", "{q}"), metadata={"owner": {"lc": 1}}, tags=["t"], name="n"),
        Prompt(
            messages=[("user", "{q}")],
            syntax="f-string",
            metadata={"owner": {"lc": 1}, "langchain_tags": ["t"], "langchain_name": "n"},
        ),
    ),
    "several formats": (
        chat(
            HumanMessagePromptTemplate.from_template("{q} {{x}}"),
            HumanMessagePromptTemplate.from_template("{{q}}", template_format="mustache"),
        ),
        Prompt(messages=[("user", "{{ q }} {x}"), ("user", "{{ q }}")]),
    ),
    "jinja2": (
        PromptTemplate.from_template("{% if a %}{{ a }}{% endif %}\n", template_format="jinja2"),
        Prompt(user="{% if a %}{{ a }}{% endif %}"),
    ),
    "this package's own": (
        from_langchain(chat(("human", "{q}"), tags=["t"])),
        Prompt(messages=[("user", "{q}")], syntax="f-string", metadata={"langchain_tags": ["t"]}),
    ),
}


@pytest.mark.parametrize(("theirs", "prompt"), ROWS.values(), ids=ROWS)
def test_what_is_read(theirs: Any, prompt: Prompt, tmp_path: Path) -> None:
    path = tmp_path / "prompt.json"
    path.write_text(json.dumps(dumpd(theirs)), encoding="utf-8")
    assert load_prompt(path) == prompt


@pytest.mark.parametrize("theirs", [row[0] for row in ROWS.values()], ids=ROWS)
def test_what_is_read_renders_as_the_object_does_in_its_template(theirs: Any) -> None:
    ours = from_langchain(theirs)
    values: dict[str, Any] = {"tone": "calm", "q": "<q>", "u": URL, "docs": [{"t": "1"}], "a": [("user", "x")]}
    prompt = read(dumpd(theirs))
    given = {v.name: values[v.name] for v in prompt.variables if v.name in values and v.required}
    if prompt.variables and prompt.variables[0].name == "a" and not isinstance(prompt.messages[0], History):
        given = {"a": "x"}
    expected = ours.format_messages(**given) if hasattr(ours, "format_messages") else [("user", ours.format(**given))]
    assert said(prompt.render(given)) == said(read_messages(expected, "theirs"))
