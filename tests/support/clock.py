"""Limits of time that tests hold."""

import gc
import time
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def soon(seconds: float) -> Iterator[None]:
    """What is done inside takes less processor time of this process than so many seconds.

    The garbage of a long run of tests is not looked for meanwhile: that can take a second by itself.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    started = time.process_time()
    try:
        yield
        spent = time.process_time() - started
    finally:
        if was_enabled:
            gc.enable()
    assert spent < seconds
