"""Dumps as objects again."""

import json
from typing import Any

import pytest
from langchain_core.load import dumpd, dumps
from langchain_core.messages import HumanMessage
from langchain_core.prompts import ChatPromptTemplate, PromptTemplate
from langchain_core.runnables import RunnablePassthrough

from prompt_adapters import FewShot, History, Image, Message, Prompt
from prompt_adapters.errors import PromptFormatError
from prompt_adapters.langchain import (
    AdapterPromptTemplate,
    AdapterRunnable,
    AdapterStringPromptTemplate,
    OpenAIStylePromptTemplate,
    load,
)
from prompt_adapters.langchain.styles import STYLE_TEMPLATES

PROMPT = Prompt(
    messages=[
        ("system", "{{ x }}"),
        Message("user", ["lc", Image(b"\x89PNG\r\n\x1a\n0")]),
        History("h"),
        ("user", "{{ y }}"),
    ],
    few_shot=FewShot([("a", "b")]),
    model="openai/gpt-4o",
    metadata={"k": [1]},
)
OBJECTS: dict[str, Any] = {
    "a template": AdapterPromptTemplate.from_prompt(PROMPT, tags=["t"], partial_variables={"x": "1"}),
    "partials of other types": AdapterPromptTemplate.from_prompt(
        PROMPT, partial_variables={"h": [HumanMessage("q")], "x": None}
    ),
    "messages as partials": AdapterPromptTemplate.from_prompt(
        PROMPT, partial_variables={"h": [Message("user", ["lc", Image(b"\x89PNG\r\n\x1a\n0")])], "x": "1"}
    ),
    "media as partials": AdapterPromptTemplate.from_template("{a}{b}").partial(
        a=[Image(b"\x89PNG\r\n\x1a\n0"), "text"], b=Image("https://example.org/a.png")
    ),
    "several prompts": AdapterPromptTemplate.from_template("{a}")
    + AdapterPromptTemplate.from_template("%b%", "percent"),
    "a string template": AdapterStringPromptTemplate.from_template("{a}{b}").partial(a="1"),
    "jinja": AdapterStringPromptTemplate.from_template("{% if a %}{{ a }}{% endif %}", "jinja2"),
    "a runnable": AdapterRunnable("openai_style", prompt=PROMPT, parameters={"seed": 1}),
    "a model": OpenAIStylePromptTemplate.from_template("{a}", model="openai/gpt-4o", options={"on_limit": "error"}),
    **{cls.__name__: cls.from_template("{a}") for cls in STYLE_TEMPLATES},
}


@pytest.mark.parametrize("thing", OBJECTS.values(), ids=OBJECTS)
def test_what_was_dumped_is_loaded(thing: Any) -> None:
    for dump in (dumpd(thing), dumps(thing), json.loads(dumps(thing, pretty=True))):
        loaded = load(dump)
        assert type(loaded) is type(thing)
        assert loaded == thing
        assert dumpd(loaded) == dumpd(thing)


def test_a_chain_is_loaded() -> None:
    chain: Any = RunnablePassthrough() | AdapterPromptTemplate.from_template("{a}") | AdapterRunnable("openai_style")
    assert load(dumps(chain)).invoke({"a": "1"}) == chain.invoke({"a": "1"})


def test_a_template_of_ours_in_one_of_theirs_is_loaded() -> None:
    whole = ChatPromptTemplate([("system", "s"), AdapterPromptTemplate.from_template("{a}")])
    assert load(dumpd(whole)).invoke({"a": "1"}) == whole.invoke({"a": "1"})


def test_a_value_is_loaded(photo: Image) -> None:
    value = AdapterPromptTemplate.from_template("{a}").invoke({"a": photo})
    loaded = load(dumpd(value))
    assert loaded.to_messages() == value.to_messages()
    assert loaded.to_request("openai_style") == value.to_request("openai_style")


class Mine(AdapterPromptTemplate):
    """A template of somebody else."""


def test_classes_of_your_own_are_named() -> None:
    mine = Mine.from_template("{a}")
    with pytest.raises(PromptFormatError, match=r"cannot be loaded: Deserialization of .*Mine.* is not allowed"):
        load(dumpd(mine))
    # The dump says where the class is, and a test module is nowhere.
    assert mine.get_lc_namespace()[-1] == __name__.rpartition(".")[2]


REFUSED: dict[str, tuple[Any, str]] = {
    "no JSON": ("{", "the dump is not JSON"),
    "no dump": (7, "load takes what dumpd or dumps gave, not int"),
    "another class": ({"lc": 1, "type": "constructor", "id": ["os", "path", "join"], "kwargs": {}}, "is not allowed"),
    "a function": (
        dumpd(AdapterPromptTemplate.from_template("{a}").partial(a=lambda: "1")), "doesn't implement serialization"
    ),
    "their jinja2": (dumpd(PromptTemplate.from_template("{{ a }}", template_format="jinja2")), "jinja2"),
    "no prompt": (
        {"lc": 1, "type": "constructor", "id": AdapterPromptTemplate.lc_id(), "kwargs": {"prompts": [{"messages": 3}]}},
        "a prompt's data need 'messages', a list",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("dump", "reason"), REFUSED.values(), ids=REFUSED)
def test_what_is_not_to_be_loaded_is_refused(dump: Any, reason: str) -> None:
    with pytest.raises(PromptFormatError, match=reason) as caught:
        load(dump)
    assert "\n" not in str(caught.value)


def test_no_secret_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_SECRET", "hidden")
    dump = dumpd(AdapterPromptTemplate.from_template("{a}{b}").partial(a="1"))
    dump["kwargs"]["partial_variables"]["a"] = {"lc": 1, "type": "secret", "id": ["A_SECRET"]}
    assert load(dump).partial_variables == {"a": None}
