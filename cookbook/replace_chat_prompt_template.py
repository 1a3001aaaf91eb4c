"""LangChain's `ChatPromptTemplate` replaced in one line, and what that mends.

Run it: python cookbook/replace_chat_prompt_template.py
"""

import base64
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from langchain_core.language_models.fake_chat_models import FakeListChatModel
from langchain_core.load import dumps
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate, FewShotPromptTemplate, MessagesPlaceholder, PromptTemplate

from prompt_adapters import Image, save_prompt
from prompt_adapters.langchain import AdapterPromptTemplate, from_langchain, load, to_langchain

PHOTOS = [Image(Path(__file__).parent / "photos" / name) for name in ("harbour.jpg", "harbour.jpg")]

# The one line: the class. What follows is what ChatPromptTemplate takes.
CLASSES = (ChatPromptTemplate, AdapterPromptTemplate)


def judge(prompt_class: Any) -> Any:
    """A prompt, in LangChain's own words."""
    return prompt_class.from_messages(
        [
            ("system", "You are {name}. Reply with {{\"boats\": <number>}}."),
            MessagesPlaceholder("chat", optional=True),
            ("human", [{"type": "text", "text": "{question}"}, {"type": "image_url", "image_url": {"url": "{photo}"}}]),
        ]
    )  # fmt: skip


theirs, ours = (judge(prompt_class) for prompt_class in CLASSES)
values = {
    "name": "a judge",
    "question": "How many boats?",
    "photo": PHOTOS[0].as_data_url(),
    "chat": [("ai", "Ready.")],
}
same = theirs.invoke(values).to_messages() == ours.invoke(values).to_messages()
print("the same messages:", same)

chain = ours | FakeListChatModel(responses=["2"]) | StrOutputParser()
answer = chain.invoke(values)
print("answer:", answer)

# A list of pictures in the slot of one, as objects, bytes, links or data URLs.
several = ours.invoke({**values, "photo": [*PHOTOS, "https://example.org/harbour.jpg"]})
kinds = [part.kind for part in several.native[-1].parts]
print("kinds of parts:", kinds)

# The same value is the request of any provider's own client.
google = ours.partial(name="a judge").invoke({"question": "How many?", "photo": PHOTOS}).to_request("google_style")
print("for Gemini:", [*google["contents"][0]["parts"][1]])

# Partial values stay, on both sides of +, and so does everything in a dump or a file.
whole = ours.partial(name=lambda: "a judge") + "{hint}"
with TemporaryDirectory() as folder:
    save_prompt(ours.prompt, Path(folder) / "judge")
    kept = AdapterPromptTemplate.from_path(Path(folder) / "judge")
again = load(dumps(ours.partial(name="a judge")))
print("still asked for:", whole.input_variables)

# Braces may stand as they are, where the format says so.
literal = AdapterPromptTemplate.from_template('Return {"a": 1}, {} for {name}', template_format="braces")
print("variables:", literal.input_variables)

# Both directions; an example that looks like a template stays what it is.
line = PromptTemplate.from_template("{input} -> {output}")
shots = FewShotPromptTemplate(
    examples=[{"input": "{secret}", "output": "{{ 7*7 }}"}], example_prompt=line, suffix="{input} ->"
)
text = from_langchain(shots).format(input="x")
print("text:", text)
back = to_langchain(ours)
data_url = base64.b64encode(PHOTOS[0].as_bytes()).decode() in str(back.invoke(values))

assert same
assert answer == "2"
assert kinds == ["text", "image", "image", "image"]
assert [*google["contents"][0]["parts"][1]] == ["inline_data"]
assert whole.input_variables == ["question", "photo", "hint"]
assert kept == ours
assert again.invoke({**values, "name": "a judge"}) == ours.invoke(values)
assert literal.input_variables == ["name"]
assert text == "{secret} -> {{ 7*7 }}\n\nx ->"
assert data_url
