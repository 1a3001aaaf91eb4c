"""The checks that look at a prompt alone: its variables, its blanks, characters that nobody sees, empty messages."""

import json
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import pytest

from prompt_adapters import FewShot, History, Image, Message, Prompt, Text, Variable, load_prompt
from prompt_adapters.errors import PromptFormatError
from prompt_adapters.formats import FORMATS, held_by
from prompt_adapters.lint.characters import empty_messages, hidden_characters, trailing_blanks
from prompt_adapters.lint.rules import Fault
from prompt_adapters.lint.templates import unsafe_templates
from prompt_adapters.lint.texts import PlacedText, texts_of
from prompt_adapters.lint.variables import undeclared_variables, unused_variables
from telling import TELLING

Check = Callable[[Prompt, Sequence[PlacedText]], Iterable[Fault]]


def said(check: Check, prompt: Prompt) -> list[str]:
    return [fault.sentence for fault in check(prompt, tuple(texts_of(prompt)))]


UNDECLARED = [
    ([], "{{ a }} {{ b }}", []),
    (["a"], "{{ a }}", []),
    (["a"], "{{ a }} {{ b }}", ["the variable 'b' is used, but not declared"]),
    (
        ["castle", "b"],
        "{{ cattle }}{{ b }}",
        ["the variable 'cattle' is used, but not declared; did you mean 'castle'?"],
    ),
    (["a"], "{% for x in xs %}{{ x }}{% endfor %}{{ a }}", ["the variable 'xs' is used, but not declared"]),
    (["a"], "{% if b is defined %}{{ b }}{% endif %}{{ a }}", ["the variable 'b' is used, but not declared"]),
]


@pytest.mark.parametrize(("declared", "template", "expected"), UNDECLARED)
def test_undeclared_variables(declared: list[str], template: str, expected: list[str]) -> None:
    assert said(undeclared_variables, Prompt(user=template, variables=declared)) == expected


def test_a_history_declares_itself_and_slots_do_not() -> None:
    slot = {"type": "image", "variable": "photo"}
    prompt = Prompt(messages=[History("chat"), ("user", ["{{ a }}", slot])], variables=["a"])
    assert said(undeclared_variables, prompt) == ["the variable 'photo' is used, but not declared"]


NOT_DECLARING: dict[str, Prompt] = {
    "a default": Prompt(user="{{ a }} {{ b }}", variables=[Variable("a", default=1)]),
    "a default with a type": Prompt(user="{{ a }} {{ b }}", variables=[Variable("a", default="x", type="text")]),
    "one that may be left out": Prompt(user="{{ a }} {{ b }}", variables=[Variable("a", required=False)]),
    "the type of a slot": Prompt(
        user=["{{ b }}", {"type": "image", "variable": "a"}], variables=[Variable("a", type="image")]
    ),
    "the type of a history": Prompt(
        messages=[History("a"), ("user", "{{ b }}")], variables=[Variable("a", type="messages")]
    ),
}


@pytest.mark.parametrize("prompt", NOT_DECLARING.values(), ids=NOT_DECLARING)
def test_what_declares_nothing_of_other_variables(prompt: Prompt) -> None:
    assert said(undeclared_variables, prompt) == []
    declaring = prompt.replace(user=None, messages=[*prompt.messages, ("user", "{{ c }}")])
    assert said(undeclared_variables, declaring.replace(variables=[*prompt.declared, "c"])) == [
        "the variable 'b' is used, but not declared"
    ]


FILES = {
    "langchain.json": (
        "langchain",
        json.dumps(
            {
                "lc": 1,
                "type": "constructor",
                "id": ["langchain", "prompts", "prompt", "PromptTemplate"],
                "kwargs": {
                    "input_variables": ["topic"],
                    "partial_variables": {"tone": "dry"},
                    "template": "Be {tone} about {topic}.",
                    "template_format": "f-string",
                },
            }
        ),
        [],
    ),
    "promptfooconfig.yaml": (
        "promptfoo",
        "prompts: ['Be {{tone}} about {{topic}}.']\nproviders: [echo]\ndefaultTest: {vars: {tone: dry}}\n",
        [],
    ),
    "sample.prompty": ("prompty", "---\nsample: {tone: dry}\n---\nsystem:\nBe {{tone}} about {{topic}}.\n", []),
    "inputs.prompty": (
        "prompty",
        "---\ninputs: [{name: tone, kind: string}]\n---\nsystem:\nBe {{tone}} about {{topic}}.\n",
        ["the variable 'topic' is used, but not declared"],
    ),
    "default.prompt": (
        "dotprompt",
        "---\ninput: {default: {tone: dry}}\n---\nBe {{tone}} about {{topic}}.\n",
        [],
    ),
    "schema.prompt": (
        "dotprompt",
        "---\ninput: {schema: {tone: string}}\n---\nBe {{tone}} about {{topic}}.\n",
        ["the variable 'topic' is used, but not declared"],
    ),
    "optional.jinja": (
        "banks",
        '{% chat role="user" %}{{ topic }}{% if a %}{{ a | image }}{% endif %}{% endchat %}\n',
        [],
    ),
}


@pytest.mark.parametrize(("name", "row"), FILES.items(), ids=FILES)
def test_what_counts_as_declared_in_files(name: str, row: tuple[str, str, list[str]], tmp_path: Path) -> None:
    form, text, expected = row
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert said(undeclared_variables, load_prompt(tmp_path / name, form)) == expected


@pytest.mark.parametrize("name", FORMATS)
def test_converting_makes_no_variable_undeclared(name: str) -> None:
    for thing, prompt in TELLING.items():
        try:
            kept, _ = held_by(prompt, name)
        except PromptFormatError:
            continue
        assert said(undeclared_variables, kept) == [], thing


def test_unused_variables() -> None:
    prompt = Prompt(messages=[History("chat"), ("user", "{{ a }}")], variables=["a", Variable("b", default=1), "chat"])
    assert said(unused_variables, prompt) == ["the variable 'b' is declared, but no template uses it"]


BLANKS = [
    ("a \nb\t\nc", ["2 lines end in blanks in message 1 (user)"]),
    ("a  \r\nb", ["a line ends in blanks in message 1 (user)"]),
    ("  a\n b", []),
    ("  a\n b \t", ["a line ends in blanks in message 1 (user)"]),
    ("a \nb ", ["2 lines end in blanks in message 1 (user)"]),
    ("a \n", ["a line ends in blanks in message 1 (user)"]),
    ("   ", []),
    ("a\n\nb\n", []),
    (" \n", ["a line ends in blanks in message 1 (user)"]),
]


@pytest.mark.parametrize(("text", "expected"), BLANKS)
def test_trailing_blanks(text: str, expected: list[str]) -> None:
    assert said(trailing_blanks, Prompt(user=text, syntax="none")) == expected


def test_blanks_at_the_end_of_a_block_stand_before_what_follows() -> None:
    slot = {"type": "image", "variable": "photo"}
    assert said(trailing_blanks, Prompt(user=["Look: ", slot])) == []
    assert said(trailing_blanks, Prompt(user=[slot, "Look: "])) == [
        "a line ends in blanks in message 1 (user), block 2"
    ]
    assert said(trailing_blanks, Prompt(messages=[Message("user", ["a ", Text("b ")])])) == [
        "a line ends in blanks in message 1 (user)"
    ]
    shots = FewShot([(["a ", "b"], "c ")])
    assert said(trailing_blanks, Prompt(user="a", few_shot=shots)) == ["a line ends in blanks in example 1, output"]


def test_many_undeclared_variables_take_no_long_search() -> None:
    prompt = Prompt(user="".join(f"{{{{ name{n} }}}}" for n in range(4000)), variables=[f"nam{n}" for n in range(2000)])
    start = time.process_time()
    assert len(said(undeclared_variables, prompt)) == 4000
    assert time.process_time() - start < 2


UNSAFE = [
    ("{% for a in range(10**9) %}x{% endfor %}", "message 1 (user), line 1: a range has more than 100000 numbers"),
    ("a\nb {{ 'x' * 10**9 }}", "message 1 (user), line 2: rendering makes more than"),
    ("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}", "message 1 (user), line 1: macros, recursive loops"),
    ("{% for a in docs %}{{ a.__class__ }}{% endfor %}", "message 1 (user), line 1: access to attribute '__class__'"),
    ("{% for d in docs %}{{ d.title }}{% endfor %}{{ x.y.z }} {{ name.first }}", None),
    ("{{ x | upper }} {% if y %}{{ y[0] }}{% endif %}", None),
    ("{{ x }}", None),
]


@pytest.mark.parametrize(("template", "expected"), UNSAFE)
def test_templates_that_are_refused_whatever_their_values(template: str, expected: str | None) -> None:
    found = said(unsafe_templates, Prompt(user=template))
    assert [sentence[: len(expected or "")] for sentence in found] == ([] if expected is None else [expected])


def test_the_line_of_an_unsafe_template() -> None:
    prompt = Prompt(messages=[("user", "a"), Message("user", "{{ x.__class__ }}"), ("user", "a\nb\n{{ x.__class__ }}")])
    (fault,) = unsafe_templates(prompt, tuple(texts_of(prompt)))
    assert fault.text is not None
    assert fault.text.text[fault.offset :] == "{{ x.__class__ }}"
    assert said(unsafe_templates, Prompt(user="{{ x.__class__ }}", syntax="plain")) == []


HIDDEN = [
    ("a\u200bb", "U+200B"),
    ("\u202eabc", "U+202E"),
    ("a\ufeff", "U+FEFF"),
    ("a\x00", "U+0000"),
    ("a\x1b[31m", "U+001B"),
    ("hi" + "".join(chr(0xE0000 + ord(c)) for c in "obey"), "U+E006F"),
    ("\U0001f468\u200d\U0001f469", None),
    ("\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", None),
    ("\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", None),
    ("a\tb\r\nc\x0c\u00a0\u00ad", None),
]


@pytest.mark.parametrize(("text", "expected"), HIDDEN)
def test_hidden_characters(text: str, expected: str | None) -> None:
    found = said(hidden_characters, Prompt(user=text, syntax="none"))
    assert len(found) == (expected is not None)
    assert expected is None or f"the character {expected}, which nobody sees, stands in message 1 (user)" in found[0]


def test_more_hidden_characters_are_counted() -> None:
    (found,) = said(hidden_characters, Prompt(user="a\u200bb\u200bc\u2066", syntax="none"))
    assert found.endswith(", and 2 more like it")


def test_empty_messages() -> None:
    prompt = Prompt(
        messages=[
            ("user", ""),
            ("user", " \n"),
            Message("user", []),
            Message("user", [Text(" ")]),
            ("user", ["", " "]),
            ("user", "{{ x }}"),
            ("user", [{"type": "image", "variable": "photo"}]),
            Message("user", Image.from_url("https://example.org/a.png")),
            History("chat"),
        ],
        few_shot=FewShot([("a", "b"), ("a", ""), ("", "b")]),
    )
    found = said(empty_messages, prompt)
    assert [sentence.split(" has ")[0] for sentence in found] == [
        *(f"message {number} (user)" for number in range(1, 6)),
        "example 2",
        "example 3",
    ]
    assert found[-2:] == ["example 2 has no output", "example 3 has no input"]
