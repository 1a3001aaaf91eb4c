"""What all templates of one prompt may take together, and what a loaded prompt may include."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from attacks import SECRET
from prompt_adapters import Prompt, PromptAssetStore, load_prompt, save_prompt
from prompt_adapters.errors import PromptAdapterError, PromptFormatError, TemplateLimitError, UnsafeTemplateError
from prompt_adapters.langchain import AdapterPromptTemplate
from prompt_adapters.templates import TemplateLimits

COSTLY = "{{ t|e }}" * 3000
MANY = 3000

TOO_COSTLY: dict[str, Callable[[], object]] = {
    "turns": lambda: Prompt(messages=[("user", COSTLY + str(n)) for n in range(20)]),
    "blocks": lambda: Prompt(user=[COSTLY + str(n) for n in range(20)]),
    "small turns": lambda: Prompt(messages=[("user", "{{ t|e }}" + str(n)) for n in range(MANY)]),
    "small blocks": lambda: Prompt(user=["{{ t|e }}" + str(n) for n in range(MANY)]),
    "mustache": lambda: Prompt(user=["{{#t}}a{{/t}}" + str(n) for n in range(MANY)], syntax="mustache"),
    "formatted": lambda: Prompt(user=["{t!r}" + str(n) for n in range(MANY)], syntax="f-string"),
    "patterns": lambda: Prompt.from_json(
        {"messages": [{"role": "user", "blocks": [_pattern(f"{{{{ t|e }}}}{n}") for n in range(MANY)]}]}
    ),
    "LangChain": lambda: AdapterPromptTemplate.from_messages(
        [("user", "{{ t|e }}" + str(n)) for n in range(MANY)], template_format="jinja2"
    ),
    "LangChain, blocks": lambda: AdapterPromptTemplate.from_messages(
        [("user", [{"type": "text", "text": "{{ t|e }}" + str(n)} for n in range(MANY)])], template_format="jinja2"
    ),
    "data": lambda: Prompt.from_json(
        {"messages": [{"role": "user", "template": f"{{{{ t|e }}}}{n}"} for n in range(MANY)], "syntax": "jinja"}
    ),
}


def _pattern(text: str) -> dict[str, Any]:
    url = {"url": f"https://example.org/{text}"}
    return {"type": "image", "pattern": {"type": "image_url", "image_url": url}}


@pytest.mark.parametrize("make", TOO_COSTLY.values(), ids=TOO_COSTLY)
def test_many_costly_templates_are_too_many(make: Callable[[], object]) -> None:
    started = time.process_time()
    with pytest.raises(TemplateLimitError) as caught:
        make()
    assert caught.value.limit == "tokens"
    assert time.process_time() - started < 2  # with coverage and the like
    with pytest.raises(TemplateLimitError):  # also when some of them are known
        make()


def test_honest_prompts_have_as_many_as_they_like() -> None:
    assert len(Prompt(messages=[("user", f"{n}") for n in range(MANY)]).render()) == MANY
    assert len(Prompt(messages=[("user", f"{{{{ x }}}}{n}") for n in range(MANY)]).render(x="y")) == MANY
    assert len(Prompt(messages=[("user", f"{{% if x %}}{n}{{% endif %}}") for n in range(300)]).render(x="y")) == 300
    assert len(Prompt(messages=[("user", "{% if x %}a{% endif %}") for n in range(MANY)]).render(x="y")) == MANY
    with TemplateLimits(tokens=1_000_000).applied():
        assert Prompt(messages=[("user", f"{{% if x %}}{n}{{% endif %}}") for n in range(600)])


def test_long_lists_of_messages_take_time_in_proportion() -> None:
    started = time.process_time()
    made = AdapterPromptTemplate.from_messages([("user", f"{{x}}{n}") for n in range(MANY)])
    assert len(made) == MANY
    assert len(made.prompts) == 1
    assert time.process_time() - started < 5


# Includes of a prompt in a file


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    parts = tmp_path / "parts"
    parts.mkdir()
    (parts / "rules").write_text("Be {{ how }}.")
    (tmp_path / "secret").write_text(SECRET)
    (parts / "link").symlink_to(tmp_path / "secret")
    os.mkfifo(parts / "pipe")
    return parts


def written(folder: Path, template: str, syntax: str = "jinja") -> Path:
    path = folder.parent / "prompt.json"
    data = {"user_prompt_component": {"template": template, "variables": []}, "prompt_adapters": {"syntax": syntax}}
    path.write_text(json.dumps(data))
    return path


INCLUDING = '{% include "rules" %} {{ question }}'


def test_a_loaded_prompt_includes_from_the_folder_that_is_given(folder: Path) -> None:
    path = written(folder, INCLUDING)
    prompt = load_prompt(path, includes=folder)
    assert prompt == Prompt(user=INCLUDING, includes=folder).replace(variables=prompt.declared)
    assert prompt.render(how="brief", question="Why?")[0].text == "Be brief. Why?"
    assert [variable.name for variable in prompt.variables] == ["how", "question"]
    assert AdapterPromptTemplate.from_path(path, includes=folder).prompt == prompt
    for place in ("saved", "saved.json"):
        save_prompt(prompt, folder.parent / place)
        assert load_prompt(folder.parent / place) == prompt
    with pytest.raises(PromptAdapterError, match="include"):
        load_prompt(path)


def test_a_directory_and_an_asset_include_as_well(folder: Path) -> None:
    directory = folder.parent / "directory"
    directory.mkdir()
    (directory / "user_prompt.txt").write_text(INCLUDING)
    assert load_prompt(directory, syntax="jinja", includes=folder).render(how="a", question="b")[0].text == "Be a. b"
    asset = folder.parent / "a.yaml"
    asset.write_text(f"user_prompt:\n- text: '{INCLUDING}'\n")
    assert load_prompt(asset, includes=folder).render(how="a", question="b")[0].text == "Be a. b"
    with pytest.raises(PromptAdapterError):
        PromptAssetStore(folder.parent).get("a")


NAMES = [
    "../secret",
    "/etc/passwd",
    "link",
    "pipe",
    "//host/share",
    "\\\\host\\share",
    "C:/x",
    "/dev/zero",
    ".",
    "",
    "a\0b",
]


@pytest.mark.parametrize("name", NAMES)
def test_includes_of_a_loaded_prompt_stay_in_the_folder(name: str, folder: Path) -> None:
    for tag in ("include {}", "import {} as m", "from {} import m"):
        path = written(folder, "{% " + tag.format(json.dumps(name)) + " %}")
        with pytest.raises(PromptAdapterError) as caught:
            load_prompt(path, includes=folder)
        assert SECRET not in str(caught.value)


def test_a_value_chooses_no_file(folder: Path) -> None:
    with pytest.raises((UnsafeTemplateError, PromptFormatError), match="no variable chooses"):
        load_prompt(written(folder, "{% include x %}"), includes=folder)


def test_only_jinja_includes(folder: Path) -> None:
    with pytest.raises(PromptFormatError, match="includes are for Jinja templates"):
        load_prompt(written(folder, "{x}", "braces"), includes=folder)
    with pytest.raises(PromptFormatError, match="there is no such folder to include templates from"):
        load_prompt(written(folder, "x"), includes=folder / "none")


def test_many_turns_that_include_the_same_are_too_long(folder: Path) -> None:
    (folder / "long").write_text("x" * 1_000_000)
    turns = [("user", f'{{% include "long" %}}{n}') for n in range(1000)]
    with pytest.raises(TemplateLimitError) as caught:
        Prompt(messages=turns, includes=folder)
    assert caught.value.limit == "source"
    assert len(Prompt(messages=turns[:4], includes=folder).messages) == 4


def test_a_file_is_included_as_it_was_when_the_prompt_was_loaded(folder: Path) -> None:
    prompt = load_prompt(written(folder, INCLUDING), includes=folder)
    (folder / "rules").write_text("other")
    assert prompt.render(how="brief", question="Why?")[0].text == "Be brief. Why?"
