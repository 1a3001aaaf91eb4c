"""Chunks come one by one, and whoever stops listening hangs up."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from prompt_adapters import Prompt
from prompt_adapters.errors import MissingVariableError, UnsupportedContentError
from prompt_adapters.litellm import LiteLLMBridge
from prompt_adapters.litellm.streams import AsyncChunks, Chunks

PROMPT = Prompt(user="Say {{ word }}.")
VALUES = {"word": "hello"}
MODELS = ("openai/gpt-4o", "anthropic/claude-sonnet-4-5", "gemini/gemini-2.5-flash")
SOON = 5.0


def access(provider: Any) -> dict[str, Any]:
    return {"api_base": provider.url, "api_key": "fake", "max_retries": 0}


def piece(chunk: Any) -> str:
    return chunk.choices[0].delta.content or ""


@pytest.mark.parametrize("model", MODELS)
def test_chunks_come_as_they_are_sent(model: str, provider: Any, litellm: Any) -> None:
    provider.hold = True
    chunks = LiteLLMBridge(model).stream(PROMPT, VALUES, **access(provider))
    first = next(text for text in map(piece, chunks) if text)
    provider.release()
    assert (first, "".join(map(piece, chunks))) == ("Hel", "lo")
    assert list(chunks) == []
    assert "stream" in str(provider.call.body) or "stream" in provider.call.path


@pytest.mark.parametrize("model", MODELS)
async def test_asynchronous_chunks_too(model: str, provider: Any, litellm: Any, closing: None) -> None:
    provider.hold = True
    heard = []
    async for chunk in LiteLLMBridge(model).astream(PROMPT, VALUES, **access(provider)):
        if piece(chunk):
            heard.append(piece(chunk))
            provider.release()
    assert heard == ["Hel", "lo"]


@pytest.mark.parametrize("model", MODELS)
def test_leaving_hangs_up(model: str, provider: Any, litellm: Any) -> None:
    provider.hold = True
    with LiteLLMBridge(model).stream(PROMPT, VALUES, **access(provider)) as chunks:
        assert piece(next(chunks)) == "Hel"
    assert provider.gone.wait(SOON)
    assert list(chunks) == []


def test_closing_before_the_first_chunk_hangs_up(provider: Any, litellm: Any) -> None:
    provider.hold = True
    chunks = LiteLLMBridge(MODELS[0]).stream(PROMPT, VALUES, **access(provider))
    chunks.close()
    chunks.close()
    assert provider.gone.wait(SOON)


@pytest.mark.parametrize("model", MODELS)
async def test_leaving_asynchronously_hangs_up(model: str, provider: Any, litellm: Any, closing: None) -> None:
    provider.hold = True
    async with LiteLLMBridge(model).astream(PROMPT, VALUES, **access(provider)) as chunks:
        assert piece(await anext(chunks)) == "Hel"
    assert await asyncio.to_thread(provider.gone.wait, SOON)
    assert [chunk async for chunk in chunks] == []


@pytest.mark.parametrize("model", MODELS)
async def test_cancelling_hangs_up(model: str, provider: Any, litellm: Any, closing: None) -> None:
    provider.hold = True
    started = asyncio.Event()

    async def listen() -> None:
        async for _ in LiteLLMBridge(model).astream(PROMPT, VALUES, **access(provider)):
            started.set()

    task = asyncio.create_task(listen())
    await asyncio.wait_for(started.wait(), SOON)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await asyncio.to_thread(provider.gone.wait, SOON)


@pytest.mark.parametrize("model", MODELS)
async def test_cancelling_a_call_hangs_up(model: str, provider: Any, litellm: Any, closing: None) -> None:
    provider.hold = True
    task = asyncio.create_task(LiteLLMBridge(model).acompletion(PROMPT, VALUES, **access(provider)))
    while not provider.calls:
        await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await asyncio.to_thread(provider.gone.wait, SOON)


async def test_a_stream_may_be_awaited_first(provider: Any, litellm: Any, closing: None) -> None:
    bridge = LiteLLMBridge(MODELS[0])
    chunks = bridge.astream(PROMPT, VALUES, **access(provider))
    assert provider.calls == []
    begun = await chunks
    assert begun is chunks
    assert len(provider.calls) == 1
    assert "".join([piece(chunk) async for chunk in begun]) == "Hello"
    assert len(provider.calls) == 1


async def test_refusals_come_before_anything_is_sent(provider: Any) -> None:
    from prompt_adapters import Audio

    bridge = LiteLLMBridge("anthropic/claude-sonnet-4-5")
    sound = Audio(b"RIFF\x20\0\0\0WAVEfmt " + bytes(24))
    with pytest.raises(UnsupportedContentError, match="cannot take audio"):
        bridge.stream(Prompt(user="{{ sound }}"), {"sound": sound})
    with pytest.raises(UnsupportedContentError, match="cannot take audio"):
        await bridge.astream(Prompt(user="{{ sound }}"), {"sound": sound})
    with pytest.raises(MissingVariableError):
        bridge.stream(PROMPT)
    assert provider.calls == []


def test_errors_of_litellm_come_through(provider: Any, litellm: Any) -> None:
    provider.status = 400
    with pytest.raises(litellm.BadRequestError, match="no such luck"):
        list(LiteLLMBridge(MODELS[0]).stream(PROMPT, VALUES, **access(provider)))


# By themselves


class Source:
    """A stream that tells what became of it."""

    def __init__(self, items: list[Any]) -> None:
        self.items = iter(items)
        self.closed = 0

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        item = next(self.items)
        if isinstance(item, BaseException):
            raise item
        return item

    def close(self) -> None:
        self.closed += 1

    def __aiter__(self) -> AsyncIterator[Any]:
        return self

    async def __anext__(self) -> Any:
        try:
            return next(self)
        except StopIteration:
            raise StopAsyncIteration from None

    async def aclose(self) -> None:
        self.close()


ERROR = KeyError("the very one")


def test_the_end_and_an_error_close_the_stream() -> None:
    ended, failed = Source([1, 2]), Source([1, ERROR])
    assert list(Chunks(ended)) == [1, 2]
    with pytest.raises(KeyError) as caught:
        list(Chunks(failed))
    assert caught.value is ERROR
    assert ended.closed == failed.closed == 1
    assert list(Chunks(iter([1, 2]))) == [1, 2]


async def test_the_end_and_an_error_close_it_asynchronously() -> None:
    ended, failed = Source([1, 2]), Source([1, ERROR])

    def chunks(source: Source) -> AsyncChunks:
        async def begin() -> Source:
            return source

        return AsyncChunks(begin)

    assert [item async for item in chunks(ended)] == [1, 2]
    with pytest.raises(KeyError) as caught:
        [item async for item in chunks(failed)]
    assert caught.value is ERROR
    assert ended.closed == failed.closed == 1
    unheard = chunks(Source([1]))
    await unheard.aclose()
    assert unheard.stream is None
