import pickle
from collections.abc import Callable
from typing import Any

import pytest

from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Audio, Document, Image, MediaPart, Part, Text, ToolCall, ToolResult, Video
from prompt_adapters.content.source import Inline, Link, Uploaded
from prompt_adapters.errors import MediaError, MediaReadError, MediaTooLargeError, UnsupportedContentError
from prompt_adapters.media.fit import Note, fit_messages
from prompt_adapters.targets import Limits, route

ANYTHING = Limits("anything", "", links=None)


def user(*parts: Part | str) -> tuple[Message, ...]:
    return (Message("user", parts),)


def refused(messages: tuple[Message, ...], limits: Limits, **options: Any) -> UnsupportedContentError:
    with pytest.raises(UnsupportedContentError) as caught:
        fit_messages(messages, limits, style="some_style", **options)
    assert caught.value.adapter == "some_style"
    assert "\n" not in str(caught.value)
    return caught.value


@pytest.fixture
def png(picture: Callable[..., bytes]) -> Image:
    return Image(picture("PNG"))


@pytest.mark.parametrize("on_limit", ["convert", "error", "send"])
def test_what_fits_is_the_same_object(png: Image, on_limit: Any) -> None:
    call, result = ToolCall("1", "f"), ToolResult("1", ["x", png])
    messages = (Message("user", ["Hi", png]), Message("assistant", [call]), Message("tool", [result]))
    fitted, notes = fit_messages(messages, ANYTHING, on_limit=on_limit, style="s")
    assert notes == ()
    assert all(new is old for new, old in zip(fitted, messages, strict=True))
    texts = (Message("system", "Be brief."), Message("user", "Hi"))
    assert fit_messages(texts, Limits("x", "", max_images=0), style="s")[0] is texts


def test_an_unknown_way_is_refused(png: Image) -> None:
    with pytest.raises(ValueError, match="on_limit is one of convert, error, send, not 'ignore'"):
        fit_messages(user(png), ANYTHING, on_limit="ignore", style="s")  # type: ignore[arg-type]  # refused at run time


@pytest.mark.parametrize("on_limit", ["convert", "error"])
def test_a_file_that_is_cut_off_is_refused_with_its_place(picture: Callable[..., bytes], on_limit: Any) -> None:
    broken = Image(picture("JPEG", (200, 200))[:-9])
    messages = (Message("system", "Hi"), Message("user", ["Look", broken]))
    with pytest.raises(MediaReadError, match=r"message 2 \(user\), part 2: the image \(image/jpeg, .*cut off"):
        fit_messages(messages, ANYTHING, on_limit=on_limit, style="s")
    assert fit_messages(messages, ANYTHING, on_limit="send", style="s")[0] == messages


def test_media_in_tool_results_are_looked_at_too(picture: Callable[..., bytes]) -> None:
    broken = Image(picture("PNG")[:-9])
    messages = (Message("tool", [ToolResult("1", ["Here:", broken])]),)
    with pytest.raises(MediaReadError, match=r"message 1 \(tool\), part 1, item 2: the image"):
        fit_messages(messages, ANYTHING, style="s")


@pytest.mark.parametrize("on_limit", ["convert", "send"])
def test_a_wrong_label_is_noted(picture: Callable[..., bytes], on_limit: Any) -> None:
    mislabelled = Image.from_bytes(picture("JPEG"), mime="image/png")
    fitted, notes = fit_messages(user("a", mislabelled), ANYTHING, on_limit=on_limit, style="s")
    assert fitted == user("a", mislabelled)
    assert notes == (
        Note(
            "message 1 (user), part 2",
            "the image is sent as image/jpeg, which its bytes are; its label said image/png",
        ),
    )


def test_a_wrong_label_is_refused_when_asked_for(picture: Callable[..., bytes]) -> None:
    mislabelled = Image.from_bytes(picture("JPEG"), mime="image/png")
    with pytest.raises(MediaError, match=r"message 1 \(user\), part 1: .*labelled image/png .*are image/jpeg"):
        fit_messages(user(mislabelled), ANYTHING, on_limit="error", style="s")


WAV = Audio(Inline(b"RIFF\x24\0\0\0WAVE" + b"\0" * 32, "audio/wav"))
MP4 = Video(Inline(b"\0\0\0\x10ftypisom\0\0\0\0", "video/mp4"))
PDF = Document(Inline(b"%PDF-1.4 %%EOF", "application/pdf"))


@pytest.mark.parametrize(
    ("part", "changes", "what", "reason", "remedy"),
    [
        (WAV, {"audio_types": frozenset()}, "audio (audio/wav)", "T takes no audio", "leave it out"),
        (MP4, {"video_types": frozenset()}, "video (video/mp4)", "T takes no video", "choose a model"),
        (
            WAV,
            {"audio_types": frozenset({"audio/flac", "audio/mpeg"})},
            "audio (audio/wav)",
            "T takes audio/flac and audio/mpeg",
            "convert it to audio/flac or audio/mpeg",
        ),
        (
            PDF,
            {"document_types": frozenset({"text/*"})},
            "document (application/pdf)",
            "T takes text of any kind",
            "convert it",
        ),
        (
            PDF,
            {"max_document_bytes": 13},
            "document (application/pdf)",
            "it has 14 bytes and T takes at most 13",
            "smaller",
        ),
        (WAV, {"max_audio_bytes": 43}, "audio (audio/wav)", "it has 44 bytes and T takes at most 43", "smaller"),
        (
            MP4,
            {"max_video_bytes": 23},
            "video (video/mp4)",
            "it has 24 bytes as base64 and T takes at most 23",
            "smaller",
        ),
        (
            Image("https://e.example/a.png"),
            {"links": frozenset()},
            "image (https:// link)",
            "T reads no links",
            "give the file or its bytes instead",
        ),
        (
            Image("gs://bucket/a.png"),
            {"links": frozenset({"https", "http"})},
            "image (gs:// link)",
            "T reads http and https links only",
            "give the file or its bytes instead (Gemini on Vertex AI reads gs://)",
        ),
        (
            Document("s3://bucket/a.pdf"),
            {"links": frozenset({"https"})},
            "document (s3:// link)",
            "T reads https links only",
            "(Bedrock reads s3://)",
        ),
        (
            Document.from_uploaded("file-1"),
            {"document_types": frozenset()},
            "document (uploaded)",
            "T takes no document",
            "leave it out",
        ),
    ],
)
def test_what_a_target_does_not_take_is_refused_by_name(
    part: MediaPart, changes: dict[str, Any], what: str, reason: str, remedy: str
) -> None:
    limits = Limits("T", "", **changes)
    for on_limit in ("convert", "error"):
        error = refused((Message("system", "x"), *user("a", part)), limits, on_limit=on_limit)
        assert (error.part, error.position) == (what, "message 2 (user), part 2")
        assert reason in error.reason
        assert remedy in error.remedy
    assert fit_messages(user(part), limits, on_limit="send", style="s") == (user(part), ())


@pytest.mark.parametrize(
    "part",
    [Image("https://e.example/a.png"), Image.from_uploaded("file-1"), WAV, MP4, PDF, Image("gs://b/a.png")],
    ids=lambda part: part.describe()[:20],
)
def test_nothing_is_refused_where_nothing_is_known(part: MediaPart) -> None:
    assert fit_messages(user(part), ANYTHING, on_limit="error", style="s") == (user(part), ())


def test_numbers_of_parts_are_counted_over_all_messages(png: Image) -> None:
    limits = Limits("T", "", max_images=3)
    inner = ToolResult("1", [png])
    messages = (*user(png, png), Message("tool", [inner]))
    assert fit_messages(messages, limits, style="s")[1] == ()
    error = refused((*messages, *user("one more", png)), limits)
    assert error.position == "message 3 (user), part 2"
    assert error.reason == "there are 4 images and T takes at most 3 in one request"
    assert error.remedy == "send fewer, or in several requests"


@pytest.mark.parametrize(
    ("model", "limit"), [("bedrock/amazon.nova-pro-v1:0", 20), ("mistral/any", 8), ("claude-haiku-4-5", 100)]
)
def test_documented_numbers_of_images(png: Image, model: str, limit: int) -> None:
    limits = route(model).limits
    assert fit_messages(user(*[png] * limit), limits, style="s")[1] == ()
    assert f"takes at most {limit} in one request" in refused(user(*[png] * (limit + 1)), limits).reason


@pytest.mark.parametrize(("cls", "field"), [(PDF, "max_documents"), (MP4, "max_videos")], ids=["documents", "videos"])
def test_other_kinds_are_counted_too(cls: MediaPart, field: str) -> None:
    limits = Limits("T", "", **{field: 1})  # type: ignore[arg-type]  # the field varies
    assert fit_messages(user(cls), limits, style="s")[1] == ()
    assert f"there are 2 {cls.kind}s" in refused(user(cls, cls), limits).reason


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"max_request_bytes": 59}, "with it the request has 60 bytes, media as base64, and T takes at most 59"),
        ({"max_documents_bytes": 41}, "with it all documents have 42 bytes, and T takes at most 41"),
    ],
)
def test_all_media_together_are_measured(changes: dict[str, Any], what: str) -> None:
    limits = Limits("T", "", **changes)
    assert fit_messages(user(PDF, PDF, Document("https://e.example/a.pdf")), limits, style="s")[1] == ()
    error = refused(user(PDF, PDF, PDF), limits)
    assert (error.reason, error.position) == (what, "message 1 (user), part 3")


def test_many_images_must_be_smaller(picture: Callable[..., bytes]) -> None:
    limits = Limits("T", "", max_side=100, many_images=2, max_side_many=50)
    large = Image(picture("PNG", (80, 40)))
    assert fit_messages(user(large, large), limits, on_limit="error", style="s")[1] == ()
    error = refused(user(large, large, large), limits, on_limit="error")
    assert error.reason == "it has 80 x 40 pixels and T takes sides of at most 50"
    assert fit_messages(user(large, large, PDF), limits, on_limit="error", style="s")[1] == ()
    counting = Limits("T", "", max_side=100, many_images=2, max_side_many=50, many_counts_documents=True)
    refused(user(large, large, PDF), counting, on_limit="error")


def test_a_bomb_is_refused_by_its_header(claimed_png: Callable[[int, int], bytes]) -> None:
    bomb = Image(claimed_png(20_000, 20_000))
    error = refused(user(bomb), route("claude-opus-5").limits)
    assert error.reason == "it has 20000 x 20000 pixels and Anthropic takes sides of at most 8000"


def test_the_size_of_an_image_is_counted_as_the_target_counts() -> None:
    image = Image(Inline(b"BM" + (90).to_bytes(4, "little") + b"\0" * 84, "image/bmp"))
    raw, coded = (Limits("T", "", max_image_bytes=90, image_bytes_counted=how) for how in ("raw", "base64"))
    assert fit_messages(user(image), raw, on_limit="error", style="s")[1] == ()
    assert refused(user(image), coded, on_limit="error").reason == "it has 120 bytes as base64 and T takes at most 90"


@pytest.mark.parametrize(
    ("model", "url", "taken"),
    [
        ("anthropic/claude-opus-5", "https://img.example/p/4mb.jpg", True),
        ("vertex_ai/claude-opus-5", "https://img.example/p/1.png", False),
        ("bedrock/us.anthropic.claude-opus-5", "https://img.example/p/1.png", False),
        ("bedrock/us.anthropic.claude-opus-5", "s3://bucket-x/k/cat.png", True),
        ("openai/gpt-4o", "s3://bucket-x/k/cat.png", False),
        ("gemini/gemini-2.5-pro", "gs://bucket-x/k/cat.png", False),
        ("vertex_ai/gemini-2.5-pro", "gs://bucket-x/k/cat.png", True),
        ("ollama/llava", "https://img.example/p/1.png", False),
    ],
)
def test_links_as_the_targets_read_them(model: str, url: str, taken: bool) -> None:
    limits = route(model).limits
    if taken:
        assert fit_messages(user(Image(url)), limits, style="s") == (user(Image(url)), ())
    else:
        assert "give the file or its bytes instead" in refused(user(Image(url)), limits).remedy


def test_an_uploaded_file_is_left_to_the_provider() -> None:
    image = Image(Uploaded("file-1", "image/png"))
    limits = Limits("T", "", image_types=frozenset({"image/jpeg"}), links=frozenset(), max_image_bytes=1)
    assert fit_messages(user(image), limits, style="s") == (user(image), ())


def test_the_type_that_the_name_of_a_link_claims_is_not_held_against_it() -> None:
    image = Image(Link("https://e.example/a.heic", "image/heic"))
    assert fit_messages(user(image), route("gpt-4o").limits, style="s") == (user(image), ())


def test_text_documents_become_plain_text_where_only_that_is_known() -> None:
    limits = route("claude-opus-5").limits
    markdown = Document(b"# Title", name="a.md", title="A")
    fitted, notes = fit_messages(user(markdown), limits, style="s")
    assert fitted == user(markdown.replace(source=Inline(b"# Title", "text/plain")))
    assert str(notes[0]) == (
        "message 1 (user), part 1: the document is sent as text/plain, since Anthropic does not know text/markdown"
    )
    assert refused(user(markdown), limits, on_limit="error").part == "document (text/markdown)"


def test_parts_inside_tool_results_are_changed_in_their_place(picture: Callable[..., bytes]) -> None:
    limits = Limits("T", "", image_types=frozenset({"image/png"}))
    result = ToolResult("1", ["see", Image(picture("BMP"))], name="f", error=True)
    fitted, notes = fit_messages((Message("tool", [result], name="n", cache=True),), limits, style="s")
    assert [note.position for note in notes] == ["message 1 (tool), part 1, item 2"]
    inner = fitted[0].parts[0]
    assert isinstance(inner, ToolResult)
    assert (inner.id, inner.name, inner.error, inner.parts[0]) == ("1", "f", True, Text("see"))
    assert isinstance(inner.parts[1], Image)
    assert inner.parts[1].mime_type == "image/png"
    assert (fitted[0].name, fitted[0].cache) == ("n", True)


def test_notes_are_one_line_values() -> None:
    assert str(Note("message 1 (user), part 1", "a\n b")) == "message 1 (user), part 1: a b"
    assert str(Note("", "for all")) == "for all"
    assert pickle.loads(pickle.dumps(Note("a", "b"))) == Note("a", "b")


@pytest.mark.parametrize(
    ("changes", "too_large"),
    [
        ({"max_image_bytes": 3}, True),
        ({"max_images": 0}, True),
        ({"max_side": 1}, True),
        ({"max_request_bytes": 3}, True),
        ({"image_types": frozenset({"image/webp"})}, False),
        ({"image_types": frozenset()}, False),
    ],
    ids=lambda value: str(value)[:30],
)
def test_what_exceeds_a_limit_is_told_from_what_is_not_taken(
    changes: dict[str, Any], too_large: bool, png: Image
) -> None:
    error = refused(user(png), Limits("T", "", **changes), on_limit="error")
    assert isinstance(error, MediaTooLargeError) is too_large
    assert isinstance(error, UnsupportedContentError)
