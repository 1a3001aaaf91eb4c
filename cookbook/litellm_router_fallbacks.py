"""A Router falls back from one provider to another, and the prompt follows in the other one's form.

A server of this program stands for both providers, so that no key is needed: OpenAI's path is down, Anthropic's
answers. The document's title has a place at Anthropic and none at OpenAI; what was made for OpenAI would lose it.

Run it: python cookbook/litellm_router_fallbacks.py
"""

import json
import logging
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")  # LiteLLM then asks no server for its price list
os.environ.setdefault("NO_PROXY", "127.0.0.1")  # the server of this program is behind none
os.environ.setdefault("LITELLM_LOCAL_ANTHROPIC_BETA_HEADERS", "True")

from litellm.router import Router

from prompt_adapters import Document, Prompt
from prompt_adapters.litellm import LiteLLMBridge

MESSAGE = {"id": "m", "type": "message", "role": "assistant", "model": "claude", "stop_reason": "end_turn"}
ANSWER = MESSAGE | {
    "content": [{"type": "text", "text": "It is a report."}],
    "usage": {"input_tokens": 1, "output_tokens": 1},
}
asked: dict[str, Any] = {}


class Provider(BaseHTTPRequestHandler):
    """OpenAI's path fails, and Anthropic's answers."""

    def do_POST(self) -> None:  # noqa: D102 - the name in http.server
        name = "anthropic" if self.path.endswith("/messages") else "openai"
        asked[name] = json.loads(self.rfile.read(int(self.headers["content-length"])))
        data = json.dumps(ANSWER if name == "anthropic" else {"error": {"message": "down"}}).encode()
        self.send_response(200 if name == "anthropic" else 500)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002, ARG002, D102 - as in http.server
        return


server = ThreadingHTTPServer(("127.0.0.1", 0), Provider)
Thread(target=server.serve_forever, daemon=True).start()
access = {"api_base": f"http://127.0.0.1:{server.server_port}", "api_key": "none"}

logging.getLogger("LiteLLM Router").setLevel(logging.CRITICAL)  # the failure is on purpose
router = Router(
    model_list=[
        {"model_name": "reader", "litellm_params": {"model": "openai/gpt-4o", **access}},
        {"model_name": "spare", "litellm_params": {"model": "anthropic/claude-sonnet-4-5", **access}},
    ],
    fallbacks=[{"reader": ["spare"]}],
    num_retries=0,
)

prompt = Prompt(system="Be brief.", user="What is this? {{ paper }}", parameters={"max_tokens": 200})
paper = Document(b"%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF", name="q3.pdf", title="Third quarter")

bridge = LiteLLMBridge("reader", router=router)
answer = bridge.completion(prompt, variables={"paper": paper})
server.shutdown()

print("answer:", answer.choices[0].message.content)
for name, body in asked.items():
    print(f"{name}:", json.dumps(body)[:250])

at_openai, at_anthropic = asked["openai"]["messages"][-1]["content"][1], asked["anthropic"]["messages"][0]["content"][1]
assert (at_openai["type"], at_openai["file"]["filename"]) == ("file", "q3.pdf")
assert (at_anthropic["type"], at_anthropic["title"]) == ("document", "Third quarter")
assert asked["openai"]["max_tokens"] == asked["anthropic"]["max_tokens"] == 200
assert answer.choices[0].message.content == "It is a report."
