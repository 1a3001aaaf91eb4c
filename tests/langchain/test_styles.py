"""Templates with a fixed target."""

import copy
import pickle
from typing import Any

import pytest
from langchain_core.prompts import ChatPromptTemplate

from prompt_adapters import PROMPT_ADAPTER_REGISTRY, Audio, Document, Image, Message, Prompt, adapter_for, get_adapter
from prompt_adapters import langchain as face
from prompt_adapters.errors import UnsupportedContentError
from prompt_adapters.langchain import (
    AdapterPromptTemplate,
    AnthropicStylePromptTemplate,
    BedrockStylePromptTemplate,
    CohereStylePromptTemplate,
    GoogleStylePromptTemplate,
    LiteLLMStylePromptTemplate,
    MistralStylePromptTemplate,
    OllamaStylePromptTemplate,
    OpenAIResponsesStylePromptTemplate,
    OpenAIStylePromptTemplate,
)
from prompt_adapters.langchain.styles import STYLE_TEMPLATES, StylePromptTemplate

CLASSES: dict[str, type[StylePromptTemplate]] = {
    "openai_style": OpenAIStylePromptTemplate,
    "openai_responses_style": OpenAIResponsesStylePromptTemplate,
    "anthropic_style": AnthropicStylePromptTemplate,
    "google_style": GoogleStylePromptTemplate,
    "bedrock_style": BedrockStylePromptTemplate,
    "mistral_style": MistralStylePromptTemplate,
    "cohere_style": CohereStylePromptTemplate,
    "ollama_style": OllamaStylePromptTemplate,
    "litellm_style": LiteLLMStylePromptTemplate,
}
PROMPT = Prompt(system="s", user="{{ q }} {{ photo }}", parameters={"max_tokens": 5})


def test_every_class_has_its_own_style() -> None:
    assert {cls.style: cls for cls in CLASSES.values()} == CLASSES
    assert tuple(CLASSES.values()) == STYLE_TEMPLATES
    assert set(CLASSES) <= set(PROMPT_ADAPTER_REGISTRY)
    exported = {getattr(face, name) for name in face.__all__}
    assert set(CLASSES.values()) <= exported


@pytest.mark.parametrize("style", CLASSES)
async def test_the_request_needs_no_argument(style: str, photo: Image) -> None:
    template = CLASSES[style].from_prompt(PROMPT)
    expected = get_adapter(style).build_request(PROMPT, q="what?", photo=photo)
    assert template.format_request(q="what?", photo=photo, other=1) == expected
    assert await template.aformat_request(q="what?", photo=photo) == expected
    assert template.invoke({"q": "what?", "photo": photo}).to_request() == expected
    assert (await template.ainvoke({"q": "what?", "photo": photo})).to_request() == expected


FORMS = dict.fromkeys(CLASSES, "image_url") | {"anthropic_style": "image", "google_style": "media"}


@pytest.mark.parametrize("style", CLASSES)
async def test_messages_are_in_the_dialect(style: str, photo: Image) -> None:
    template = CLASSES[style].from_prompt(PROMPT)
    values: dict[str, Any] = {"q": "what?", "photo": photo}
    value = template.invoke(values)
    assert value.style == style
    assert [block["type"] for block in value.to_messages()[1].content] == ["text", FORMS[style]]  # type: ignore[index]  # they are blocks
    assert await template.ainvoke(values) == value
    assert template.format_messages(**values) == await template.aformat_messages(**values) == value.messages


def test_media_are_fitted_to_the_provider(photo: Image) -> None:
    pytest.importorskip("PIL")
    from io import BytesIO

    from PIL import Image as Pictures

    buffer = BytesIO()
    Pictures.new("RGB", (2, 2)).save(buffer, "BMP")
    picture = Image(buffer.getvalue())
    template = AnthropicStylePromptTemplate.from_template("look {p}")
    value = template.invoke({"p": picture})
    assert value.to_messages()[0].content[1]["mime_type"] in ("image/png", "image/jpeg")  # type: ignore[index]  # it is a block
    assert value.native == (Message("user", ["look ", picture]),)
    portable = AdapterPromptTemplate.from_template("look {p}").invoke({"p": picture})
    assert "image/bmp" in str(portable.to_messages())


def test_what_the_provider_cannot_take_is_refused(sound: Audio) -> None:
    template = AnthropicStylePromptTemplate.from_template("listen {a}")
    with pytest.raises(UnsupportedContentError, match="anthropic_style cannot take audio"):
        template.invoke({"a": sound})


def test_options_belong_to_the_adapter(photo: Image) -> None:
    options: dict[str, Any] = {"model": "claude-x", "parameters": {"max_tokens": 3}, "system_in_middle": "user"}
    template = AnthropicStylePromptTemplate.from_messages(
        [("system", "s"), "a", ("ai", "b"), ("system", "t"), "c"], options=options
    )
    request = template.format_request()
    assert (request["model"], request["max_tokens"]) == ("claude-x", 3)
    assert [m["role"] for m in request["messages"]] == ["user", "assistant", "user"]
    assert [m.type for m in template.format_messages()] == ["system", "human", "ai", "human", "human"]
    assert template.invoke({}).to_request(parameters={"max_tokens": 4})["max_tokens"] == 4
    assert template.partial(x="1").options == options
    options["parameters"]["max_tokens"] = 9
    assert template.options["parameters"] == {"max_tokens": 3}
    options["parameters"]["max_tokens"] = 3
    assert (template + "more").options == options


def test_an_option_that_does_not_exist_is_refused_when_the_template_is_made() -> None:
    with pytest.raises(TypeError, match="no option 'tempo'"):
        OpenAIStylePromptTemplate.from_template("x", options={"tempo": 1})


def test_the_prompts_own_model_is_bound_where_it_speaks_the_style() -> None:
    prompt = Prompt(user="x", model="anthropic/claude-opus-5")
    expected = adapter_for("anthropic/claude-opus-5").build_request(prompt)
    assert AnthropicStylePromptTemplate.from_prompt(prompt).format_request() == expected
    assert "model" not in OpenAIStylePromptTemplate.from_prompt(prompt).format_request()


def test_a_part_of_a_conversation_may_be_a_template(photo: Image) -> None:
    rules = GoogleStylePromptTemplate.from_messages([("system", "{rule}")])
    whole = ChatPromptTemplate([rules, GoogleStylePromptTemplate.from_template("{photo}")])
    messages = whole.invoke({"rule": "r", "photo": photo}).to_messages()
    assert [(m.type, m.content if m.type == "system" else m.content[0]["type"]) for m in messages] == [  # type: ignore[index]  # it is a block
        ("system", "r"), ("human", "media")
    ]  # fmt: skip


def test_a_text_document_goes_to_anthropic_as_text() -> None:
    template = AnthropicStylePromptTemplate.from_template("{d}")
    (message,) = template.format_messages(d=Document("é".encode(), name="a.txt"))
    assert message.content == [{"type": "text-plain", "mime_type": "text/plain", "text": "é", "title": "a.txt"}]


@pytest.mark.parametrize("cls", CLASSES.values(), ids=CLASSES)
def test_they_behave_as_templates_do(cls: type[StylePromptTemplate], photo: Image) -> None:
    template = cls.from_messages([("system", "{a}"), ("user", "{b}")], options={"on_limit": "error"})
    template.invoke({"a": "1", "b": "2"})
    for other in (template.partial(a="1"), template + "c", "c" + template, template[0:1], copy.deepcopy(template)):
        assert type(other) is cls
        assert other.options == {"on_limit": "error"}
    assert pickle.loads(pickle.dumps(template)) == template
    assert template != cls.from_messages([("system", "{a}"), ("user", "{b}")])
    assert template.get_lc_namespace() == ["prompt_adapters", "langchain", "styles"]
