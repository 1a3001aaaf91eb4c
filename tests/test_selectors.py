"""Examples that are chosen for each rendering."""

import asyncio
import copy
import pickle
from collections.abc import Mapping
from typing import Any

import pytest
from langchain_core.example_selectors import LengthBasedExampleSelector
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.prompts import ChatPromptTemplate, FewShotChatMessagePromptTemplate, PromptTemplate

from prompt_adapters import FewShot, Image, Message, Prompt, Variable, save_prompt
from prompt_adapters.errors import MissingVariableError, PromptFormatError
from prompt_adapters.selectors import is_selector
from strategies import PNG

EXAMPLES = [{"input": "2+2", "output": "4"}, {"input": "{x} {{ y }}", "output": "{% raw"}]
SHOWN = (
    Message("user", "2+2"),
    Message("assistant", "4"),
    Message("user", "{x} {{ y }}"),
    Message("assistant", "{% raw"),
)


class ByTopic:
    """Chooses by what it is told, and remembers that."""

    def __init__(self, found: Any) -> None:
        self.found = found
        self.seen: list[dict[str, Any]] = []

    def select_examples(self, values: dict[str, Any]) -> Any:
        self.seen.append(values)
        return self.found(values) if callable(self.found) else self.found

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ByTopic) and self.found == other.found

    __hash__ = None  # type: ignore[assignment]  # as of pydantic models, which selectors are


class Awaited(ByTopic):
    async def aselect_examples(self, values: dict[str, Any]) -> Any:
        await asyncio.sleep(0)
        return [*self.select_examples(values)][:1]


def test_a_selector_chooses_by_the_texts() -> None:
    selector = ByTopic(lambda values: EXAMPLES if values["q"] == "all" else EXAMPLES[:1])
    prompt = Prompt(system="s", user="{{ q }}{{ photo }}{{ n }}", few_shot=FewShot(selector))
    system = Message("system", "s")
    photo = Image(PNG)
    assert prompt.render(q="all", photo=photo, n=3) == (system, *SHOWN, Message("user", ["all", photo, "3"]))
    assert prompt.render(q="few", photo=photo, n=3)[:3] == (system, *SHOWN[:2])
    assert selector.seen[0] == {"q": "all"}
    prompt.render_messages({"q": "few", "photo": photo, "n": 3, "more": "ignored"}, extra="ignore")
    assert selector.seen[-1] == {"q": "few"}


def test_named_variables_are_all_that_it_sees() -> None:
    selector = ByTopic(EXAMPLES)
    prompt = Prompt(user="{{ q }}", few_shot=FewShot(selector, variables=["photo", "topic"]))
    assert [variable.name for variable in prompt.variables if variable.required] == ["q", "photo", "topic"]
    prompt.render(q="?", photo=Image(PNG), topic=["a"])
    assert selector.seen == [{"photo": Image(PNG), "topic": ["a"]}]
    with pytest.raises(MissingVariableError, match="'photo', 'topic'"):
        prompt.render(q="?")


def messages(found: Any) -> tuple[Message, ...]:
    return Prompt(user="q", few_shot=FewShot(ByTopic(found))).render()[:-1]


FOUND: dict[str, Any] = {
    "dictionaries": EXAMPLES,
    "more than is asked for": [{**example, "id": "7", "score": 0.3} for example in EXAMPLES],
    "pairs": [tuple(example.values()) for example in EXAMPLES],
    "messages": list(SHOWN),
    "a tuple": tuple(EXAMPLES),
}


@pytest.mark.parametrize("found", FOUND.values(), ids=FOUND)
def test_examples_come_in_any_form(found: Any) -> None:
    assert messages(found) == SHOWN


def test_a_selector_may_find_nothing() -> None:
    for way in ("converse", "append_to_user_prompt", "append_to_system_prompt"):
        prompt = Prompt(system="s", user="q", few_shot=FewShot(ByTopic([]), way))
        assert prompt.render() == (Message("system", "s"), Message("user", "q"))


def test_examples_are_appended_where_the_format_says() -> None:
    prompt = Prompt(user="q", few_shot=FewShot(ByTopic(EXAMPLES[:1]), "append_to_user_prompt"))
    assert prompt.render() == (Message("user", "q\n\n**Examples**\nExample 1:\nInput: 2+2\nOutput: 4"),)


@pytest.mark.parametrize(
    "found", [[{"question": "a", "answer": "b"}], ["text"], [("user", "a"), ("user", "b"), 7]], ids=str
)
def test_what_is_no_example_is_refused(found: Any) -> None:
    with pytest.raises(PromptFormatError, match="what ByTopic chose cannot be shown: few-shot"):
        messages(found)


def test_selectors_of_langchain_choose() -> None:
    text = PromptTemplate.from_template("{input} {output}")
    selector = LengthBasedExampleSelector(examples=EXAMPLES, example_prompt=text, max_length=9)
    prompt = Prompt(user="{{ q }}", few_shot=FewShot(selector))
    assert prompt.render(q="short")[:-1] == SHOWN
    assert prompt.render(q="a question of many words")[:-1] == SHOWN[:2]
    pair = ChatPromptTemplate([("human", "{input}"), ("ai", "{output}")])
    shots: FewShotChatMessagePromptTemplate = FewShotChatMessagePromptTemplate(
        example_selector=selector, example_prompt=pair, input_variables=["q"]
    )
    assert Prompt(user="{{ q }}", few_shot=FewShot(shots)).render(q="short")[:-1] == SHOWN
    assert FewShot(shots).variables == ("q",)


class Told:
    def format_messages(self, **values: Any) -> list[Any]:
        return [HumanMessage(values["q"]), AIMessage("a")]


def test_whatever_gives_messages_chooses() -> None:
    assert Prompt(user="{{ q }}", few_shot=FewShot(Told())).render(q="x")[:-1] == (
        Message("user", "x"), Message("assistant", "a")
    )  # fmt: skip


def test_callers_that_await_ask_the_asynchronous_twin() -> None:
    assert asyncio.run(FewShot(Awaited(EXAMPLES)).achosen({}, ())).turns() == SHOWN[:2]
    assert asyncio.run(FewShot(ByTopic(EXAMPLES)).achosen({}, ())).turns() == SHOWN
    assert asyncio.run(FewShot(Told()).achosen({"q": "x"}, [Variable("q")])).turns()[0] == Message("user", "x")
    fixed = FewShot(EXAMPLES)
    assert asyncio.run(fixed.achosen({}, ())) is fixed is fixed.chosen({}, ())


def test_there_is_no_list_of_them_to_keep(tmp_path: Any) -> None:
    few_shot = FewShot(ByTopic(EXAMPLES))
    prompt = Prompt(user="q", few_shot=few_shot)
    for call in (
        lambda: few_shot.examples,
        few_shot.to_data,
        prompt.to_json,
        lambda: save_prompt(prompt, tmp_path / "p"),
    ):
        with pytest.raises(
            PromptFormatError, match=r"examples(, which ByTopic chooses| are chosen by ByTopic) for each rendering"
        ):
            call()
    assert not [*tmp_path.iterdir()]
    assert "few_shot=ByTopic" in repr(prompt)
    assert few_shot.size == "ByTopic"


def test_it_is_a_value_as_far_as_its_selector_is() -> None:
    few_shot = FewShot(ByTopic(EXAMPLES), variables=["q"])
    prompt = Prompt(user="{{ q }}", few_shot=few_shot)
    for twin in (pickle.loads(pickle.dumps(prompt)), copy.deepcopy(prompt), Prompt(user="{{ q }}", few_shot=few_shot)):
        assert twin == prompt
        assert hash(twin) == hash(prompt)
        assert twin.digest == prompt.digest
    assert prompt != Prompt(user="{{ q }}", few_shot=FewShot(ByTopic([]), variables=["q"]))
    assert few_shot.replace(examples=EXAMPLES, variables=()) == FewShot(EXAMPLES)
    assert few_shot.replace(format="append_to_user_prompt").selector is few_shot.selector
    assert prompt.replace(few_shot=FewShot(EXAMPLES)).render(q="x")[:-1] == SHOWN


def test_variables_are_for_selectors_only() -> None:
    with pytest.raises(PromptFormatError, match="few-shot variables are for a selector"):
        FewShot(EXAMPLES, variables=["q"])
    with pytest.raises(PromptFormatError, match="are a list of names, not 'q'"):
        FewShot(ByTopic([]), variables="q")


@pytest.mark.parametrize(("value", "expected"), [(ByTopic([]), True), (Told(), True), (ByTopic, False), ([], False)])
def test_a_selector_is_told_by_what_it_can_do(value: object, expected: bool) -> None:
    assert is_selector(value) is expected


def test_a_mapping_is_no_selector() -> None:
    assert not is_selector({"select_examples": Mapping})
