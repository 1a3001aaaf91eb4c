"""A saved prompt directory, edited as an optimiser does it: load, change, save, and see the difference.

Run it: python cookbook/08_edit_saved_prompt.py
"""

import difflib
from pathlib import Path
from tempfile import TemporaryDirectory

from prompt_adapters import TextPromptAdapter, get_adapter

SAVED = Path(__file__).parent / "prompts" / "review_classifier"


def lines(folder: Path) -> list[str]:
    """Every line of a saved prompt, with its file in front."""
    files = sorted(path for path in folder.iterdir() if path.is_file())
    return [f"{path.name}: {line}" for path in files for line in path.read_text(encoding="utf-8").splitlines()]


adapter = TextPromptAdapter.load(SAVED)
adapter.show()

# One step of an optimisation: another instruction, one more example, and the examples as turns.
better = adapter.fetch_user_template().replace("Respond only with:", "Judge the product, not the delivery. Answer")
adapter.set_user_prompt(content=better, variables={"review"})
adapter.add_few_shot([{"input": "It does what it should.", "output": "positive"}], format_type="converse")

with TemporaryDirectory() as folder:
    adapter.save(folder)
    difference = list(difflib.unified_diff(lines(SAVED), lines(Path(folder)), "before", "after", n=0, lineterm=""))
    again = TextPromptAdapter.load(folder)
print("\n".join(["", *difference]))

# At inference the examples are turns before the user message.
request = get_adapter("openai_style").build_request(again.to_prompt(), review="Lovely, but late.")
print("\nroles:", [message["role"] for message in request["messages"]])

assert again.fetch() == adapter.fetch()
assert sum(line.startswith("-user_prompt.txt") for line in difference) == 1
assert not any("system_prompt.txt" in line for line in difference)
assert len(request["messages"]) == 8
