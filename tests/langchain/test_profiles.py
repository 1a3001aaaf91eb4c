"""What a chat model's profile says it does not take is refused, and nothing else."""

from typing import Any

import pytest

from chat_packages import MEDIA, PLACES
from prompt_adapters.errors import UnsupportedContentError
from prompt_adapters.langchain.profiles import RESULTS_WITHOUT_TOOLS, lacking, refuse_lacking
from prompt_adapters.targets import Capabilities

SAYS: dict[str, tuple[dict[str, Any], Capabilities, tuple[str, ...]]] = {
    "nothing": ({}, Capabilities(), ()),
    "yes": ({"image_inputs": True}, Capabilities(), ()),
    "nothing of it": ({"image_inputs": None, "text_inputs": False}, Capabilities(), ()),
    "no": ({"image_inputs": False, "audio_inputs": False}, Capabilities(), ("image_inputs", "audio_inputs")),
    "no, and this package yes": (
        {"image_inputs": False, "audio_inputs": False}, Capabilities(image=True), ("audio_inputs",)
    ),
    "no, and this package no": ({"pdf_inputs": False}, Capabilities(document=False), ("pdf_inputs",)),
    "no links": ({"image_inputs": True, "image_url_inputs": False}, Capabilities(image=True), ("image_url_inputs",)),
}  # fmt: skip


@pytest.mark.parametrize(("profile", "known", "lacks"), SAYS.values(), ids=SAYS)
def test_only_a_no_counts(profile: dict[str, Any], known: Capabilities, lacks: tuple[str, ...]) -> None:
    assert lacking(profile, known) == lacks


HITS: dict[str, tuple[str, str, str, str]] = {
    "images": ("image_inputs", "a PNG", "user", "no images"),
    "images by links": ("image_inputs", "an image by a link", "assistant", "no images"),
    "links": ("image_url_inputs", "an image by a link", "user", "no links to images"),
    "PDF": ("pdf_inputs", "a PDF", "alone", "no PDF documents"),
    "audio": ("audio_inputs", "a WAV", "user", "no audio"),
    "video": ("video_inputs", "a video by a link", "user", "no video"),
    "images of tools": ("image_tool_message", "a PNG", "result", "no images in tool results"),
    "PDF of tools": ("pdf_tool_message", "a PDF", "result", "no PDF documents in tool results"),
    "images, of tools too": ("image_inputs", "a PNG", "result", "no images"),
}
PASSES: dict[str, tuple[str, str, str]] = {
    "another kind": ("image_inputs", "a WAV", "user"),
    "bytes": ("image_url_inputs", "a PNG", "user"),
    "no PDF": ("pdf_inputs", "a text", "user"),
    "no result": ("image_tool_message", "a PNG", "user"),
    "a user's image": (RESULTS_WITHOUT_TOOLS, "a PNG", "user"),
}


@pytest.mark.parametrize(("lack", "medium", "place", "said"), HITS.values(), ids=HITS)
def test_it_is_refused_with_place_and_remedy(lack: str, medium: str, place: str, said: str) -> None:
    messages = PLACES[place](MEDIA[medium])
    with pytest.raises(UnsupportedContentError) as caught:
        refuse_lacking(messages, [lack], "langchain-x", "openai_style")
    error = caught.value
    assert str(error).startswith(f"langchain-x cannot take {MEDIA[medium].kind} (")
    assert error.reason == f"the profile of the chat model says that it takes {said}"
    assert f"profile={{'{lack}': True}}" in error.remedy
    assert "AdapterRunnable('openai_style')" in error.remedy
    assert ("item" in str(error)) == (place == "result")
    assert "\n" not in str(error)


@pytest.mark.parametrize(("lack", "medium", "place"), PASSES.values(), ids=PASSES)
def test_everything_else_passes(lack: str, medium: str, place: str) -> None:
    refuse_lacking(PLACES[place](MEDIA[medium]), [lack], "langchain-x", None)


def test_bedrock_needs_its_tools_for_media_that_they_gave() -> None:
    with pytest.raises(UnsupportedContentError, match=r"drops their media; bind the tools, as model\.bind_tools"):
        refuse_lacking(PLACES["result"](MEDIA["a PNG"]), [RESULTS_WITHOUT_TOOLS], "langchain-aws", "bedrock_style")
