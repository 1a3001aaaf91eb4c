"""Making messages fit a target: what it would refuse is changed or refused before anything is sent.

`HttpFetcher` and `CachingFetcher`, which download links for an adapter that is given one, are resolved on first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from prompt_adapters.lazy import on_first_use

if TYPE_CHECKING:
    from prompt_adapters.media.fetch import Fetched as Fetched
    from prompt_adapters.media.fetch import Fetcher as Fetcher
    from prompt_adapters.media.fetch import HttpFetcher as HttpFetcher
    from prompt_adapters.media.fetch_cache import CachingFetcher as CachingFetcher

__all__, __getattr__, __dir__ = on_first_use(
    __name__, {"fetch": ("Fetched", "Fetcher", "HttpFetcher"), "fetch_cache": ("CachingFetcher",)}
)
