"""Templates without logic give what the engine gives, errors included."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prompt_adapters import Document, Image, Text, ToolCall, ToolResult
from prompt_adapters.errors import PromptAdapterError
from prompt_adapters.templates import compile_template
from prompt_adapters.templates.jinja import compile_jinja
from prompt_adapters.templates.logic_free import LogicFreeTemplate, split

PNG = b"\x89PNG\r\n\x1a\n" + bytes(20)


class Shouting(str):
    __slots__ = ()

    def __str__(self) -> str:
        return self.upper()


class Broken:
    def __str__(self) -> str:
        raise ValueError("no text")


class Foreign:
    def as_data_url(self) -> str:
        return "data:image/png;base64,"

    def as_bytes(self) -> bytes:
        return PNG


VALUES: list[Any] = [
    "text",
    "",
    " \n",
    "{{ y }} {% x %}",
    "\ud83d",
    "naïve 🎉",
    Shouting("quiet"),
    0,
    -3,
    1.0,
    float("nan"),
    True,
    None,
    Decimal("1.50"),
    [],
    [1, "a"],
    {"a": [1, {"b": "ü"}]},
    {1, 2},
    (1, 2),
    Text("a part"),
    Text("a marked part", cache=True),
    Image(PNG),
    Document(b"text", name="a.txt"),
    [Image(PNG), "and", Image(PNG, detail="low")],
    [Image(PNG), None],
    {"a": Image(PNG)},
    ToolCall("1", "f", {}),
    ToolResult("1", "x"),
    Foreign(),
    b"bytes",
    object(),
    Broken(),
    len,
    iter([1]),
]


def outcome(render: Callable[[], Any]) -> Any:
    """What comes out: parts, or the error with all that it says."""
    try:
        return render()
    except PromptAdapterError as error:
        return type(error), str(error), getattr(error, "line", None), type(error.__cause__)


NAMES = st.sampled_from(
    ["x", "y", "photo", "_z1", "range", "self", "none", "loop", "if", "True", "ü", "x.y", "x|upper"]
)
BLANKS = st.sampled_from(["", " ", "\n", "\t ", "\u00a0", "- "])
SLOTS = st.builds("{{{{{}{}{}}}}}".format, BLANKS, NAMES, BLANKS)
LITERALS = st.one_of(
    st.text(max_size=8),
    st.sampled_from(
        ["{", "}", "{{", "}}", "{%", "%}", "{#", "#}", "{{{", "}}}", "\r\n", "\r", "{% raw %}{{ x }}{% endraw %}"]
    ),
)
TEMPLATES = st.lists(st.one_of(SLOTS, LITERALS), max_size=6).map("".join)
GIVEN = st.dictionaries(st.sampled_from(["x", "y", "photo", "_z1", "ü", "range"]), st.sampled_from(VALUES))
ABSENT = st.frozensets(st.sampled_from(["x", "y", "photo"]))


@given(text=TEMPLATES, values=GIVEN, absent=ABSENT)
def test_it_gives_what_the_engine_gives(text: str, values: dict[str, Any], absent: frozenset[str]) -> None:
    segments = split(text)
    if segments is None:
        return
    ours, engine = LogicFreeTemplate(text, segments), compile_jinja(text)
    assert ours.variables == engine.variables
    assert outcome(lambda: ours.render(values, absent=absent)) == outcome(lambda: engine.render(values, absent=absent))


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
@pytest.mark.parametrize("text", ["{{ x }}", "a {{ x }} b\n{{ x }}", "{{x}}{{ y }}"])
@pytest.mark.parametrize("absent", [frozenset(), frozenset({"x"}), frozenset({"x", "y"})], ids=len)
def test_each_value_gives_what_the_engine_gives(text: str, value: Any, absent: frozenset[str]) -> None:
    ours, engine = compile_template(text), compile_jinja(text)
    assert isinstance(ours, LogicFreeTemplate)
    for values in ({"x": value}, {"x": value, "y": "end"}):
        assert outcome(lambda v=values: ours.render(v, absent=absent)) == outcome(  # type: ignore[misc]  # a bound default
            lambda v=values: engine.render(v, absent=absent)  # type: ignore[misc]  # likewise
        )


SPLIT: dict[str, tuple[str, tuple[tuple[str, str], ...]]] = {
    "no slot": ("text", (("text", ""),)),
    "nothing": ("", (("", ""),)),
    "one": ("a {{ x }} b", (("a ", "x"), (" b", ""))),
    "tight": ("{{x}}{{y}}", (("", "x"), ("", "y"), ("", ""))),
    "lines": ("{{\n x\r\n}}", (("", "x"), ("", ""))),
    "closing": ("}} %} #} {x}", (("}} %} #} {x}", ""),)),
    "a brace behind": ("{{ x }}}", (("", "x"), ("}", ""))),
}


@pytest.mark.parametrize(("text", "segments"), SPLIT.values(), ids=SPLIT)
def test_it_is_split_at_its_slots(text: str, segments: tuple[tuple[str, str], ...]) -> None:
    assert split(text) == segments


LOGIC = [
    "{% if x %}{% endif %}",
    "{# a comment #}",
    "{{ x | upper }}",
    "{{ x.y }}",
    "{{ x[0] }}",
    "{{ 1 }}",
    "{{ 'a' }}",
    "{{- x }}",
    "{{ x -}}",
    "{{ x",
    "{{ }}",
    "{{{ x }}}",
    "{{ none }}",
    "{{ True }}",
    "{{ if }}",
    "{{ self }}",
    "{{ loop }}",
    "{{ range }}",
    "{{ ü }}",
    "{{ x y }}",
    "{%",
    "{#",
]


@pytest.mark.parametrize("text", LOGIC)
def test_everything_else_is_left_to_the_engine(text: str) -> None:
    assert split(text) is None


def test_it_is_a_jinja_template_like_others() -> None:
    template = compile_template("{{ x }}")
    assert isinstance(template, LogicFreeTemplate)
    assert template.syntax == "jinja"
    assert pickle.loads(pickle.dumps(template)) is template
    assert not template.is_literal
    assert compile_template("literal").is_literal
    with pytest.raises(AttributeError):
        template.text = "other"
