"""Message lists in the style of OpenAI, in JSON and YAML."""

import json
from pathlib import Path
from typing import Any

import pytest

from prompt_adapters import (
    Audio,
    Document,
    FewShot,
    History,
    Image,
    Message,
    Prompt,
    Text,
    ToolCall,
    ToolResult,
    Variable,
    Video,
    load_prompt,
    save_prompt,
)
from prompt_adapters.blocks import Block
from prompt_adapters.errors import PromptFormatError, PromptNotFoundError
from prompt_adapters.formats import held_by
from prompt_adapters.formats.messages import detect, dump, parse
from prompt_adapters.patterns import Pattern
from prompt_adapters.turns import Entry, Turn
from strategies import PDF, PNG, WAV

PATH = Path("chat.json")
DATA_URL = Image(PNG).as_data_url()
IMAGE_BLOCK = {"type": "image_url", "image_url": {"url": DATA_URL}}
CALL = {"id": "c1", "type": "function", "function": {"name": "search", "arguments": '{"q": "{{ x }}"}'}}


def read(data: object, syntax: str | None = None) -> Prompt:
    return parse(json.dumps(data), PATH, syntax=syntax)


# What an object becomes: (object, syntax, entry)
ROWS: dict[str, tuple[dict[str, Any], str, Entry]] = {
    "text": ({"role": "user", "content": "Hi {{ x }} {x}"}, "none", Turn("user", "Hi {{ x }} {x}")),
    "one text block": ({"role": "user", "content": [{"type": "text", "text": "a"}]}, "none", Turn("user", "a")),
    "other role names": ({"role": "ai", "content": "a"}, "none", Turn("assistant", "a")),
    "developer": ({"role": "developer", "content": "a"}, "none", Turn("developer", "a")),
    "media": (
        {"role": "user", "content": [{"type": "text", "text": "a"}, IMAGE_BLOCK]},
        "none",
        Message("user", ["a", Image(PNG)]),
    ),
    "blocks with placeholders": (
        {"role": "user", "content": [{"type": "text", "text": "{{ q }}"}, IMAGE_BLOCK]},
        "jinja",
        Turn("user", ["{{ q }}", Image(PNG)], spaced=False),
    ),
    "a link as a slot": (
        {"role": "user", "content": [{"type": "image_url", "image_url": {"url": "{url}"}}]},
        "braces",
        Turn("user", [Pattern({"type": "image_url", "image_url": {"url": "{url}"}})], spaced=False),
    ),
    "our own blocks": (
        {"role": "user", "content": [{"type": "text", "content": "a"}, {"type": "image", "variable": "x", "index": 1}]},
        "none",
        Turn("user", ["a", {"type": "image", "variable": "x", "index": 1}]),
    ),
    "separators": (
        {"role": "user", "content": [IMAGE_BLOCK, IMAGE_BLOCK], "spaced": True},
        "none",
        Turn("user", [Image(PNG), Image(PNG)]),
    ),
    "tool calls": (
        {"role": "assistant", "content": None, "tool_calls": [CALL]},
        "jinja",
        Message("assistant", [ToolCall("c1", "search", {"q": "{{ x }}"})]),
    ),
    "tool result": (
        {"role": "tool", "tool_call_id": "c1", "content": "7", "name": "search"},
        "jinja",
        Message("tool", [ToolResult("c1", "7", name="search")]),
    ),
    "failed tool": (
        {"role": "tool", "tool_call_id": "c1", "content": "no", "error": True},
        "none",
        Message("tool", [ToolResult("c1", "no", error=True)]),
    ),
    "name": ({"role": "user", "content": "a {{{{", "name": "Bo"}, "f-string", Message("user", "a {{", name="Bo")),
    "cache mark": (
        {"role": "user", "content": "a", "cache_control": {"type": "ephemeral"}},
        "none",
        Message("user", "a", cache=True),
    ),
    "verbatim without need": ({"role": "user", "content": "a", "syntax": "none"}, "jinja", Turn("user", "a")),
    "verbatim": ({"role": "user", "content": "{{ x }}", "syntax": "none"}, "jinja", Message("user", "{{ x }}")),
    "audio": (
        {"role": "user", "content": [{"type": "input_audio", "input_audio": {"data": "", "format": "wav"}}]},
        "none",
        Message("user", [Audio(WAV)]),
    ),
    "file": (
        {"role": "user", "content": [{"type": "file", "file": {"filename": "a.pdf", "file_data": ""}}]},
        "none",
        Message("user", [Document(PDF, name="a.pdf")]),
    ),
    "nothing beside": (
        {"role": "assistant", "content": "a", "refusal": None, "tool_calls": None, "annotations": []},
        "none",
        Turn("assistant", "a"),
    ),
}  # fmt: skip
ROWS["audio"][0]["content"][0]["input_audio"]["data"] = Audio(WAV).as_data_url().partition(",")[2]
ROWS["file"][0]["content"][0]["file"]["file_data"] = Document(PDF).as_data_url()


@pytest.mark.parametrize(("item", "syntax", "entry"), ROWS.values(), ids=ROWS)
@pytest.mark.parametrize("suffix", [".json", ".yaml", ".txt"])
def test_what_an_object_becomes(item: dict[str, Any], syntax: str, entry: Entry, suffix: str, tmp_path: Path) -> None:
    prompt = read([item], syntax)
    assert prompt == Prompt(messages=[entry], syntax=syntax)
    save_prompt(prompt, tmp_path / f"chat{suffix}", format="messages")
    assert load_prompt(tmp_path / f"chat{suffix}") == prompt


def test_a_list_is_literal_unless_it_looks_otherwise(tmp_path: Path) -> None:
    (tmp_path / "chat.json").write_text('[{"role": "user", "content": "100% of {\\"role\\": 1}"}]', encoding="utf-8")
    literal = load_prompt(tmp_path / "chat.json")
    assert (literal.syntax, literal.variables) == ("none", ())
    assert literal.render()[0].text == '100% of {"role": 1}'


LOOP = """[
  {% for turn in turns %}
  {"role": "{{ turn.role }}", "content": {{ turn.content | dump }}},
  {% endfor %}
  {"role": "user", "content": "{{ question }}"}
]"""
CHATS: dict[str, tuple[str, str, bool]] = {
    "a loop in JSON": ("chat.json", LOOP, True),
    "a loop in JSON, in a YAML file": ("chat.yaml", LOOP, True),
    "a loop in JSON, in a file of no format": ("chat.txt", LOOP, True),
    "a condition before it": ("chat.json", '{% if a %}[{ "role": "user", "content": "{{ x }}"}]{% endif %}', True),
    "a value without quotes": ("chat.json", '[{"role": "user", "content": {{ x | dump }} }]', True),
    "JSON with a fault": ("chat.json", '[{"role": "user", "content": "a",}]', False),
    "a slot between braces": ("chat.json", '[{"role": "user", "content": "{x}",}]', False),
    "a request": ("chat.json", '{"messages": [{"role": "user", "content": "{{ x }}",}]}', False),
    "a list of other things": ("chat.json", '[{"name": "{{ x }}",}]', False),
    "statements among rows of YAML": ("chat.yaml", "{% if a %}\n- role: user\n  content: a\n{% endif %}\n", False),
}


@pytest.mark.parametrize(("name", "text", "remedy"), CHATS.values(), ids=CHATS)
@pytest.mark.parametrize("format_", [None, "messages"])
def test_a_chat_of_promptfoo_that_is_no_data(
    name: str, text: str, remedy: bool, format_: str | None, tmp_path: Path
) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(PromptFormatError) as caught:
        load_prompt(tmp_path / name, format_)
    assert str(caught.value).count("; for a chat of promptfoo, give format='promptfoo'") == int(remedy)


def test_the_remedy_for_a_chat_of_promptfoo_helps(tmp_path: Path) -> None:
    (tmp_path / "chat.json").write_text(LOOP, encoding="utf-8")
    prompt = load_prompt(tmp_path / "chat.json", "promptfoo")
    assert [variable.name for variable in prompt.variables] == ["turns", "question"]


UNSAID: dict[str, tuple[list[dict[str, Any]], str]] = {
    "two braces": ([{"role": "user", "content": "Hi {{ question }}"}], "message 1: '{{ question }}' .*syntax='jinja'"),
    "one brace": ([{"role": "user", "content": "a"}, {"role": "user", "content": "{question}"}],
                  "message 2: '{question}' .*syntax='braces'"),
    "a statement": ([{"role": "user", "content": "{% if a %}b{% endif %}"}], "'{% if a %}' .*syntax='jinja'"),
    "in a block": ([{"role": "user", "content": [IMAGE_BLOCK, {"type": "text", "text": "{{a.b}}"}]}], "'{{a.b}}'"),
    "in a link": ([{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "{{ u }}"}}]}], "'{{ u }}'"),
    "beside a name": ([{"role": "user", "content": "{{ x }}", "name": "Bo"}], "'{{ x }}'"),
    "of a tool": ([{"role": "tool", "tool_call_id": "c", "content": "{{ x }}"}], "'{{ x }}'"),
}  # fmt: skip


@pytest.mark.parametrize(("data", "said"), UNSAID.values(), ids=UNSAID)
@pytest.mark.parametrize("request_", [False, True], ids=["list", "request"])
def test_what_looks_like_a_template_is_not_guessed(
    data: list[dict[str, Any]], said: str, request_: bool, tmp_path: Path
) -> None:
    path = tmp_path / "chat.json"
    path.write_text(json.dumps({"messages": data} if request_ else data), encoding="utf-8")
    with pytest.raises(PromptFormatError, match=said.replace("{", r"\{")) as caught:
        load_prompt(path)
    assert all(word in str(caught.value) for word in ("syntax='none'", '"prompt_adapters": {"syntax": '))
    assert ("format='promptfoo'" in str(caught.value)) is (not request_ and "jinja" in str(caught.value))
    if "{{ u }}" in said:  # which is no link
        return
    prompt = load_prompt(path, syntax="none")
    assert prompt.variables == ()
    for name in ("saved.json", "saved.yaml"):
        save_prompt(prompt, tmp_path / name, format="messages")
        assert load_prompt(tmp_path / name) == prompt


def test_a_file_may_say_that_it_is_literal() -> None:
    data = {"messages": [{"role": "user", "content": "{{ x }}"}], "prompt_adapters": {"syntax": "none"}}
    assert read(data) == read(data, "jinja") == Prompt(user="{{ x }}", syntax="none")
    assert json.loads(dump(read(data), PATH)) == data
    assert read([{"role": "user", "content": "{{ x }}", "syntax": "none"}]).variables == ()


def test_the_arguments_of_a_call_are_never_templates() -> None:
    prompt = read([{"role": "user", "content": "a"}, {"role": "assistant", "content": None, "tool_calls": [CALL]}])
    assert json.loads(dump(prompt, PATH))[1]["tool_calls"] == [CALL]


def test_a_syntax_may_be_given(tmp_path: Path) -> None:
    data = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "{question} {{ x }} 100%"}]
    (tmp_path / "chat.json").write_text(json.dumps(data), encoding="utf-8")
    literal = load_prompt(tmp_path / "chat.json", syntax="none")
    assert [message.text for message in literal.render()] == ["Be brief.", "{question} {{ x }} 100%"]
    braces = load_prompt(tmp_path / "chat.json", syntax="braces")
    assert braces.render(question="Why?")[1].text == "Why? {{ x }} 100%"
    jinja = load_prompt(tmp_path / "chat.json", syntax="jinja")
    assert jinja.render(x="X")[1].text == "{question} X 100%"


def test_a_list_is_given_back_as_it_was(tmp_path: Path) -> None:
    data = [
        {"role": "system", "content": "é 你好"},
        {"role": "user", "content": [{"type": "text", "text": "a"}, IMAGE_BLOCK]},
    ]
    save_prompt(read(data), tmp_path / "chat.json", format="messages")
    text = (tmp_path / "chat.json").read_text(encoding="utf-8")
    assert json.loads(text) == data
    assert "你好" in text


REQUEST = {
    "model": "gpt-4o",
    "messages": [{"role": "user", "content": "Hi {{ name }}"}],
    "temperature": 0,
    "tools": [{"type": "function", "function": {"name": "f", "parameters": {}}}],
    "prompt_adapters": {"syntax": "jinja"},
}


def test_a_request_is_given_back_as_it_was(tmp_path: Path) -> None:
    prompt = read(REQUEST)
    assert prompt == Prompt(
        user="Hi {{ name }}", model="gpt-4o", parameters={key: REQUEST[key] for key in ("temperature", "tools")}
    )
    assert read(REQUEST, "braces") == prompt  # the file says its own
    assert json.loads(dump(prompt, PATH)) == REQUEST


def test_yaml_keeps_what_the_writer_wrote(tmp_path: Path) -> None:
    path = tmp_path / "chat.yml"
    path.write_text(
        "- role: system\n  content: 1.10\n- role: user\n  content:\n  - {type: text, text: 012}\n"
        "  - {type: text, text: no}\n- {role: user, content: 2024-08-06, name: 7}\n",
        encoding="utf-8",
    )
    assert load_prompt(path).messages == (
        Turn("system", "1.10"), Message("user", ["012", "no"]), Message("user", "2024-08-06", name="7")
    )  # fmt: skip


def test_a_yaml_request(tmp_path: Path) -> None:
    path = tmp_path / "chat.yaml"
    path.write_text("model: 4.10\nmessages: [{role: user, content: '{x}'}]\ntop_p: 0.5\n", encoding="utf-8")
    prompt = load_prompt(path, syntax="braces")
    assert prompt == Prompt(user="{x}", model="4.10", parameters={"top_p": 0.5}, syntax="braces")
    save_prompt(prompt, path, format="messages")
    assert load_prompt(path) == prompt


# Detection

DETECTED = {
    "list": ("a.json", '[{"role": "user", "content": "a"}]', True),
    "request": ("a.json", '{"messages": [{"role": "user", "content": "a"}]}', True),
    "any suffix": ("a.txt", ' [{"role": "user", "content": "a"}]', True),
    "yaml": ("a.yaml", "- {role: user, content: a}", True),
    "yaml in another suffix": ("a.txt", "- {role: user, content: a}", False),
    "few-shot file": ("few_shot.json", '[{"role": "user", "content": "a"}]', False),
    "standardized": ("a.json", '{"user_prompt": {"template": "a"}, "messages": [{"role": "user"}]}', False),
    "promptfoo": ("a.yaml", "prompts: [a]\nmessages: [{role: user, content: a}]", False),
    "data of prompts": ("a.json", '{"messages": [{"role": "user", "parts": []}]}', False),
    "empty": ("a.json", "[]", False),
    "other list": ("a.json", '[{"input": "a", "output": "b"}]', False),
    "broken": ("a.json", "[{", False),
    "text": ("a.txt", "Hi", False),
}


@pytest.mark.parametrize(("name", "text", "wanted"), DETECTED.values(), ids=DETECTED)
def test_detected(name: str, text: str, wanted: bool, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert detect(tmp_path / name) is wanted
    assert not detect(tmp_path)


# Refused

FAULTS: dict[str, tuple[object, str]] = {
    "empty": ([], "a message list is a list of objects"),
    "text": ("Hi", "a message list is a list of objects"),
    "number": ([7], "message 1 is int, not an object"),
    "no role": ([{"role": "user", "content": "a"}, {"content": "a"}], "message 2 has no 'role'"),
    "role is a number": ([{"role": 1, "content": "a"}], "message 1 has no 'role', a text"),
    "unknown role": ([{"role": "robot", "content": "a"}], "message 1: 'robot' is not a role"),
    "no content": ([{"role": "user"}], "message 1 has no 'content'"),
    "content is a number": ([{"role": "user", "content": 7}], "message 1: its content is int"),
    "content is an object": ([{"role": "user", "content": {"text": "a"}}], "message 1: its content is dict"),
    "unknown key": ([{"role": "user", "content": "a", "weight": 0}], "message 1 has 'weight'"),
    "thoughts": ([{"role": "assistant", "content": "a", "reasoning_content": "b"}], "has 'reasoning_content'"),
    "refusal": ([{"role": "assistant", "content": "a", "refusal": "no"}], "message 1 has 'refusal'"),
    "unknown block": ([{"role": "user", "content": [{"type": "hologram"}]}], "message 1, block 1 is of type"),
    "path": ([{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "/etc/passwd"}}]}],
             "message 1, block 1: '/etc/passwd' is neither a URL nor a data URL"),
    "file link": ([{"role": "user", "content": [{"type": "image_url", "image_url": "file:///etc/passwd"}]}],
                  "message 1, block 1"),
    "no id": ([{"role": "tool", "content": "a"}], "message 1: a tool message needs 'tool_call_id'"),
    "another syntax": ([{"role": "user", "content": "a", "syntax": "jinja"}], "can only be 'none', not 'jinja'"),
    "spaced text": ([{"role": "user", "content": "a", "spaced": True}], "'spaced' is true, and stands beside a list"),
    "model": ({"messages": [{"role": "user", "content": "a"}], "model": 7}, "'model' is a text"),
    "extension": ({"messages": [{"role": "user", "content": "a"}], "prompt_adapters": {"x": 1}}, "an object with"),
    "unknown syntax": (
        {"messages": [{"role": "user", "content": "a"}], "prompt_adapters": {"syntax": "jinj"}}, "did you mean 'jinja'"
    ),
    "syntax is a list": (
        {"messages": [{"role": "user", "content": "a"}], "prompt_adapters": {"syntax": []}}, "'syntax' is a text"
    ),
}  # fmt: skip


@pytest.mark.parametrize(("data", "reason"), FAULTS.values(), ids=FAULTS)
@pytest.mark.parametrize("syntax", [None, "jinja", "f-string"])
def test_malformed_lists_are_refused_with_their_place(data: object, reason: str, syntax: str | None) -> None:
    with pytest.raises(PromptFormatError) as caught:
        read(data, syntax)
    assert str(caught.value).startswith("chat.json: ")
    assert reason in str(caught.value)


def test_templates_are_compiled_when_loaded() -> None:
    data = [{"role": "user", "content": "a"}, {"role": "user", "content": "{% if %}"}]
    with pytest.raises(PromptFormatError, match=r"chat\.json: message 2 \(user\), line 1: Expected an expression"):
        read(data, "jinja")
    with pytest.raises(PromptFormatError, match="message 1 has the placeholder 'x'"):
        read([{"role": "user", "content": "{{ x }}", "name": "Bo"}], "jinja")


def test_missing_files_and_other_encodings(tmp_path: Path) -> None:
    with pytest.raises(PromptNotFoundError):
        load_prompt(tmp_path / "chat.json", format="messages")
    (tmp_path / "chat.json").write_bytes('[{"role": "user", "content": "é"}]'.encode("latin-1"))
    with pytest.raises(PromptFormatError, match="byte 0xe9"):
        load_prompt(tmp_path / "chat.json", format="messages")


# What is lost

SLOT = {"type": "image", "variable": "x"}
LOSSES = {
    "few-shot": (Prompt(user="a", few_shot=FewShot([("b", "c")])), "the few-shot examples as such: they become turns"),
    "appended": (
        Prompt(user="a", few_shot=FewShot([("b", "c")], "append_to_user_prompt")),
        "the few-shot examples as such: they become text of message 1 (user)",
    ),
    "history": (Prompt(messages=[History("chat"), ("user", "a")]), "message 1 (history 'chat'), a slot for earlier"),
    "default": (Prompt(user="{{ x }}", variables=[Variable("x", default=1)]), "variable 'x': its default"),
    "type": (Prompt(user="{{ x }}", variables=[Variable("x", type="text")]), "variable 'x': its type"),
    "name": (Prompt(user="a", name="n"), "the name 'n'"),
    "version": (Prompt(user="a", version="1"), "the version '1'"),
    "metadata": (Prompt(user="a", metadata={"k": 1}), "the metadata 'k'"),
    "parameter": (Prompt(user="a", parameters={"messages": 1}), "the parameter 'messages'"),
    "two results": (
        Prompt(messages=[Message("tool", [ToolResult("1", "a"), ToolResult("2", "b")])]),
        "message 1 (tool): that its 2 results stand in one message",
    ),
    "slot without separators": (
        Prompt(messages=[Turn("user", ["a", SLOT], spaced=False)]),
        "message 1 (user): that nothing stands between its blocks",
    ),
    "clip of an uploaded film": (
        Prompt(messages=[Message("user", [Video.from_uploaded("file-1", start=1.5)])]),
        "message 1 (user), part 1: the start of video content",
    ),
    "marked pattern": (
        Prompt(user=[Block("image", pattern=Pattern({"type": "image_url", "image_url": "{{ x }}"}), cache=True)]),
        "message 1 (user), block 1: the end of a cacheable prefix",
    ),
    "empty text in a list": (Prompt(user=[Text(""), SLOT]), "message 1 (user), block 1: an empty text"),
    "text like a slot": (
        Prompt(user=[Text("{{ a }}"), SLOT], syntax="plain"), "block 1: a text that is no template"
    ),
}  # fmt: skip


@pytest.mark.parametrize(("prompt", "loss"), LOSSES.values(), ids=LOSSES)
def test_what_cannot_be_held_is_refused_by_name(prompt: Prompt, loss: str, tmp_path: Path) -> None:
    path = tmp_path / "chat.json"
    with pytest.raises(PromptFormatError, match=r"chat\.json: a message list cannot hold") as caught:
        save_prompt(prompt, path, format="messages")
    assert loss in str(caught.value)
    assert not path.exists()
    kept, losses = held_by(prompt, "messages")
    assert any(loss in one for one in losses)
    save_prompt(kept, path, format="messages")
    assert load_prompt(path, format="messages") == kept


def test_examples_become_turns_in_their_place() -> None:
    prompt = Prompt("s", "{{ q }}", few_shot=FewShot([("{{ a }}", "b")]))
    kept, _ = held_by(prompt, "messages")
    assert kept.messages == (
        Turn("system", "s"), Message("user", "{{ a }}"), Turn("assistant", "b"), Turn("user", "{{ q }}")
    )  # fmt: skip
    assert kept.render(q="Q") == prompt.render(q="Q")


def test_nothing_left_is_an_error() -> None:
    with pytest.raises(PromptFormatError, match="a slot for earlier messages: no message is left"):
        held_by(Prompt(messages=[History("chat")]), "messages")


def test_a_system_text_beside_the_list_is_no_parameter() -> None:
    request = {"model": "claude-sonnet-4-5", "system": "Be brief.", "messages": [{"role": "user", "content": "a"}]}
    with pytest.raises(PromptFormatError, match=r"'system' beside 'messages' .*; make it the first message"):
        read(request)
    prompt = Prompt(user="a", parameters={"system": "s", "top_p": 1})
    assert held_by(prompt, "messages") == (Prompt(user="a", parameters={"top_p": 1}), ("the parameter 'system'",))
