import pytest

from prompt_adapters.content.parts import Text
from prompt_adapters.errors import MissingVariableError
from prompt_adapters.templates.percent import compile_percent


@pytest.mark.parametrize(
    ("text", "names", "rendered"),
    [
        ("%name%", ["name"], "N"),
        ("a %name%, b %other%", ["name", "other"], "a N, b O"),
        ("%name%%other%", ["name", "other"], "NO"),
        ("100% of %name%", ["name"], "100% of N"),
        ("100%% sure", [], "100% sure"),
        ("100%%name%", [], "100%name%"),
        ("%%name%%", [], "%name%"),
        ("%%%name%%%", ["name"], "%N%"),
        ("5%,%name%", ["name"], "5%,N"),
        ("%a.b% %1% % name % %s %d %(a)s", [], "%a.b% %1% % name % %s %d %(a)s"),
        ("%", [], "%"),
        ("%变量%", ["变量"], "V"),
        ("{{ x }} {x} $x$ {% if %}", [], "{{ x }} {x} $x$ {% if %}"),
    ],
)
def test_slots(text: str, names: list[str], rendered: str) -> None:
    template = compile_percent(text)
    assert [slot.name for slot in template.variables] == names
    assert template.render({"name": "N", "other": "O", "变量": "V"}) == (Text(rendered),)


def test_a_missing_variable_tells_how_to_write_a_percent_sign() -> None:
    with pytest.raises(MissingVariableError, match=r"missing variable 'off'; write %% where a percent sign is meant"):
        compile_percent("50%off%").render({})
