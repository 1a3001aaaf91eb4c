from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pictures import encoded, photo
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Audio, Document, Image, Text, ToolResult
from prompt_adapters.content.source import Inline
from prompt_adapters.errors import MediaTooLargeError
from prompt_adapters.media.budget import _share
from prompt_adapters.media.fit import fit_messages
from prompt_adapters.media.rules import base64_size
from prompt_adapters.targets import Limits

PHOTO = Image(encoded(photo((160, 120), 20), "PNG"))
SMALL = Image(encoded(photo((32, 32), 20), "PNG"))
WAV = Audio(Inline(b"RIFF\x24\0\0\0WAVE" + b"\0" * 32, "audio/wav"))


def size(part: Any) -> int:
    return len(part.source.data)


@given(st.lists(st.integers(1, 1000), min_size=1, max_size=20), st.integers(1, 5000))
def test_a_share_is_the_largest_that_fits(sizes: list[int], most: int) -> None:
    if sum(sizes) <= most:
        return
    share = _share(sizes, most)
    assert sum(min(size, share) for size in sizes) <= most
    assert sum(min(size, share + 1) for size in sizes) > most


def test_images_that_are_too_heavy_together_are_made_lighter() -> None:
    limits = Limits("T", "", max_images_bytes=3 * size(PHOTO) // 2)
    messages = (Message("user", [PHOTO, "and", SMALL]), Message("user", [PHOTO]))
    fitted, notes = fit_messages(messages, limits, style="s")
    parts = [part for message in fitted for part in message.parts if isinstance(part, Image)]
    assert sum(map(size, parts)) <= 3 * size(PHOTO) // 2
    assert parts[1] is SMALL
    assert len(notes) == 4
    assert f"T takes {3 * size(PHOTO) // 2} bytes of images in all" in notes[1].text
    with pytest.raises(MediaTooLargeError, match="with it all images have"):
        fit_messages(messages, limits, on_limit="error", style="s")
    assert fit_messages(messages, limits, on_limit="send", style="s") == (messages, ())


def test_one_image_that_alone_exceeds_the_whole_request_is_made_lighter() -> None:
    limits = Limits("T", "", max_request_bytes=20_000)
    fitted, notes = fit_messages((Message("user", ["Look", PHOTO]),), limits, style="s")
    part = fitted[0].parts[1]
    assert isinstance(part, Image)
    assert isinstance(part.source, Inline)
    assert base64_size(part.source.data) + 4 <= 20_000
    assert "T takes 20000 bytes of a request in all" in notes[-1].text


def test_what_cannot_be_made_lighter_counts_first() -> None:
    document = Document(b"x" * 9_000, name="a.txt")
    limits = Limits("T", "", max_request_bytes=30_000)
    heard = Message("tool", [ToolResult("1", ["y" * 3_000, PHOTO])])
    fitted, _ = fit_messages((Message("user", [document, WAV, PHOTO, "z" * 2_000]), heard), limits, style="s")
    result = fitted[1].parts[0]
    assert isinstance(result, ToolResult)
    sources = [getattr(part, "source", None) for part in (*fitted[0].parts, *result.parts)]
    assert sum(base64_size(source.data) for source in sources if isinstance(source, Inline)) + 5_000 <= 30_000


def test_a_request_that_is_too_heavy_without_its_images_is_refused() -> None:
    limits = Limits("T", "", max_request_bytes=9_000)
    with pytest.raises(MediaTooLargeError) as caught:
        fit_messages((Message("user", [Text("x" * 9_001), SMALL]),), limits, style="s")
    assert caught.value.reason.startswith("with it the request has ")
    assert "upload them first" in caught.value.remedy


def test_images_that_cannot_become_light_enough_are_refused() -> None:
    limits = Limits("T", "", max_images_bytes=100)
    with pytest.raises(MediaTooLargeError, match="with it all images have"):
        fit_messages((Message("user", [PHOTO]),), limits, style="s")
