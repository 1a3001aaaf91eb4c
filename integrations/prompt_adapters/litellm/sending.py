"""Sending a request: by LiteLLM or by a Router, alone, or many at a time."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, NamedTuple

from prompt_adapters.litellm.readapting import Readapted


class Outgoing(NamedTuple):
    """A call that is ready.

    Attributes:
        request: Its keyword arguments.
        router: The Router that makes it; LiteLLM itself when None.
        readapted: What adapts the prompt anew when the model changes; None when it cannot.
    """

    request: dict[str, Any]
    router: Any = None
    readapted: Readapted | None = None


def send(outgoing: Outgoing) -> Any:
    """Make the call; LiteLLM's errors come through as they are."""
    litellm = import_litellm()
    complete = (litellm if outgoing.router is None else outgoing.router).completion
    readapted = outgoing.readapted
    if readapted is None:
        return complete(**outgoing.request)
    readapted.begin(litellm)
    try:
        answer = complete(**outgoing.request)
    except BaseException:
        readapted.end()
        raise
    _ended(readapted, outgoing, answer)
    return answer


async def asend(outgoing: Outgoing) -> Any:
    """`send`, awaited; a cancelled call is cancelled in LiteLLM."""
    litellm = await aimport_litellm()
    complete = (litellm if outgoing.router is None else outgoing.router).acompletion
    readapted = outgoing.readapted
    if readapted is None:
        return await complete(**outgoing.request)
    readapted.begin(litellm)
    try:
        answer = await complete(**outgoing.request)
    except BaseException:
        readapted.end()
        raise
    _ended(readapted, outgoing, answer)
    return answer


def _ended(readapted: Readapted, outgoing: Outgoing, answer: Any) -> None:
    if outgoing.request.get("stream"):
        readapted.end_with(answer)
    else:
        readapted.end()


def send_all(calls: Sequence[Outgoing], max_workers: int | None) -> list[Any]:
    """Make calls at a time, as ``litellm.batch_completion`` does; it would give all calls the same metadata.

    Args:
        calls: The calls.
        max_workers: How many at a time, at most; None for what Python thinks right.

    Returns:
        The answers in the order of the calls; where one failed, its exception.
    """
    with ThreadPoolExecutor(max_workers) as pool:
        return [_outcome(future) for future in [pool.submit(send, call) for call in calls]]


def _outcome(future: Future[Any]) -> Any:
    try:
        return future.result()
    except Exception as error:  # noqa: BLE001 - LiteLLM's batches hand over whatever a call raised
        return error


async def asend_all(calls: Sequence[Outgoing], max_workers: int | None) -> list[Any]:
    """`send_all`, awaited, with a task for each worker; when it is cancelled, so are its calls.

    Raises:
        ValueError: There would be no worker.
    """
    if max_workers is not None and max_workers < 1:
        raise ValueError("max_workers must be greater than 0")
    await aimport_litellm()  # once, in a thread, and not in one for each worker
    answers: list[Any] = [None] * len(calls)
    waiting = iter(enumerate(calls))

    async def work() -> None:
        for number, call in waiting:
            try:
                answers[number] = await asend(call)
            except Exception as error:  # noqa: BLE001 - as above
                answers[number] = error

    async with asyncio.TaskGroup() as group:
        for _ in range(min(max_workers or len(calls), len(calls))):
            group.create_task(work())
    return answers


def import_litellm() -> Any:
    """LiteLLM, imported when it is first needed."""
    import litellm

    return litellm


async def aimport_litellm() -> Any:
    """The same; its import takes seconds, in which the event loop goes on."""
    return import_litellm() if "litellm" in sys.modules else await asyncio.to_thread(import_litellm)
