import copy
import io
import itertools
import pickle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image as Pillow

from ids import named
from prompt_adapters import (
    SEPARATOR_RULES,
    Audio,
    Document,
    History,
    Image,
    Message,
    Prompt,
    Text,
    ToolCall,
    ToolResult,
    Variable,
    Video,
)
from prompt_adapters.blocks import Block
from prompt_adapters.content.parts import MEDIA_PARTS
from prompt_adapters.errors import (
    MediaError,
    MissingVariableError,
    PromptAdapterError,
    PromptFormatError,
    TemplateError,
    UnknownMediaTypeError,
)
from prompt_adapters.turns import Turn, entry_from_data, entry_to_data, separated
from strategies import GIF, MP4, PDF, PNG, WAV, entries

PHOTO, OTHER = Image(PNG), Image(GIF)
MEDIA: dict[str, Any] = {"image": PHOTO, "audio": Audio(WAV), "video": Video(MP4), "document": Document(PDF)}
PARTS = {"text": Text("t"), **MEDIA}


class Foreign:
    def as_data_url(self) -> str:
        return "data:image/png;base64,"

    def as_bytes(self) -> bytes:
        return PNG


class Broken(Foreign):
    def as_bytes(self) -> bytes:
        raise RuntimeError("gone")


def rendered(block: object, **values: object) -> tuple[Any, ...]:
    return Prompt(user=[block]).render(values)[0].parts


# Blocks as people write them


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        ("a {{ b }}", Block("text", template="a {{ b }}")),
        ({"type": "text", "content": "a"}, Block("text", template="a")),
        ({"type": "text", "content": ""}, Block("text", template="")),
        ({"type": "text", "content": "a", "cache": True}, Block("text", template="a", cache=True)),
        ({"type": "text", "content": Text("{{ a }}")}, Block("text", part=Text("{{ a }}"))),
        ({"type": "image", "variable": "x"}, Block("image", variable="x")),
        ({"type": "image", "variable": "x", "index": None}, Block("image", variable="x")),
        ({"type": "image", "variable": "x", "index": 0}, Block("image", variable="x", index=0)),
        ({"type": "video", "variable": "x", "cache": True}, Block("video", variable="x", cache=True)),
        ({"type": "image", "content": PHOTO}, Block("image", part=PHOTO)),
        ({"type": "image", "content": Foreign()}, Block("image", part=PHOTO)),
        ({"type": "document", "content": MEDIA["document"]}, Block("document", part=MEDIA["document"])),
        (PHOTO, Block("image", part=PHOTO)),
        (Foreign(), Block("image", part=PHOTO)),
        (Text("{{ a }}"), Block("text", part=Text("{{ a }}"))),
        (ToolCall("1", "f"), Block("tool_call", part=ToolCall("1", "f"))),
        (ToolResult("1", "x"), Block("tool_result", part=ToolResult("1", "x"))),
        (Block("text", template="a"), Block("text", template="a")),
    ],
    ids=named,
)
def test_blocks_are_read(block: object, expected: Block) -> None:
    assert Block.read(block, "block 1") == expected


@pytest.mark.parametrize(
    ("block", "reason"),
    [
        (None, "block 1 is NoneType"),
        (b"x" * 999, "block 1 is bytes"),
        (5, "block 1 is int"),
        (Path("photo.jpg"), r"wrap media, as Image\(...\)"),
        ([], "block 1 is list"),
        ({}, "is not a block"),
        ({"type": "text"}, "is not a block"),
        ({"content": "x"}, "is not a block"),
        ({"type": "text", "text": "x"}, "unknown key 'text'"),
        ({"type": "text", "content": 5}, "is not a block"),
        ({"type": "text", "variable": "x"}, "cannot hold that"),
        ({"type": "text", "content": "x", "variable": "y"}, "is not a block"),
        ({"type": "text", "content": "x", "index": 1}, "counts the elements of a variable"),
        ({"type": "image", "content": "photo.jpg"}, r"'content': Image\(...\)"),
        ({"type": "image", "content": Path("photo.jpg")}, r"'content': Image\(...\)"),
        ({"type": "image", "content": PNG}, "is not a block"),
        ({"type": "image", "content": PHOTO, "variable": "x"}, "is not a block"),
        ({"type": "image", "content": PHOTO, "index": 0}, "counts the elements of a variable"),
        ({"type": "image", "content": MEDIA["audio"]}, "cannot hold that"),
        ({"type": "image", "variable": ""}, "cannot hold that"),
        ({"type": "image", "variable": 5}, "cannot hold that"),
        ({"type": "image", "variable": "x", "index": -1}, "from 0, so it cannot be -1"),
        ({"type": "image", "variable": "x", "index": True}, "from 0"),
        ({"type": "image", "variable": "x", "index": "1"}, "from 0"),
        ({"type": "image", "variable": "x", "index": 1.0}, "from 0"),
        ({"type": "image", "variable": "x", "cache": "no"}, "cache is true or false"),
        ({"type": "picture", "variable": "x"}, "the types are text, image, audio, video, document"),
        ({"type": [], "variable": "x"}, "is not a block"),
        ({"type": "tool_call", "variable": "x"}, "cannot hold that"),
        ({"type": "image_url", "image_url": {"url": "https://example.org"}}, "unknown key 'image_url'"),
    ],
    ids=lambda value: repr(value)[:60],
)
def test_what_is_no_block_is_refused(block: object, reason: str) -> None:
    with pytest.raises(PromptFormatError, match=reason) as caught:
        Block.read(block, "block 1")
    message = str(caught.value)
    assert "block 1" in message
    assert "\n" not in message
    assert len(message) < 300


@pytest.mark.parametrize(
    "arguments",
    [
        {"type": "text"},
        {"type": "text", "template": "a", "variable": "b"},
        {"type": "text", "variable": "b"},
        {"type": "text", "part": PHOTO},
        {"type": "text", "template": 5},
        {"type": "image", "template": "a"},
        {"type": "image", "part": Text("a")},
        {"type": "image", "part": "photo.jpg"},
        {"type": "image", "part": Foreign()},
        {"type": "image", "part": PHOTO, "index": 0},
        {"type": "image", "part": PHOTO, "cache": 1},
        {"type": "tool_call", "variable": "x"},
        {"type": None, "template": "x"},
        {"type": [], "template": "x"},
    ],
    ids=named,
)
def test_a_block_that_cannot_be_is_refused_everywhere(arguments: dict[str, Any]) -> None:
    with pytest.raises(PromptFormatError):
        Block(**arguments)
    with pytest.raises(PromptFormatError):
        Block("text", template="x").replace(**{"template": None, **arguments})


# Slots for media


@pytest.mark.parametrize("kind", MEDIA_PARTS)
def test_a_slot_takes_one_medium_or_a_list(kind: str) -> None:
    medium = MEDIA[kind]
    slot = {"type": kind, "variable": "x"}
    rule = Text(SEPARATOR_RULES.get((kind, kind), "\n"))
    assert rendered(slot, x=medium) == (medium,)
    assert rendered(slot, x=[medium]) == (medium,)
    assert rendered(slot, x=(medium, medium)) == (medium, rule, medium)
    assert rendered(slot, x=[]) == ()
    assert rendered(slot | {"index": 1}, x=[PHOTO, medium, PHOTO]) == (medium,)


@pytest.mark.parametrize(
    "value",
    [PNG, bytearray(PNG), memoryview(PNG), Foreign(), PHOTO],
    ids=["bytes", "bytearray", "memoryview", "foreign", "image"],
)
def test_what_is_an_image_by_nature(value: object) -> None:
    assert rendered({"type": "image", "variable": "x"}, x=value) == (PHOTO,)
    assert rendered({"type": "image", "variable": "x", "index": 0}, x=[value]) == (PHOTO,)


def test_pictures_of_pillow() -> None:
    class Own(Pillow.Image):
        pass

    opened = Pillow.open(io.BytesIO(PNG))
    own = Own()
    own.__dict__.update(Pillow.new("RGB", (2, 1)).__dict__)
    for picture in (opened, Pillow.new("RGB", (2, 1)), own):
        (part,) = rendered({"type": "image", "variable": "x"}, x=picture)
        assert isinstance(part, Image)
        assert part.mime_type == "image/png"


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("photo.png", "must hold image content, not str; use Image"),
        ("https://example.org/a.png", "not str"),
        ("data:image/png;base64,AAAA", "not str"),
        (Path("photo.png"), "must hold image content, not PosixPath"),
        (5, "not int"),
        ({"a": PHOTO}, "not dict"),
        ({"type": "image", "url": "https://example.org/a.png"}, "not dict"),
        (MEDIA["audio"], "not audio content"),
        (Text("x"), "not text content"),
        (ToolCall("1", "f"), "not tool_call content"),
        (Message("user", PHOTO), "not Message"),
        ((image for image in [PHOTO]), "not generator"),
        ({PHOTO}, "not set"),
        ([PHOTO, None], "'x', element 1 must hold image content, not NoneType"),
        ([PHOTO, "photo.png"], "element 1 must hold image content, not str"),
        ([[PHOTO]], "element 0 must hold image content, not list"),
        (Image, "not type"),
        (Foreign, "not type"),
        (io.BytesIO(PNG), "not BytesIO"),
        (Broken(), "cannot be read: RuntimeError: gone"),
    ],
    ids=named,
)
def test_what_is_no_image_is_refused_by_the_name_of_its_variable(value: object, reason: str) -> None:
    with pytest.raises(TemplateError, match=reason) as caught:
        rendered({"type": "image", "variable": "x"}, x=value)
    assert "variable 'x'" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_bytes_of_another_kind_are_refused_by_the_name_of_their_variable() -> None:
    with pytest.raises(UnknownMediaTypeError, match=r"variable 'x'.*application/pdf.*Document"):
        rendered({"type": "image", "variable": "x"}, x=PDF)
    with pytest.raises(MediaError, match=r"variable 'x', element 1.*empty"):
        rendered({"type": "image", "variable": "x"}, x=[PNG, b""])


def test_a_string_never_reads_a_file(tmp_path: Path) -> None:
    path = tmp_path / "photo.png"
    path.write_bytes(PNG)
    for value in (str(path), path, [str(path)], path.as_uri()):
        for block in ({"type": "image", "variable": "x"}, {"type": "document", "variable": "x"}):
            with pytest.raises(TemplateError, match="must hold"):
                rendered(block, x=value)


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (PHOTO, "must be a list of image content, since element 2 is asked for, not Image"),
        ("abc", "must be a list.*not str"),
        (b"abc", "must be a list.*not bytes"),
        ({2: PHOTO}, "must be a list.*not dict"),
        ([], r"has 0 element\(s\); there is no index 2"),
        ([PHOTO] * 2, r"has 2 element\(s\); there is no index 2"),
        ([PHOTO, PHOTO, "x"], "element 2 must hold image content, not str"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_an_index_needs_a_list_that_is_long_enough(value: object, reason: str) -> None:
    with pytest.raises(TemplateError, match=f"variable 'x'.*{reason}"):
        rendered({"type": "image", "variable": "x", "index": 2}, x=value)


def test_one_variable_in_several_slots() -> None:
    blocks = [{"type": "image", "variable": "x", "index": n} for n in (1, 0, 1)]
    parts = Prompt(user=blocks).render(x=[PHOTO, OTHER])[0].parts
    assert [part for part in parts if isinstance(part, Image)] == [OTHER, PHOTO, OTHER]


def test_an_absent_optional_slot_gives_nothing() -> None:
    prompt = Prompt(user=["a", {"type": "image", "variable": "x"}, "b"], variables=[Variable("x", required=False)])
    assert prompt.render() == prompt.render(x=None) == (Message("user", ["a", "\n", "b"]),)
    indexed = Prompt(
        user=["a", {"type": "image", "variable": "x", "index": 3}], variables=[Variable("x", required=False)]
    )
    assert indexed.render() == (Message("user", "a"),)
    with pytest.raises(MissingVariableError, match="'x'"):
        rendered({"type": "image", "variable": "x"})
    with pytest.raises(MissingVariableError, match="'x'"):
        Block("image", variable="x").render("jinja", {}, frozenset())


# Separators


@pytest.mark.parametrize(("left", "right"), list(itertools.product(PARTS, PARTS)))
def test_separators_between_every_pair_of_kinds(left: str, right: str) -> None:
    documented = {("text", "image"): "\n", ("image", "text"): "\n\n", ("image", "image"): "\n\n"}
    between = Text(documented.get((left, right), "\n"))
    blocks = [{"type": kind, "content": PARTS[kind]} for kind in (left, right)]
    assert Prompt(user=blocks).render()[0].parts == (PARTS[left], between, PARTS[right])
    slots = [
        {"type": "text", "content": "t"} if kind == "text" else {"type": kind, "variable": kind}
        for kind in (left, right)
    ]
    values = {kind: MEDIA[kind] for kind in {left, right} - {"text"}}
    assert Prompt(user=slots).render(values)[0].parts == (PARTS[left], between, PARTS[right])


def test_no_separator_before_the_first_and_after_the_last() -> None:
    prompt = Prompt(user=["{{ a }}", PHOTO, "{{ b }}"])
    assert prompt.render(a="", b="")[0].parts == (PHOTO,)
    assert prompt.render(a="x", b="")[0].parts == (Text("x"), Text("\n"), PHOTO)
    assert prompt.render(a="", b="x")[0].parts == (PHOTO, Text("\n\n"), Text("x"))


def test_an_inline_template_keeps_the_author_s_own_whitespace() -> None:
    template = "a{{ x }}{{ y }} b {{ z }}"
    values = {"x": PHOTO, "y": OTHER, "z": [PHOTO, OTHER]}
    expected = (Text("a"), PHOTO, OTHER, Text(" b "), PHOTO, OTHER)
    assert Prompt(user=template).render(values)[0].parts == expected
    assert Prompt(user=[template]).render(values)[0].parts == expected
    assert Prompt(user=[template, "c"]).render(values)[0].parts == (*expected, Text("\n\n"), Text("c"))


def test_own_separators() -> None:
    prompt = Prompt(user=["a", PHOTO, "b"])
    own = {("text", "image"): "", ("image", "text"): "--"}
    assert prompt.render_messages({}, separators=own)[0].parts == (Text("a"), PHOTO, Text("--"), Text("b"))
    assert prompt.render_messages({}, separators={})[0].parts == (Text("a"), Text("\n"), PHOTO, Text("\n"), Text("b"))
    assert separated([]) == separated([()]) == ()
    assert separated([(PHOTO,), (), (OTHER,)]) == (PHOTO, Text("\n\n"), OTHER)


# Cache marks


def test_a_cached_block_ends_with_a_marked_part() -> None:
    slot = {"type": "image", "variable": "x", "cache": True}
    assert rendered(slot, x=[PHOTO, OTHER]) == (PHOTO, Text("\n\n"), OTHER.replace(cache=True))
    assert rendered({"type": "text", "content": "a{{ x }}b", "cache": True}, x=PHOTO) == (
        Text("a"),
        PHOTO,
        Text("b", cache=True),
    )
    assert rendered({"type": "image", "content": PHOTO, "cache": True}) == (PHOTO.replace(cache=True),)
    assert rendered(Text("a", cache=True)) == (Text("a", cache=True),)
    assert PHOTO.cache is False


def test_the_mark_of_an_empty_block_moves_to_the_block_before() -> None:
    slot = {"type": "image", "variable": "x", "cache": True}
    assert Prompt(user=["a", slot, "b"]).render(x=[])[0].parts == (Text("a", cache=True), Text("\n"), Text("b"))
    assert Prompt(user=[slot, "b"]).render(x=[])[0].parts == (Text("b"),)


# Turns


@pytest.mark.parametrize(
    ("role", "expected"),
    [
        ("system", "system"),
        ("developer", "developer"),
        ("user", "user"),
        ("assistant", "assistant"),
        ("human", "user"),
        ("ai", "assistant"),
        ("model", "assistant"),
    ],
)
def test_roles(role: str, expected: str) -> None:
    assert Turn(role, "x").role == expected
    assert Turn("system", "x").replace(role=role) == Turn(expected, "x")


@pytest.mark.parametrize(
    ("role", "reason"),
    [
        ("tool", "a Message can have it"),
        ("function", "a Message can have it"),
        ("User", "'User' is not a role; the roles are system, developer, user"),
        ("", "is not a role"),
        (None, "is not a role"),
        (b"x" * 999, "is not a role"),
        ([], "is not a role"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_what_is_no_role_is_refused(role: Any, reason: str) -> None:
    with pytest.raises(PromptFormatError, match=reason) as caught:
        Turn(role, "x")
    assert len(str(caught.value)) < 150
    with pytest.raises(PromptFormatError, match=reason):
        Turn("user", "x").replace(role=role)


@pytest.mark.parametrize(
    ("content", "number"),
    [
        ("a", 1),
        (PHOTO, 1),
        ({"type": "image", "variable": "x"}, 1),
        ([], 0),
        (["a", PHOTO], 2),
        (("a", PHOTO), 2),
        (iter(["a", PHOTO]), 2),
    ],
    ids=["text", "part", "block", "empty", "list", "tuple", "iterator"],
)
def test_content_of_a_turn(content: object, number: int) -> None:
    turn = Turn("user", content)
    assert len(turn.blocks) == number
    assert isinstance(turn.content, str | tuple)
    assert hash(turn) == hash(pickle.loads(pickle.dumps(turn)))


@pytest.mark.parametrize("content", [None, 5, b"bytes", {"a"}, [None], [["a"]], object()], ids=named)
def test_what_is_no_content_is_refused(content: object) -> None:
    with pytest.raises(PromptFormatError, match="block 1"):
        Turn("user", content)
    with pytest.raises(PromptFormatError, match="block 1"):
        Turn("user", "x").replace(content=content)


def test_the_template_of_a_turn() -> None:
    assert Turn("user", ["a{{ x }}", PHOTO, "b"]).template == "a{{ x }}b"
    assert Turn("user", "a").template == "a"


@given(entry=st.sampled_from(["jinja", "plain", "none"]).flatmap(entries))
def test_entries_survive_data_pickle_and_copy(entry: Turn | Message | History) -> None:
    assert entry_from_data(entry_to_data(entry), "message 1") == entry
    assert pickle.loads(pickle.dumps(entry)) == entry
    assert copy.deepcopy(entry) == entry
    assert hash(copy.copy(entry)) == hash(entry)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (None, "is NoneType, not an object"),
        ("user", "is str, not an object"),
        ({}, "neither 'template', 'blocks', 'parts' nor 'history'"),
        ({"role": "user", "content": "x"}, "neither 'template'"),
        ({"role": "user", "template": ["x"]}, "has not just 'role'"),
        ({"role": "user", "template": "x", "blocks": []}, "has not just 'role'"),
        ({"role": "user", "template": "x", "name": "Ada"}, "has not just 'role'"),
        ({"template": "x"}, "has not just 'role'"),
        ({"role": "user", "blocks": "x"}, "has not just 'role'"),
        ({"role": "boss", "template": "x"}, "'boss' is not a role"),
        ({"role": "user", "blocks": [5]}, "block 1 is int"),
        ({"role": "user", "blocks": [{}]}, "block 1 is a malformed block"),
        ({"role": "user", "blocks": [{"type": "text", "content": "x"}]}, "block 1 is a malformed block"),
        ({"role": "user", "blocks": [{"type": "text", "variable": "x"}]}, "block 1: a block of type text"),
        ({"role": "user", "blocks": [{"type": "image", "part": "x.png"}]}, "block 1, part is str"),
        ({"role": "user", "blocks": [{"type": "image", "part": {"type": "image", "path": "x"}}]}, "block 1, part"),
        ({"history": ""}, "called by a name"),
        ({"history": "chat", "requierd": False}, "unknown key 'requierd'"),
        ({"history": "chat", "required": "no"}, "required is true or false"),
    ],
    ids=lambda value: str(value)[:60],
)
def test_broken_data_of_an_entry_are_refused(data: object, reason: str) -> None:
    with pytest.raises(PromptAdapterError, match=reason) as caught:
        entry_from_data(data, "message 7")
    assert "\n" not in str(caught.value)
    if "histor" not in str(caught.value) or "unknown" in str(caught.value):
        assert "message 7" in str(caught.value)


# Histories


@pytest.mark.parametrize("name", ["", None, 5, "a b", "a-b", b"x", "{{ x }}"], ids=repr)
def test_a_history_has_a_name(name: Any) -> None:
    with pytest.raises(PromptFormatError, match="called by a name"):
        History(name)
    with pytest.raises(PromptFormatError, match="called by a name"):
        History("x").replace(name=name)


def test_a_history_is_a_value() -> None:
    assert History("chat") == History("chat", required=True) != History("chat", required=False)
    with pytest.raises(PromptFormatError, match="required is true or false"):
        History("chat", required=1)  # type: ignore[arg-type]  # wrong on purpose


@pytest.mark.parametrize(("last", "count"), [(None, 3), (1, 1), (2, 2), (9, 3)])
def test_a_history_may_be_its_last_messages(last: int | None, count: int) -> None:
    history = [Message("user", "a"), Message("assistant", "b"), Message("user", "c")]
    slot = History("h", last=last)
    prompt = Prompt(messages=[slot, ("user", "q")])
    assert prompt.render(h=history) == (*history[-count:], Message("user", "q"))
    assert prompt.render(h=[]) == (Message("user", "q"),)
    assert entry_from_data(entry_to_data(slot), "message 1") == slot
    assert Prompt.from_json(prompt.to_json()) == prompt


@pytest.mark.parametrize("last", [0, -1, True, "2", 1.5])
def test_a_number_of_messages_is_a_number(last: Any) -> None:
    with pytest.raises(PromptFormatError, match="history 'h': last is a number of messages"):
        History("h", last=last)


def test_spaced_is_true_or_false() -> None:
    with pytest.raises(PromptFormatError, match="a turn's spaced is true or false"):
        Turn("user", "x", spaced="no")  # type: ignore[arg-type]  # the point of the test
