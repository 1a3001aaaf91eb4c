"""Examples that are chosen for each question, in an LCEL chain: text and pictures, with any chat model or client.

Run it: python cookbook/lcel_few_shot_selector.py
"""

import asyncio
from pathlib import Path
from typing import Any

from langchain_core.embeddings import Embeddings
from langchain_core.example_selectors import BaseExampleSelector, SemanticSimilarityExampleSelector
from langchain_core.language_models.fake_chat_models import FakeListChatModel
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate, FewShotChatMessagePromptTemplate
from langchain_core.vectorstores import InMemoryVectorStore

from prompt_adapters import FewShot, Image, Prompt
from prompt_adapters.langchain import AdapterPromptTemplate, AdapterRunnable, from_langchain

PHOTO = Image(Path(__file__).parent / "photos" / "harbour.jpg")


class ByLetters(Embeddings):
    """Stands for a real embedding, so that no key is needed: how often each letter occurs."""

    def embed_query(self, text: str) -> list[float]:
        """The numbers of one text."""
        return [float(text.lower().count(letter)) for letter in "abcdefghijklmnopqrstuvwxyz0123456789+"]

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """The numbers of several."""
        return [self.embed_query(text) for text in texts]


EXAMPLES = [
    {"input": "2 + 2", "output": "4"},
    {"input": "2 + 30", "output": "32"},
    {"input": "Capital of France?", "output": "Paris"},
    {"input": "What is {x}?", "output": "{{ a template is no answer }}"},
]
selector = SemanticSimilarityExampleSelector.from_examples(EXAMPLES, ByLetters(), InMemoryVectorStore, k=2)

# LangChain's selectors are the examples of a prompt. They are asked at each rendering; what they choose is data.
prompt = Prompt(system="Answer in one word.", user="{{ question }}", few_shot=FewShot(selector))
template = AdapterPromptTemplate.from_prompt(prompt)
chain = template | FakeListChatModel(responses=["50", "Rome"]) | StrOutputParser()
sums = template.invoke({"question": "20 + 30"})
capitals = asyncio.run(template.ainvoke({"question": "Capital of Italy?"}))
print("for a sum:", [message.text for message in sums.native])
print("for a capital:", [message.text for message in capitals.native])
answers = chain.batch([{"question": "20 + 30"}, {"question": "Capital of Italy?"}], {"max_concurrency": 1})
print("answers:", answers)


# One of your own may choose by pictures, and give some: it is told the variables that are named.
class ByPhoto(BaseExampleSelector):
    """Shows examples whose picture is of the type of the given one."""

    def __init__(self, examples: list[dict[str, Any]]) -> None:
        self.examples = examples

    def add_example(self, example: dict[str, Any]) -> None:
        """Takes one more."""
        self.examples.append(example)

    def select_examples(self, input_variables: dict[str, Any]) -> list[dict[str, Any]]:
        """The examples for these values."""
        mime = input_variables["photo"].source.mime
        return [example for example in self.examples if example["input"][1].source.mime == mime]


by_photo = ByPhoto([{"input": ["How many boats?", PHOTO], "output": "2"}])
seen = Prompt(user="{{ question }}{{ photo }}", few_shot=FewShot(by_photo, variables=["photo"]))
to_claude = AdapterPromptTemplate.from_prompt(seen) | AdapterRunnable("anthropic_style")
request = to_claude.invoke({"question": "How many gulls?", "photo": PHOTO})
asked = [message["content"] for message in request["messages"] if message["role"] == "user"]
blocks = [[block["type"] for block in content] for content in asked]
print("blocks for Anthropic:", blocks)

# LangChain's own few-shot template, where it stands, and with the words of its own example prompt.
few_shot: Any = FewShotChatMessagePromptTemplate(
    example_selector=selector,
    example_prompt=ChatPromptTemplate([("human", "Q: {input}"), ("ai", "A: {output}")]),
    input_variables=["question"],
)
taken = from_langchain(ChatPromptTemplate([("system", "Answer."), few_shot, ("human", "Q: {question}")]))
turns = [message.text for message in taken.render(question="What is {y}?")]
print("taken over:", turns)

assert [message.text for message in sums.native[1:-1]] == ["2 + 30", "32", "2 + 2", "4"]
assert capitals.native[1].text == "Capital of France?"
assert answers == ["50", "Rome"]
assert blocks == [["text", "image"], ["text", "image"]]
assert turns[1:3] == ["Q: What is {x}?", "A: {{ a template is no answer }}"]
assert turns[-1] == "Q: What is {y}?"
