"""A judge of picture pairs from a YAML configuration, on Google and on an OpenAI-compatible server.

The configuration names a backend, a model and a prompt; the wire shape follows the backend. What is built here goes to
`genai.Client().models.generate_content(**request)` or `openai.OpenAI(**client).chat.completions.create(**request)`.

Run it: python cookbook/05_image_judge_from_yaml.py
"""

from pathlib import Path

from PIL import Image as Pillow
from PIL import ImageEnhance

from prompt_adapters import Image, PromptAssetStore

HERE = Path(__file__).parent
PHOTO = HERE / "photos" / "harbour.jpg"

store = PromptAssetStore(HERE / "prompts" / "assets")
print("prompts:", {prompt_id: store.versions(prompt_id) for prompt_id in store.ids()})

with Pillow.open(PHOTO) as photo:
    darker = Image(ImageEnhance.Brightness(photo).enhance(0.6))
values = {"edit": "make it evening", "pictures": [Image(PHOTO), darker]}

requests = {}
for name in ("judge_on_google", "judge_on_vllm"):
    config = store.resolve(HERE / "prompts" / f"{name}.yaml")
    request = config.adapter(parameters={"temperature": 0}).build_request(config.prompt, values)
    requests[config.backend] = request
    print(f"\n{config.backend}: {config.style}, model {config.model}, client settings {config.client}")
    print("request:", {key: type(value).__name__ for key, value in request.items()})

parts = requests["google"]["contents"][0]["parts"]
items = requests["vllm"]["messages"][1]["content"]
print("\nparts for Google:", [next(iter(part)) for part in parts])
print("items for OpenAI:", [item["type"] for item in items])

assert requests["google"]["config"]["system_instruction"].startswith("You compare")
assert [next(iter(part)) for part in parts] == ["text", "inline_data", "text", "inline_data", "text"]
assert parts[1]["inline_data"]["data"] == PHOTO.read_bytes()
assert requests["vllm"]["model"] == "Qwen/Qwen2.5-VL-7B-Instruct"
assert items[3]["image_url"]["url"] == darker.as_data_url()
