"""Chains that begin with something else than a Runnable, before a template."""

import pickle
from typing import Any

import pytest
from langchain_anthropic import ChatAnthropic
from langchain_core.load import dumpd
from langchain_core.runnables import RunnableLambda, RunnablePassthrough, RunnableSequence
from langchain_openai import ChatOpenAI
from pydantic import SecretStr

from prompt_adapters import Audio
from prompt_adapters.errors import UnsupportedContentError
from prompt_adapters.langchain import (
    AdapterPromptTemplate,
    AnthropicStylePromptTemplate,
    OpenAIStylePromptTemplate,
    load,
)
from prompt_adapters.langchain.shared import SharedPromptTemplate

CLAUDE = ChatAnthropic(model_name="claude-sonnet-4-5", api_key=SecretStr("x"), timeout=None, stop=None)
GPT = ChatOpenAI(model="gpt-4o", api_key=SecretStr("x"))
TEMPLATE = AdapterPromptTemplate.from_template("{question} {context}")


def same(value: Any) -> Any:
    return value


STARTS: dict[str, Any] = {
    "a dictionary": {"question": RunnablePassthrough(), "context": same},
    "a function": same,
}
NEXT: dict[str, tuple[Any, type[AdapterPromptTemplate]]] = {
    "Claude": (CLAUDE, AnthropicStylePromptTemplate),
    "bound": (CLAUDE.bind(stop=["x"]), AnthropicStylePromptTemplate),
    "a chain": (GPT | RunnableLambda(same), OpenAIStylePromptTemplate),
    "two": ({"a": CLAUDE, "b": GPT}, SharedPromptTemplate),
    "a function": (same, AdapterPromptTemplate),
}


@pytest.mark.parametrize("start", STARTS.values(), ids=STARTS)
@pytest.mark.parametrize(("then", "kind"), NEXT.values(), ids=NEXT)
def test_the_template_is_aimed_at_what_comes_next(start: Any, then: Any, kind: type[AdapterPromptTemplate]) -> None:
    for chain in (start | TEMPLATE | then, (start | TEMPLATE).pipe(then)):
        assert type(chain) is RunnableSequence
        assert type(chain.steps[1]) is kind
        assert chain.steps[2:] == (TEMPLATE | then).steps[1:] or kind is SharedPromptTemplate


def test_by_itself_it_is_langchains_sequence() -> None:
    chain = STARTS["a dictionary"] | TEMPLATE
    assert chain.invoke("x").to_string() == "Human: x x"
    assert chain.get_name() == "RunnableSequence"
    assert chain.get_name("output") == "RunnableSequenceOutput"
    assert pickle.loads(pickle.dumps(chain)).invoke("x") == chain.invoke("x")
    assert dumpd(chain)["id"] == dumpd(RunnablePassthrough() | TEMPLATE)["id"]
    assert type(chain.pipe()) is RunnableSequence
    loaded = load(dumpd({"question": RunnablePassthrough(), "context": RunnablePassthrough()} | TEMPLATE))
    assert loaded.invoke("x") == chain.invoke("x")


def test_a_named_chain_keeps_its_name() -> None:
    named: Any = RunnableSequence(RunnableLambda(same), RunnableLambda(same), name="after")
    assert (STARTS["a dictionary"] | TEMPLATE | named).get_name() == "after"


def test_what_the_package_would_lose_is_refused(sound: Audio) -> None:
    chain = {"question": same, "context": lambda _: sound} | TEMPLATE | CLAUDE
    with pytest.raises(UnsupportedContentError, match="anthropic_style cannot take audio"):
        chain.invoke("?")
