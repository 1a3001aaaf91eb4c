"""Prompts that calls of LiteLLM name by their ids, and where those calls go."""

from __future__ import annotations

import base64
from typing import Any

from prompt_adapters import Audio, Prompt
from strategies import PNG

Body = dict[str, Any]
GREET = Prompt(system="Be brief.", user="Greet {{ name }}.", name="greet", version="3")
LOOK = Prompt(user="Look: {{ photo }}")
MINE: list[Any] = [{"role": "user", "content": "And now?"}]
ONCE = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "Greet Ada."},
    {"role": "user", "content": "And now?"},
]
ASKED: Body = {"prompt_id": "greet", "prompt_variables": {"name": "Ada"}}
WAVE = Audio(b"RIFF\x24\0\0\0WAVEfmt " + bytes(32))
PICTURE = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{base64.b64encode(PNG).decode()}"}}


def access(provider: Any, model: str = "openai/gpt-4o") -> Body:
    return {"model": model, "api_base": provider.url, "api_key": "fake"}


def router_of(litellm: Any, provider: Any, *models: str, **settings: Any) -> Any:
    """A Router whose first alias falls back to the others, in order."""
    names = [f"alias-{number}" for number in range(len(models))]
    deployments = [
        {"model_name": name, "litellm_params": access(provider, model)}
        for name, model in zip(names, models, strict=True)
    ]
    fallbacks = [{names[0]: names[1:]}] if names[1:] else []
    return litellm.Router(model_list=deployments, fallbacks=fallbacks, num_retries=0, **settings)


def said(provider: Any) -> Any:
    return provider.call.body["messages"]
