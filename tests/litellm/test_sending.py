"""Calls, alone and many at a time."""

import asyncio
import sys
import threading
import time
from types import ModuleType
from typing import Any

import pytest

from prompt_adapters import Prompt
from prompt_adapters.errors import MissingVariableError
from prompt_adapters.litellm import LiteLLMBridge, sending

PROMPT = Prompt(user="{{ n }}", parameters={"seed": 7})
ROWS = [{"n": str(n)} for n in range(7)]
GPT = LiteLLMBridge("openai/gpt-4o")


def heard(answer: Any) -> str:
    return str(answer.choices[0].message.content)


async def batch(way: str, *arguments: Any, **more: Any) -> list[Any]:
    if way == "batch_completion":
        return await asyncio.to_thread(GPT.batch_completion, *arguments, **more)
    return await GPT.abatch_completion(*arguments, **more)


WAYS = pytest.mark.parametrize("way", ["batch_completion", "abatch_completion"])


class Calls:
    """In place of ``litellm.completion`` and its twin: they take their time, and tell how many are under way."""

    def __init__(self) -> None:
        self.now = self.most = 0
        self.lock = threading.Lock()
        self.cancelled: list[str] = []
        self.requests: list[Any] = []

    def begin(self, request: Any) -> str:
        with self.lock:
            self.requests.append(request)
            self.now += 1
            self.most = max(self.most, self.now)
        return str(request["messages"][0]["content"])

    def completion(self, **request: Any) -> str:
        text = self.begin(request)
        time.sleep(0.02 if text == "0" else 0.002)
        self.now -= 1
        return self.end(text)

    async def acompletion(self, **request: Any) -> str:
        text = self.begin(request)
        try:
            await asyncio.sleep(0.02 if text == "0" else 0.002)
        except asyncio.CancelledError:
            self.cancelled.append(text)
            raise
        self.now -= 1
        return self.end(text)

    def end(self, text: str) -> str:
        if text == "3":
            raise ERROR
        return f"answer {text}"


ERROR = RuntimeError("the very one")


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Calls:
    calls = Calls()
    monkeypatch.setattr(sending, "import_litellm", lambda: calls)
    return calls


@WAYS
async def test_order_is_kept_and_errors_stand_in_their_place(way: str, calls: Calls) -> None:
    answers = await batch(way, PROMPT, ROWS)
    assert answers == [ERROR if n == 3 else f"answer {n}" for n in range(7)]
    assert answers[3] is ERROR


@WAYS
@pytest.mark.parametrize("workers", [1, 2, 5])
async def test_so_many_at_a_time(way: str, workers: int, calls: Calls) -> None:
    await batch(way, PROMPT, ROWS, max_workers=workers)
    assert calls.most <= workers
    assert len(calls.requests) == 7
    assert all("max_workers" not in request for request in calls.requests)


async def test_a_thread_for_each_call_at_a_time_and_none_besides(calls: Calls, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[threading.Thread] = []
    start = threading.Thread.start

    def counted(thread: threading.Thread) -> None:
        started.append(thread)
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", counted)
    GPT.batch_completion(PROMPT, ROWS, max_workers=3)
    assert 0 < len(started) <= 3
    started.clear()
    GPT.batch_completion(PROMPT, ROWS[:1])
    assert len(started) == 1


async def test_a_task_for_each_call_at_a_time_and_no_thread(calls: Calls, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[object] = []

    def counted(loop: asyncio.AbstractEventLoop, work: Any, **more: Any) -> asyncio.Task[Any]:
        made.append(work)
        return asyncio.Task(work, loop=loop, **more)

    def refused(thread: threading.Thread) -> None:
        raise AssertionError(f"{thread} was started")

    monkeypatch.setitem(sys.modules, "litellm", ModuleType("litellm"))  # as after the first call
    monkeypatch.setattr(threading.Thread, "start", refused)
    loop = asyncio.get_running_loop()
    loop.set_task_factory(counted)
    try:
        await GPT.abatch_completion(PROMPT, ROWS, max_workers=3)
    finally:
        loop.set_task_factory(None)
        monkeypatch.undo()
    assert len(made) == 3
    assert len(calls.requests) == len(ROWS)


@WAYS
async def test_a_generator_of_rows_and_none(way: str, calls: Calls) -> None:
    assert await batch(way, PROMPT, (row for row in ROWS[:2])) == ["answer 0", "answer 1"]
    assert await batch(way, PROMPT, prompt_variables=ROWS[:1]) == ["answer 0"]
    assert await batch(way, PROMPT, []) == []
    assert await batch(way, Prompt(user="0"), [None], max_workers=None) == ["answer 0"]


@WAYS
async def test_a_bad_row_stops_everything_before_it_began(way: str, calls: Calls) -> None:
    with pytest.raises(MissingVariableError, match=r"^row 2: missing variable 'n'"):
        await batch(way, PROMPT, [ROWS[0], {}, ROWS[1]])
    for wrong in ({"n": "1"}, None):
        with pytest.raises(TypeError, match="takes one mapping of values for each call"):
            await batch(way, PROMPT, wrong)
    with pytest.raises(TypeError, match="give the values once"):
        await batch(way, PROMPT, ROWS, prompt_variables=ROWS)
    with pytest.raises(TypeError, match="'word' is a variable of the prompt"):
        await batch(way, Prompt(user="{{ word }}"), [{"word": "x"}], word="x")
    with pytest.raises(ValueError, match="max_workers must be greater than 0"):
        await batch(way, PROMPT, ROWS, max_workers=0)
    assert calls.requests == []


@WAYS
async def test_each_call_has_arguments_of_its_own(way: str, calls: Calls) -> None:
    tools = [{"type": "function", "function": {"name": "f"}}]
    await batch(way, PROMPT, ROWS[:2], tools=tools, metadata={"run": {"id": 1}})
    one, other = calls.requests
    assert one["tools"] == other["tools"] == tools
    one["tools"][0]["function"]["name"] = one["metadata"]["run"]["id"] = "changed"
    assert other["tools"] == tools == [{"type": "function", "function": {"name": "f"}}]
    assert other["metadata"]["run"] == {"id": 1}


async def test_a_cancelled_batch_cancels_its_calls(calls: Calls, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "litellm", ModuleType("litellm"))  # so that the three begin at once
    task = asyncio.create_task(GPT.abatch_completion(PROMPT, [ROWS[0]] * 3))
    while len(calls.requests) < 3:
        await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert calls.cancelled == ["0", "0", "0"]


@WAYS
async def test_real_calls(way: str, provider: Any, litellm: Any, closing: None) -> None:
    access = {"api_base": provider.url, "api_key": "fake", "max_retries": 0}
    answers = await batch(way, PROMPT, ROWS, max_workers=3, **access)
    assert [heard(answer) for answer in answers] == ["Hello"] * 7
    assert sorted(call.body["messages"][0]["content"] for call in provider.calls) == list("0123456")
    assert {call.body["seed"] for call in provider.calls} == {7}
    provider.status = 400
    failed = await batch(way, PROMPT, ROWS[:2], **access)
    assert [type(error) for error in failed] == [litellm.BadRequestError] * 2


async def test_the_first_import_does_not_hold_up_the_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    importers: list[threading.Thread] = []
    monkeypatch.delitem(sys.modules, "litellm", raising=False)
    monkeypatch.setattr(sending, "import_litellm", lambda: importers.append(threading.current_thread()))
    await sending.aimport_litellm()
    monkeypatch.setitem(sys.modules, "litellm", ModuleType("litellm"))
    await sending.aimport_litellm()
    assert [importer is threading.current_thread() for importer in importers] == [False, True]
