"""The examples of LangChain's own documentation for prompts, with its class and with ours in its place.

https://docs.langchain.com/oss/python/langchain/messages, https://reference.langchain.com/python/langchain_core/prompts,
and the how-to guides on few-shot examples, partial variables, composition and multimodal prompts.
"""

import asyncio
import base64
import copy
import pickle
from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from langchain_core.embeddings import DeterministicFakeEmbedding
from langchain_core.example_selectors import LengthBasedExampleSelector, SemanticSimilarityExampleSelector
from langchain_core.load import dumps
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from langchain_core.prompts import (
    AIMessagePromptTemplate,
    ChatPromptTemplate,
    FewShotChatMessagePromptTemplate,
    FewShotPromptTemplate,
    HumanMessagePromptTemplate,
    MessagesPlaceholder,
    PromptTemplate,
    SystemMessagePromptTemplate,
)
from langchain_core.vectorstores import InMemoryVectorStore

from prompt_adapters import Image, Message, save_prompt
from prompt_adapters.errors import TemplateError
from prompt_adapters.langchain import AdapterPromptTemplate, AdapterStringPromptTemplate, from_langchain, load
from strategies import PNG

IMAGE_DATA = base64.b64encode(PNG).decode()
IMAGE_URL = "https://upload.wikimedia.org/wikipedia/commons/boardwalk.jpg"
Made = tuple[Any, dict[str, Any]]
Example = Callable[[Any], Made]
CHAT: dict[str, Example] = {}
TEXT: dict[str, Example] = {}


def chat(example: Example) -> Example:
    CHAT[example.__name__] = example
    return example


def text(example: Example) -> Example:
    TEXT[example.__name__] = example
    return example


@chat
def from_messages(prompt_class: Any) -> Made:
    prompt = prompt_class.from_messages(
        [
            ("system", "You are a helpful AI bot. Your name is {name}."),
            ("human", "Hello, how are you doing?"),
            ("ai", "I'm doing well, thanks!"),
            ("human", "{user_input}"),
        ]
    )
    return prompt, {"name": "Bob", "user_input": "What is your name?"}


@chat
def the_class_itself(prompt_class: Any) -> Made:
    prompt = prompt_class([("system", "You are a helpful AI bot. Your name is {name}."), ("human", "{user_input}")])
    return prompt, {"name": "Bob", "user_input": "What is your name?"}


@chat
def messages_and_templates_mixed(prompt_class: Any) -> Made:
    prompt = prompt_class.from_messages([SystemMessage(content="hello {literal}"), ("human", "Hello, how are you?")])
    return prompt, {}


@chat
def a_placeholder(prompt_class: Any) -> Made:
    prompt = prompt_class.from_messages(
        [
            ("system", "You are a helpful AI bot."),
            # equal to MessagesPlaceholder(variable_name="conversation", optional=True)
            ("placeholder", "{conversation}"),
        ]
    )
    said = [
        ("human", "Hi!"),
        ("ai", "How can I assist you today?"),
        ("human", "Can you make me a sundae?"),
        ("ai", "No."),
    ]
    return prompt, {"conversation": said}


@chat
def a_chat_history(prompt_class: Any) -> Made:
    prompt = prompt_class.from_messages(
        [
            ("system", "You are a helpful assistant."),
            MessagesPlaceholder("history"),
            ("human", "{question}"),
        ]
    )
    history = [("human", "what's 5 + 2"), ("ai", "5 + 2 is 7")]
    return prompt, {"history": history, "question": "now multiply that by 4"}


@chat
def a_history_of_a_number_of_messages(prompt_class: Any) -> Made:
    prompt = prompt_class.from_messages([MessagesPlaceholder("history", n_messages=1)])
    return prompt, {"history": [("system", "You are an AI assistant."), ("human", "Hello!")]}


@chat
def one_variable_and_a_bare_value(prompt_class: Any) -> Made:
    prompt = prompt_class.from_messages([("system", "You are a helpful AI bot."), ("human", "{user_input}")])
    return prompt, {"user_input": "Hello, there!"}


@chat
def a_slice_and_a_sum(prompt_class: Any) -> Made:
    prompt = prompt_class.from_messages(
        [("system", "You are {name}."), ("human", "Hi I'm {user}"), ("ai", "Hi {user}")]
    )
    return prompt[:2] + "{input}", {"name": "R2D2", "user": "Lucy", "input": "hello"}


@chat
def partial_variables(prompt_class: Any) -> Made:
    template = prompt_class.from_messages(
        [
            ("system", "You are an AI assistant named {name}."),
            ("human", "Hi I'm {user}"),
            ("ai", "Hi there, {user}, I'm {name}."),
            ("human", "{input}"),
        ]
    )
    return template.partial(user="Lucy", name="R2D2"), {"input": "hello"}


@chat
def partial_functions(prompt_class: Any) -> Made:
    def day() -> str:
        return datetime(2026, 3, 1).strftime("%m/%d/%Y")

    prompt = prompt_class.from_messages([("human", "Tell me a {adjective} joke about the day {date}")])
    return prompt.partial(date=day), {"adjective": "funny"}


@chat
def chat_composition(prompt_class: Any) -> Made:
    prompt = prompt_class.from_messages([SystemMessage(content="You are a nice pirate")])
    new_prompt = prompt + HumanMessage(content="hi") + AIMessage(content="what?") + "{input}"
    return new_prompt, {"input": "i said hi"}


@chat
def message_templates(prompt_class: Any) -> Made:
    prompt = prompt_class.from_messages(
        [
            SystemMessagePromptTemplate.from_template("You translate {input_language} to {output_language}."),
            HumanMessagePromptTemplate.from_template("{text}"),
        ]
    )
    return prompt, {"input_language": "English", "output_language": "French", "text": "I love programming."}


EXAMPLES = [{"input": "2 🦜 2", "output": "4"}, {"input": "2 🦜 3", "output": "5"}]
PAIR = ChatPromptTemplate.from_messages([("human", "{input}"), ("ai", "{output}")])


@chat
def fixed_examples(prompt_class: Any) -> Made:
    few_shot_prompt: Any = FewShotChatMessagePromptTemplate(example_prompt=PAIR, examples=EXAMPLES)
    final_prompt = prompt_class.from_messages(
        [("system", "You are a wondrous wizard of math."), few_shot_prompt, ("human", "{input}")]
    )
    return final_prompt, {"input": "What is 2 🦜 9?"}


@chat
def dynamic_examples(prompt_class: Any) -> Made:
    examples = [
        *EXAMPLES,
        {"input": "2 🦜 4", "output": "6"},
        {"input": "What did the cow say to the moon?", "output": "nothing at all"},
    ]
    texts = [" ".join(example.values()) for example in examples]
    vectorstore = InMemoryVectorStore.from_texts(texts, DeterministicFakeEmbedding(size=16), metadatas=examples)
    few_shot_prompt: Any = FewShotChatMessagePromptTemplate(
        input_variables=["input"],
        example_selector=SemanticSimilarityExampleSelector(vectorstore=vectorstore, k=2),
        example_prompt=ChatPromptTemplate.from_messages([("human", "{input}"), ("ai", "{output}")]),
    )
    final_prompt = prompt_class.from_messages(
        [("system", "You are a wondrous wizard of math."), few_shot_prompt, ("human", "{input}")]
    )
    return final_prompt, {"input": "What's 3 🦜 3?"}


@chat
def examples_between_templates(prompt_class: Any) -> Made:
    few_shot_prompt: Any = FewShotChatMessagePromptTemplate(
        examples=EXAMPLES,
        example_prompt=(
            HumanMessagePromptTemplate.from_template("{input}") + AIMessagePromptTemplate.from_template("{output}")
        ),
    )
    prompt = (
        prompt_class.from_messages([SystemMessagePromptTemplate.from_template("You are a helpful AI Assistant")])
        + few_shot_prompt
        + HumanMessagePromptTemplate.from_template("{input}")
    )
    return prompt, {"input": "What's 3+3?"}


@chat
def an_image_from_a_link(prompt_class: Any) -> Made:
    prompt = prompt_class.from_messages(
        [
            {"role": "system", "content": "Describe the image provided."},
            {"role": "user", "content": [{"type": "image_url", "image_url": {"url": "{image_url}"}}]},
        ]
    )
    return prompt, {"image_url": IMAGE_URL}


@chat
def an_image_from_its_data(prompt_class: Any) -> Made:
    prompt = prompt_class.from_messages(
        [
            ("system", "Describe the image provided"),
            (
                "user",
                [{"type": "image_url", "image_url": {"url": "data:image/jpeg;base64,{image_data}"}}],
            ),
        ]
    )
    return prompt, {"image_data": IMAGE_DATA}


@chat
def several_images(prompt_class: Any) -> Made:
    prompt = prompt_class.from_messages(
        [
            ("system", "compare the two pictures provided"),
            (
                "user",
                [
                    {"type": "image_url", "image_url": {"url": "data:image/png;base64,{image_data1}"}},
                    {"type": "image_url", "image_url": {"url": "data:image/png;base64,{image_data2}"}},
                ],
            ),
        ]
    )
    return prompt, {"image_data1": IMAGE_DATA, "image_data2": IMAGE_DATA}


@chat
def standard_blocks(prompt_class: Any) -> Made:
    prompt = prompt_class.from_messages(
        [
            {"role": "system", "content": "Describe the image provided."},
            {
                "role": "user",
                "content": [
                    {"type": "text", "text": "{question}"},
                    {"type": "image", "mime_type": "{image_mime_type}", "base64": "{image_data}"},
                ],
            },
        ]
    )
    return prompt, {"question": "what?", "image_mime_type": "image/png", "image_data": IMAGE_DATA}


@chat
def a_mustache_template(prompt_class: Any) -> Made:
    picture = {"type": "image_url", "image_url": {"url": "{{{url}}}"}}
    prompt = prompt_class.from_messages(
        [("system", "You are {{{name}}}."), ("user", [{"type": "text", "text": "{{{text}}}"}, picture])],
        template_format="mustache",
    )
    # Their image templates refuse a variable called url.
    return prompt, {"name": "Bob", "text": "<b>", "url": IMAGE_URL}


def plain(messages: list[BaseMessage]) -> list[tuple[str, list[dict[str, Any]]]]:
    """What messages say in LangChain's standard blocks; its own prompts give them in the words they were written in."""
    return [(m.type, [{k: v for k, v in block.items() if k != "id"} for block in m.content_blocks]) for m in messages]


def corrected(messages: list[tuple[str, list[dict[str, Any]]]]) -> list[tuple[str, list[dict[str, Any]]]]:
    """The same, pictures under their true type: the documentation's examples say JPEG of anything."""
    for _, blocks in messages:
        for block in blocks:
            if block.get("base64") == IMAGE_DATA:
                block["mime_type"] = "image/png"
    return messages


@pytest.mark.parametrize(
    "example", [e for e in CHAT.values() if e is not a_mustache_template], ids=lambda e: e.__name__
)
def test_one_line_changed_gives_the_same_messages(example: Example) -> None:
    theirs, values = example(ChatPromptTemplate)
    ours, _ = example(AdapterPromptTemplate)
    assert type(ours) is AdapterPromptTemplate
    expected = corrected(plain(theirs.invoke(values).to_messages()))
    assert plain(ours.invoke(values).to_messages()) == expected
    assert plain(asyncio.run(ours.ainvoke(values)).to_messages()) == expected
    assert plain(ours.format_messages(**values)) == expected
    assert plain(from_langchain(theirs).invoke(values).to_messages()) == expected
    assert plain(ChatPromptTemplate([ours]).invoke(values).to_messages()) == expected
    assert plain(copy.deepcopy(ours).invoke({**values, "more": "ignored"}).to_messages()) == expected
    assert sorted(ours.input_variables) == sorted(theirs.input_variables)
    assert "Message" in ours.pretty_repr()


def test_a_variable_may_be_called_url() -> None:
    template, values = a_mustache_template(AdapterPromptTemplate)
    assert template.invoke(values).native == (
        Message("system", "You are Bob."), Message("user", ["<b>", Image(IMAGE_URL)])
    )  # fmt: skip
    with pytest.raises(ValueError, match="cannot contain any of 'url', 'path', or 'detail'"):
        a_mustache_template(ChatPromptTemplate)


UNSAVED = {"partial_functions", "dynamic_examples"}


SAVED = {name: example for name, example in CHAT.items() if name not in UNSAVED}


@pytest.mark.parametrize("example", SAVED.values(), ids=SAVED)
def test_they_can_all_be_kept(example: Example, tmp_path: Any) -> None:
    template, values = example(AdapterPromptTemplate)
    expected = template.invoke(values)
    for twin in (pickle.loads(pickle.dumps(template)), load(dumps(template))):
        assert twin == template
        assert twin.invoke(values) == expected
    save_prompt(template.prompt, tmp_path / "prompt")
    again = AdapterPromptTemplate.from_path(tmp_path / "prompt").partial(**template.partial_variables)
    assert again.invoke(values).to_messages() == expected.to_messages()


# String prompts


@text
def string_composition(prompt_class: Any) -> Made:
    prompt = prompt_class.from_template("Tell me a joke about {topic}") + ", make it funny" + "\n\nand in {language}"
    return prompt, {"topic": "sports", "language": "spanish"}


@text
def partial_strings(prompt_class: Any) -> Made:
    return prompt_class.from_template("{foo}{bar}").partial(foo="foo"), {"bar": "baz"}


@text
def the_text_class_itself(prompt_class: Any) -> Made:
    return prompt_class(template="Say {foo}", input_variables=["foo"]), {"foo": "{bar}"}


@text
def partial_on_creation(prompt_class: Any) -> Made:
    return prompt_class.from_template("{foo}{bar}", partial_variables={"foo": "foo"}), {"bar": "baz"}


@text
def jinja2_text(prompt_class: Any) -> Made:
    return prompt_class.from_template("{% for x in xs %}<{{ x }}>{% endfor %}", template_format="jinja2"), {"xs": "ab"}


@text
def examples_in_a_text(prompt_class: Any) -> Made:
    prompt = FewShotPromptTemplate(
        examples=[{"question": "Who?", "answer": "Ada"}, {"question": "Where?", "answer": "London"}],
        example_prompt=prompt_class.from_template("Question: {question}\n{answer}"),
        suffix="Question: {input}",
        input_variables=["input"],
    )
    return prompt, {"input": "When?"}


@text
def examples_by_length(prompt_class: Any) -> Made:
    line = prompt_class.from_template("Input: {input}\nOutput: {output}")
    antonyms = [{"input": "happy", "output": "sad"}, {"input": "tall", "output": "short"}]
    prompt = FewShotPromptTemplate(
        example_selector=LengthBasedExampleSelector(examples=antonyms, example_prompt=line, max_length=25),
        example_prompt=line,
        prefix="Give the antonym of every input",
        suffix="Input: {adjective}\nOutput:",
        input_variables=["adjective"],
    )
    return prompt, {"adjective": "big"}


@text
def a_pipeline(prompt_class: Any) -> Made:
    full = prompt_class.from_template("{introduction}\n\n{start}")
    parts = {
        "introduction": prompt_class.from_template("You are impersonating {person}."),
        "start": prompt_class.from_template("Now, do this for real!\n\nQ: {input}\nA:"),
    }
    values = {"person": "Elon Musk", "input": "What's your favorite {social} media site?"}
    return full, {name: part.invoke(values).to_string() for name, part in parts.items()}


@pytest.mark.parametrize("example", TEXT.values(), ids=TEXT)
def test_one_line_changed_gives_the_same_text(example: Example) -> None:
    theirs, values = example(PromptTemplate)
    ours, _ = example(AdapterStringPromptTemplate)
    assert ours.format(**values) == theirs.format(**values)
    assert asyncio.run(ours.ainvoke(values)) == theirs.invoke(values)
    assert from_langchain(theirs).format(**values) == theirs.format(**values)


# What fails there


def test_braces_do_no_harm() -> None:
    text = 'Return {"a": 1}, {} and { x: {y} }, not {name}'
    template = AdapterPromptTemplate.from_messages([("system", text), ("user", "{q}")], template_format="braces")
    assert template.input_variables == ["y", "name", "q"]
    values = {"y": "1", "name": "{z}", "q": '{"b": {x}}'}
    expected = ['Return {"a": 1}, {} and { x: 1 }, not {z}', '{"b": {x}}']
    assert [m.content for m in template.invoke(values).to_messages()] == expected
    with pytest.raises(TemplateError, match=r"message 1.*is not a slot; write \{name\}.*or use syntax='braces'"):
        AdapterPromptTemplate.from_messages([("system", text)])
    with pytest.raises(ValueError, match="Nested replacement fields are not allowed"):
        ChatPromptTemplate([("system", text)])


def test_a_list_of_images_is_taken() -> None:
    photos = [Image(PNG), f"data:image/png;base64,{IMAGE_DATA}", IMAGE_URL, {"base64": IMAGE_DATA}, PNG]
    template = AdapterPromptTemplate.from_messages(
        [("user", ["Compare.", {"type": "image_url", "image_url": {"url": "{photos}", "detail": "low"}}])]
    )
    (message,) = template.invoke({"photos": photos}).native
    assert [part.kind for part in message.parts] == ["text"] + ["image"] * 5
    assert {part.detail for part in message.parts[1:]} == {"low"}  # type: ignore[union-attr]  # they are images
    (message,) = AdapterPromptTemplate.from_template("Compare {photos}").invoke({"photos": [Image(PNG)] * 3}).native
    assert [part.kind for part in message.parts] == ["text", "image", "image", "image"]


def test_partials_are_not_lost() -> None:
    one = AdapterPromptTemplate.from_messages([("system", "{a}")]).partial(a=lambda: "A")
    two = AdapterPromptTemplate.from_messages([("user", "{b} {c}")]).partial(b="B")
    for whole in (one + two, AdapterPromptTemplate.from_messages([one, two]), (one + two)[:], one + two.partial(d=1)):
        assert whole.input_variables == ["c"]
        assert [m.content for m in whole.invoke({"c": "C"}).to_messages()] == ["A", "B C"]
    blocks = AdapterPromptTemplate.from_messages([("user", ["{a}", {"type": "image_url", "image_url": "{u}"}])])
    assert blocks.partial(u=IMAGE_URL).invoke({"a": "1"}).native == (Message("user", ["1", Image(IMAGE_URL)]),)


def test_an_example_is_no_template() -> None:
    injected = [{"input": "{q.secret}", "output": "{{ 7*7 }}"}]
    prompt = FewShotPromptTemplate(
        examples=injected, example_prompt=PromptTemplate.from_template("{input}: {output}"), suffix="{q}"
    )

    class Secret(str):
        secret = "leaked"

    assert prompt.format(q=Secret("?")).startswith("leaked")
    assert from_langchain(prompt).format(q=Secret("?")) == "{q.secret}: {{ 7*7 }}\n\n?"


def test_what_comes_out_is_nobody_elses() -> None:
    message = HumanMessage([{"type": "text", "text": "a"}, {"type": "image_url", "image_url": {"url": IMAGE_URL}}])
    template = AdapterPromptTemplate.from_messages([message, MessagesPlaceholder("h")])
    history = [AIMessage([{"type": "text", "text": "b"}, {"type": "text", "text": "c"}])]
    first = template.invoke({"h": history}).to_messages()
    expected = template.invoke({"h": history})
    for said in first:
        assert isinstance(said.content, list)
        said.content.append({"type": "text", "text": "more"})
        said.content[0]["text"] = "changed"  # type: ignore[index]  # it is a block
        said.additional_kwargs["x"] = 1
    assert template.invoke({"h": history}) == expected
    assert len(message.content) == 2
    assert history[0].content[0] == {"type": "text", "text": "b"}
