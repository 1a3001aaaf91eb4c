import base64
import enum
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image as Pillow

from ids import named
from prompt_adapters.content.parts import (
    MEDIA_PARTS,
    Audio,
    Document,
    Image,
    ImageWrapper,
    Text,
    ToolCall,
    ToolResult,
    Video,
    as_part,
    as_parts,
    is_image_like,
)
from prompt_adapters.content.source import Inline, Link, Uploaded
from prompt_adapters.errors import MediaReadError, PromptFormatError, UnknownMediaTypeError


def picture(kind: str = "PNG") -> bytes:
    buffer = BytesIO()
    Pillow.new("RGB", (8, 4), "red").save(buffer, kind)
    return buffer.getvalue()


PNG = picture()
DATA_URL = "data:image/png;base64," + base64.b64encode(PNG).decode()


def test_an_image_from_everything_is_the_same_image(tmp_path: Path) -> None:
    file = tmp_path / "a.png"
    file.write_bytes(PNG)
    with file.open("rb") as opened:
        images = [
            Image(PNG),
            Image(bytearray(PNG)),
            Image(str(file)),
            Image(file),
            Image(opened),
            Image(DATA_URL),
            Image(Inline(PNG, "image/png")),
            Image.from_bytes(PNG),
            Image.from_path(file),
            Image.from_file(BytesIO(PNG)),
            Image.from_data_url(DATA_URL),
            Image.from_base64(base64.b64encode(PNG).decode()),
        ]
    assert len(set(images)) == 1
    assert {image.as_data_url() for image in images} == {DATA_URL}
    assert {image.as_bytes() for image in images} == {PNG}
    assert images[0].mime_type == "image/png"


def test_links_and_uploads() -> None:
    assert Image("https://e.example/a.png").source == Link("https://e.example/a.png", "image/png")
    assert Image.from_url("https://e.example/a").mime_type is None
    assert Image.from_url("https://e.example/a", mime="image/jpg").mime_type == "image/jpeg"
    assert Image.from_uploaded("file-1", mime="image/jpg").source == Uploaded("file-1", "image/jpeg")
    assert Image(Link("https://e.example/a"), mime="png").mime_type == "image/png"


@pytest.mark.parametrize("image", [Image("https://e.example/a.png"), Image.from_uploaded("file-1")], ids=["url", "id"])
def test_what_is_not_at_hand_has_no_bytes(image: Image) -> None:
    with pytest.raises(MediaReadError, match="not at hand as bytes"):
        image.as_bytes()
    with pytest.raises(MediaReadError, match="not at hand as bytes"):
        image.as_data_url()


@pytest.mark.parametrize("detail", ["auto", "low", "high", "original", None])
def test_detail(detail: str | None) -> None:
    assert Image(PNG, detail=detail).detail == detail  # type: ignore[arg-type]  # the cases are plain strings


def test_a_detail_that_there_is_not() -> None:
    with pytest.raises(PromptFormatError, match="detail is one of auto, low, high, original, not 'huge'"):
        Image(PNG, detail="huge")  # type: ignore[arg-type]  # refused at run time too


@pytest.mark.parametrize(
    "fields",
    [{"start": -1}, {"start": 5, "end": 5}, {"start": 5, "end": 2}, {"end": 0}, {"fps": 0}, {"fps": -1}],
    ids=str,
)
def test_videos_that_cannot_be(fields: dict[str, float]) -> None:
    with pytest.raises(PromptFormatError):
        Video("https://e.example/a.mp4", **fields)  # type: ignore[arg-type]  # the fields vary


def test_a_video_has_its_section() -> None:
    video = Video("https://e.example/a.mp4", start=0, end=2.5, fps=24)
    assert (video.start, video.end, video.fps) == (0, 2.5, 24)


def test_documents_take_the_name_of_their_file(tmp_path: Path) -> None:
    file = tmp_path / "résumé v1.md"
    file.write_bytes(b"# Me")
    with file.open("rb") as opened:
        named = [Document(file), Document(str(file)), Document.from_path(file), Document(opened)]
    assert {document.name for document in named} == {"résumé v1.md"}
    assert {document.mime_type for document in named} == {"text/markdown"}
    with file.open("rb") as opened:
        assert Document.from_file(opened).name == "résumé v1.md"
    assert Document(file, name="other.md").name == "other.md"
    assert Document.from_path(file, name="other.md", title="CV").name == "other.md"


@pytest.mark.parametrize(
    "media", [b"text", BytesIO(b"text"), "https://e.example/a.pdf", "data:text/plain,text"], ids=named
)
def test_documents_without_a_file_have_no_name(media: bytes) -> None:
    assert Document(media).name is None


def test_the_name_of_bytes_tells_kinds_of_text_apart() -> None:
    assert Document(b"a,b", name="a.csv").mime_type == "text/csv"
    assert Document.from_bytes(b"a,b", name="a.csv").mime_type == "text/csv"
    assert Document(b"a,b", name="a.csv", mime="text/markdown").mime_type == "text/markdown"


def test_a_source_of_another_kind_is_refused() -> None:
    with pytest.raises(MediaReadError, match="image/png is not the type of audio content"):
        Audio(Inline(PNG, "image/png"))
    with pytest.raises(UnknownMediaTypeError):
        Audio(PNG)


def test_the_short_form_names_what_is_set() -> None:
    digest = Inline(PNG, "image/png").digest[:8]
    image = Image(PNG, detail="low", cache=True)
    assert str(image) == f"Image(image/png, {len(PNG)} bytes, sha256 {digest}, detail='low', cache=True)"
    assert str(ToolResult("1", ["a"], error=True)) == "ToolResult(id='1', [Text(text='a', cache=False)], error=True)"
    assert str(ToolCall("1", "f", {"a": 1})) == "ToolCall(id='1', name='f', arguments={\"a\": 1})"


class Markup(str):
    __slots__ = ()

    def __str__(self) -> str:
        return "something else"


class Colour(str, enum.Enum):  # noqa: UP042 - its str() is 'Colour.RED', unlike a StrEnum's
    RED = "red"


@pytest.mark.parametrize(("text", "plain"), [(Markup("<b>"), "<b>"), (Colour.RED, "red")], ids=["markup", "enum"])
def test_text_is_plain_text(text: str, plain: str) -> None:
    assert type(Text(text).text) is str
    assert Text(text).text == plain


@given(st.text())
def test_text_is_verbatim(text: str) -> None:
    assert Text(text).text == text


json_data = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@given(st.dictionaries(st.text(), json_data))
def test_arguments_of_a_tool_call_are_kept_and_never_shared(arguments: dict[str, object]) -> None:
    call = ToolCall("1", "f", arguments)
    assert call.arguments == arguments
    call.arguments["new"] = 1
    assert call.arguments == arguments
    assert call == ToolCall("1", "f", dict(reversed(arguments.items())))
    assert hash(call) == hash(ToolCall("1", "f", dict(reversed(arguments.items()))))


def test_numbers_and_truth_are_told_apart() -> None:
    calls = [ToolCall("1", "f", {"a": value}) for value in (1, True, 1.0, "1")]
    assert len(set(calls)) == 4


@pytest.mark.parametrize(
    "arguments", [{"a": float("nan")}, {"a": {1}}, {"a": b"x"}, {("a",): 1}, "text", [1], {"a": float("inf")}], ids=str
)
def test_arguments_that_are_no_json(arguments: dict[str, object]) -> None:
    with pytest.raises(PromptFormatError, match="not plain JSON data"):
        ToolCall("1", "f", arguments)


@pytest.mark.parametrize(("id_", "name"), [("", "f"), ("1", ""), (None, "f"), (1, "f")])
def test_a_tool_call_needs_its_fields(id_: str, name: str) -> None:
    with pytest.raises(PromptFormatError, match="a tool call needs"):
        ToolCall(id_, name)


def test_a_tool_result_holds_text_and_media() -> None:
    result = ToolResult("1", ["a", Image(PNG)])
    assert result.parts == (Text("a"), Image(PNG))
    with pytest.raises(PromptFormatError, match="holds text and media, not ToolCall"):
        ToolResult("1", [ToolCall("1", "f")])
    with pytest.raises(PromptFormatError, match="needs the 'id'"):
        ToolResult("")


class Foreign:
    def as_data_url(self) -> str:
        return DATA_URL

    def as_bytes(self) -> bytes:
        return PNG


def test_foreign_images_are_images() -> None:
    assert ImageWrapper is Image
    assert is_image_like(Foreign())
    assert not is_image_like(Foreign)
    assert not is_image_like(Image(PNG))
    assert as_part(Foreign()) == Image(PNG)
    assert as_parts(["a", Foreign()]) == (Text("a"), Image(PNG))


@pytest.mark.parametrize("value", ["text", None, 1, {"type": "text"}, b"abc"], ids=repr)
def test_what_is_no_part(value: object) -> None:
    assert as_part(value) is None


def test_media_parts_are_found_by_kind() -> None:
    assert {kind: cls.__name__ for kind, cls in MEDIA_PARTS.items()} == {
        "image": "Image",
        "audio": "Audio",
        "video": "Video",
        "document": "Document",
    }
