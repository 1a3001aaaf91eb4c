"""Pictures and documents through LCEL: one template, piped into chat models of several providers.

Each chat model gets the content blocks that its package passes on whole; what its model cannot take is refused before
anything is sent. A server on this machine answers here, so that no key is needed; take `base_url` away to call the real
providers.

Run it: python cookbook/lcel_multimodal.py
"""

import json
import os
import wave
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from threading import Thread
from typing import Any

from langchain_anthropic import ChatAnthropic
from langchain_core.output_parsers import StrOutputParser
from langchain_google_genai import ChatGoogleGenerativeAI
from langchain_openai import ChatOpenAI
from pydantic import SecretStr

from prompt_adapters import Audio, Document, Image
from prompt_adapters.errors import UnsupportedContentError
from prompt_adapters.langchain import AdapterPromptTemplate

os.environ["NO_PROXY"] = "127.0.0.1"  # the server is on this machine
PHOTO = Image(Path(__file__).parent / "photos" / "harbour.jpg")
REPORT = Document(b"%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n", name="report.pdf")

# The server: it keeps what it is sent, and answers as each provider does.
SENT: list[Any] = []
TEXT = "Two boats."
ANSWERS: dict[str, dict[str, Any]] = {
    "/chat/completions": {"choices": [{"message": {"role": "assistant", "content": TEXT}, "finish_reason": "stop"}]},
    "/messages": {"content": [{"type": "text", "text": TEXT}], "usage": {"input_tokens": 1, "output_tokens": 1}},
    "generateContent": {"candidates": [{"content": {"role": "model", "parts": [{"text": TEXT}]}}]},
}


class Provider(BaseHTTPRequestHandler):
    """Answers every question with the same sentence."""

    def do_POST(self) -> None:
        """Keep the body, and answer."""
        SENT.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
        answer = next(answer for mark, answer in ANSWERS.items() if mark in self.path)
        data = json.dumps({"id": "1", "model": "m", "type": "message", "role": "assistant", **answer}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class calls it so
        """Say nothing."""


server = ThreadingHTTPServer(("127.0.0.1", 0), Provider)
Thread(target=server.serve_forever, daemon=True).start()
url, key = f"http://127.0.0.1:{server.server_port}", SecretStr("not-a-key")

# The template: a slot takes a text, a part, or a list of parts, in the order in which the author wrote them.
template = AdapterPromptTemplate.from_messages(
    [("system", "You are {tone}."), ("human", "{question} {photos} The report: {report}")],
    partial_variables={"tone": "brief"},
)
values = {"question": "How many boats?", "photos": [PHOTO, PHOTO], "report": REPORT}

gpt = ChatOpenAI(model="gpt-4o", api_key=key, base_url=f"{url}/v1")
claude = ChatAnthropic(model_name="claude-haiku-4-5", api_key=key, base_url=url, timeout=None, stop=None)
gemini = ChatGoogleGenerativeAI(model="gemini-2.5-flash", api_key=key, base_url=url)

answers = [(template | model | StrOutputParser()).invoke(values) for model in (gpt, claude, gemini)]
openai, anthropic, google = SENT
print("answers:", answers)
print("OpenAI:   ", [block["type"] for block in openai["messages"][1]["content"]])
print("Anthropic:", [block["type"] for block in anthropic["messages"][0]["content"]])
print("Google:   ", [next(iter(part)) for part in google["contents"][0]["parts"]])

# With a fallback of another provider, the messages are in a form that both of them take.
careful = template | gpt.with_retry(stop_after_attempt=2).with_fallbacks([claude])
print("with a fallback:", careful.invoke(values).text)

# A sound is for Gemini; for Claude it is refused, by name, and nothing is sent.
sound = BytesIO()
with wave.open(sound, "wb") as file:
    file.setparams((1, 2, 8000, 8, "NONE", ""))
    file.writeframes(bytes(16))
heard = AdapterPromptTemplate.from_template("What do you hear? {sound}")
print("Gemini hears:", (heard | gemini).invoke({"sound": Audio(sound.getvalue())}).text)
calls, refusal = len(SENT), ""
try:
    (heard | claude).invoke({"sound": Audio(sound.getvalue())})
except UnsupportedContentError as error:
    refusal = str(error)
print("Claude:", refusal)
server.shutdown()

assert answers == [TEXT] * 3
assert [block["type"] for block in openai["messages"][1]["content"]] == [
    "text",
    "image_url",
    "image_url",
    "text",
    "file",
]
assert [block["type"] for block in anthropic["messages"][0]["content"]] == [
    "text",
    "image",
    "image",
    "text",
    "document",
]
assert [next(iter(part)) for part in google["contents"][0]["parts"]] == [
    "text",
    "inlineData",
    "inlineData",
    "text",
    "inlineData",
]
assert refusal.startswith("anthropic_style cannot take audio")
assert len(SENT) == calls
