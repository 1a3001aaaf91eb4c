from __future__ import annotations

import asyncio
import dataclasses
import threading
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from prompt_adapters import Prompt
from prompt_adapters.errors import PromptFormatError, TemplateError, TemplateLimitError, UnsafeTemplateError
from prompt_adapters.templates import TemplateLimits, compile_template
from prompt_adapters.templates.limits import DEFAULT_LIMITS, Budget, budget, current_limits, spending

# A template for each limit, what it needs, and a limit that it meets and one that it does not.
CASES: dict[str, tuple[str, dict[str, Any], int, int]] = {
    "source": ("a" * 50 + "{% if x %}{% endif %}", {"x": 1}, 60, 80),
    "tokens": ("{{ x ~ x ~ x }}", {"x": 1}, 6, 7),
    "nesting": ("{{ [[[x]]] }}", {"x": 1}, 5, 9),
    "depth": ("{% macro m(n) %}{% if n %}{{ m(n - 1) }}{% endif %}{% endmacro %}{{ m(5) }}", {}, 5, 6),
    "steps": ("{% for i in x %}a{% endfor %}", {"x": list(range(100))}, 99, 101),
    "text": ("{% for i in x %}abc{% endfor %}", {"x": list(range(100))}, 200, 300),
    "items": ("{% if x %}a{% endif %}", {"x": [[1, 2], [3, 4]]}, 5, 6),
    "range": ("{% for i in range(x) %}a{% endfor %}", {"x": 11}, 10, 11),
    "bits": ("{{ x ** 20 }}", {"x": 8}, 70, 80),
}


def test_there_is_a_case_for_each_limit() -> None:
    assert [field.name for field in dataclasses.fields(TemplateLimits)] == list(CASES)


@pytest.mark.parametrize("limit", CASES)
def test_each_limit_has_its_own_error(limit: str) -> None:
    text, values, tight, wide = CASES[limit]
    with TemplateLimits(**{limit: wide}).applied():
        compile_template(text).render(values)
    with TemplateLimits(**{limit: tight}).applied(), pytest.raises(TemplateLimitError) as caught:
        compile_template(text).render(values)
    error = caught.value
    assert (error.limit, error.maximum) == (limit, tight)
    assert error.value is None or error.value > tight
    assert f"{tight} " in str(error)
    assert f"TemplateLimits({limit}=...).applied()" in str(error)
    assert isinstance(error, UnsafeTemplateError)
    compile_template(text).render(values)


@pytest.mark.parametrize("limit", CASES)
@pytest.mark.parametrize("value", [0, -1, 1.5, None, True, "9"], ids=repr)
def test_a_limit_is_a_whole_number_above_zero(limit: str, value: Any) -> None:
    with pytest.raises(PromptFormatError, match=f"{limit} is a whole number above 0"):
        TemplateLimits(**{limit: value})


def test_limits_are_frozen_and_comparable() -> None:
    assert TemplateLimits() == DEFAULT_LIMITS
    assert TemplateLimits(steps=5) != DEFAULT_LIMITS
    with pytest.raises(dataclasses.FrozenInstanceError):
        DEFAULT_LIMITS.steps = 5  # type: ignore[misc]  # the point of the test


def test_limits_hold_inside_only() -> None:
    with TemplateLimits(steps=5).applied():
        with TemplateLimits(steps=6).applied():
            assert current_limits().steps == 6
        assert current_limits().steps == 5
    assert current_limits() is DEFAULT_LIMITS


def test_limits_hold_in_tasks_that_begin_inside_and_not_in_other_threads() -> None:
    seen: list[int] = []

    async def task() -> int:
        return await asyncio.to_thread(lambda: current_limits().steps)

    with TemplateLimits(steps=5).applied():
        thread = threading.Thread(target=lambda: seen.append(current_limits().steps))
        thread.start()
        thread.join()
        assert asyncio.run(task()) == 5
    assert seen == [DEFAULT_LIMITS.steps]


def test_what_was_compiled_under_wider_limits_is_not_kept_for_others() -> None:
    text = "{{ " + " ~ ".join(["x"] * 20) + " }}"
    with TemplateLimits(tokens=10).applied(), pytest.raises(TemplateLimitError):
        compile_template(text)
    assert compile_template(text).render({"x": "a"})
    with TemplateLimits(tokens=10).applied(), pytest.raises(TemplateLimitError):
        compile_template(text)


@pytest.mark.parametrize("syntax", ["jinja", "plain", "percent", "braces", "f-string"])
def test_other_syntaxes_have_limits_too(syntax: str) -> None:
    slot = {"jinja": "{{ x }}", "plain": "{{ x }}", "percent": "%x%"}.get(syntax, "{x}")
    with TemplateLimits(source=20).applied(), pytest.raises(TemplateLimitError) as caught:
        compile_template(slot * 9, syntax)
    assert caught.value.limit == "source"
    with TemplateLimits(tokens=20).applied(), pytest.raises(TemplateLimitError) as caught:
        compile_template(slot * 9, syntax)
    assert caught.value.limit == "tokens"
    with TemplateLimits(text=20).applied(), pytest.raises(TemplateLimitError) as caught:
        compile_template(slot * 9, syntax).render({"x": "aaaa"})
    assert caught.value.limit == "text"


def test_a_value_counts_once_and_a_template_too() -> None:
    with TemplateLimits(text=5).applied():
        assert compile_template("{% if x %}" + "a" * 50 + "{{ x }}{% endif %}").render({"x": "b" * 50})
        with pytest.raises(TemplateLimitError):
            compile_template("{% if x %}{{ x }}{{ x }}{{ x }}{% endif %}").render({"x": "b" * 50})


def test_the_line_and_the_message_are_named() -> None:
    prompt = Prompt("S", "a\n{% for i in range(100000) %}{{ i }}{{ i }}{{ i }}{{ i }}{% endfor %}b\n{{ x * 99999999 }}")
    with pytest.raises(TemplateLimitError, match=r"message 2 \(user\), line 3: rendering makes more than"):
        prompt.render(x="a")


def test_what_honest_prompts_do_is_far_from_the_limits() -> None:
    """Ten thousand rows of five columns, each looked into, filtered and compared."""
    rows = [
        {"id": n, "name": f"name {n}", "text": "some text " * 5, "tags": ["a", "b"], "n": n % 7} for n in range(10_000)
    ]
    text = (
        "{% macro cell(t) %}| {{ t }} {% endmacro %}{% for r in rows | sort(attribute='n') %}{{ loop.index }} "
        "{{ cell(r.id) }}{{ r.name | title }} {{ r.text | truncate(20) }} {{ r.tags | join(', ') }}"
        "{% if r.n == 3 and r.name != chosen %}*{% endif %}\n{% endfor %}{{ rows | length }}"
    )
    parts = compile_template(text).render({"rows": rows, "chosen": "x"})
    assert len(parts) == 1


HEAVY = "{% for i in range(n) %}{{ i }}{% endfor %}"


@pytest.mark.parametrize(
    "prompt",
    [
        Prompt(messages=[("user", HEAVY), ("assistant", HEAVY), ("user", HEAVY)]),
        Prompt(user=[HEAVY, HEAVY, {"type": "text", "content": HEAVY}]),
        Prompt(HEAVY, [HEAVY, HEAVY]),
    ],
    ids=["turns", "blocks", "both"],
)
def test_a_prompt_has_one_budget_for_all_its_templates(prompt: Prompt) -> None:
    with TemplateLimits(steps=1000).applied():
        assert prompt.render(n=100)
        with pytest.raises(TemplateLimitError, match=r"(message|block) [23]"):
            prompt.render(n=400)
        assert Prompt(user=HEAVY).render(n=400)
        assert prompt.render(n=100)


def test_a_budget_counts_down() -> None:
    spent = Budget(TemplateLimits(steps=10, text=10, depth=1), given=5)
    spent.take(10)
    spent.make(15)
    spent.make(-3)
    spent.enter()
    pays: list[tuple[Callable[[], None], str]] = [(partial(spent.take, 1), "steps"), (partial(spent.make, 1), "text")]
    for pay, limit in [*pays, (spent.enter, "depth")]:
        with pytest.raises(TemplateLimitError) as caught:
            pay()
        assert caught.value.limit == limit
    spent.leave()
    spent.enter()


def test_a_render_pays_from_one_budget() -> None:
    own = Budget(DEFAULT_LIMITS)
    with spending(own) as inside:
        assert budget() is inside is own
    assert budget() is not own


def test_a_limit_is_an_error_of_templates_for_all() -> None:
    with pytest.raises(TemplateError):
        Prompt(user="{{ 'a' * 999999999 }}").render()
