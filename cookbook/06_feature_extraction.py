"""Features of pictures by a small agent: a ``.prompt`` file, OpenAI messages, and LiteLLM, asynchronously.

LiteLLM's own mock answers here, so that no key is needed; take `mock_response` away to call the model.

Run it: python cookbook/06_feature_extraction.py
"""

import asyncio
import json
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")  # LiteLLM then asks no server for its price list

import litellm

from prompt_adapters import SimplePrompt, convert_messages_to_gemini

HERE = Path(__file__).parent


class AgentRunner:
    """Calls a model and reads its answer; which model, and how, is the business of `llm_call`."""

    def __init__(self, llm_call: Callable[..., Awaitable[str]]) -> None:
        self.llm_call = llm_call

    async def call(self, messages: list[dict[str, Any]], model: str, **parameters: Any) -> list[str]:
        """The features that the model names."""
        features: list[str] = json.loads(await self.llm_call(messages=messages, model=model, **parameters))
        return features


def create_llm_call(mock_response: str) -> Callable[..., Awaitable[str]]:
    """A call through LiteLLM."""

    async def call(**request: Any) -> str:
        response = await litellm.acompletion(**request, mock_response=mock_response)
        return str(response.choices[0].message.content)

    return call


async def main(prompt: SimplePrompt) -> list[list[str]]:
    """Two questions at a time about one picture, which is read and encoded once, in a thread."""
    runner = AgentRunner(llm_call=create_llm_call(mock_response='["boat", "pier", "gull"]'))

    async def extract(kind: str) -> list[str]:
        messages = await prompt.abuild_messages(kind=kind, count=3, images="harbour.jpg")
        return await runner.call(messages=messages, model=prompt.model or "", **prompt.parameters)

    return list(await asyncio.gather(extract("things"), extract("animals")))


prompt = SimplePrompt(HERE / "prompts" / "extract_features.prompt", base_dir=HERE / "photos")
print(f"{prompt}, model {prompt.model}, parameters {prompt.parameters}")

results = asyncio.run(main(prompt))
print("features:", results)

# The same messages for Gemini's own API, as plain dictionaries.
messages = prompt.build_messages(kind="things", count=3, images="harbour.jpg")
contents, system_instruction = convert_messages_to_gemini(messages)
print("for Gemini:", [list(part) for part in contents[0]["parts"]], system_instruction)

assert results == [["boat", "pier", "gull"]] * 2
assert messages[1]["content"][0]["text"] == "List the things in this picture, 3 at most. Be 100% sure of each."
assert contents[0]["parts"][1]["inline_data"]["mime_type"] == "image/jpeg"
