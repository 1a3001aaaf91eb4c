"""A prompt whose forms differ from provider to provider, and a Router that goes from one to the next."""

from __future__ import annotations

import base64
from typing import Any

from prompt_adapters import Document, Image, Prompt
from strategies import PNG

PDF = b"%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF"
B64, PDF64 = base64.b64encode(PNG).decode(), base64.b64encode(PDF).decode()
GPT, CLAUDE, GEMINI = "openai/gpt-4o", "anthropic/claude-sonnet-4-5", "gemini/gemini-2.5-flash"

# A title arrives at Anthropic only, and a name at OpenAI only: neither form would do for the other.
PROMPT = Prompt(
    system="Be brief.",
    user="First {{ photo }} then {{ paper }} and {{ word }}.",
    name="papers",
    version="2",
    parameters={"max_tokens": 9},
)
VALUES = {"photo": Image(PNG), "paper": Document(PDF, name="a.pdf", title="The title"), "word": "last"}
AT_OPENAI = [
    {"role": "system", "content": "Be brief."},
    {
        "role": "user",
        "content": [
            {"type": "text", "text": "First "},
            {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{B64}"}},
            {"type": "text", "text": " then "},
            {"type": "file", "file": {"filename": "a.pdf", "file_data": f"data:application/pdf;base64,{PDF64}"}},
            {"type": "text", "text": " and last."},
        ],
    },
]
AT_ANTHROPIC = [
    {
        "role": "user",
        "content": [
            {"type": "text", "text": "First "},
            {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": B64}},
            {"type": "text", "text": " then "},
            {
                "type": "document",
                "source": {"type": "base64", "media_type": "application/pdf", "data": PDF64},
                "title": "The title",
            },
            {"type": "text", "text": " and last."},
        ],
    }
]


def row(alias: str, model: str, server: Any, **more: Any) -> dict[str, Any]:
    """A deployment of a Router."""
    return {"model_name": alias, "litellm_params": {"model": model, "api_base": server.url, "api_key": "fake"} | more}


def fallbacks(provider: Any, backup: Any) -> dict[str, Any]:
    """Arguments of a call that fails at OpenAI and goes on to Anthropic."""
    provider.status = 500
    spare = {"model": CLAUDE, "api_base": backup.url}
    return {"fallbacks": [spare], "api_base": provider.url, "api_key": "fake", "max_retries": 0}


def heard(answer: Any) -> str:
    """What an answer says."""
    return str(answer.choices[0].message.content)


def pieces(chunks: Any) -> str:
    """What a stream says."""
    return "".join(chunk.choices[0].delta.content or "" for chunk in chunks)
