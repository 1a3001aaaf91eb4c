"""Prompts that follow one another."""

from typing import Any

import pytest

from prompt_adapters import FewShot, History, Message, Prompt, Variable
from prompt_adapters.errors import PromptFormatError
from prompt_adapters.langchain.compose import Settings, joined

A = Prompt(user="{{ a }}")
B = Prompt(user="{{ b }}")

JOINED: dict[str, tuple[list[Prompt], int]] = {
    "one": ([A], 1),
    "same syntax": ([A, B, A], 1),
    "other syntax": ([A, Prompt(user="{b}", syntax="f-string"), B], 3),
    "literal between": ([Prompt(user="{b}", syntax="f-string"), Prompt(messages=[Message("user", "m")])], 1),
    "history before": ([Prompt(messages=[History("h")]), Prompt(user="{b}", syntax="f-string")], 1),
    "examples": ([Prompt(user="a", few_shot=FewShot([("i", "o")])), B], 2),
    "settings on one side": ([Prompt(user="a", model="gpt-4o"), B], 1),
    "settings on the other": ([A, Prompt(user="b", name="n")], 1),
    "settings on both": ([Prompt(user="a", name="m"), Prompt(user="b", name="n")], 2),
    "declared alike": ([Prompt(user="{{ a }}", variables=["a"]), Prompt(user="{{ a }}", variables=["a"])], 1),
    "declared apart": ([Prompt(user="{{ a }}", variables=[Variable("a", default="x")]), A], 2),
    "declared otherwise": (
        [Prompt(user="{{ a }}", variables=[Variable("a", default="x")]), Prompt(user="{{ a }}", variables=["a"])], 2
    ),
}  # fmt: skip


@pytest.mark.parametrize(("prompts", "number"), JOINED.values(), ids=JOINED)
def test_neighbours_become_one_only_where_that_changes_nothing(prompts: list[Prompt], number: int) -> None:
    result = joined(prompts)
    assert len(result) == number
    values = {"a": "1", "b": "2", "h": [("user", "before")]}

    def rendered(several: Any) -> list[Message]:
        return [m for prompt in several for m in prompt.render_messages(values, extra="ignore")]

    assert rendered(result) == rendered(prompts)
    assert Settings.of(result) == Settings.of(prompts)
    assert [e for p in result for e in p.messages] == [e for p in prompts for e in p.messages]


def test_settings_come_together() -> None:
    one = Prompt(user="a", parameters={"seed": 1}, metadata={"x": 1, "y": 1})
    two = Prompt(
        user="b", parameters={"seed": 1, "top_p": 0.5}, model="gpt-4o", name="n", version="2", metadata={"y": 2}
    )
    assert Settings.of([one, two]) == Settings("gpt-4o", {"seed": 1, "top_p": 0.5}, "n", "2", {"x": 1, "y": 1})
    literal = Settings.of([one, two]).literal((Message("user", "{{ m }}"),))
    assert literal.render() == (Message("user", "{{ m }}"),)
    assert literal.parameters == {"seed": 1, "top_p": 0.5}
    assert (literal.model, literal.name, literal.version) == ("gpt-4o", "n", "2")


@pytest.mark.parametrize(
    ("one", "two", "reason"),
    [
        ({"model": "gpt-4o"}, {"model": "gpt-5"}, "different models 'gpt-4o' and 'gpt-5'"),
        ({"parameters": {"seed": 1}}, {"parameters": {"seed": 2}}, "different values of 'seed', 1 and 2"),
    ],
    ids=["model", "parameter"],
)
def test_settings_that_contradict_each_other_are_refused(one: Any, two: Any, reason: str) -> None:
    with pytest.raises(PromptFormatError, match=reason):
        joined([Prompt(user="a", **one), Prompt(user="b", **two)])
