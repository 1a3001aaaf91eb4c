"""A prompt through LiteLLM: the adapter is chosen from the model string.

LiteLLM's own mock answers here, so that no key is needed; take `mock_response` away to call the model.

Run it: python cookbook/03_litellm_completion.py
"""

import os
from pathlib import Path

os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")  # LiteLLM then asks no server for its price list

from prompt_adapters import Image
from prompt_adapters.litellm import LiteLLMBridge, completion

HERE = Path(__file__).parent
PROMPT = HERE / "prompts" / "describe_photo"
values = {"question": "What is in this picture?", "photo": Image(HERE / "photos" / "harbour.jpg")}

for model in ("openai/gpt-4o", "anthropic/claude-sonnet-4-5", "gemini/gemini-2.5-flash"):
    bridge = LiteLLMBridge(model)
    prompt = bridge.load(PROMPT)
    answer = bridge.completion(prompt, variables=values, mock_response=f"a harbour, says {model}")
    print(f"{bridge.route.style:18} {answer.choices[0].message.content}")

# The same in one call, from a path, streamed.
chunks = completion(PROMPT, model="openai/gpt-4o", variables=values, mock_response="a harbour", stream=True)
text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks)
print("streamed:", text)

# What would be sent, for a Router or any other call site.
request = LiteLLMBridge("openai/gpt-4o").request(PROMPT, values)
print("request:", {key: type(value).__name__ for key, value in request.items()})

assert text == "a harbour"
assert request["model"] == "openai/gpt-4o"
assert request["messages"][-1]["role"] == "user"
