"""Few-shot examples that hold pictures, a variable number of pictures, and what a provider refuses.

Run it: python cookbook/04_images_and_few_shot.py
"""

from pathlib import Path

from prompt_adapters import Audio, FewShot, Image, Prompt, get_adapter
from prompt_adapters.errors import UnsupportedContentError

HARBOUR = Image(Path(__file__).parent / "photos" / "harbour.jpg")
# A silent WAV file of one sample, made by hand.
SILENCE = Audio(b"RIFF\x26\0\0\0WAVEfmt \x10\0\0\0\1\0\1\0\x40\x1f\0\0\x80\x3e\0\0\2\0\x10\0data\2\0\0\0\0\0")

judge = Prompt(
    system="You compare pictures. Answer A or B.",
    user=[
        {"type": "text", "content": "Which one is sharper? {{ hint }}"},
        {"type": "image", "variable": "candidates", "index": 0},
        {"type": "image", "variable": "candidates", "index": 1},
    ],
    few_shot=FewShot([{"input": ["Which one is sharper?", HARBOUR, HARBOUR], "output": "A"}]),
)

request = get_adapter("openai_style").build_request(judge, hint="Look at the masts.", candidates=[HARBOUR, HARBOUR])
for message in request["messages"]:
    content = message["content"]
    print(f"{message['role']:9}", content if isinstance(content, str) else [item["type"] for item in content])

# The block list as its contract has it: separators between blocks, each an item of its own.
payload = get_adapter("openai_style").build_payload(judge, hint="Look at the masts.", candidates=[HARBOUR, HARBOUR])
print("separators:", [item["text"] for item in payload[-1]["content"] if item.get("text", "x").isspace()])

# What a provider cannot take is refused by name before anything is sent.
listener = Prompt(user="What do you hear? {{ sound }}")
try:
    get_adapter("anthropic_style").build_request(listener, sound=SILENCE)
except UnsupportedContentError as error:
    refusal = error
print("refused:", refusal)

assert [message["role"] for message in request["messages"]] == ["system", "user", "assistant", "user"]
assert sum(item["type"] == "image_url" for item in request["messages"][-1]["content"]) == 2
assert refusal.adapter == "anthropic_style"
assert "audio" in refusal.part
