from __future__ import annotations

import asyncio
import time
from io import BytesIO
from typing import Any

import pytest

from prompt_adapters import Document, Image, Message, Prompt, ToolCall, ToolResult, adapter_for, get_adapter
from prompt_adapters.errors import FetchRefusedError, MediaError, MediaReadError, UnsupportedContentError
from prompt_adapters.media import HttpFetcher
from web_server import WebServer, answer, redirect

PDF = b"%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n"


def png(color: str = "red") -> bytes:
    from PIL import Image as Pillow

    buffer = BytesIO()
    Pillow.new("RGB", (8, 8), color).save(buffer, "PNG")
    return buffer.getvalue()


RED, BLUE = png("red"), png("blue")


def fetcher(**options: Any) -> HttpFetcher:
    allowed: dict[str, Any] = {"allow_http": True, "allow_private": ["127.0.0.1/32"], "timeout": 5.0}
    return HttpFetcher(**allowed | options)


def asked_of(style: str, prompt: Any, values: dict[str, Any] | None = None, **options: Any) -> dict[str, Any]:
    """A request, which must be the same from both ways of building it."""
    adapter = get_adapter(style, **options)
    request = adapter.build_request(prompt, values)
    assert asyncio.run(adapter.abuild_request(prompt, values)) == request
    return request


def test_a_link_that_the_target_does_not_read_is_downloaded() -> None:
    with WebServer({"/a.png": answer(RED, headers={"Content-Type": "image/png"})}) as server:
        prompt = Prompt(user="What is {{ photo }} this?")
        request = asked_of("bedrock_style", prompt, {"photo": Image(f"{server.url}/a.png")}, fetcher=fetcher())
        assert request["messages"][0]["content"][1] == {"image": {"format": "png", "source": {"bytes": RED}}}
        assert len(server.asked) == 2


def test_without_a_fetcher_nothing_is_asked() -> None:
    with WebServer({"/a.png": answer(RED)}) as server:
        with pytest.raises(UnsupportedContentError, match="link"):
            get_adapter("bedrock_style").build_request(Message("user", [Image(f"{server.url}/a.png")]))
        get_adapter("openai_style").build_request(Message("user", [Image(f"{server.url}/a.png")]))
        assert not server.asked


def test_a_link_that_the_target_reads_stays_a_link() -> None:
    link = "https://example.com/a.png"
    request = asked_of("openai_style", Message("user", [Image(link)]), fetcher=fetcher())
    assert request["messages"][0]["content"][0]["image_url"]["url"] == link


def test_a_link_to_the_own_network_is_not_left_to_the_provider() -> None:
    with WebServer({"/a.png": answer(RED)}) as server:
        request = asked_of("openai_style", Message("user", [Image(f"{server.url}/a.png")]), fetcher=fetcher())
        assert request["messages"][0]["content"][0]["image_url"]["url"].startswith("data:image/png;base64,")
        with pytest.raises(FetchRefusedError, match=r"message 1 \(user\), part 1.*not a public address"):
            asked_of(
                "openai_style", Message("user", [Image(f"{server.url}/a.png")]), fetcher=HttpFetcher(allow_http=True)
            )


def test_all_links_are_downloaded_when_asked_for() -> None:
    with WebServer({"/a.png": answer(RED), "/b.png": answer(BLUE)}) as server:
        parts = [Image(f"{server.url}/a.png"), Image("gs://bucket/c.png"), Image(f"{server.url}/b.png")]
        prepared = get_adapter("google_style", fetcher=fetcher(), fetch="always").prepare(Message("user", parts))
        sources = [part.source for part in prepared.messages[0].parts if isinstance(part, Image)]
        assert [getattr(source, "data", None) for source in sources] == [RED, None, BLUE]
        said = [note for note in map(str, prepared.notes) if "downloaded" in note]
        assert len(said) == 2
        assert said[0].startswith("message 1 (user), part 1: the image was downloaded from http://127.0.0.1")
        assert f"({len(RED)} bytes, image/png)" in said[0]


def test_links_inside_tool_results_are_downloaded() -> None:
    with WebServer({"/a.png": answer(RED)}) as server:
        messages = (
            Message("user", "Look."),
            Message("assistant", [ToolCall("call_1", "look", {})]),
            Message("tool", [ToolResult("call_1", ["seen:", Image(f"{server.url}/a.png")])]),
        )
        request = asked_of("bedrock_style", messages, fetcher=fetcher())
        result = request["messages"][2]["content"][0]["toolResult"]["content"]
        assert result[1]["image"]["source"]["bytes"] == RED
        assert messages[2].parts[0].parts[1].source.url.endswith("/a.png")  # type: ignore[union-attr]  # built so above


def test_one_link_is_asked_once_however_often_it_stands() -> None:
    with WebServer({"/a.png": answer(RED)}) as server:
        image = Image(f"{server.url}/a.png")
        adapter = get_adapter("bedrock_style", fetcher=fetcher())
        request = adapter.build_request((Message("user", ["1", image, "2", image]),))
        assert [list(block) for block in request["messages"][0]["content"]] == [["text"], ["image"]] * 2
        assert len(server.asked) == 1


@pytest.mark.parametrize("asynchronous", [False, True])
def test_links_are_downloaded_side_by_side_up_to_a_number(asynchronous: bool) -> None:
    paths = {f"/{n}.png": answer(RED) for n in range(6)}
    with WebServer(dict(paths), pause=0.1) as server:
        message = Message("user", [Image(f"{server.url}{path}") for path in paths])
        adapter = get_adapter("bedrock_style", fetcher=fetcher(concurrency=3))
        if asynchronous:
            asyncio.run(adapter.abuild_request(message))
        else:
            adapter.build_request(message)
        assert len(server.asked) == 6
        assert server.at_once == 3


async def test_the_event_loop_goes_on() -> None:
    beats = 0

    async def beat() -> None:
        nonlocal beats
        while True:
            await asyncio.sleep(0.01)
            beats += 1

    with WebServer({"/a.png": answer(RED)}, pause=0.4) as server:
        heart = asyncio.create_task(beat())
        started = time.monotonic()
        await get_adapter("bedrock_style", fetcher=fetcher()).abuild_request(
            Message("user", [Image(f"{server.url}/a.png")])
        )
        assert time.monotonic() - started >= 0.4
        heart.cancel()
    assert beats >= 10


def test_what_comes_is_told_from_its_bytes() -> None:
    with WebServer({"/a.jpg": answer(RED, headers={"Content-Type": "image/jpeg"})}) as server:
        adapter = get_adapter("bedrock_style", fetcher=fetcher())
        prepared = adapter.prepare(Message("user", [Image(f"{server.url}/a.jpg")]))
        assert prepared.messages[0].parts[0].source.mime == "image/png"  # type: ignore[union-attr]  # it is an image
        assert any("its label said image/jpeg" in str(note) for note in prepared.notes)
        with pytest.raises(MediaError, match="labelled image/jpeg"):
            get_adapter("bedrock_style", fetcher=fetcher(), on_limit="error").prepare(
                Message("user", [Image(f"{server.url}/a.jpg")])
            )


@pytest.mark.parametrize(
    ("part", "path", "body", "kind"),
    [
        (Image, "/a.png", b"<!DOCTYPE html><html><body>Log in</body></html>", "text/html"),
        (Document, "/a.pdf", b"<!DOCTYPE html><html><body>Log in</body></html>", "text/html"),
        (Image, "/a", PDF, "application/pdf"),
        (Document, "/a", RED, "image/png"),
    ],
)
def test_a_page_in_place_of_a_picture_is_refused(part: Any, path: str, body: bytes, kind: str) -> None:
    with WebServer({path: answer(body, headers={"Content-Type": kind})}) as server:
        with pytest.raises(MediaError, match=rf"message 1 \(user\), part 2: http.*{kind}") as caught:
            asked_of(
                "bedrock_style", Message("user", ["Look:", part(f"{server.url}{path}?token=hidden")]), fetcher=fetcher()
            )
        assert "hidden" not in str(caught.value)
        assert "Log in" not in str(caught.value)


def test_an_error_says_which_part_it_was() -> None:
    with WebServer({"/a.png": answer(RED), "/b.png": redirect("http://10.0.0.1/x")}) as server:
        parts = ["1", Image(f"{server.url}/a.png"), Image(f"{server.url}/b.png")]
        with pytest.raises(FetchRefusedError, match=r"message 1 \(user\), part 3: cannot download http"):
            asked_of("bedrock_style", Message("user", parts), fetcher=fetcher())
        with pytest.raises(MediaReadError, match=r"message 1 \(user\), part 1: .*404"):
            asked_of("bedrock_style", Message("user", [Image(f"{server.url}/none.png")]), fetcher=fetcher())


def test_text_costs_nothing() -> None:
    class Never:
        def fetch(self, url: str) -> Any:
            raise AssertionError(url)

    request = asked_of("bedrock_style", Prompt(user="http://127.0.0.1/a.png {{ x }}"), {"x": "https://e.com/b.png"},
                       fetcher=Never())  # fmt: skip
    assert request["messages"][0]["content"] == [{"text": "http://127.0.0.1/a.png https://e.com/b.png"}]


def test_a_model_string_takes_the_options_too() -> None:
    with WebServer({"/a.png": answer(RED)}) as server:
        adapter = adapter_for("ollama_chat/llava", fetcher=fetcher())
        message = adapter.build_request(Message("user", [Image(f"{server.url}/a.png")]))["messages"][0]
        assert len(message["images"]) == 1


@pytest.mark.parametrize(
    ("options", "error", "said"),
    [
        ({"fetch": "always"}, ValueError, "no fetcher"),
        ({"fetch": "sometimes", "fetcher": HttpFetcher()}, ValueError, "'needed', 'always'"),
        ({"fetcher": object()}, TypeError, "no method fetch"),
    ],
)
def test_impossible_options_are_refused(options: dict[str, Any], error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        get_adapter("openai_style", **options)


def test_all_downloads_of_a_request_have_a_limit_together() -> None:
    with WebServer({f"/{n}.png": answer(RED) for n in range(6)}) as server:
        message = Message("user", [Image(f"{server.url}/{n}.png") for n in range(6)])
        few = fetcher(max_total_bytes=3 * len(RED), concurrency=1)
        adapter = get_adapter("bedrock_style", fetcher=few)
        with pytest.raises(FetchRefusedError, match=f"more than {3 * len(RED)} bytes together"):
            adapter.build_request(message)
        assert len(server.asked) == 4
        with pytest.raises(FetchRefusedError, match="together"):
            asyncio.run(adapter.abuild_request(message))
        enough = fetcher(max_total_bytes=6 * len(RED))
        assert len(asked_of("bedrock_style", message, fetcher=enough)["messages"][0]["content"]) == 6
