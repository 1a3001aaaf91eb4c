"""`from_langchain`: every kind of prompt that LangChain has."""

import asyncio
import copy
from typing import Any

import pytest
from langchain_core.example_selectors import LengthBasedExampleSelector
from langchain_core.load import dumps
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import (
    AIMessagePromptTemplate,
    BaseChatPromptTemplate,
    ChatPromptTemplate,
    FewShotChatMessagePromptTemplate,
    FewShotPromptTemplate,
    HumanMessagePromptTemplate,
    MessagesPlaceholder,
    PromptTemplate,
    StringPromptTemplate,
    SystemMessagePromptTemplate,
)
from langchain_core.prompts.dict import DictPromptTemplate
from langchain_core.prompts.few_shot_with_templates import FewShotPromptWithTemplates
from langchain_core.prompts.image import ImagePromptTemplate

from prompt_adapters import History, Image, Message, Prompt
from prompt_adapters.errors import MissingVariableError, PromptFormatError, TemplateError
from prompt_adapters.langchain import (
    AdapterPromptTemplate,
    AdapterRunnable,
    AdapterStringPromptTemplate,
    from_langchain,
    load,
)

URL = "https://example.org/a.png"
EXAMPLES = [{"input": "2+2", "output": "4"}, {"input": "2+3", "output": "5"}]
PAIR = ChatPromptTemplate([("human", "{input}"), ("ai", "{output}")])
LINE = PromptTemplate.from_template("{input} is {output}")
SELECTOR = LengthBasedExampleSelector(examples=EXAMPLES, example_prompt=LINE, max_length=12)
CHOSEN: Any = FewShotChatMessagePromptTemplate(
    example_selector=SELECTOR, example_prompt=PAIR, input_variables=["question"]
)
VALUES = {"x": "{x} <1>", "y": "2", "h": [("human", "a"), ("ai", "b")], "u": URL, "question": "how many?", "d": "low"}
CHATS: dict[str, Any] = {
    "chat": ChatPromptTemplate([("system", "{x} {{y}}"), ("human", "{y}"), AIMessage("{x}")]),
    "jinja2": ChatPromptTemplate([("human", "{% if x %}{{ x }}{% endif %}\n")], template_format="jinja2"),
    "mustache": ChatPromptTemplate([("human", "{{{x}}}")], template_format="mustache"),
    "placeholders": ChatPromptTemplate([MessagesPlaceholder("h"), ("placeholder", "{o}"), ("human", "{x}")]),
    "the last messages": ChatPromptTemplate([MessagesPlaceholder("h", n_messages=1), ("human", "{x}")]),
    "nested": ChatPromptTemplate([ChatPromptTemplate([("system", "{x}")]), ("human", "{y}")]),
    "partials": ChatPromptTemplate([("system", "{a} {b}"), ("human", "{x}")]).partial(a="A", b=lambda: "B"),
    "partials of a message": ChatPromptTemplate(
        [SystemMessagePromptTemplate.from_template("{p} {x}", partial_variables={"p": "P"})]
    ),
    "few-shot": ChatPromptTemplate(
        [FewShotChatMessagePromptTemplate(examples=EXAMPLES, example_prompt=PAIR), ("human", "{x}")]
    ),
    "chosen examples": ChatPromptTemplate([("system", "s"), CHOSEN, ("human", "{question}")]),
    "chosen examples alone": CHOSEN,
    "a message template": HumanMessagePromptTemplate.from_template("{x}"),
    "an assistant's": AIMessagePromptTemplate.from_template("{x}"),
    "a placeholder": MessagesPlaceholder("h"),
    "a message": SystemMessage("{x}"),
    "a list": [("system", "{x}"), HumanMessage("{y}")],
    "blocks": HumanMessagePromptTemplate.from_template(
        ["{x}", {"type": "image_url", "image_url": {"url": "{u}", "detail": "{d}"}}]
    ),
}


def said(value: Any) -> list[tuple[str, Any]]:
    messages = value if isinstance(value, list) else value.to_messages()
    return [(message.type, message.content) for message in messages]


def theirs(prompt: Any) -> list[tuple[str, Any]]:
    whole = prompt if isinstance(prompt, ChatPromptTemplate) else ChatPromptTemplate(listed(prompt))
    # Their selectors are given all values, and fail on histories.
    return said(whole.invoke({name: VALUES[name] for name in whole.input_variables}))


def listed(prompt: Any) -> list[Any]:
    return prompt if isinstance(prompt, list) else [prompt]


@pytest.mark.parametrize("prompt", CHATS.values(), ids=CHATS)
def test_it_gives_the_same_messages(prompt: Any) -> None:
    template = from_langchain(prompt)
    assert isinstance(template, AdapterPromptTemplate)
    assert said(template.invoke(VALUES)) == theirs(prompt)
    assert said(asyncio.run(template.ainvoke(VALUES))) == theirs(prompt)
    required = ChatPromptTemplate(listed(prompt)).input_variables
    assert {*template.input_variables} <= {*required} <= {*template.input_variables, *template.optional_variables}
    for twin in (copy.copy(template), copy.deepcopy(template)):
        assert said(twin.invoke(VALUES)) == theirs(prompt)


TEXTS: dict[str, StringPromptTemplate] = {
    "text": PromptTemplate.from_template("{x} {{y}}"),
    "partials": PromptTemplate.from_template("{a} {b} {x}", partial_variables={"a": "A", "b": lambda: "B"}),
    "jinja2": PromptTemplate.from_template("{% if x %}{{ x }}{% endif %}\n\n", template_format="jinja2"),
    "few-shot": FewShotPromptTemplate(examples=EXAMPLES, example_prompt=LINE, prefix="{x}", suffix="{y}"),
    "few-shot without a prefix": FewShotPromptTemplate(
        examples=EXAMPLES, example_prompt=LINE, suffix="{y}", example_separator=" | "
    ),
    "few-shot with partials": FewShotPromptTemplate(
        examples=EXAMPLES, example_prompt=LINE, suffix="{y} {a}", partial_variables={"a": "A"}
    ),
    "few-shot in jinja2": FewShotPromptTemplate(
        examples=EXAMPLES, example_prompt=LINE, prefix="{{ x }}", suffix="{{ y }}\n", template_format="jinja2"
    ),
    "few-shot with templates": FewShotPromptWithTemplates(
        examples=EXAMPLES,
        example_prompt=LINE,
        prefix=PromptTemplate.from_template("{y}!"),
        suffix=PromptTemplate.from_template("{x}?"),
        input_variables=["x", "y"],
    ),
    **{
        f"chosen examples, {prefix!r} and {suffix!r}": FewShotPromptTemplate(
            example_selector=SELECTOR, example_prompt=LINE, prefix=prefix, suffix=suffix, example_separator="--"
        )
        for prefix in ("", "P {y}")
        for suffix in ("", "{y} S")
    },
}


@pytest.mark.parametrize("prompt", TEXTS.values(), ids=TEXTS)
def test_a_text_is_the_same_text(prompt: StringPromptTemplate) -> None:
    template = from_langchain(prompt)
    assert isinstance(template, AdapterStringPromptTemplate)
    values = {"x": "{x} <1>" if "jinja2" not in str(prompt) else "1", "y": "2"}
    if not isinstance(prompt, PromptTemplate):
        values["x"] = "1"  # theirs would render it twice
    assert template.format(**values) == prompt.format(**values)
    assert asyncio.run(template.aformat(**values)) == prompt.format(**values)
    assert sorted([*template.input_variables, *template.optional_variables]) == sorted(prompt.input_variables)


INJECTED = [{"input": "{secret}", "output": "{{ 7*7 }}"}, {"input": '{"k": 1}', "output": "{% x"}]


@pytest.mark.parametrize("template_format", ["f-string", "jinja2"])
@pytest.mark.parametrize("chosen", [False, True])
def test_an_example_is_never_rendered_a_second_time(template_format: Any, chosen: bool) -> None:
    slot = "{y}" if template_format == "f-string" else "{{ y }}"
    selector = LengthBasedExampleSelector(examples=INJECTED, example_prompt=LINE, max_length=99)
    source: dict[str, Any] = {"example_selector": selector} if chosen else {"examples": INJECTED}
    prompt = FewShotPromptTemplate(
        **source, example_prompt=LINE, suffix=slot, template_format=template_format, example_separator="\n"
    )
    expected = '{secret} is {{ 7*7 }}\n{"k": 1} is {% x\nend'
    assert from_langchain(prompt).format(y="end", secret="leaked") == expected
    shots: Any = FewShotChatMessagePromptTemplate(
        **source, example_prompt=PAIR, input_variables=["y"] if chosen else []
    )
    messages = said(from_langchain([shots, ("human", "{y}")]).invoke({"y": "end", "secret": "leaked"}))
    assert [text for _, text in messages] == ["{secret}", "{{ 7*7 }}", '{"k": 1}', "{% x", "end"]


def test_an_image_template_is_a_message_with_that_image() -> None:
    template = from_langchain(ImagePromptTemplate(template={"url": "{u}", "detail": "low"}, input_variables=["u"]))
    assert template.invoke({"u": URL}).native == (Message("user", Image(URL, detail="low")),)
    block = DictPromptTemplate(template={"type": "image", "url": "{u}"}, template_format="f-string")
    assert from_langchain(block).invoke({"u": URL}).native == (Message("user", Image(URL)),)


def test_what_all_prompts_have_is_kept() -> None:
    prompt = ChatPromptTemplate(
        [("system", "{x}"), MessagesPlaceholder("h", optional=True)],
        tags=["t"], metadata={"team": "a"}, name="mine", output_parser=StrOutputParser(),
    )  # fmt: skip
    template = from_langchain(prompt)
    assert (template.tags, template.name, template.optional_variables) == (["t"], "mine", ["h"])
    assert template.own_metadata == {"team": "a"}
    assert template.output_parser == StrOutputParser()
    assert template.partial_variables == {}


class Greeting(BaseChatPromptTemplate):
    """A chat prompt of somebody else."""

    def format_messages(self, **kwargs: Any) -> list[BaseMessage]:
        values = self._merge_partial_and_user_variables(**kwargs)
        return [HumanMessage(f"Hello {values['who']} {values['mood']}")]

    def pretty_repr(self, html: bool = False) -> str:
        return "Hello"


class Shout(StringPromptTemplate):
    """A string prompt of somebody else."""

    def format(self, **kwargs: Any) -> str:
        return str(kwargs["x"]).upper()


def test_a_class_of_somebody_else_gives_its_own_messages() -> None:
    greeting = Greeting(input_variables=["who"], partial_variables={"mood": ":)"})
    for template in (from_langchain(greeting), AdapterPromptTemplate.from_messages([greeting, "{x}"])):
        assert "who" in template.input_variables
        assert said(template.invoke({"who": "{x}", "x": "1"}))[0] == ("human", "Hello {x} :)")
        with pytest.raises(MissingVariableError, match="'who'"):
            template.invoke({"x": "1"})
    shout = from_langchain(Shout(input_variables=["x"]))
    assert shout.format(x="a {b}") == "A {B}"
    assert shout.input_variables == ["x"]


def test_two_that_fill_themselves_stay_apart() -> None:
    other: Any = FewShotChatMessagePromptTemplate(
        example_selector=LengthBasedExampleSelector(examples=EXAMPLES[1:], example_prompt=LINE),
        example_prompt=PAIR,
        input_variables=["question"],
    )
    expected = [("human", "2+2"), ("ai", "4"), ("human", "2+3"), ("ai", "5"), ("human", "2+3"), ("ai", "5")]
    both = [CHOSEN, other]
    nested = AdapterPromptTemplate.from_messages([from_langchain(CHOSEN), from_langchain(other)])
    added = from_langchain(CHOSEN) + from_langchain(other)
    for whole in (from_langchain(both), added, nested, CHOSEN + from_langchain(other)):
        assert said(whole.invoke({"question": "?"})) == expected
    assert said(added[1:].invoke({"question": "?"})) == expected[4:]
    text = SystemMessagePromptTemplate(prompt=TEXTS["chosen examples, '' and ''"])
    twice = from_langchain([text]) + from_langchain([text])
    assert [content for _, content in said(twice.invoke({}))] == ["2+2 is 4--2+3 is 5"] * 2


def test_chosen_examples_go_to_a_provider_as_they_are() -> None:
    template = from_langchain(ChatPromptTemplate([("system", "s"), CHOSEN, ("human", "{question}")]))
    request = (template | AdapterRunnable("anthropic_style")).invoke({"question": "?"})
    assert [message["role"] for message in request["messages"]] == ["user", "assistant"] * 2 + ["user"]
    assert "[chosen" not in str(request)


def test_what_chooses_cannot_be_dumped() -> None:
    for template in (from_langchain(CHOSEN), from_langchain(TEXTS["chosen examples, '' and ''"])):
        with pytest.raises(PromptFormatError, match="doesn't implement serialization"):
            load(dumps(template))
        assert "2+3" not in dumps(template)


def test_templates_of_this_package_stay_what_they_are() -> None:
    template = AdapterPromptTemplate.from_messages([History("h"), "{x}"])
    assert from_langchain(template) is template
    assert from_langchain(Prompt(user="{{ x }}")) == AdapterPromptTemplate.from_prompt(Prompt(user="{{ x }}"))


@pytest.mark.parametrize("prompt", [7, "text", None, {"role": "user"}])
def test_what_is_no_prompt_is_refused(prompt: Any) -> None:
    with pytest.raises(TypeError, match="from_langchain takes a prompt of LangChain, not"):
        from_langchain(prompt)


def test_what_has_no_place_is_refused_by_name() -> None:
    with pytest.raises(TemplateError, match=r"message 1.*\{\{>x\}\}' is not supported"):
        from_langchain(ChatPromptTemplate([("human", "{{>x}}")], template_format="mustache"))
    with pytest.raises(PromptFormatError, match="has additional_kwargs"):
        from_langchain(HumanMessagePromptTemplate.from_template("x", additional_kwargs={"a": 1}))
    mixed = FewShotPromptWithTemplates(
        examples=EXAMPLES, example_prompt=LINE, suffix=PromptTemplate.from_template("{x}"),
        prefix=PromptTemplate.from_template("{{ y }}", template_format="jinja2"), input_variables=["x", "y"],
    )  # fmt: skip
    with pytest.raises(PromptFormatError, match="prefix and suffix are written in f-string and jinja"):
        from_langchain(mixed)
