"""One prompt becomes three providers' requests, and comes back from disk as it was saved.

Run it: python cookbook/01_first_prompt.py
"""

import json
from pathlib import Path
from tempfile import TemporaryDirectory

from prompt_adapters import Image, Prompt, adapter_for, load_prompt, save_prompt

HERE = Path(__file__).parent

prompt = Prompt(
    system="You describe photos for people who cannot see them. Answer in {{ language }}.",
    user="{{ photo }}\n\n{{ question }}",
    parameters={"temperature": 0.2, "max_tokens": 300},
)
print("variables:", [variable.name for variable in prompt.variables])

values = {
    "language": "English",
    "question": "What is in this picture?",
    "photo": Image(HERE / "photos" / "harbour.jpg"),
}

requests = {
    model: adapter_for(model).build_body(prompt, values)
    for model in ("openai/gpt-4o", "anthropic/claude-sonnet-4-5", "gemini/gemini-2.5-flash")
}
for model, request in requests.items():
    print(f"\n{model}: {len(json.dumps(request))} characters, keys {sorted(request)}")

with TemporaryDirectory() as folder:
    path = Path(folder) / "describe"
    save_prompt(prompt, path)
    print("\nsaved as:", sorted(file.name for file in path.iterdir()))
    again = load_prompt(path)

assert again == prompt
assert requests["openai/gpt-4o"]["messages"][0]["role"] == "system"
assert requests["anthropic/claude-sonnet-4-5"]["system"].endswith("Answer in English.")
assert requests["gemini/gemini-2.5-flash"]["contents"][0]["parts"][0]["inlineData"]["mimeType"] == "image/jpeg"
