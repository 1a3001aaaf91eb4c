"""Chunks of an answer as they come, and the ways to stop listening."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from types import TracebackType
from typing import Any, Self


class Chunks:
    """An iterator of chunks, and a context: when it is left, closed or exhausted, the connection is closed.

    Args:
        stream: LiteLLM's own iterator.

    Attributes:
        stream: The same, with what LiteLLM tells of the response.
    """

    def __init__(self, stream: Any) -> None:
        self.stream = stream
        self._chunks = self._listen()

    def _listen(self) -> Generator[Any]:
        try:
            yield from iter(self.stream)
        finally:
            self._hang_up()

    def _hang_up(self) -> None:
        if (close := getattr(self.stream, "close", None)) is not None:
            close()

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Any:
        return next(self._chunks)

    def close(self) -> None:
        """Stop listening; nothing more comes."""
        self._chunks.close()
        self._hang_up()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class AsyncChunks:
    """`Chunks` that are awaited: ``async for chunk in chunks``, or ``chunks = await chunks`` to begin the call first.

    Cancelling the task that waits for a chunk cancels the call.

    Args:
        begin: What makes the call and gives LiteLLM's own iterator.
    """

    def __init__(self, begin: Callable[[], Awaitable[Any]]) -> None:
        self._begin = begin
        self._chunks = self._listen()
        self.stream: Any = None

    async def _begun(self) -> Self:
        if self.stream is None:
            self.stream = await self._begin()
        return self

    async def _listen(self) -> AsyncGenerator[Any, None]:
        await self._begun()
        try:
            async for chunk in self.stream:
                yield chunk
        finally:
            await self._hang_up()

    async def _hang_up(self) -> None:
        if (close := getattr(self.stream, "aclose", None)) is not None:
            await close()

    def __await__(self) -> Generator[Any, None, Self]:
        return self._begun().__await__()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Any:
        return await anext(self._chunks)

    async def aclose(self) -> None:
        """Stop listening; nothing more comes."""
        await self._chunks.aclose()
        await self._hang_up()

    async def __aenter__(self) -> Self:
        return await self._begun()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()
