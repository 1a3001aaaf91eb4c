"""An answer in pieces as they come, in both ways of waiting, and how to stop listening.

A server of this program stands for OpenAI, so that no key is needed. It says a word, and waits before it goes on.

Run it: python cookbook/litellm_streaming.py
"""

import asyncio
import json
import os
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")  # LiteLLM then asks no server for its price list
os.environ.setdefault("NO_PROXY", "127.0.0.1")  # the server of this program is behind none

from prompt_adapters import Prompt
from prompt_adapters.litellm import LiteLLMBridge

WORDS = ("The ", "sea ", "is ", "calm.")
heard = Event()


def events() -> Iterator[bytes]:
    """An answer as OpenAI streams it; after the first word it waits until that was heard."""
    for number, word in enumerate([*WORDS, None]):
        delta, end = ({}, "stop") if word is None else ({"content": word}, None)
        choice = {"index": 0, "delta": delta, "finish_reason": end}
        chunk = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}
        if number == 1:
            heard.wait(10)
        yield f"data: {json.dumps(chunk)}\n\n".encode()
    yield b"data: [DONE]\n\n"


class OpenAI(BaseHTTPRequestHandler):
    """It streams whatever it is asked."""

    def do_POST(self) -> None:  # noqa: D102 - the name in http.server
        self.rfile.read(int(self.headers["content-length"]))
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        try:
            for event in events():
                self.wfile.write(event)
        except ConnectionError:
            print("(the client hung up)")

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002, ARG002, D102 - as in http.server
        return


server = ThreadingHTTPServer(("127.0.0.1", 0), OpenAI)
Thread(target=server.serve_forever, daemon=True).start()

prompt = Prompt(user="Describe {{ what }} in four words.", parameters={"temperature": 0})
bridge = LiteLLMBridge("openai/gpt-4o")
call: dict[str, Any] = {
    "variables": {"what": "the sea"},
    "api_base": f"http://127.0.0.1:{server.server_port}",
    "api_key": "none",
}

pieces = []
for chunk in bridge.stream(prompt, **call):
    if text := chunk.choices[0].delta.content:
        print("piece:", text)
        pieces.append(text)
        heard.set()  # only now the server goes on


async def listen() -> str:
    """All pieces, without blocking anybody."""
    return "".join([chunk.choices[0].delta.content or "" async for chunk in bridge.astream(prompt, **call)])


async def first_word() -> str:
    """The first piece; leaving the context hangs up, as cancelling the task does."""
    heard.clear()
    async with bridge.astream(prompt, **call) as chunks:
        async for chunk in chunks:
            return str(chunk.choices[0].delta.content)
    return ""


async def both() -> tuple[str, str]:
    """One after the other."""
    return await listen(), await first_word()


whole, first = asyncio.run(both())
heard.set()
server.shutdown()
print("whole:", whole)
print("first:", first)

assert pieces == list(WORDS)
assert (whole, first) == ("The sea is calm.", "The ")
