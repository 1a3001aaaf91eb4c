"""Prompts as dumps that LangChain loads, and that say the same there."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from langchain_core._api.beta_decorator import suppress_langchain_beta_warning
from langchain_core.load import dumpd
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.prompts import (
    ChatPromptTemplate,
    FewShotChatMessagePromptTemplate,
    MessagesPlaceholder,
)
from langchain_core.prompts.structured import StructuredPrompt

from dumps import HERE, chat, read, said, written
from prompt_adapters import (
    FewShot,
    History,
    Image,
    Message,
    Prompt,
    Text,
    Variable,
    load_prompt,
    save_prompt,
)
from prompt_adapters.content.read import read_messages
from prompt_adapters.errors import PromptAdapterError, PromptFormatError
from prompt_adapters.formats.langchain import dump, held
from prompt_adapters.langchain import from_langchain, load, to_langchain
from prompt_adapters.turns import Turn
from strategies import PNG, prompts

SCHEMA = {"title": "Answer", "type": "object", "properties": {"x": {"type": "string"}}}


def without_nothing(data: Any) -> Any:
    """Plain data without what says nothing, which LangChain writes in some places and leaves out in others."""
    match data:
        case dict():
            pairs = ((key, without_nothing(value)) for key, value in data.items())
            return {key: value for key, value in pairs if value not in (None, [], {})}
        case list():
            return [without_nothing(item) for item in data]
    return data


@settings(max_examples=60)
@given(prompt=prompts())
def test_langchain_loads_what_is_written_and_says_the_same(prompt: Prompt) -> None:
    try:
        kept, _ = held(prompt)
    except PromptFormatError:
        return
    data = written(kept)
    theirs = load(data)
    assert without_nothing(dumpd(theirs)) == without_nothing(data)
    past = [("user", "q"), ("assistant", "a")]
    histories = {entry.name for entry in kept.messages if isinstance(entry, History)}
    values = {v.name: past if v.name in histories else "v<&>" for v in kept.variables if not v.has_default}
    try:
        ours = kept.render(values)
    except PromptAdapterError:  # the values do not fit, as where a text is to be an image
        return
    given = {name: [HumanMessage("q"), AIMessage("a")] if name in histories else v for name, v in values.items()}
    assert said(read_messages(theirs.format_messages(**given), "theirs")) == said(ours)


def test_a_prompt_without_logic_becomes_mustache_with_three_braces() -> None:
    data = written(Prompt("Be {brief}", "{{ q }} % {x}"))
    texts = [item["kwargs"]["prompt"]["kwargs"] for item in data["kwargs"]["messages"]]
    assert [(text["template"], text["template_format"]) for text in texts] == [
        ("Be {brief}", "mustache"), ("{{{q}}} % {x}", "mustache")
    ]  # fmt: skip
    assert load(data).format_messages(q="<b>")[1].content == "<b> % {x}"


def test_what_mustache_cannot_write_becomes_an_f_string() -> None:
    data = written(Prompt(user='{% raw %}{{x}}{% endraw %} {"a": "{{ q }}"}'))
    assert data["kwargs"]["messages"][0]["kwargs"]["prompt"]["kwargs"]["template_format"] == "f-string"
    assert load(data).format_messages(q="1")[0].content == '{{x}} {"a": "1"}'


def test_sections_stay_as_they_are() -> None:
    prompt = Prompt(user="{{#docs}}{{t}}, {{/docs}}{{q}}", syntax="mustache")
    kept, losses = held(prompt)
    assert losses == ()
    assert kept.messages == (Turn("user", "{{#docs}}{{{t}}}, {{/docs}}{{{q}}}"),)
    values = {"docs": [{"t": "<1>"}, {"t": "2"}], "q": "?"}
    assert load(written(prompt)).format_messages(**values)[0].content == prompt.render(values)[0].text == "<1>, 2, ?"


def test_what_stands_beside_the_messages_is_kept(tmp_path: Path) -> None:
    prompt = Prompt(
        messages=[("user", "{{{q}}} {{{n}}}")],
        syntax="mustache",
        model="gpt-4o",
        parameters={"temperature": 0.5},
        name="ask",
        version="3",
        metadata={"owner": "me", "prompt_adapters": 1, "langchain_tags": ["t"], "langchain_name": "n", "lc": 2},
        variables=[Variable("n", default=[1, 2], description="how many"), Variable("ghost", type="image")],
    )
    save_prompt(prompt, tmp_path / "prompt.json", format="langchain")
    assert load_prompt(tmp_path / "prompt.json") == prompt
    theirs = load((tmp_path / "prompt.json").read_text(encoding="utf-8"))
    assert (theirs.tags, theirs.name, theirs.input_variables) == (["t"], "n", ["q"])
    assert theirs.format_messages(q="a")[0].content == "a [1, 2]"
    assert theirs.metadata["owner"] == "me"


def test_it_is_given_back_as_it_came() -> None:
    theirs = chat(
        ("human", "{q} {n}"), MessagesPlaceholder("h", optional=True), metadata={"a": 1}, tags=["t"], name="n"
    )
    theirs = theirs.partial(n="3")
    again = load(written(read(dumpd(theirs))))
    assert (again.metadata.pop("prompt_adapters"), again.metadata) == (
        {"variables": [{"name": "n", "default": "3"}]},
        {"a": 1},
    )
    assert (again.tags, again.name, again.messages) == (theirs.tags, theirs.name, theirs.messages)
    assert again.format_messages(q="a") == theirs.format_messages(q="a")


def test_objects_travel_by_from_langchain_and_back(tmp_path: Path) -> None:
    examples = FewShotChatMessagePromptTemplate(
        examples=[{"a": "1", "b": "2"}], example_prompt=chat(("human", "{a}"), ("ai", "{b}"))
    )
    prompt = from_langchain(chat(("system", "s"), examples, ("human", "{q}"))).prompt
    save_prompt(prompt, tmp_path / "p.json", format="langchain")
    loaded = load_prompt(tmp_path / "p.json")
    messages = [("system", "s"), ("human", "1"), ("ai", "2"), ("human", "x")]
    theirs = to_langchain(loaded)
    assert isinstance(theirs, ChatPromptTemplate)
    assert [(m.type, m.content) for m in theirs.format_messages(q="x")] == messages


PHOTO = {"type": "image", "variable": "photo"}
LOSSES: dict[str, tuple[Prompt, str]] = {
    "logic": (Prompt(messages=[("user", "{{ x | upper }}"), ("user", "a")]), "message 1 (user): the filter 'upper'"),
    "a comment": (Prompt(user="a{# note #}"), "message 1 (user): a comment on line 1"),
    "few-shot": (Prompt(user="a", few_shot=FewShot([("a", "b")])), "the few-shot examples as such: they become turns"),
    "media as objects": (Prompt(user=[PHOTO, "a"]), "block 1: a slot for image content, 'photo'"),
    "a block after others": (Prompt(user=["a", PHOTO]), "message 1 (user), block 2: a slot for image content"),
    "their own name": (Prompt(messages=[("user", "{{ self_ }}{{ stop }}"), ("user", "a")]), "the variable 'stop'"),
    "a history's name": (Prompt(messages=[History("stop"), ("user", "a")]), "the name 'stop', which LangChain has"),
    "a cache mark": (Prompt(messages=[Message("user", "a", cache=True)]), "the cache mark of the message"),
    "optional media": (
        Prompt(user=[{"type": "image", "variable": "x"}], variables=[Variable("x", required=False)]),
        "variable 'x': that its medium may be left out",
    ),
    "nothing is left": (Prompt(user="{{ x | upper }}"), "the filter 'upper' on line 1"),
}  # fmt: skip


@pytest.mark.parametrize(("prompt", "loss"), LOSSES.values(), ids=LOSSES)
def test_what_cannot_be_held_is_refused_by_name(prompt: Prompt, loss: str, tmp_path: Path) -> None:
    path = tmp_path / "prompt.json"
    with pytest.raises(PromptFormatError, match="cannot hold") as caught:
        save_prompt(prompt, path, format="langchain")
    assert loss in str(caught.value)
    assert not path.exists()


def test_all_that_is_lost_is_named_at_once() -> None:
    prompt = Prompt(messages=[("user", "{{ x | upper }}"), ("user", [PHOTO]), ("user", "a{# b #}")])
    with pytest.raises(PromptFormatError, match="the filter 'upper' on line 1") as caught:
        dump(prompt, HERE)
    assert "message 2 (user), block 1: a slot for image content, 'photo'" in str(caught.value)
    assert "message 3 (user): a comment on line 1" in str(caught.value)


def test_a_structured_prompt_asks_for_its_form(tmp_path: Path) -> None:
    with suppress_langchain_beta_warning():
        theirs = StructuredPrompt([("human", "{q}")], SCHEMA)
    asked = {"type": "json_schema", "json_schema": {"name": "Answer", "schema": SCHEMA}}
    prompt = read(dumpd(theirs))
    assert prompt == Prompt(messages=[("user", "{q}")], syntax="f-string", parameters={"response_format": asked})
    again = load(written(prompt.replace(parameters={**prompt.parameters, "temperature": 0})))
    assert isinstance(again, StructuredPrompt)
    assert again.schema_ == SCHEMA
    assert again.metadata == {"prompt_adapters": {"parameters": {"temperature": 0}}}


def test_bytes_of_an_image_are_kept(tmp_path: Path) -> None:
    prompt = Prompt(messages=[Message("user", [Text("a"), Image(PNG)])])
    save_prompt(prompt, tmp_path / "p.json", format="langchain")
    assert load_prompt(tmp_path / "p.json") == prompt
