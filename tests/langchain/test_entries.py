"""Everything that LangChain takes for a list of messages."""

from typing import Any

import pytest
from langchain_core.messages import AIMessage, ChatMessage, HumanMessage, SystemMessage
from langchain_core.prompts import (
    AIMessagePromptTemplate,
    ChatMessagePromptTemplate,
    ChatPromptTemplate,
    FewShotChatMessagePromptTemplate,
    HumanMessagePromptTemplate,
    MessagesPlaceholder,
    PromptTemplate,
    SystemMessagePromptTemplate,
)

from prompt_adapters import History, Image, Message, Prompt, ToolCall
from prompt_adapters.errors import PromptFormatError, TemplateError
from prompt_adapters.langchain import AdapterPromptTemplate, AdapterStringPromptTemplate
from prompt_adapters.langchain.entries import read_composition
from prompt_adapters.patterns import Pattern
from prompt_adapters.prompt import Block, Turn

PIXEL = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
PICTURE = {"type": "image_url", "image_url": {"url": PIXEL}}
V1 = {"type": "image", "base64": "{b}", "mime_type": "{m}"}
CALL: Any = {"type": "tool_call", "id": "1", "name": "f", "args": {}}

READ: dict[str, tuple[Any, Any]] = {
    "text": ("{x}", Turn("user", "{x}")),
    "pair": (("human", "{x}"), Turn("user", "{x}")),
    "pair in a list": (["system", "{x}"], Turn("system", "{x}")),
    "developer": (("developer", "{x}"), Turn("developer", "{x}")),
    "class": ((SystemMessage, "{x}"), Turn("system", "{x}")),
    "dictionary": ({"role": "ai", "content": "{x}"}, Turn("assistant", "{x}")),
    "one text block": (("user", [{"type": "text", "text": "{x}"}]), Turn("user", "{x}")),
    "one text block without a type": (("user", [{"text": "{x}"}]), Turn("user", "{x}")),
    "a list of one text": (("user", ["{x}"]), Turn("user", "{x}")),
    "literal blocks": (
        ("user", [{"type": "text", "text": "see {{y}}"}, PICTURE]), Message("user", ["see {y}", Image(PIXEL)])
    ),
    "own blocks": (
        ("user", [{"type": "text", "text": "{x}"}, {"type": "image", "variable": "p"}]),
        Turn("user", [{"type": "text", "content": "{x}"}, {"type": "image", "variable": "p"}]),
    ),
    "own parts": (("user", ["{x}", Image(PIXEL)]), Turn("user", ["{x}", Image(PIXEL)])),
    "a part alone": (("user", Image(PIXEL)), Message("user", Image(PIXEL))),
    "message": (SystemMessage("{x}"), Message("system", "{x}")),
    "message with a role of its own": (ChatMessage(role="developer", content="{x}"), Message("developer", "{x}")),
    "message with calls": (AIMessage("t", tool_calls=[CALL]), Message("assistant", ["t", ToolCall("1", "f")])),
    "dictionary with more": (
        {"role": "user", "content": "a {{b}}", "name": "Ada"}, Message("user", "a {b}", name="Ada")
    ),
    "message of this package": (Message("user", "{x}"), Message("user", "{x}")),
    "history of this package": (History("h"), History("h")),
    "placeholder": (MessagesPlaceholder("h"), History("h")),
    "optional placeholder": (MessagesPlaceholder("h", optional=True), History("h", required=False)),
    "placeholder of the last messages": (MessagesPlaceholder("h", n_messages=2), History("h", last=2)),
    "placeholder pair": (("placeholder", "{h}"), History("h", required=False)),
    "required placeholder pair": (("placeholder", ["{h}", False]), History("h")),
    "human template": (HumanMessagePromptTemplate.from_template("{x}"), Turn("user", "{x}")),
    "system template": (SystemMessagePromptTemplate.from_template("{x}"), Turn("system", "{x}")),
    "AI template": (AIMessagePromptTemplate.from_template("{x}"), Turn("assistant", "{x}")),
    "role template": (
        ChatMessagePromptTemplate(role="developer", prompt=PromptTemplate.from_template("{x}")),
        Turn("developer", "{x}"),
    ),
    "template with a list of one": (
        HumanMessagePromptTemplate.from_template([{"type": "text", "text": "{x}"}]), Turn("user", "{x}")
    ),
    "template without variables": (
        HumanMessagePromptTemplate.from_template([{"type": "text", "text": "a"}, PICTURE]),
        Message("user", ["a", Image(PIXEL)]),
    ),
    "blocks with slots": (
        ("user", [{"type": "text", "text": "{x}"}, PICTURE, {"type": "image_url", "image_url": "{u}"}]),
        Turn("user", ["{x}", Image(PIXEL), Pattern({"type": "image_url", "image_url": "{u}"})], spaced=False),
    ),
    "a block alone": (
        ("user", {"type": "image_url", "image_url": "{u}"}),
        Turn("user", [Pattern({"type": "image_url", "image_url": "{u}"})], spaced=False),
    ),
    "a text that ends a prefix": (
        ("system", [{"type": "text", "text": "{x}", "cache_control": {"type": "ephemeral"}}, "{y}"]),
        Turn("system", [Block("text", template="{x}", cache=True), "{y}"], spaced=False),
    ),
    "own blocks among others": (
        ("user", [{"type": "image", "variable": "p"}, {"type": "image_url", "image_url": "{u}"}]),
        Turn("user", [{"type": "image", "variable": "p"}, Pattern({"type": "image_url", "image_url": "{u}"})]),
    ),
    "template of blocks": (
        HumanMessagePromptTemplate.from_template(
            ["{x}", {"type": "image_url", "image_url": {"url": "{u}", "detail": "{d}"}}, V1]
        ),
        Turn(
            "user",
            ["{x}", Pattern({"type": "image_url", "image_url": {"url": "{u}", "detail": "{d}"}}), Pattern(V1)],
            spaced=False,
        ),
    ),
    "developer's template": (
        SystemMessagePromptTemplate.from_template("{x}", additional_kwargs={"__openai_role__": "developer"}),
        Turn("developer", "{x}"),
    ),
    "template with a prompt of ours": (
        HumanMessagePromptTemplate(prompt=AdapterStringPromptTemplate.from_template("{x}")), Turn("user", "{x}")
    ),
}  # fmt: skip


@pytest.mark.parametrize(("item", "entry"), READ.values(), ids=READ)
def test_an_item_is_read(item: Any, entry: Any) -> None:
    (prompt,) = read_composition([item], "f-string").prompts
    assert prompt.messages == (entry,)


SAME_AS_LANGCHAIN: dict[str, list[Any]] = {
    "texts": ["hi {x}", ("ai", "you said {x}"), ("system", "{{literal}}")],
    "literal messages": [SystemMessage("{x}"), ("human", "{x}")],
    "escaped braces": [("human", '{{"a": {x}}}')],
    "templates": [SystemMessagePromptTemplate.from_template("s {x}"), HumanMessagePromptTemplate.from_template("{x}")],
    "nested": [ChatPromptTemplate([("system", "s {x}"), ("human", "{x}")]), ("ai", "{x}")],
    "placeholders": [MessagesPlaceholder("h"), ("placeholder", "{o}"), ("human", "{x}")],
    "literal blocks": [("human", [{"type": "text", "text": "a"}, PICTURE])],
    "another format inside": [
        ("human", "{x}"),
        HumanMessagePromptTemplate.from_template("{{ x }}!", template_format="jinja2"),
    ],
    "message partials": [
        HumanMessagePromptTemplate(prompt=PromptTemplate.from_template("{x} {y}", partial_variables={"y": lambda: "Y"}))
    ],
    "nested partials": [ChatPromptTemplate([("human", "{x} {z}")]).partial(z="Z")],
}


@pytest.mark.parametrize("items", SAME_AS_LANGCHAIN.values(), ids=SAME_AS_LANGCHAIN)
def test_the_messages_are_those_of_langchain(items: list[Any]) -> None:
    values = {"x": "{x} and {{y}}", "h": [HumanMessage("earlier")]}
    ours = AdapterPromptTemplate.from_messages(items)
    theirs = ChatPromptTemplate.from_messages(items)
    assert ours.invoke(values).to_messages() == theirs.invoke(values).to_messages()
    assert sorted(ours.input_variables) == sorted(theirs.input_variables)


def test_few_shot_messages_are_literal() -> None:
    few_shot: FewShotChatMessagePromptTemplate = FewShotChatMessagePromptTemplate(
        examples=[{"i": "{q}", "o": "2"}], example_prompt=ChatPromptTemplate([("human", "{i}"), ("ai", "{o}")])
    )
    template = AdapterPromptTemplate.from_messages([("system", "s"), few_shot, ("human", "{q}")])
    assert template.invoke({"q": "a"}).native == (
        Message("system", "s"), Message("user", "{q}"), Message("assistant", "2"), Message("user", "a")
    )  # fmt: skip


def test_runs_of_one_format_are_one_prompt() -> None:
    items = ["{a}", HumanMessage("m"), HumanMessagePromptTemplate.from_template("{{ b }}", "jinja2"), "{c}"]
    prompts = read_composition(items, "f-string").prompts
    assert [(len(prompt.messages), prompt.syntax) for prompt in prompts] == [
        (2, "f-string"),
        (1, "jinja"),
        (1, "f-string"),
    ]


def test_templates_of_this_package_stay_what_they_are() -> None:
    inner = AdapterPromptTemplate.from_prompt(Prompt(user="{{ a }}", parameters={"seed": 1})).partial(a="A")
    template = AdapterPromptTemplate.from_messages([("system", "{b}"), inner])
    assert template.input_variables == ["b"]
    assert template.invoke({"b": "B"}).native == (Message("system", "B"), Message("user", "A"))
    assert template.invoke({"b": "B"}).to_request("openai_style")["seed"] == 1


JINJA = PromptTemplate.from_template("{{ x }}", template_format="jinja2")
REFUSED: dict[str, tuple[Any, str]] = {
    "a number": (7, "message 1 is int; write (role, template)"),
    "three things": (("a", "b", "c"), "message 1 is tuple"),
    "a role": (("robot", "x"), "message 1: 'robot' is not a role"),
    "a tool template": (("tool", "x"), "a turn's role is one of"),
    "a placeholder beside calls": (
        {"role": "assistant", "content": "{x}", "tool_calls": [CALL]}, "message 1 has the placeholder 'x'"
    ),
    "an unknown block": (("user", [{"type": "hologram"}, "x"]), "'hologram'"),
    "a malformed placeholder": (("placeholder", "h"), "a placeholder is written ('placeholder', '{name}'), not 'h'"),
    "a path": (
        ("user", [{"type": "image_url", "image_url": {"path": "{p}"}}]),
        "message 1, block 1 names a 'path', and no value may choose what is read",
    ),
    "a type that a value would choose": (
        ("user", [{"type": "{kind}", "url": "{u}"}]), "message 1, block 1: the block is of type '{kind}'"
    ),
    "an unknown block with a slot": (
        ("user", [{"type": "hologram", "x": "{u}"}]), "message 1, block 1: the block is of type 'hologram'"
    ),
    "what is no block": (("user", ["{x}", 7]), "message 1, block 2 is int, neither text, a part nor a block"),
    "several formats in one message": (
        HumanMessagePromptTemplate(prompt=[PromptTemplate.from_template("{x}"), JINJA]),
        "message 1: its blocks are written in f-string and jinja",
    ),
    "arguments": (
        HumanMessagePromptTemplate(prompt=PromptTemplate.from_template("x"), additional_kwargs={"a": 1}),
        "message 1: HumanMessagePromptTemplate has additional_kwargs",
    ),
    "a role template": (
        ChatMessagePromptTemplate(role="robot", prompt=PromptTemplate.from_template("x")),
        "message 1: ChatMessagePromptTemplate has no known role",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("item", "reason"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_taken_over_is_refused_by_name(item: Any, reason: str) -> None:
    with pytest.raises(PromptFormatError) as caught:
        read_composition([item], "f-string")
    assert reason in str(caught.value)


@pytest.mark.parametrize("template", ["{", "{a.b}", "{a!x}", "{}"])
def test_a_broken_template_is_refused(template: str) -> None:
    for item in (template, ("user", [template, template])):
        with pytest.raises(TemplateError):
            read_composition([item], "f-string")


def partly(text: str, **partial: Any) -> HumanMessagePromptTemplate:
    return HumanMessagePromptTemplate(prompt=PromptTemplate.from_template(text, partial_variables=partial))


def test_a_partial_of_one_message_does_not_fill_another() -> None:
    with pytest.raises(PromptFormatError, match="'x' is filled in one message and asked for in another"):
        read_composition([partly("{x}", x="1"), "{x}"], "f-string")
    with pytest.raises(PromptFormatError, match="message 2: the variable 'x' has two different partial values"):
        read_composition([partly("{x}", x="1"), partly("{x}", x="2")], "f-string")
    assert read_composition([partly("{x}", x="1"), partly("{x}!", x="1")], "f-string").partial == {"x": "1"}


def test_a_list_of_messages_is_needed() -> None:
    with pytest.raises(PromptFormatError, match="messages are a list, not str"):
        read_composition("x", "f-string")
    with pytest.raises(PromptFormatError, match="at least one message"):
        read_composition([], "f-string")


def test_a_template_that_cannot_be_compiled_is_named_with_its_message() -> None:
    items = [("system", "s"), MessagesPlaceholder("chat"), ("user", "a\n{{ x | nope }}")]
    with pytest.raises(TemplateError, match=r"^message 3 \(user\), line 2: No filter named 'nope'") as caught:
        read_composition(items, "jinja")
    assert caught.value.line == 2


def test_a_prompt_is_a_template_among_the_messages() -> None:
    prompt = Prompt(system="{{ s }}", user="{{ x }}", name="p")
    whole = AdapterPromptTemplate.from_messages([prompt, ("ai", "{y}")])
    assert [m.content for m in whole.invoke({"s": "1", "x": "2", "y": "3"}).to_messages()] == ["1", "2", "3"]
    assert whole.metadata is not None
    assert whole.metadata["prompt_name"] == "p"
    assert AdapterPromptTemplate.from_template("{y}") + prompt == AdapterPromptTemplate.from_messages(["{y}", prompt])
