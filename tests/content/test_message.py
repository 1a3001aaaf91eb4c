import pytest

from prompt_adapters.content.message import ROLES, Message
from prompt_adapters.content.parts import Image, Text, ToolCall
from prompt_adapters.content.position import position
from prompt_adapters.errors import PromptFormatError

IMAGE = Image("https://example.com/a.png")


@pytest.mark.parametrize(
    ("parts", "kept"),
    [
        ("hi", (Text("hi"),)),
        ("", (Text(""),)),
        (Text("hi"), (Text("hi"),)),
        (IMAGE, (IMAGE,)),
        (["hi", IMAGE, Text("x")], (Text("hi"), IMAGE, Text("x"))),
        ((part for part in ("a", "b")), (Text("a"), Text("b"))),
        ([], ()),
        (ToolCall("1", "f"), (ToolCall("1", "f"),)),
    ],
    ids=["str", "empty", "text", "image", "list", "generator", "none", "tool call"],
)
def test_parts_are_a_tuple_in_order(parts: object, kept: tuple[object, ...]) -> None:
    assert Message("user", parts).parts == kept  # type: ignore[arg-type]  # of every kind that is taken


@pytest.mark.parametrize("role", ROLES)
def test_every_role(role: str) -> None:
    assert Message(role, "x").role == role


@pytest.mark.parametrize("role", ["User", "model", "human", "", "ai", None])
def test_other_roles_are_refused_with_the_list(role: str) -> None:
    with pytest.raises(PromptFormatError, match="the roles are system, developer, user, assistant, tool"):
        Message(role, "x")


@pytest.mark.parametrize("parts", [None, 1, [1], ["a", None], {"text": "a"}, b"abc", [["a"]], [b"a"]], ids=repr)
def test_what_is_no_part_is_refused(parts: object) -> None:
    with pytest.raises(PromptFormatError, match="neither text nor a part"):
        Message("user", parts)  # type: ignore[arg-type]  # refused at run time too


def test_text_is_joined_without_anything_between() -> None:
    assert Message("user", ["a ", IMAGE, "b"]).text == "a b"


def test_the_callers_list_is_not_kept() -> None:
    parts = ["a"]
    message = Message("user", parts)
    parts.append("b")
    assert message.parts == (Text("a"),)


def test_describes_itself() -> None:
    message = Message("user", ["a", IMAGE], name="Ann", cache=True)
    assert str(message) == (
        "Message('user', [Text(text='a', cache=False), Image(https://example.com/a.png)], name='Ann', cache=True)"
    )


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ((1, "user", 0), "message 2 (user), part 1"),
        ((0, "system"), "message 1 (system)"),
        ((2, "tool", 0, 3), "message 3 (tool), part 1, item 4"),
    ],
)
def test_positions_count_from_one(arguments: tuple[int, str], expected: str) -> None:
    assert position(*arguments) == expected
