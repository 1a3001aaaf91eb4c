"""`AdapterPromptTemplate` put together with others, and filled in partially."""

import time
from typing import Any

import pytest
from langchain_core.messages import HumanMessage, SystemMessage
from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder

from prompt_adapters import FewShot, Image, Message, Prompt
from prompt_adapters.errors import PromptFormatError
from prompt_adapters.langchain import AdapterPromptTemplate

Texts = list[tuple[str, str]]
SAID: Texts = [("system", "Be kind."), ("human", "Say yes.")]
VALUES = {"tone": "kind", "word": "yes"}


def texts(messages: Any) -> Texts:
    found = messages.to_messages() if hasattr(messages, "to_messages") else messages
    return [(m.type, m.content) for m in found]


def test_partials_are_kept_and_called_each_time(template: AdapterPromptTemplate) -> None:
    counter = iter(range(10))
    partial = template.partial(tone=lambda: f"kind{next(counter)}")
    assert partial.input_variables == ["word"]
    assert texts(partial.invoke({"word": "yes"}))[0] == ("system", "Be kind0.")
    assert texts(partial.invoke({"word": "yes"}))[0] == ("system", "Be kind1.")
    assert texts(partial.invoke({"word": "yes", "tone": "new"}))[0] == ("system", "Be new.")
    assert texts(partial.partial(word="no").invoke({}))[1] == ("human", "Say no.")
    assert template.input_variables == ["tone", "word"]


def test_partial_works_before_and_after_invoke(template: AdapterPromptTemplate) -> None:
    template.invoke(VALUES)
    assert texts(template.partial(tone="kind").invoke({"word": "yes"})) == SAID


def test_partials_hold_in_composition_on_both_sides(template: AdapterPromptTemplate) -> None:
    partial = template.partial(tone="kind")
    for whole in (
        ChatPromptTemplate([partial]),
        ChatPromptTemplate([]) + partial,
        partial + "{more}",
        "{more}" + partial,
    ):
        assert ("system", "Be kind.") in texts(whole.invoke({"word": "yes", "more": "x"}))
    other = ChatPromptTemplate([("user", "{z}")]).partial(z="Z")
    assert texts((partial + other).invoke({"word": "yes"})) == [*SAID, ("human", "Z")]


def test_media_may_be_partial(photo: Image) -> None:
    template = AdapterPromptTemplate.from_template("{photo}{q}").partial(photo=photo)
    assert template.invoke({"q": "?"}).native == (Message("user", [photo, "?"]),)


def test_it_is_a_part_of_a_chat_prompt_template(template: AdapterPromptTemplate) -> None:
    whole = ChatPromptTemplate([("system", "First"), template, MessagesPlaceholder("h"), ("human", "{last}")])
    assert whole.input_variables == ["h", "last", "tone", "word"]
    messages = whole.invoke({**VALUES, "h": [("ai", "hm")], "last": "end"})
    assert texts(messages) == [("system", "First"), *SAID, ("ai", "hm"), ("human", "end")]
    assert "Say {word}." in whole.pretty_repr()


X = [("human", "x 1")]
ON_THE_RIGHT: dict[str, Any] = {
    "text": "x {n}",
    "pair": ("user", "x {n}"),
    "list": [("user", "x {n}")],
    "message": HumanMessage("x 1"),
    "ours": AdapterPromptTemplate.from_template("x {n}"),
    "ours in another format": AdapterPromptTemplate.from_template("x {{ n }}", "jinja2"),
    "a prompt of theirs": ChatPromptTemplate([("user", "x {n}")]),
    "a message of this package": Message("user", "x 1"),
    "a dictionary": {"role": "user", "content": "x {n}"},
}


@pytest.mark.parametrize("other", ON_THE_RIGHT.values(), ids=ON_THE_RIGHT)
def test_it_is_added_to(other: Any, template: AdapterPromptTemplate) -> None:
    whole = template + other
    assert type(whole) is AdapterPromptTemplate
    assert texts(whole.invoke({**VALUES, "n": 1})) == SAID + X
    assert len(template) == 2


@pytest.mark.parametrize("name", [name for name in ON_THE_RIGHT if "dictionary" not in name])
def test_it_is_added(name: str, template: AdapterPromptTemplate) -> None:
    whole = ON_THE_RIGHT[name] + template
    assert texts(whole.invoke({**VALUES, "n": 1})) == X + SAID


def test_a_sum_is_one_prompt_wherever_that_changes_nothing(template: AdapterPromptTemplate) -> None:
    whole = template + "more {x}" + AdapterPromptTemplate.from_messages([("ai", "{y}")])
    assert [v.name for v in whole.prompt.variables] == ["tone", "word", "x", "y"]
    assert len(whole) == 4
    mixed = template + AdapterPromptTemplate.from_template("{{ x }}", "jinja2")
    assert len(mixed.prompts) == 2
    with pytest.raises(PromptFormatError, match="put together from 2 prompts"):
        _ = mixed.prompt


def test_examples_stay_where_their_prompt_has_them() -> None:
    prompt = Prompt(user="{{ q }}", few_shot=FewShot([("in", "out")]))
    shown = [("human", "in"), ("ai", "out"), ("human", "?")]
    template = AdapterPromptTemplate.from_prompt(prompt)
    assert texts((SystemMessage("s") + template).invoke({"q": "?"})) == [("system", "s"), *shown]
    pair = ("system", "s")
    assert texts((pair + template).invoke({"q": "?"})) == [pair, *shown]
    assert texts((template + "end").invoke({"q": "?"})) == [*shown, ("human", "end")]
    with pytest.raises(PromptFormatError, match="few-shot examples cannot be sliced"):
        template[0:1]


def test_prompts_that_contradict_each_other_are_not_added() -> None:
    one = AdapterPromptTemplate.from_prompt(Prompt(user="a", model="gpt-4o"))
    two = AdapterPromptTemplate.from_prompt(Prompt(user="b", model="gpt-5"))
    with pytest.raises(PromptFormatError, match="different models 'gpt-4o' and 'gpt-5'"):
        one + two


def test_slices_are_templates(template: AdapterPromptTemplate) -> None:
    assert texts(template[:1].invoke({"tone": "kind"})) == SAID[:1]
    assert template[1:].input_variables == ["word"]
    assert template[:] == template
    with pytest.raises(PromptFormatError, match="nothing is left of 2"):
        template[2:]
    with pytest.raises(TypeError, match=r"template\[0:1\]"):
        template[0]  # type: ignore[index]  # the point of the test


def test_slices_of_a_long_template_with_settings_stay_one_prompt() -> None:
    turns = [("user" if n % 2 else "assistant", f"m{n} {{{{ x }}}}") for n in range(3000)]
    template = AdapterPromptTemplate.from_prompt(Prompt(messages=turns, model="gpt-4o", parameters={"seed": 1}))
    started = time.process_time()
    for index in (slice(1, None), slice(None, None, -1), slice(None, None, 2)):
        part = template[index]
        assert [message.content for message in part.invoke("y").to_messages()] == [
            f"m{n} y" for n in range(3000)[index]
        ]
        assert len(part.prompts) == 1
        assert part.prompts[0].model == "gpt-4o"
    assert time.process_time() - started < 4
