"""Prompt assets: one YAML file for each version of a prompt."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prompt_adapters import FewShot, History, Image, Message, Prompt, Variable, load_prompt, save_prompt
from prompt_adapters.errors import PromptFormatError, PromptNotFoundError, UnsafeTemplateError
from prompt_adapters.formats.asset import dump, held, parse
from prompt_adapters.patterns import Pattern
from prompt_adapters.turns import Turn
from strategies import NAMES, PNG, objects, templates, texts

ASSET = """\
prompt_id: demo/judge
version: 3.10
system_prompt: |
  You compare pictures. Answer in {{ language }}.
user_prompt:
- text: "Which is sharper, {{ hint }}?"
- image: {source: candidates, index: 0}
- image: {source: candidates, index: 1}
- audio: {source: sounds}
- video: {source: film}
- document: {source: rules}
- text: Answer A or B.
model: gemini-2.5-flash
parameters: {temperature: 0}
metadata: {owner: vision, version: 2}
"""

PROMPT = Prompt(
    system="You compare pictures. Answer in {{ language }}.\n",
    user=[
        {"type": "text", "content": "Which is sharper, {{ hint }}?"},
        {"type": "image", "variable": "candidates", "index": 0},
        {"type": "image", "variable": "candidates", "index": 1},
        {"type": "audio", "variable": "sounds"},
        {"type": "video", "variable": "film"},
        {"type": "document", "variable": "rules"},
        {"type": "text", "content": "Answer A or B."},
    ],
    model="gemini-2.5-flash",
    parameters={"temperature": 0},
    name="demo/judge",
    version="3.10",
    metadata={"owner": "vision", "version": 2},
)


@pytest.mark.parametrize("suffix", [".yaml", ".yml", ".YAML"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize("mark", ["", "\ufeff"], ids=["plain", "BOM"])
def test_loaded(suffix: str, newline: str, mark: str, tmp_path: Path) -> None:
    path = tmp_path / f"v1{suffix}"
    path.write_bytes((mark + ASSET.replace("\n", newline)).encode())
    assert load_prompt(path) == PROMPT


SCALARS = """
prompt_id: 007
version: 1.10
system_prompt: no
user_prompt:
  - text: 012
  - image: {source: on, index: 1}
  - text: 1e3
model: 4.10
parameters: {temperature: 0.20, top_p: 1e-1, max_tokens: 300, user: 012}
metadata: {owner: no, code: 012, release: 1.10, day: 2024-08-06, time: 1:30, ratio: 1e3, weight: .5, price: 2.5,
  number: 300, mode: 0o17, nothing: ~, 1.10: yes}
"""


def test_texts_and_numbers_are_what_was_written(tmp_path: Path) -> None:
    prompt = parse(SCALARS, Path("v1.yaml"))
    assert prompt == Prompt(
        system="no",
        user=[
            {"type": "text", "content": "012"},
            {"type": "image", "variable": "on", "index": 1},
            {"type": "text", "content": "1e3"},
        ],
        model="4.10",
        parameters={"temperature": 0.2, "top_p": 0.1, "max_tokens": 300, "user": "012"},
        name="007",
        version="1.10",
        metadata={
            "owner": "no", "code": "012", "release": "1.10", "day": "2024-08-06", "time": "1:30", "ratio": "1e3",
            "weight": ".5", "price": 2.5, "number": 300, "mode": "0o17", "nothing": None, "1.10": "yes",
        },
    )  # fmt: skip
    text = dump(prompt, Path("v1.yaml"))
    assert parse(text, Path("v1.yaml")) == prompt
    for written in ("007", "1.10", "no", "012", "4.10", "2024-08-06", "1:30", "1e3", ".5", "0o17"):
        assert f" '{written}'\n" in text
    save_prompt(prompt, tmp_path / "p.json")
    assert load_prompt(tmp_path / "p.json") == prompt


def test_one_text_alone_is_a_template() -> None:
    prompt = parse("user_prompt: [{text: 'Hi {{ name }}'}]", Path("v1.yaml"))
    assert prompt == Prompt(user="Hi {{ name }}")
    assert prompt.render_blocks(name="Bo") == [{"type": "text", "content": "Hi Bo"}]


def test_another_syntax() -> None:
    prompt = parse("user_prompt: [{text: '%name% {{ x }}'}]", Path("v1.yaml"), syntax="percent")
    assert prompt.render(name="Bo")[0].text == "Bo {{ x }}"


# name: (text, line, what the error says)
FAULTS = {
    "no YAML": ("user_prompt: [oops", 1, "not valid YAML"),
    "key twice": ("version: a\nuser_prompt: [{text: a}]\nversion: b", 3, "the key 'version' stands twice"),
    "a list": ("- text: a", 1, "not list"),
    "no user_prompt": ("system_prompt: a", 1, "needs 'user_prompt'"),
    "empty user_prompt": ("user_prompt: []", 1, "needs 'user_prompt'"),
    "a text": ("user_prompt: hello", 1, "needs 'user_prompt', a list"),
    "unknown key": ("user_prompt: [{text: a}]\nowner: me", 2, "unknown key 'owner'"),
    "system_prompt is a list": ("system_prompt: [a]\nuser_prompt: [{text: a}]", 1, "'system_prompt' is a text"),
    "metadata is a text": ("user_prompt: [{text: a}]\nmetadata: a", 2, "'metadata' is a mapping"),
    "parameters is a list": ("parameters: [a]\nuser_prompt: [{text: a}]", 1, "'parameters' is a mapping"),
    "item is a text": ("user_prompt: [{text: a}, b]", 1, "user_prompt item 2"),
    "text is a list": ("user_prompt:\n- text: [3]", 2, "user_prompt item 1"),
    "text is nothing": ("user_prompt:\n- text: a\n- text: ~", 3, "user_prompt item 2"),
    "both": ("user_prompt: [{text: a, image: {source: b}}]", 1, "user_prompt item 1"),
    "neither": ("user_prompt: [{}]", 1, "user_prompt item 1"),
    "unknown kind": ("user_prompt: [{picture: {source: b}}]", 1, "user_prompt item 1"),
    "no source": ("user_prompt: [{text: a}, {image: {index: 0}}]", 1, "user_prompt item 2"),
    "source is empty": ("user_prompt: [{image: {source: ''}}]", 1, "user_prompt item 1"),
    "unknown key of an image": ("user_prompt: [{image: {source: b, detail: low}}]", 1, "user_prompt item 1"),
    "index below zero": ("user_prompt: [{image: {source: b, index: -1}}]", 1, "item 1: an index"),
    "index is a text": ("user_prompt: [{image: {source: b, index: first}}]", 1, "item 1: an index"),
    "index is true": ("user_prompt: [{image: {source: b, index: true}}]", 1, "item 1: an index"),
    "broken template": ("user_prompt: [{text: a}, {text: '{% if %}'}]", 1, "user_prompt item 2: line 1"),
    "broken system template": ("system_prompt: '{{'\nuser_prompt: [{text: a}]", 1, "system_prompt: line 1"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "line", "reason"), FAULTS.values(), ids=FAULTS)
def test_faults_name_file_and_place(text: str, line: int, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "v1.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(PromptFormatError) as caught:
        load_prompt(path, format="asset")
    assert (caught.value.path, caught.value.line) == (str(path), line)
    assert reason in str(caught.value)


def test_other_encodings_and_missing_files(tmp_path: Path) -> None:
    path = tmp_path / "v1.yaml"
    with pytest.raises(PromptNotFoundError, match=r"v1\.yaml"):
        load_prompt(path, format="asset")
    path.write_bytes(b"user_prompt:\n- text: Don\x92t")
    with pytest.raises(PromptFormatError, match="line 2: byte 0x92"):
        load_prompt(path)


def test_a_yaml_file_of_another_kind_is_no_asset(tmp_path: Path) -> None:
    path = tmp_path / "settings.yaml"
    path.write_text("a: 1", encoding="utf-8")
    with pytest.raises(PromptFormatError, match="format="):
        load_prompt(path)
    path.write_text("a: [1", encoding="utf-8")
    with pytest.raises(PromptFormatError, match="line 1: not valid YAML"):
        load_prompt(path)


def test_templates_are_sandboxed(tmp_path: Path) -> None:
    path = tmp_path / "v1.yaml"
    path.write_text("""user_prompt: [{text: "{{ ''.__class__.__mro__ }}"}]""", encoding="utf-8")
    with pytest.raises(UnsafeTemplateError):
        load_prompt(path).render()


# Saving


def test_what_is_written() -> None:
    assert dump(PROMPT, Path("v1.yaml")) == (
        "prompt_id: demo/judge\nversion: '3.10'\n"
        "system_prompt: |\n  You compare pictures. Answer in {{ language }}.\n"
        "user_prompt:\n- text: Which is sharper, {{ hint }}?\n"
        "- image:\n    source: candidates\n    index: 0\n- image:\n    source: candidates\n    index: 1\n"
        "- audio:\n    source: sounds\n- video:\n    source: film\n- document:\n    source: rules\n"
        "- text: Answer A or B.\n"
        "model: gemini-2.5-flash\nparameters:\n  temperature: 0\nmetadata:\n  owner: vision\n  version: 2\n"
    )


IMAGE = {"type": "image", "variable": "x"}
LOSSES = {
    "few-shot": (Prompt(user="a", few_shot=FewShot([("a", "b")])), "the few-shot examples"),
    "appended": (
        Prompt(user="a", few_shot=FewShot([("a", "b")], "append_to_user_prompt")),
        "the few-shot examples as such: they become text of message 1 (user)",
    ),
    "unused": (Prompt(user="a", variables=["x"]), "variable 'x': its declaration, as no template uses it"),
    "default": (Prompt(user="{{ x }}", variables=[Variable("x", default=1)]), "variable 'x': its default"),
    "history": (Prompt(messages=[History("chat"), ("user", "a")]), "message 1 (history 'chat'), as only"),
    "two user turns": (Prompt(messages=[("user", "a"), ("user", "b")]), "message 1 (user), as only"),
    "developer": (Prompt(messages=[("developer", "a"), ("user", "b")]), "message 1 (developer): the role 'developer'"),
    "two system turns": (
        Prompt(messages=[("system", "a"), ("system", "b"), ("user", "c")]),
        "message 2 (system): its bounds",
    ),
    "no user turn": (Prompt(system="a"), "a prompt without a user turn"),
    "empty user turn": (Prompt(messages=[("user", "")]), "message 1 (user), as nothing is left of it"),
    "system of media": (Prompt(system=[IMAGE, "a"], user="b"), "message 1 (system), block 1: a slot for image content"),
    "empty system": (Prompt(messages=[("system", ""), ("user", "b")]), "message 1 (system), which is empty"),
    "literal part": (Prompt(user=["a", Image(PNG)]), "message 1 (user), block 2: a part, image"),
    "cache mark": (Prompt(user=[IMAGE | {"cache": True}, "a"]), "message 1 (user), block 1: the end of a cacheable"),
    "pattern": (
        Prompt(user=["a", Pattern({"type": "image_url", "image_url": {"url": "{{ x }}"}})]),
        "message 1 (user), block 2: a block of type 'image_url' with templates",
    ),
    "no separators": (
        Prompt(messages=[Turn("user", ["a", IMAGE], spaced=False)]),
        "message 1 (user): that nothing stands between its blocks",
    ),
    "name in another syntax": (Prompt(user=["%true%", "a"], syntax="percent"), "block 1: the variable 'true' cannot"),
}


@pytest.mark.parametrize(("prompt", "loss"), LOSSES.values(), ids=LOSSES)
def test_what_cannot_be_held_is_refused_by_name(prompt: Prompt, loss: str, tmp_path: Path) -> None:
    path = tmp_path / "v1.yaml"
    with pytest.raises(PromptFormatError, match="cannot hold") as caught:
        save_prompt(prompt, path)
    assert loss in str(caught.value)
    assert str(path) in str(caught.value)
    assert not path.exists()


ALIKE = {
    "another syntax": (Prompt(user="%x% {{", syntax="percent"), Prompt(user="{{ x }} {{ '{' }}{{ '{' }}")),
    "declared anyway": (Prompt(user="{{ x }}", variables=["x"]), Prompt(user="{{ x }}")),
    "one text block": (Prompt(user=["a"]), Prompt(user="a")),
    "literal messages": (
        Prompt(messages=[Message("system", "{{ a }}"), Message("user", "b")]),
        Prompt("{{ '{' }}{ a }}", "b"),
    ),
}


@pytest.mark.parametrize(("prompt", "loaded"), ALIKE.values(), ids=ALIKE)
def test_other_words_for_the_same_are_no_loss(prompt: Prompt, loaded: Prompt, tmp_path: Path) -> None:
    save_prompt(prompt, tmp_path / "v1.yaml")
    assert load_prompt(tmp_path / "v1.yaml") == loaded
    assert loaded.render({v.name: "X" for v in loaded.variables}) == prompt.render(
        {v.name: "X" for v in prompt.variables}
    )


def test_all_that_is_lost_is_named_at_once() -> None:
    prompt = Prompt(
        messages=[("developer", "d"), History("chat"), ("user", ["a", Image(PNG)])], variables=["ghost"], name="n"
    )
    kept, losses = held(prompt)
    assert kept == Prompt("d", "a", name="n")
    assert [loss.split(":")[0].split(",")[0] for loss in losses] == [
        "variable 'ghost'", "message 2 (history 'chat')", "message 1 (developer)", "message 3 (user)",
    ]  # fmt: skip
    with pytest.raises(PromptFormatError) as caught:
        dump(prompt, Path("v1.yaml"))
    assert str(caught.value) == f"v1.yaml: a prompt asset cannot hold {'; '.join(losses)}"


@st.composite
def holdable(draw: st.DrawFn) -> Prompt:
    """Prompts that the format can hold."""
    text = st.fixed_dictionaries({"type": st.just("text"), "content": templates("jinja")})
    kinds = st.sampled_from(["image", "audio", "video", "document"])
    slot = st.fixed_dictionaries(
        {"type": kinds, "variable": st.sampled_from(NAMES)}, optional={"index": st.integers(0, 3)}
    )
    blocks: st.SearchStrategy[object] = st.lists(text | slot, min_size=2, max_size=4) | slot.map(lambda block: [block])
    field = st.none() | texts(1)
    return Prompt(
        system=draw(st.none() | templates("jinja").filter(bool)),
        user=draw(templates("jinja").filter(bool) | blocks),  # type: ignore[arg-type]  # texts and lists, as told
        model=draw(field),
        name=draw(field),
        version=draw(field),
        parameters=draw(objects()),
        metadata=draw(objects()),
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("prompts")


@given(prompt=holdable())
def test_what_is_saved_is_loaded(prompt: Prompt, folder: Path) -> None:
    save_prompt(prompt, folder / "v1.yaml")
    assert load_prompt(folder / "v1.yaml") == prompt


@pytest.mark.parametrize("cache", [False, True])
def test_a_user_loses_the_name_and_not_the_message(cache: bool) -> None:
    prompt = Prompt(messages=[("system", "s"), Message("user", "u", name="Bo", cache=cache)])
    kept, losses = held(prompt)
    assert kept == Prompt("s", "u")
    marks = ("message 2 (user): the end of a cacheable prefix",) if cache else ()
    assert losses == ("message 2 (user): its name 'Bo'", *marks)
