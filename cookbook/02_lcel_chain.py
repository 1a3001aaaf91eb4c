"""A prompt in an LCEL chain: with any chat model, and with a provider's own request as the output.

Run it: python cookbook/02_lcel_chain.py
"""

from pathlib import Path

from langchain_core.language_models.fake_chat_models import FakeListChatModel
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import RunnableLambda

from prompt_adapters import Image, Prompt
from prompt_adapters.langchain import AdapterPromptTemplate, AdapterRunnable

PHOTO = Image(Path(__file__).parent / "photos" / "harbour.jpg")

prompt = Prompt(system="Be brief.", user="{% for photo in photos %}{{ photo }}{% endfor %}{{ question }}")
template = AdapterPromptTemplate.from_prompt(prompt)

# With a chat model: here one that answers from a list, so that no key is needed.
chain = template | FakeListChatModel(responses=["Two boats.", "One gull."]) | StrOutputParser()
answers = chain.batch(
    [
        {"question": "How many boats?", "photos": [PHOTO, PHOTO]},
        {"question": "How many gulls?", "photos": [PHOTO]},
    ],
    config={"max_concurrency": 1},
)
print("answers:", answers)

# With a provider's own client: the last step would be `lambda request: client.messages.create(**request)`.
to_request = template | AdapterRunnable("anthropic_style") | RunnableLambda(lambda request: request["messages"])
messages = to_request.invoke({"question": "How many boats?", "photos": [PHOTO]})
print("blocks for Anthropic:", [block["type"] for block in messages[0]["content"]])

# LangChain's own prompts can be adapted as well.
plain = ChatPromptTemplate([("system", "Be brief."), ("human", "{question}")]) | AdapterRunnable("google_style")
gemini = plain.invoke({"question": "How many boats?"})
print("for Gemini:", gemini)

assert answers == ["Two boats.", "One gull."]
assert [block["type"] for block in messages[0]["content"]] == ["image", "text"]
assert gemini["contents"][0]["parts"][0]["text"] == "How many boats?"
