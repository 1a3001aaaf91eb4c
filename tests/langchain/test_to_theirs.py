"""`to_langchain`: prompts of this package as LangChain's own, and back."""

import asyncio
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.example_selectors import LengthBasedExampleSelector
from langchain_core.load import dumps, loads
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from langchain_core.prompts import ChatPromptTemplate, FewShotChatMessagePromptTemplate, PromptTemplate

from prompt_adapters import FewShot, History, Image, Message, Prompt, ToolCall, ToolResult, Variable
from prompt_adapters.errors import UnsupportedContentError
from prompt_adapters.langchain import (
    AdapterPromptTemplate,
    AdapterStringPromptTemplate,
    from_langchain,
    to_langchain,
)
from prompt_adapters.prompt import Turn
from strategies import PNG

PHOTO = Image(PNG)
URL = "https://example.org/a.png"
USER, SYSTEM = "append_to_user_prompt", "append_to_system_prompt"
PAIRS = [("a {b}", "{{ c }}"), ("d", "e")]
CALL = Message("assistant", [ToolCall("1", "f", {"q": "{x}"})])
RESULT = Message("tool", [ToolResult("1", ["{x}", PHOTO])])
VALUES = {"x": "{x} <1> & {{ y }}", "y": "2", "u": URL, "d": "low", "h": [HumanMessage("earlier")]}
PROMPTS: dict[str, Any] = {
    "jinja": Prompt(system='Reply in {"json": true}.', user="{{ x }} and {{ y }}\n"),
    "plain": Prompt(user="\\frac{a}{b} {{ x }} {%d}", syntax="plain"),
    "percent": Prompt(user="100 % of %x% {y}", syntax="percent"),
    "braces": Prompt(user='{"a": {x}} {} {0}', syntax="braces"),
    "f-string": Prompt(user="{{literal}} {x}", syntax="f-string"),
    "none": Prompt(user="{x} {{ y }}", syntax="none"),
    "logic": Prompt(user="{% for c in 'ab' %}{{ c }}{% endfor %}{% if y %}{{ x | upper }}{% endif %}\n\n"),
    "roles": Prompt(messages=[("developer", "{{ x }}"), ("user", "u"), ("assistant", "{{ y }}"), ("user", "v")]),
    "histories": Prompt(messages=[History("h", last=1), History("o", required=False), ("user", "{{ x }}")]),
    "literal": Prompt(messages=[Message("system", "{x}"), Message("user", ["{x}", PHOTO], name="Ada"), ("user", "q")]),
    "calls": Prompt(messages=[("user", "{{ x }}"), CALL, RESULT, ("user", "{{ y }}")]),
    "fixed parts": Prompt(user=[{"type": "text", "content": "{{ x }}"}, {"type": "image", "content": PHOTO}]),
    "separators": Prompt(user=["{{ x }}", PHOTO, PHOTO, "{{ y }}"]),
    "patterns": AdapterPromptTemplate.from_messages(
        [("user", ["{x}", {"type": "image_url", "image_url": {"url": "{u}", "detail": "{d}"}}, {"text": "{y}"}])]
    ),
    "a pattern in short": AdapterPromptTemplate.from_messages(
        [("user", ["{x}", {"type": "image_url", "image_url": "{u}"}])]
    ),
    "examples": Prompt(system="s", user="{{ x }}", few_shot=FewShot(PAIRS)),
    "examples with media": Prompt(user="{{ x }}", few_shot=FewShot([(["look", PHOTO], "b")])),
    "examples for the user": Prompt(system="s {{ y }}", user="{{ x }}", few_shot=FewShot(PAIRS, USER)),
    "examples for the system": Prompt(system="s {{ y }}", user="{{ x }}", few_shot=FewShot(PAIRS, SYSTEM)),
    "examples after a sign": Prompt(user="{{ x -}}", few_shot=FewShot(PAIRS, USER)),
    "examples after an open comment": Prompt(user="{{ x }} {#", few_shot=FewShot(PAIRS, USER)),
    "examples after a literal": Prompt(messages=[Message("user", "{x}")], few_shot=FewShot(PAIRS, USER)),
    "examples as a system prompt": Prompt(user="{{ x }}", few_shot=FewShot(PAIRS, SYSTEM)),
    "examples with media in a text": Prompt(user="{{ x }}", few_shot=FewShot([(["a {", PHOTO], "b")], USER)),
    "partials": AdapterPromptTemplate.from_messages([("system", "{a}{b}"), "{x}"]).partial(a="A", b=lambda: "B"),
    "several formats": AdapterPromptTemplate.from_template("{x}")
    + AdapterPromptTemplate.from_template("%y%", "percent"),
}  # fmt: skip


def said(messages: Any) -> list[tuple[str, Any, Any]]:
    return [(m.type, m.content, getattr(m, "tool_calls", None)) for m in messages]


def ours(prompt: Any) -> AdapterPromptTemplate:
    return AdapterPromptTemplate.from_prompt(prompt) if isinstance(prompt, Prompt) else prompt


@pytest.mark.parametrize("prompt", PROMPTS.values(), ids=PROMPTS)
def test_it_gives_the_same_messages_and_comes_back(prompt: Any) -> None:
    expected = said(ours(prompt).invoke(VALUES).to_messages())
    theirs = to_langchain(prompt)
    assert type(theirs) is ChatPromptTemplate
    assert said(theirs.invoke(VALUES).to_messages()) == expected
    assert said(asyncio.run(theirs.ainvoke(VALUES)).to_messages()) == expected
    back = from_langchain(theirs)
    assert said(back.invoke(VALUES).to_messages()) == expected


def test_settings_travel_as_metadata_and_come_back() -> None:
    prompt = Prompt(
        user="{{ x }}", model="openai/gpt-5", parameters={"temperature": 0}, name="n", version="2", metadata={"a": [1]}
    )
    template = AdapterPromptTemplate.from_prompt(prompt, tags=["t"], metadata={"team": "x"})
    theirs = to_langchain(template)
    assert (theirs.tags, (theirs.metadata or {})["team"]) == (["t"], "x")
    back = from_langchain(theirs)
    for name in ("model", "parameters", "name", "version", "metadata"):
        assert getattr(back.prompt, name) == getattr(prompt, name)
    assert (back.tags, back.own_metadata) == (["t"], {"team": "x"})


@pytest.mark.filterwarnings("ignore::langchain_core._api.LangChainBetaWarning")
def test_what_comes_out_is_loaded_by_langchain_alone() -> None:
    theirs = to_langchain(PROMPTS["patterns"])
    assert loads(dumps(theirs), allowed_objects="core").invoke(VALUES) == theirs.invoke(VALUES)


def test_optional_variables_stay_optional() -> None:
    prompt = Prompt(
        user="{{ x }}{% if note %} ({{ note }}){% endif %}{{ lang }}", variables=[Variable("lang", default="en")]
    )
    theirs = to_langchain(prompt)
    assert theirs.input_variables == ["x"]
    for values in ({"x": "1"}, {"x": "1", "note": "2"}, {"x": "1", "lang": "de"}):
        assert theirs.invoke(values).to_messages() == ours(prompt).invoke(values).to_messages()
    default = Prompt(user="{x}", syntax="f-string", variables=[Variable("x", default={"a": "é"})])
    assert to_langchain(default).invoke({}).to_messages() == [HumanMessage('{"a": "é"}')]


def test_a_string_template_is_one_there_too() -> None:
    template = AdapterStringPromptTemplate.from_template('{{"a": {x}}}{y}').partial(y="2")
    theirs = to_langchain(template)
    assert isinstance(theirs, PromptTemplate)
    assert theirs.format(x="1") == template.format(x="1")


def test_a_selector_stays_one() -> None:
    line = PromptTemplate.from_template("{input} {output}")
    examples = [{"input": "2+2", "output": "4"}, {"input": "{x}", "output": "5"}]
    selector = LengthBasedExampleSelector(examples=examples, example_prompt=line, max_length=9)
    pair = ChatPromptTemplate([("human", "Q {input}"), ("ai", "{output}")])
    shots: Any = FewShotChatMessagePromptTemplate(example_selector=selector, example_prompt=pair, input_variables=["q"])
    for chosen in (FewShot(selector), FewShot(selector, variables=["q"]), FewShot(shots)):
        prompt = Prompt(system="s", user="{{ q }}", few_shot=chosen)
        for values in ({"q": "short"}, {"q": "a rather long question of many words"}):
            assert to_langchain(prompt).invoke(values).to_messages() == ours(prompt).invoke(values).to_messages()
    taken = from_langchain([("system", "s"), shots, ("human", "{q}")])
    values = {"q": "short"}
    assert to_langchain(taken).invoke(values).to_messages() == taken.invoke(values).to_messages()


SELECTOR: Any = LengthBasedExampleSelector(examples=[], example_prompt=PromptTemplate.from_template("{i}"))
REFUSED: dict[str, tuple[Any, str]] = {
    "a slot for media": (
        Prompt(user=["{{ x }}", {"type": "image", "variable": "photo"}]),
        "a slot for image content as objects, 'photo' at message 1 (user), block 2: its slots take texts; write",
    ),
    "media as a partial value": (
        AdapterPromptTemplate.from_template("{x}").partial(x=[PHOTO]), "media as the partial value of 'x'"
    ),
    "self": (
        Prompt(user="{{ self }}", syntax="plain"), "a variable called 'self' at the prompt: it has that name itself"
    ),
    "logic in blocks": (
        Prompt(user=["{% if x %}a{% endif %}", PHOTO]), "logic inside a list of blocks at message 1 (user), block 1"
    ),
    "a test for absence": (Prompt(user="{{ x | default('a') }}"), "a test whether a variable is defined"),
    "carriage returns": (Prompt(user="{% if x %}a{% endif %}\r\n"), "carriage returns beside logic"),
    "chosen text": (
        Prompt(user="q", few_shot=FewShot(SELECTOR, USER)), "chosen examples that are appended"
    ),
    "a call in a template": (
        Prompt(messages=[Turn("assistant", ["{{ x }}", ToolCall("1", "f")])]), "a tool call at a template"
    ),
}  # fmt: skip


@pytest.mark.parametrize(("prompt", "reason"), REFUSED.values(), ids=REFUSED)
def test_what_langchain_has_no_word_for_is_refused(prompt: Any, reason: str) -> None:
    with pytest.raises(UnsupportedContentError) as caught:
        to_langchain(prompt)
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)


def test_examples_that_no_text_can_escape_are_a_block_of_their_own() -> None:
    prompt = Prompt(user="{x}", syntax="braces", few_shot=FewShot([("{x}", "a")], USER))
    (message,) = to_langchain(prompt).invoke({"x": "X"}).to_messages()
    assert (
        "".join(block["text"] for block in message.content if isinstance(block, dict)) == prompt.render(x="X")[-1].text
    )


@pytest.mark.parametrize("prompt", [7, "text", ChatPromptTemplate(["{x}"])], ids=["number", "text", "theirs"])
def test_what_is_no_prompt_of_this_package_is_refused(prompt: Any) -> None:
    with pytest.raises(TypeError, match="to_langchain takes a Prompt or a template of this package, not"):
        to_langchain(prompt)


TEXT = st.text(alphabet=st.sampled_from([*"{}%ab \n"]), min_size=1).filter(str.strip)


@given(template=TEXT, value=TEXT, syntax=st.sampled_from(["braces", "plain", "percent", "none"]))
def test_any_text_in_any_syntax_is_the_same_there(template: str, value: str, syntax: str) -> None:
    prompt = Prompt(messages=[("system", template), ("user", "q")], syntax=syntax)
    values = {variable.name: value for variable in prompt.variables}
    expected = [(message.role, message.text) for message in prompt.render(values)]
    roles = {SystemMessage: "system", HumanMessage: "user", AIMessage: "assistant"}
    given_there = to_langchain(prompt).invoke(values).to_messages()
    assert [(roles[type(message)], message.content) for message in given_there] == expected
