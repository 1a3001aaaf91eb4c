"""Files of promptfoo, written and loaded."""

import json
from pathlib import Path

from prompt_adapters import Prompt, load_prompt

CHAT = [
    {"role": "system", "content": "You are a {{ tone }} assistant."},
    {"role": "user", "content": 'Who won in {{ year }}?\n"{{ quote }}"'},
]
PROMPT = Prompt("You are a {{ tone }} assistant.", 'Who won in {{ year }}?\n"{{ quote }}"')


def written(folder: Path, name: str, content: object) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
    path.write_bytes(text.encode())
    return path


def load(folder: Path, name: str, content: object, choice: str = "") -> Prompt:
    return load_prompt(f"{written(folder, name, content)}{choice}", format="promptfoo")


# Chat files
