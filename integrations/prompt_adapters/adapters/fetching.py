"""Links that become bytes before media are fitted, where the adapter was given a fetcher."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from prompt_adapters.adapters.spots import Spot, media_in
from prompt_adapters.content.load import from_bytes
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import MediaPart, Part, ToolResult
from prompt_adapters.content.source import Inline, Link
from prompt_adapters.errors import FetchRefusedError, MediaError
from prompt_adapters.media.notes import Note
from prompt_adapters.media.reach import private_host

if TYPE_CHECKING:
    from prompt_adapters.adapters.base import MessageAdapter
    from prompt_adapters.media.fetch import Fetched

_WEB: Final = ("http", "https")
_MOST_BYTES: Final = 200_000_000  # of all downloads of a request, unless the fetcher says it otherwise
# By link: what came, or why nothing did.
_Results: TypeAlias = "Mapping[str, Fetched | MediaError]"


class _Wanted(NamedTuple):
    spot: Spot
    part: MediaPart
    link: Link


def with_downloads(
    adapter: MessageAdapter, messages: tuple[Message, ...]
) -> tuple[tuple[Message, ...], tuple[Note, ...]]:
    """The messages with the content of those links that the target does not read, and a note for each.

    Raises:
        FetchRefusedError: A link may not be downloaded.
        MediaError: It cannot be, or what it leads to is not what it should be.
    """
    wanted = _wanted(adapter, messages)
    if not wanted:
        return messages, ()
    from concurrent.futures import ThreadPoolExecutor

    fetcher = adapter._options.fetcher
    urls = _urls(wanted)
    total = _Total(fetcher)

    def fetch(url: str) -> Fetched | MediaError:
        try:
            total.check()
            fetched: Fetched = fetcher.fetch(url)
            total.add(fetched)
        except MediaError as error:
            return error
        return fetched

    with ThreadPoolExecutor(min(_concurrency(fetcher), len(urls)), "prompt-adapters-fetch") as pool:
        results = dict(zip(urls, pool.map(fetch, urls), strict=True))
    return _replaced(messages, wanted, results)


async def awith_downloads(
    adapter: MessageAdapter, messages: tuple[Message, ...]
) -> tuple[tuple[Message, ...], tuple[Note, ...]]:
    """`with_downloads` that does not block the event loop; errors as there."""
    wanted = _wanted(adapter, messages)
    if not wanted:
        return messages, ()
    import anyio

    fetcher = adapter._options.fetcher
    limiter = anyio.CapacityLimiter(_concurrency(fetcher))
    results: dict[str, Any] = {}
    total = _Total(fetcher)

    async def fetch(url: str) -> None:
        async with limiter:
            try:
                total.check()
                results[url] = await fetcher.afetch(url)
                total.add(results[url])
            except MediaError as error:
                results[url] = error

    async with anyio.create_task_group() as tasks:
        for url in _urls(wanted):
            tasks.start_soon(fetch, url)
    return _replaced(messages, wanted, results)


class _Total:
    """The bytes that the downloads of one request have so far; each by itself is bounded, and there may be many.

    Args:
        fetcher: The fetcher, whose ``max_total_bytes`` counts.
    """

    def __init__(self, fetcher: Any) -> None:
        self._most = getattr(fetcher, "max_total_bytes", _MOST_BYTES)
        self._bytes = 0

    def add(self, fetched: Fetched) -> None:
        """Count a download.

        Raises:
            FetchRefusedError: All together have too many.
        """
        self._bytes += len(fetched.data)
        self.check()

    def check(self) -> None:
        """Refuse another download when there are too many bytes already.

        Raises:
            FetchRefusedError: There are.
        """
        if self._bytes > self._most:
            raise FetchRefusedError(f"the downloads of this request have more than {self._most} bytes together")


def _concurrency(fetcher: Any) -> int:
    return max(1, int(getattr(fetcher, "concurrency", 1)))


def _urls(wanted: Sequence[_Wanted]) -> list[str]:
    return list(dict.fromkeys(item.link.url for item in wanted))


def _wanted(adapter: MessageAdapter, messages: Sequence[Message]) -> list[_Wanted]:
    options = adapter._options
    if options.fetcher is None:
        return []
    found = (_Wanted(spot, part, part.source) for spot, part in media_in(messages) if isinstance(part.source, Link))
    return [
        item for item in found if item.link.scheme in _WEB and (options.fetch == "always" or _needed(adapter, item))
    ]


def _needed(adapter: MessageAdapter, item: _Wanted) -> bool:
    """Whether the target does not read the link itself, and would take the bytes."""
    if not adapter.accepts(item.part.kind, "inline"):
        return False
    reads = adapter.accepts(item.part.kind, item.link.scheme)
    return not reads or (not adapter.limits.local and private_host(item.link) is not None)


def _replaced(
    messages: tuple[Message, ...], wanted: Sequence[_Wanted], results: _Results
) -> tuple[tuple[Message, ...], tuple[Note, ...]]:
    fresh: dict[tuple[int, int | None, int | None], MediaPart] = {}
    notes = []
    for spot, part, link in wanted:
        source = _source(spot, part, link, results[link.url])
        fresh[spot.message, spot.part, spot.inner] = part.replace(source=source)
        what = f"{len(source.data)} bytes, {source.mime}"
        notes.append(Note(str(spot), f"the {part.kind} was downloaded from {link.describe()} ({what})"))

    def swapped(message: Message, number: int) -> Message:
        parts = tuple(_swapped(part, number, index, fresh.get) for index, part in enumerate(message.parts))
        same = all(new is old for new, old in zip(parts, message.parts, strict=True))
        return message if same else message.replace(parts=parts)

    return tuple(swapped(message, number) for number, message in enumerate(messages)), tuple(notes)


def _swapped(part: Part, number: int, index: int, fresh: Callable[[Any], MediaPart | None]) -> Part:
    if isinstance(part, ToolResult):
        inner = tuple(fresh((number, index, at)) or item for at, item in enumerate(part.parts))
        same = all(new is old for new, old in zip(inner, part.parts, strict=True))
        return part if same else part.replace(parts=inner)
    return fresh((number, index, None)) or part


def _source(spot: Spot, part: MediaPart, link: Link, result: Fetched | MediaError) -> Inline:
    if isinstance(result, MediaError):
        raise type(result)(f"{spot}: {result}") from None
    try:
        source = from_bytes(part.kind, result.data, link.mime or result.mime)
        if link.mime is None or result.mime is None or source.declared is not None:
            return source
        claimed = from_bytes(part.kind, result.data, result.mime)
    except MediaError as error:
        raise type(error)(f"{spot}: {link.describe()}: {error}") from None
    return source if claimed.declared is None else claimed
