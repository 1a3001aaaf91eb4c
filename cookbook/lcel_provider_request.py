"""`prompt | AdapterRunnable(style) | call`: the request of each provider, for its own official client, sync and async.

A server on this machine answers here, so that no key is needed; take the addresses away to call the real providers.

Run it: python cookbook/lcel_provider_request.py
"""

import asyncio
import json
import os
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import anthropic
import boto3  # type: ignore[import-untyped]  # it has no types
import cohere
import mistralai.client
import ollama
import openai
from google import genai
from google.genai.types import HttpOptions
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import Runnable, RunnableLambda

from prompt_adapters import Image
from prompt_adapters.langchain import AdapterPromptTemplate, AdapterRunnable

os.environ["NO_PROXY"] = "127.0.0.1"  # the server is on this machine
PHOTO = Image(Path(__file__).parent / "photos" / "harbour.jpg")
TEXT = "A harbour."

# The server: it keeps what it is sent, and answers as each provider does.
SENT: list[Any] = []
_TOKENS = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
_OUTPUT = {"type": "message", "id": "1", "role": "assistant", "status": "completed"}
ANSWERS: dict[str, dict[str, Any]] = {
    "/chat/completions": {
        "id": "1", "created": 1, "model": "m", "object": "chat.completion",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": TEXT}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    },
    "/responses": {
        "id": "1", "created_at": 1, "model": "m", "object": "response", "status": "completed", "usage": _TOKENS,
        "output": [{**_OUTPUT, "content": [{"type": "output_text", "text": TEXT, "annotations": []}]}],
    },
    "/messages": {
        "id": "1", "type": "message", "role": "assistant", "model": "m", "stop_reason": "end_turn", "usage": _TOKENS,
        "content": [{"type": "text", "text": TEXT}],
    },
    "generateContent": {"candidates": [{"content": {"role": "model", "parts": [{"text": TEXT}]}}]},
    "/converse": {
        "output": {"message": {"role": "assistant", "content": [{"text": TEXT}]}}, "stopReason": "end_turn",
        "usage": {"inputTokens": 1, "outputTokens": 1, "totalTokens": 2}, "metrics": {"latencyMs": 1},
    },
    "/v2/chat": {
        "id": "1", "finish_reason": "COMPLETE",
        "message": {"role": "assistant", "content": [{"type": "text", "text": TEXT}]},
    },
    "/api/chat": {"model": "m", "message": {"role": "assistant", "content": TEXT}, "done": True},
}  # fmt: skip


class Provider(BaseHTTPRequestHandler):
    """Answers every question with the same sentence."""

    def do_POST(self) -> None:
        """Keep the body, and answer."""
        SENT.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
        data = json.dumps(next(answer for mark, answer in ANSWERS.items() if mark in self.path)).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class calls it so
        """Say nothing."""


server = ThreadingHTTPServer(("127.0.0.1", 0), Provider)
Thread(target=server.serve_forever, daemon=True).start()
url, key = f"http://127.0.0.1:{server.server_port}", "not-a-key"

# The calls. Each takes the request as keyword arguments; the second one is for chains that are awaited.
gpt, agpt = (make(api_key=key, base_url=f"{url}/v1") for make in (openai.OpenAI, openai.AsyncOpenAI))
claude, aclaude = (make(api_key=key, base_url=url) for make in (anthropic.Anthropic, anthropic.AsyncAnthropic))
gemini = genai.Client(api_key=key, http_options=HttpOptions(base_url=url))
aws = {"aws_access_key_id": key, "aws_secret_access_key": key, "region_name": "us-east-1"}
bedrock = boto3.client("bedrock-runtime", endpoint_url=url, **aws)
mistral = mistralai.client.Mistral(api_key=key, server_url=url)
command, acommand = (make(api_key=key, base_url=url) for make in (cohere.ClientV2, cohere.AsyncClientV2))
llama, allama = (make(host=url) for make in (ollama.Client, ollama.AsyncClient))


async def aconverse(request: dict[str, Any]) -> Any:
    """Call Bedrock in a thread: boto3 has no async client."""
    return await asyncio.to_thread(bedrock.converse, **request)


def call(sync: Callable[..., Any], awaited: Callable[..., Any]) -> Runnable[dict[str, Any], Any]:
    """The last link of a chain: a client's method, which takes the request as its keyword arguments."""
    return RunnableLambda(lambda request: sync(**request), afunc=lambda request: awaited(**request))


CLIENTS: dict[str, tuple[AdapterRunnable, Runnable[dict[str, Any], Any], Callable[[Any], Any]]] = {
    "OpenAI, chat": (
        AdapterRunnable(model="openai/gpt-4o"),
        call(gpt.chat.completions.create, agpt.chat.completions.create),
        lambda answer: answer.choices[0].message.content,
    ),
    "OpenAI, Responses": (
        AdapterRunnable(model="openai/responses/gpt-5"),
        call(gpt.responses.create, agpt.responses.create),
        lambda answer: answer.output_text,
    ),
    "Anthropic": (
        AdapterRunnable(model="anthropic/claude-haiku-4-5", parameters={"max_tokens": 100}),
        call(claude.messages.create, aclaude.messages.create),
        lambda answer: answer.content[0].text,
    ),
    "Google": (
        AdapterRunnable(model="gemini/gemini-2.5-flash"),
        call(gemini.models.generate_content, gemini.aio.models.generate_content),
        lambda answer: answer.text,
    ),
    "Bedrock": (
        AdapterRunnable(model="bedrock/us.amazon.nova-pro-v1:0"),
        call(bedrock.converse, lambda **request: aconverse(request)),
        lambda answer: answer["output"]["message"]["content"][0]["text"],
    ),
    "Mistral": (
        AdapterRunnable(model="mistral/mistral-medium-latest"),
        call(mistral.chat.complete, mistral.chat.complete_async),
        lambda answer: answer.choices[0].message.content,
    ),
    "Cohere": (
        AdapterRunnable(model="cohere_chat/command-a-vision-07-2025"),
        call(command.chat, acommand.chat),
        lambda answer: answer.message.content[0].text,
    ),
    "Ollama": (
        AdapterRunnable(model="ollama_chat/llama3.2-vision"),
        call(llama.chat, allama.chat),
        lambda answer: answer.message.content,
    ),
}

# Any prompt may stand before it: one of this package, or LangChain's own.
template = AdapterPromptTemplate.from_messages([("system", "Be {tone}."), ("human", "{question} {photo}")])
values = {"tone": "brief", "question": "What is this?", "photo": PHOTO}
chains = {name: template | adapter | client | read for name, (adapter, client, read) in CLIENTS.items()}

said = {name: chain.invoke(values) for name, chain in chains.items()}
for name, text in said.items():
    print(f"{name:18} {text}")


async def ask_all() -> dict[str, Any]:
    """The same, awaited, one provider after the other."""
    answers = {name: await chain.ainvoke(values) for name, chain in chains.items()}
    await gemini.aio.aclose()
    return answers


awaited = asyncio.run(ask_all())
print("awaited:", sorted(set(awaited.values())))

block = {"type": "image_url", "image_url": {"url": "{photo}"}}
theirs = ChatPromptTemplate([("system", "Be {tone}."), ("human", [{"type": "text", "text": "{question} "}, block])])
adapter, client, read = CLIENTS["Anthropic"]
also = (theirs | adapter | client | read).invoke({**values, "photo": PHOTO.as_data_url()})
server.shutdown()

pictures = [json.dumps(body).replace("-", "+").replace("_", "/").count(PHOTO.as_data_url()[30:130]) for body in SENT]
assert said == awaited == dict.fromkeys(CLIENTS, TEXT)
assert also == TEXT
assert pictures == [1] * 17
