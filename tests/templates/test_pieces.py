import dataclasses
import datetime
import decimal
import enum
import io
import pathlib
import types
import uuid
from base64 import b64decode
from collections import OrderedDict, UserList, deque, namedtuple
from typing import Any

import pydantic
import pytest
from markupsafe import Markup
from PIL import Image as PILImage

from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Audio, Document, Image, Text, ToolCall, ToolResult
from prompt_adapters.content.value import rendering
from prompt_adapters.errors import TemplateError
from prompt_adapters.templates import compile_template
from prompt_adapters.templates.pieces import Fragment, admit, concat, merge, to_json, to_piece
from strategies import SLOTS

PNG = b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
PHOTO = Image.from_uploaded("file-1")
SOUND = Audio.from_uploaded("file-2")
Point = namedtuple("Point", "x y")


class Foreign:
    def as_data_url(self) -> str:
        return "data:image/png;base64,"

    def as_bytes(self) -> bytes:
        return PNG

    def __str__(self) -> str:
        return "never this"


class Colour(enum.Enum):
    RED = 1


class Level(enum.IntEnum):
    HIGH = 3


class Word(str, enum.Enum):  # noqa: UP042 - what people wrote before there was StrEnum
    YES = "yes"


class Shouting(str):
    __slots__ = ()

    def __str__(self) -> str:
        return "LOUD"


class Own:
    def __str__(self) -> str:
        return "own text"


class Silent:
    pass


class Number(float):
    """A number as array packages have them."""

    __slots__ = ()
    __array_interface__ = None
    shape = ()


class Array:
    __array_interface__ = None
    shape = (2, 2)

    def __str__(self) -> str:
        return "[[0 ... 0]]"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("a {{ x }} \r\n", "a {{ x }} \r\n"),
        ("", ""),
        (Shouting("quiet"), "quiet"),
        (Markup("<b>"), "<b>"),
        (Word.YES, "yes"),
        (True, "True"),
        (3, "3"),
        (1.0, "1.0"),
        (float("nan"), "nan"),
        (decimal.Decimal("1.10"), "1.10"),
        (datetime.date(2024, 8, 6), "2024-08-06"),
        (datetime.datetime(2024, 8, 6, 1, 2), "2024-08-06 01:02:00"),
        (datetime.time(12, 30), "12:30:00"),
        (uuid.UUID(int=1), "00000000-0000-0000-0000-000000000001"),
        (pathlib.PurePosixPath("/etc/passwd"), "/etc/passwd"),
        (Colour.RED, "Colour.RED"),
        (Level.HIGH, "3"),
        (Number(2.5), "2.5"),
        (Own(), "own text"),
        ([1, "é", None, True], '[1, "é", null, true]'),
        ((1, 2), "[1, 2]"),
        ([], "[]"),
        ({"b": {"k": [1.5]}, "a": "“x”"}, '{"b": {"k": [1.5]}, "a": "“x”"}'),
        (OrderedDict(z=1, a=2), '{"z": 1, "a": 2}'),
        (types.MappingProxyType({"a": 1}), '{"a": 1}'),
        ({"d": datetime.date(2024, 8, 6), "s": {2, 1}, "w": Word.YES}, '{"d": "2024-08-06", "s": [1, 2], "w": "yes"}'),
        ({"b", "a"}, '["a", "b"]'),
        (frozenset([3, 1, 2]), "[1, 2, 3]"),
        ({"z": 1, "a": 2}.keys(), '["z", "a"]'),
        ({"z": 1}.items(), '[["z", 1]]'),
        ({"z": 1}.values(), "[1]"),
        (deque([1, 2]), "[1, 2]"),
        (UserList([1]), "[1]"),
        (range(3), "[0, 1, 2]"),
        (Point(1, 2), "[1, 2]"),
        ([float("nan")], "[NaN]"),
        ({"role": "system"}, '{"role": "system"}'),
    ],
)
def test_values_as_text(value: Any, text: str) -> None:
    piece = to_piece(admit(value))
    assert piece == text
    assert type(piece) is str


@pytest.mark.parametrize(
    "part",
    [PHOTO, SOUND, Text("t", cache=True), Document.from_uploaded("d"), ToolCall("1", "f"), ToolResult("1", "ok")],
    ids=lambda part: part.kind,
)
def test_parts_stay_the_objects_they_are(part: Any) -> None:
    assert to_piece(admit(part)) is part


def test_foreign_images_are_images() -> None:
    assert admit(Foreign()) == Image.from_bytes(PNG)
    assert admit({"a": [Foreign()]}) == {"a": [Image.from_bytes(PNG)]}
    assert to_piece(Foreign()) == Image.from_bytes(PNG)
    assert merge([to_piece(["x", Foreign()])]) == (Text("x"), Image.from_bytes(PNG))


@pytest.mark.parametrize(
    ("value", "pieces"),
    [
        ([PHOTO], (PHOTO,)),
        (("a", PHOTO, "b", SOUND), ("a", PHOTO, "b", SOUND)),
        ([1, PHOTO, {"k": 1}], ("1", PHOTO, '{"k": 1}')),
        ([[PHOTO, "x"], SOUND], (PHOTO, "x", SOUND)),
        (deque([PHOTO]), (PHOTO,)),
    ],
)
def test_a_list_with_parts_gives_its_items_in_order(value: Any, pieces: tuple[Any, ...]) -> None:
    piece = to_piece(admit(value))
    assert isinstance(piece, Fragment)
    assert len(piece.pieces) == len(pieces)
    assert piece == Fragment(pieces)
    assert all(got is wanted for got, wanted in zip(piece.pieces, pieces, strict=True) if not isinstance(wanted, str))


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (b"x", "bytes is no text; wrap media, as Image"),
        (bytearray(b"x"), "bytearray is no text"),
        (memoryview(b"x"), "memoryview is no text"),
        (PILImage.new("RGB", (1, 1)), "wrap a picture, as Image"),
        (Array(), "wrap a picture, as Image"),
        (io.BytesIO(b"x"), r"file object \(BytesIO\) is no text"),
        (io.StringIO("x"), r"file object \(StringIO\) is no text"),
        ((n for n in "ab"), "generator can be read only once; give a list"),
        (iter([1]), "list_iterator can be read only once"),
        (print, "'print' is a function or class, not text; give what it returns"),
        (lambda: "x", "is a function or class"),
        (Image, "'Image' is a function or class"),
        (Silent(), "a value of type Silent has no text; give a string, a dict or a list"),
        (1j, "a value of type complex has no text"),
        (Message("user", "x"), "a value of type Message is no part"),
        (PHOTO.source, "a value of type Uploaded is no part"),
        ({1, "a"}, "a set has no order, and this one cannot be sorted"),
        ({frozenset("a"), frozenset("b")}, "a set has no order, and this one cannot be sorted"),
        ({PHOTO, SOUND}, "a set has no order, and this one cannot be sorted"),
        ({"photo": PHOTO}, r"Image\(uploaded file-1\) stands inside plain data; print it by itself"),
        ([{"photo": PHOTO}], "stands inside plain data"),
        ([PHOTO, {"photo": PHOTO}], "stands inside plain data"),
        ([PHOTO, None], "a list of parts holds None"),
        ({"a": b"x"}, "bytes is no text"),
        ([print], "'print' is a function"),
        ([Silent()], "a value of type Silent has no text"),
        ({(1, 2): 3}, "cannot be written as JSON: keys must be"),
    ],
)
def test_refusals(value: Any, message: str) -> None:
    with pytest.raises(TemplateError, match=message):
        to_piece(admit(value))


def test_what_objects_give_in_a_template_is_checked_when_it_is_printed() -> None:
    for value in (b"x", print, io.BytesIO(b"x")):
        with pytest.raises(TemplateError):
            to_piece(value)
    assert to_piece(value for value in (1, 2)) == "[1, 2]"
    assert to_piece({2, 1}) == "[1, 2]"
    assert to_piece({"z": 1, "a": 2}.keys()) == '["z", "a"]'


def test_containers_are_copied_and_the_callers_stay_as_they_are() -> None:
    value = {"a": [1, {"b": [PHOTO]}], "p": Point([1], 2), Shouting("k"): Shouting("v")}
    before = repr(value)
    copy = admit(value)
    assert copy == {"a": [1, {"b": [PHOTO]}], "p": Point([1], 2), "k": "v"}
    assert copy["a"] is not value["a"]
    assert copy["p"].x is not value["p"].x  # type: ignore[attr-defined]  # both are points
    assert [type(key) for key in copy] == [str, str, str]
    assert repr(value) == before


def test_a_str_method_that_shows_a_part_is_an_error() -> None:
    class Shows:
        def __str__(self) -> str:
            return f"see {PHOTO}"

    with pytest.raises(TemplateError, match="was turned into text"):
        to_piece(Shows())


def test_a_fragment_is_no_text() -> None:
    fragment = Fragment(("a", PHOTO))
    assert repr(fragment) == "a block with Image(uploaded file-1)"
    with rendering(), pytest.raises(TemplateError, match="a block with Image"):
        str(fragment)


@pytest.mark.parametrize(
    ("pieces", "result"),
    [
        ([], ""),
        (["a", "b"], "ab"),
        (["a", 1, None, [1]], "a1None[1]"),
        (["a", PHOTO], Fragment(("a", PHOTO))),
        ([Fragment(("a", PHOTO)), "b", Fragment((SOUND,))], Fragment(("a", PHOTO, "b", SOUND))),
    ],
)
def test_concat(pieces: list[Any], result: Any) -> None:
    assert concat(pieces) == result


@pytest.mark.parametrize(
    ("pieces", "parts"),
    [
        ([], ()),
        (["", ""], ()),
        (["a", "", "b"], (Text("ab"),)),
        (["a", PHOTO, "", SOUND, "b", "c"], (Text("a"), PHOTO, SOUND, Text("bc"))),
        (["a", Text("b"), "c"], (Text("abc"),)),
        (["a", Text("b", cache=True), "c"], (Text("ab", cache=True), Text("c"))),
        (["a", Text("", cache=True), "c"], (Text("a", cache=True), Text("c"))),
        ([PHOTO, Text("", cache=True)], (PHOTO.replace(cache=True),)),
        ([Text("", cache=True), PHOTO], (PHOTO,)),
        ([Fragment(("a", PHOTO)), "b", 1], (Text("a"), PHOTO, Text("b1"))),
        ([ToolCall("1", "f"), Text("x")], (ToolCall("1", "f"), Text("x"))),
    ],
)
def test_merge(pieces: list[Any], parts: tuple[Any, ...]) -> None:
    assert merge(pieces) == parts


def test_json_can_be_indented() -> None:
    assert to_json({"a": "é<&>"}, 2) == '{\n  "a": "é<&>"\n}'


# Dataclasses and pydantic models


@dataclasses.dataclass
class Spot:
    x: int
    label: object = "é"


@dataclasses.dataclass(frozen=True, slots=True)
class Line:
    ends: tuple[Spot, Spot]
    made: datetime.date = datetime.date(2026, 1, 2)


@dataclasses.dataclass
class Named:
    x: int

    def __str__(self) -> str:
        return f"point {self.x}"


class Model(pydantic.BaseModel):
    x: int
    label: str = "é"


class Nested(pydantic.BaseModel):
    inner: Model
    made: datetime.date = datetime.date(2026, 1, 2)


class NamedModel(Model):
    def __str__(self) -> str:
        return f"model {self.x}"


class Names(pydantic.RootModel[list[str]]):
    pass


Checked: Any = pydantic.dataclasses.dataclass(Spot)

_LINE = '{"ends": [{"x": 1, "label": "é"}, {"x": 2, "label": "b"}], "made": "2026-01-02"}'


@pytest.mark.parametrize("syntax", ["jinja", "plain", "percent", "braces", "f-string"])
@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Spot(1), '{"x": 1, "label": "é"}'),
        (Line((Spot(1), Spot(2, "b"))), _LINE),
        (Checked(1), '{"x": 1, "label": "é"}'),
        (Named(1), "point 1"),
        (Model(x=1), '{"x": 1, "label": "é"}'),
        (Nested(inner=Model(x=1)), '{"inner": {"x": 1, "label": "é"}, "made": "2026-01-02"}'),
        (NamedModel(x=1), "model 1"),
        (Names(["a", "é"]), '["a", "é"]'),
        ([Spot(1), Model(x=2), Named(3)], '[{"x": 1, "label": "é"}, {"x": 2, "label": "é"}, "point 3"]'),
        ({"a": Model(x=1)}, '{"a": {"x": 1, "label": "é"}}'),
    ],
    ids=lambda value: type(value).__name__,
)
def test_plain_data_classes_are_json(value: object, text: str, syntax: str) -> None:
    template = compile_template(SLOTS[syntax].format("v"), syntax)
    assert template.render({"v": value}) == (Text(text),)


def test_attributes_of_plain_data_classes_are_there() -> None:
    template = compile_template("{{ v.x }} {{ m.label }} {{ [m] | map(attribute='x') | list }} {{ v | tojson }}")
    assert template.render({"v": Spot(1), "m": Model(x=2)}) == (Text('1 é [2] {"x": 1, "label": "é"}'),)


def test_what_a_plain_data_class_holds_must_have_a_text() -> None:
    ring = Spot(1)
    ring.label = ring
    for label, reason in (
        (PHOTO, "stands inside plain data"),
        (b"x", "a value of type bytes is no text"),
        (Silent(), "a value of type Silent has no text"),
        (ring, "Circular|nested too deeply"),
    ):
        with pytest.raises(TemplateError, match=reason):
            compile_template("{{ v }}").render({"v": Spot(1, label)})
