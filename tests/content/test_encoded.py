import base64
import gc
import pickle
import sys
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prompt_adapters.content import encoded
from prompt_adapters.content.encoded import base64_of, data_url_of
from prompt_adapters.content.source import Inline


@given(st.binary(min_size=1))
def test_is_standard_base64_in_one_line(data: bytes) -> None:
    inline = Inline(data, "image/png")
    assert base64_of(inline) == base64.b64encode(data).decode()
    assert data_url_of(inline) == "data:image/png;base64," + base64.b64encode(data).decode()


def test_is_made_once_for_each_value() -> None:
    inline = Inline(b"once" * 100, "image/png")
    assert base64_of(inline) is base64_of(inline)
    assert base64_of(Inline(b"once" * 100, "image/png")) == base64_of(inline)
    assert data_url_of(inline) is data_url_of(inline)


def test_types_are_told_apart() -> None:
    one, other = Inline(b"same", "image/png"), Inline(b"same", "image/jpeg")
    assert data_url_of(one) == "data:image/png;base64,c2FtZQ=="
    assert data_url_of(other) == "data:image/jpeg;base64,c2FtZQ=="


def test_texts_go_when_their_value_goes() -> None:
    cache = encoded._Base64Cache(1000)
    inline = Inline(b"short lived", "image/png")
    cache.get(inline, "")
    assert cache._size > 0
    del inline
    gc.collect()
    assert (cache._size, len(cache._entries)) == (0, 0)


def test_the_least_recently_used_goes_first_and_the_bound_holds() -> None:
    cache = encoded._Base64Cache(100)
    values = [Inline(bytes([n]) * 30, "image/png") for n in range(3)]  # 40 characters each
    first = cache.get(values[0], "")
    cache.get(values[1], "")
    assert cache.get(values[0], "") is first
    cache.get(values[2], "")
    assert cache._size <= 100
    assert cache.get(values[0], "") is first


def test_what_is_given_up_is_given_up_by_its_value() -> None:
    cache = encoded._Base64Cache(100)
    values = [Inline(bytes([n]) * 30, "image/png") for n in range(4)]
    for value in values:
        cache.get(value, "")
    assert [len(value.kept) for value in values] == [0, 0, 1, 1]


@pytest.mark.parametrize("size", [0, 1, 2, 3, 100_000])
def test_a_long_data_url_is_whole(size: int) -> None:
    data = (b"\x00\xff\x7f" * (100_000 // 3)) + b"\x01" * size
    assert data_url_of(Inline(data, "image/png")) == "data:image/png;base64," + base64.b64encode(data).decode()


def test_a_data_url_is_not_copied_behind_its_prefix() -> None:
    inline = Inline(bytes(4_000_000), "image/png")
    tracemalloc.start()
    try:
        text = data_url_of(inline)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert len(text) <= most <= 1.4 * 4_000_000


def test_what_is_kept_is_no_part_of_the_value() -> None:
    one, other = Inline(b"same", "image/png"), Inline(b"same", "image/png")
    base64_of(one)
    assert one == other
    assert hash(one) == hash(other)
    assert pickle.dumps(one) == pickle.dumps(other)
    assert one.replace(mime="image/jpeg").kept == {}


def test_what_is_larger_than_the_bound_is_not_kept() -> None:
    cache = encoded._Base64Cache(10)
    inline = Inline(b"x" * 30, "image/png")
    assert cache.get(inline, "") == base64.b64encode(b"x" * 30).decode()
    assert cache._size == 0


def test_a_value_can_go_while_the_cache_is_at_work() -> None:
    cache = encoded._Base64Cache(1000)
    inline = Inline(b"going", "image/png")
    cache.get(inline, "")
    with cache._lock:
        del inline
        gc.collect()
    other = Inline(b"staying", "image/png")
    assert cache.get(other, "") == "c3RheWluZw=="


def test_a_value_may_outlive_the_module(monkeypatch: pytest.MonkeyPatch) -> None:
    """The interpreter ends by setting the names of modules to None, in no order that values would keep to."""
    value, cache = Inline(b"outlives", "image/png"), encoded._cache
    base64_of(value)
    before, raised = len(cache._entries), list[Any]()
    monkeypatch.setattr(sys, "unraisablehook", raised.append)
    for name in [name for name in vars(encoded) if not name.startswith("__")]:
        monkeypatch.setattr(encoded, name, None)
    del value
    gc.collect()
    assert raised == []
    assert len(cache._entries) == before - 1


def test_threads_agree() -> None:
    cache = encoded._Base64Cache(50_000)
    values = [Inline(bytes([n]) * 300, "image/png") for n in range(200)]

    def work(start: int) -> bool:
        return all(
            cache.get(value, "") == base64.b64encode(value.data).decode() for value in values[start:] + values[:start]
        )

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(0, 200, 25)))
    assert cache._size == sum(entry.size for entry in cache._entries.values()) <= 50_000
    kept = [text for value in values for text in value.kept.values()]
    assert sum(map(len, kept)) == cache._size
