from time import thread_time

import pytest

from prompt_adapters.media.doubt import Doubt
from prompt_adapters.media.ebml import check_ebml

UNKNOWN = b"\x01\xff\xff\xff\xff\xff\xff\xff"


def element(number: str, body: bytes, *, wide: int = 2) -> bytes:
    return bytes.fromhex(number) + (1 << 7 * wide | len(body)).to_bytes(wide, "big") + body


def endless(number: str, body: bytes) -> bytes:
    return bytes.fromhex(number) + UNKNOWN + body


HEAD = element("1a45dfa3", element("4282", b"webm", wide=1), wide=1)
BLOCKS = element("e7", b"\0", wide=1) + element("a3", b"\x81" * 200) * 3
CLUSTER, LIVE = element("1f43b675", BLOCKS), endless("1f43b675", BLOCKS)
INFO = element("1549a966", b"\xec\x80" * 9)


@pytest.mark.parametrize(
    "data",
    [
        HEAD + element("18538067", INFO + CLUSTER * 2),
        HEAD + element("18538067", INFO + LIVE * 2),
        HEAD + endless("18538067", INFO + LIVE * 2),
        HEAD + endless("18538067", INFO + CLUSTER * 2),
        HEAD + element("18538067", INFO + CLUSTER) + b"something that was appended",
        HEAD + endless("18538067", INFO + CLUSTER) + bytes(50),
        (HEAD + element("18538067", CLUSTER)) * 2,
        HEAD + bytes(20),
        HEAD,
        HEAD[:9],
        b"\x1a\x45\xdf\xa3" + bytes(20),
    ],
)
def test_whole_files_pass(data: bytes) -> None:
    assert check_ebml(data) is None


def test_every_cut_in_a_segment_that_tells_its_length_is_noticed() -> None:
    data = HEAD + element("18538067", INFO + CLUSTER * 2)
    for kept in range(len(HEAD) + 1, len(data)):
        assert check_ebml(data[:kept]) is not None, kept


def test_cuts_of_a_live_stream_are_noticed_within_its_elements() -> None:
    data = HEAD + endless("18538067", INFO + LIVE * 2)
    passed = [kept for kept in range(len(HEAD) + 1, len(data)) if check_ebml(data[:kept]) is None]
    assert len(passed) == 5 + 4  # behind the heads of both clusters and behind all that they hold but the very last
    assert check_ebml(data[: len(HEAD) + 12]) == "it holds no sound and no picture"
    assert check_ebml(data[:-1]) == "its last element is incomplete"


def test_a_second_film_is_looked_at_too() -> None:
    data = (HEAD + element("18538067", CLUSTER)) * 2
    assert check_ebml(data[:-1]) == "its segment is incomplete"


@pytest.mark.parametrize("length", [b"\x01\xff\xff\xff\xff\xff\xff\xfe", b"\x08\xff\xff\xff\xff"])
def test_lengths_beyond_all_bounds_are_no_surprise(length: bytes) -> None:
    assert check_ebml(HEAD + bytes.fromhex("18538067") + length + CLUSTER) == "its segment is incomplete"


def test_a_film_of_countless_elements_is_given_up() -> None:
    started = thread_time()
    found = check_ebml(HEAD + endless("18538067", LIVE + b"\xec\x80" * 2_000_000))
    assert isinstance(found, Doubt)
    assert thread_time() - started < 2
