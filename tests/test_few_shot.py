import copy
import itertools
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prompt_adapters import FewShot, History, Image, Message, Prompt, Text, ToolCall
from prompt_adapters.errors import PromptAdapterError, PromptFormatError
from prompt_adapters.few_shot import FEW_SHOT_FORMATS, Example, merged
from strategies import PNG, few_shots, texts

PHOTO = Image(PNG)
PAIRS = [("2+2?", "4"), ("{{ x }} %x% {x}", "{% raw")]
SECTION = "**Examples**\nExample 1:\nInput: 2+2?\nOutput: 4\n\nExample 2:\nInput: {{ x }} %x% {x}\nOutput: {% raw"
TURNS = (
    Message("user", "2+2?"),
    Message("assistant", "4"),
    Message("user", "{{ x }} %x% {x}"),
    Message("assistant", "{% raw"),
)


@pytest.mark.parametrize(
    "examples",
    [
        PAIRS,
        [list(pair) for pair in PAIRS],
        tuple(PAIRS),
        iter(PAIRS),
        [{"input": question, "output": answer} for question, answer in PAIRS],
        [Example(*pair) for pair in PAIRS],
        [{"input": [question], "output": Text(answer)} for question, answer in PAIRS],
        [{"input": [{"type": "text", "text": question}], "output": (answer,)} for question, answer in PAIRS],
        list(TURNS),
        [{"role": message.role, "content": message.text} for message in TURNS],
        [{"role": message.role, "content": [{"text": message.text}]} for message in TURNS],
        [("human" if message.role == "user" else "ai", message.text) for message in TURNS],
    ],
    ids=[
        "pairs",
        "lists",
        "tuple",
        "iterator",
        "dicts",
        "examples",
        "texts",
        "data",
        "messages",
        "roles",
        "converse",
        "role-pairs",
    ],
)
def test_every_way_of_writing_examples(examples: list[object]) -> None:
    assert FewShot(examples) == FewShot([Example(*pair) for pair in PAIRS])


def test_examples_are_no_part_of_what_was_given() -> None:
    example = {"input": ["a"], "output": "b"}
    examples = [example]
    few_shot = FewShot(examples)
    examples.append(example)
    example["input"] = "changed"
    assert few_shot == FewShot([("a", "b")])
    assert isinstance(few_shot.examples, tuple)


@given(few_shot=few_shots())
def test_examples_survive_data_pickle_and_copy(few_shot: FewShot | None) -> None:
    if few_shot is not None:
        assert FewShot.from_data(few_shot.to_data()) == few_shot
        assert pickle.loads(pickle.dumps(few_shot)) == few_shot
        assert copy.deepcopy(few_shot) == few_shot
        assert hash(few_shot) == hash(FewShot(few_shot.examples, few_shot.format))


def test_plain_text_stays_a_string_in_data() -> None:
    assert FewShot([("a", "b")], "append_to_user_prompt").to_data() == {
        "examples": [{"input": "a", "output": "b"}],
        "format": "append_to_user_prompt",
    }


def test_replace_checks_and_reads_anew() -> None:
    few_shot = FewShot([("a", "b")])
    assert few_shot.replace(examples=[{"input": "c", "output": "d"}]) == FewShot([("c", "d")])
    assert few_shot.replace(format="append_to_user_prompt").format == "append_to_user_prompt"
    assert Example("a", "b").replace(input="c") == Example("c", "b")
    with pytest.raises(PromptFormatError, match="not a few-shot format"):
        few_shot.replace(format="chat")
    with pytest.raises(PromptFormatError, match="lacks 'output'"):
        few_shot.replace(examples=[{"input": "c"}])


@pytest.mark.parametrize(
    ("examples", "reason"),
    [
        ("text", "are a list, not str"),
        (b"bytes", "are a list, not bytes"),
        (None, "are a list, not NoneType"),
        (5, "are a list, not int"),
        ({"input": "a", "output": "b"}, "are a list, not dict"),
        ({("a", "b")}, "are a list, not set"),
        (["a"], "example 1 is str"),
        ([("a", "b"), ("c",)], "example 2 is tuple"),
        ([("a", "b", "c")], "example 1 is tuple"),
        ([("a", "b"), {"input": "c"}], r"example 2 \(index 1\) lacks 'output'"),
        ([{"output": "c"}], r"example 1 \(index 0\) lacks 'input'"),
        ([{"input": "a", "output": "b", "weight": 1}], "example 1 has the unknown key 'weight'"),
        ([("a", None)], "example 1, output: None is neither text nor a part"),
        ([(5, "b")], "example 1, input: a value of type int"),
        ([(b"x" * 999, "b")], "example 1, input: a value of type bytes"),
        ([("a", [None])], "example 1, output: None"),
        ([{"input": [{"type": "image", "path": "/etc/passwd"}], "output": "b"}], "example 1, input, part 1"),
        ([{"input": [{"type": "image", "content": "x.png"}], "output": "b"}], "example 1, input, part 1"),
        ([{"role": "user", "content": "a"}], r"last few-shot message \(1\) has no assistant's answer"),
        ([{"role": "assistant", "content": "a"}] * 2, "message 1 is 'assistant' where 'user' belongs"),
        ([{"role": "user", "content": "a"}] * 2, "message 2 is 'user' where 'assistant' belongs"),
        ([Message("user", "a", name="Ada"), Message("assistant", "b")], "message 1 has a name or cache mark"),
        ([Message("user", "a"), Message("assistant", "b", cache=True)], "message 2 has a name or cache mark"),
        ([Message("user", "a"), ("b", "c")], "example 1 is Message"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_malformed_examples_are_refused_by_number(examples: list[object], reason: str) -> None:
    with pytest.raises(PromptFormatError, match=reason) as caught:
        FewShot(examples)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (None, "needs 'examples'"),
        ([], "needs 'examples'"),
        ({"format": "converse"}, "needs 'examples'"),
        ({"examples": [], "fromat": "converse"}, "unknown key 'fromat'"),
        ({"examples": "ab"}, "'examples' is str, not a list"),
        ({"examples": None}, "'examples' is NoneType, not a list"),
        ({"examples": [], "format": None}, "not a few-shot format"),
        ({"examples": [], "format": b"x" * 999}, "not a few-shot format"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_malformed_data_are_refused(data: object, reason: str) -> None:
    with pytest.raises(PromptFormatError, match=reason) as caught:
        FewShot.from_data(data)
    assert len(str(caught.value)) < 200


def test_pairs_of_which_only_some_look_like_roles_are_examples() -> None:
    assert FewShot([("user", "Benutzer"), ("role", "Rolle")]).examples[0] == Example("user", "Benutzer")
    assert FewShot([("user", "Benutzer")]).examples == (Example("user", "Benutzer"),)


@pytest.mark.parametrize("format_type", FEW_SHOT_FORMATS)
def test_no_examples_are_none(format_type: str) -> None:
    prompt = Prompt(user="hi", few_shot=FewShot([], format_type))
    assert prompt.few_shot is None
    assert prompt == Prompt(user="hi")
    assert prompt.render() == (Message("user", "hi"),)


SYSTEM, USER, LATER = Message("system", "S"), Message("user", "U"), Message("assistant", "A")
CHAT = [Message("user", "earlier"), Message("assistant", "answer")]


def _appended(message: Message) -> Message:
    return message.replace(parts=[f"{message.text}\n\n{SECTION}"])


@pytest.mark.parametrize(
    ("messages", "converse", "in_user", "in_system"),
    [
        pytest.param(
            [USER],
            (*TURNS, USER),
            (_appended(USER),),
            (Message("system", SECTION), USER),
            id="no system",
        ),
        pytest.param(
            [SYSTEM, USER],
            (SYSTEM, *TURNS, USER),
            (SYSTEM, _appended(USER)),
            (_appended(SYSTEM), USER),
            id="system",
        ),
        pytest.param(
            [SYSTEM, Message("developer", "D"), USER],
            (SYSTEM, Message("developer", "D"), *TURNS, USER),
            (SYSTEM, Message("developer", "D"), _appended(USER)),
            (SYSTEM, _appended(Message("developer", "D")), USER),
            id="several system turns",
        ),
        pytest.param(
            [USER, LATER, USER, SYSTEM],
            (*TURNS, USER, LATER, USER, SYSTEM),
            (USER, LATER, _appended(USER), SYSTEM),
            (Message("system", SECTION), USER, LATER, USER, SYSTEM),
            id="several user turns, late system",
        ),
        pytest.param(
            [History("chat"), USER],
            (*TURNS, *CHAT, USER),
            (*CHAT, _appended(USER)),
            (Message("system", SECTION), *CHAT, USER),
            id="history first",
        ),
        pytest.param(
            [SYSTEM, USER, History("chat")],
            (SYSTEM, *TURNS, USER, *CHAT),
            (SYSTEM, _appended(USER), *CHAT),
            (_appended(SYSTEM), USER, *CHAT),
            id="history last",
        ),
        pytest.param(
            [SYSTEM, History("chat")],
            (SYSTEM, *TURNS, *CHAT),
            (SYSTEM, _appended(CHAT[0]), CHAT[1]),
            (_appended(SYSTEM), *CHAT),
            id="only a history",
        ),
    ],
)
def test_where_examples_stand(
    messages: list[Message | History],
    converse: tuple[Message, ...],
    in_user: tuple[Message, ...],
    in_system: tuple[Message, ...],
) -> None:
    values = {"chat": CHAT} if any(isinstance(entry, History) for entry in messages) else {}
    for format_type, expected in zip(FEW_SHOT_FORMATS, (converse, in_user, in_system), strict=True):
        prompt = Prompt(messages=messages, few_shot=FewShot(PAIRS, format_type))
        assert prompt.render(values) == expected


def test_a_system_message_from_the_history_keeps_its_place() -> None:
    prompt = Prompt(messages=[History("chat"), ("user", "U")], few_shot=FewShot(PAIRS, "append_to_system_prompt"))
    assert prompt.render(chat=[("system", "S"), ("user", "q")]) == (_appended(SYSTEM), Message("user", "q"), USER)


def test_templates_stay_templates_and_examples_data() -> None:
    prompt = Prompt(system="{{ x }}", user="ask {{ x }}\n", few_shot=FewShot(PAIRS, "append_to_user_prompt"))
    assert [variable.name for variable in prompt.variables] == ["x"]
    assert prompt.render(x="{{ y }}") == (
        Message("system", "{{ y }}"),
        Message("user", f"ask {{{{ y }}}}\n\n\n{SECTION}"),
    )


@given(pairs=st.lists(st.tuples(texts(), texts()), min_size=1, max_size=3), syntax=st.sampled_from(["jinja", "plain"]))
def test_appended_examples_come_out_byte_for_byte(pairs: list[tuple[str, str]], syntax: str) -> None:
    examples = [Example(*pair) for pair in pairs]
    (message,) = Prompt(user="ask", few_shot=FewShot(examples, "append_to_user_prompt"), syntax=syntax).render()
    listed = "\n\n".join(f"Example {n}:\nInput: {i}\nOutput: {o}" for n, (i, o) in enumerate(pairs, 1))
    assert message == Message("user", f"ask\n\n**Examples**\n{listed}")


def test_media_in_appended_examples_stay_whole() -> None:
    few_shot = FewShot([([PHOTO, " what?"], "a cat"), ("and", PHOTO)], "append_to_user_prompt")
    (message,) = Prompt(user="ask", few_shot=few_shot).render()
    assert message.parts == (
        Text("ask\n\n**Examples**\nExample 1:\nInput: "),
        PHOTO,
        Text(" what?\nOutput: a cat\n\nExample 2:\nInput: and\nOutput: "),
        PHOTO,
    )


def test_media_in_converse_examples_stay_whole() -> None:
    assert FewShot([([PHOTO, "what?"], [ToolCall("1", "look")])]).turns() == (
        Message("user", [PHOTO, "what?"]),
        Message("assistant", [ToolCall("1", "look")]),
    )


def test_examples_after_a_block_list_and_after_media() -> None:
    blocks = [{"type": "text", "content": "look"}, {"type": "image", "variable": "photo"}]
    (message,) = Prompt(user=blocks, few_shot=FewShot([("a", "b")], "append_to_user_prompt")).render(photo=PHOTO)
    assert message.parts == (
        Text("look"),
        Text("\n"),
        PHOTO,
        Text("\n\n**Examples**\nExample 1:\nInput: a\nOutput: b"),
    )


def test_examples_stay_out_of_a_cached_prefix() -> None:
    turn = Message("user", [Text("cached", cache=True)], cache=True)
    (message,) = Prompt(messages=[turn], few_shot=FewShot([("a", "b")], "append_to_user_prompt")).render()
    assert message.parts == (
        Text("cached", cache=True),
        Text("\n\n**Examples**\nExample 1:\nInput: a\nOutput: b"),
    )
    assert message.cache


def test_a_cached_part_of_an_example_ends_its_prefix() -> None:
    assert FewShot([(Text("a", cache=True), "b")]).section() == (
        Text("**Examples**\nExample 1:\nInput: a", cache=True),
        Text("\nOutput: b"),
    )


def test_examples_after_an_empty_turn_begin_at_once() -> None:
    prompt = Prompt(user="{{ x }}", few_shot=FewShot([("a", "b")], "append_to_user_prompt"))
    assert prompt.render(x="") == (Message("user", "**Examples**\nExample 1:\nInput: a\nOutput: b"),)


def test_examples_for_a_user_turn_that_is_not_there() -> None:
    prompt = Prompt(system="S", few_shot=FewShot(PAIRS, "append_to_user_prompt"))
    with pytest.raises(PromptFormatError, match="there is no user turn") as caught:
        prompt.render()
    assert isinstance(caught.value, PromptAdapterError)


@given(pieces=st.lists(texts() | st.builds(Text, texts(), cache=st.booleans()) | st.just(PHOTO), max_size=6))
def test_merging_loses_nothing(pieces: list[object]) -> None:
    parts = merged(pieces)  # type: ignore[arg-type]  # texts and parts
    text = "".join(p if isinstance(p, str) else p.text for p in pieces if isinstance(p, str | Text))
    assert "".join(part.text for part in parts if isinstance(part, Text)) == text
    assert parts.count(PHOTO) == pieces.count(PHOTO)
    marks = [piece for piece in pieces if isinstance(piece, Text) and piece.cache]
    assert len([part for part in parts if isinstance(part, Text) and part.cache]) == len(marks)
    for left, right in itertools.pairwise(parts):
        assert not (isinstance(left, Text) and isinstance(right, Text)) or left.cache
