from __future__ import annotations

import pytest

from pictures import encoded, photo
from prompt_adapters import Image, Message, get_adapter
from prompt_adapters.errors import MediaTooLargeError


def test_a_picture_that_fitted_beside_a_word_need_not_fit_beside_a_book() -> None:
    image = Image(encoded(photo((64, 64)), "JPEG"))
    adapter = get_adapter("google_style", limits={"max_request_bytes": 100_000})
    for text in ("A word.", "x" * 20_000, "A word."):
        adapter.build_request(Message("user", [image, text]))
    for text in ("x" * 100_001, "\N{GRINNING FACE}" * 25_001):
        with pytest.raises(MediaTooLargeError, match="100000"):
            adapter.build_request(Message("user", [image, text]))
    adapter.build_request(Message("user", [image, "A word."]))
