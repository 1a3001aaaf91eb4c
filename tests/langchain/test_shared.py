"""A template for several chat models at once: the portable form, right for each of them or refused."""

import copy
import pickle
from collections.abc import Iterator
from typing import Any

import pytest
from langchain_core.language_models.fake_chat_models import FakeListChatModel
from langchain_core.load import dumpd
from langchain_core.runnables import ConfigurableField, RunnableConfig

from chat_packages import MEDIA, chat_model
from comparable import comparable, conversation
from loopback import SAID, Loopback
from prompt_adapters import Image, Message, Prompt, ToolCall, ToolResult, adapter_for
from prompt_adapters.errors import UnsupportedContentError
from prompt_adapters.langchain import AdapterPromptTemplate, load
from prompt_adapters.langchain.chat_models import Target, Targets, targets_of
from prompt_adapters.langchain.shared import SharedPromptTemplate, for_several

OPENAI, ANTHROPIC, GOOGLE = "openai/gpt-4o", "anthropic/claude-haiku-4-5", "gemini/gemini-2.5-flash"
BEDROCK, MISTRAL = "bedrock/us.anthropic.claude-haiku-4-5-20251001-v1:0", "mistral/mistral-medium-latest"
STYLES = {
    OPENAI: "openai_style",
    ANTHROPIC: "anthropic_style",
    GOOGLE: "google_style",
    BEDROCK: "bedrock_style",
    MISTRAL: "mistral_style",
}
CLOSED = "http://127.0.0.1:9"


@pytest.fixture(scope="module")
def server() -> Iterator[Loopback]:
    with Loopback() as server:
        yield server


def model(name: str, url: str = CLOSED) -> Any:
    return chat_model(STYLES[name], url, name)


def shared(*names: str) -> Any:
    """What piping into a model with fallbacks makes of a template."""
    first, *others = map(model, names)
    return (AdapterPromptTemplate.from_template("{q} {media}") | first.with_fallbacks(others)).first


FALLBACKS: dict[str, tuple[tuple[str, ...], list[str]]] = {
    "OpenAI, Anthropic": ((OPENAI, ANTHROPIC), ["a PNG", "an image by a link", "a PDF"]),
    "Google, OpenAI": ((GOOGLE, OPENAI), ["a PNG", "a PDF"]),
    "OpenAI, Bedrock": ((OPENAI, BEDROCK), ["a PNG", "a PDF"]),
    "Mistral, Anthropic, Google": ((MISTRAL, ANTHROPIC, GOOGLE), ["a PNG"]),
}


@pytest.mark.parametrize(("names", "media"), FALLBACKS.values(), ids=FALLBACKS)
def test_a_fallback_of_another_provider_gets_what_it_takes(
    names: tuple[str, ...], media: list[str], server: Loopback
) -> None:
    """The first ones cannot be reached, so the last one answers; whichever of them it is."""
    for last in names:
        before = [model(name) for name in names if name != last]
        chain = before[0].with_fallbacks([*before[1:], model(last, server.url)])
        template = AdapterPromptTemplate.from_template("{q} {media}")
        parts = [MEDIA[name] for name in media]
        assert (template | chain).invoke({"q": "what?", "media": parts}).text == SAID
        style = STYLES[last]
        adapter = adapter_for(last, parameters={"max_tokens": 9} if last == ANTHROPIC else None)
        own = adapter.build_body(Message("user", ["what? ", *parts]))
        sent = comparable(style, conversation(style, server.body))
        assert sent == comparable(style, conversation(style, own))


REFUSED: dict[str, tuple[tuple[str, ...], str, str]] = {
    "a provider takes none": (
        (OPENAI, ANTHROPIC),
        "a WAV",
        r"anthropic_style cannot take audio .* at message 1 \(user\), part 2",
    ),
    "a profile says no": (
        (OPENAI, GOOGLE),
        "a WAV",
        r"langchain-openai cannot take audio .*: the profile of the chat model says that it takes no audio; .* set "
        r"profile=\{'audio_inputs': True\} or use AdapterRunnable\('openai_style'\)",
    ),
    "a package would download": (
        (OPENAI, GOOGLE),
        "an image by a link",
        r"langchain-google-genai cannot take image \(https://example.org/a.png\) at message 1 \(user\), part 2: it "
        r"does not pass this on .*; pipe the template into each model, .* AdapterRunnable\('google_style'\)",
    ),
    "a package rewrites": ((OPENAI, MISTRAL), "a PDF", "langchain-mistralai cannot take document"),
    "a text is no PDF": ((ANTHROPIC, GOOGLE), "a text", "langchain-anthropic cannot take document"),
}


@pytest.mark.parametrize(("names", "medium", "said"), REFUSED.values(), ids=REFUSED)
async def test_what_one_of_them_would_lose_is_refused_by_name(names: tuple[str, ...], medium: str, said: str) -> None:
    template = shared(*names)
    values = {"q": "what?", "media": MEDIA[medium]}
    for call in (template.invoke, lambda given: template.format_messages(**given)):
        with pytest.raises(UnsupportedContentError, match=said):
            call(values)
    with pytest.raises(UnsupportedContentError, match=said):
        await template.ainvoke(values)


def test_inside_tool_results_as_well() -> None:
    call = Message("assistant", ToolCall("1", "f", {}))
    prompt = Prompt(
        messages=[Message("user", "q"), call, Message("tool", ToolResult("1", [MEDIA["an image by a link"]]))]
    )
    template = AdapterPromptTemplate.from_prompt(prompt)
    chain = template | model(ANTHROPIC).with_fallbacks([model(GOOGLE)])
    with pytest.raises(
        UnsupportedContentError, match=r"langchain-google-genai .* at message 3 \(tool\), part 1, item 1"
    ):
        chain.first.invoke({})


def test_a_system_text_in_the_middle_is_refused_where_one_of_them_moves_it() -> None:
    prompt = Prompt(messages=[("user", "q"), ("system", "s"), ("user", "r")])
    template = AdapterPromptTemplate.from_prompt(prompt)
    assert len((template | model(OPENAI)).first.invoke({}).to_messages()) == 3
    with pytest.raises(UnsupportedContentError, match="system message in mid-conversation"):
        (template | model(OPENAI).with_fallbacks([model(GOOGLE)])).first.invoke({})


def test_media_are_fitted_to_each_of_them() -> None:
    from io import BytesIO

    from PIL import Image as Pictures

    buffer = BytesIO()
    Pictures.new("RGB", (2, 2)).save(buffer, "BMP")
    value = shared(OPENAI, ANTHROPIC).invoke({"q": "q", "media": Image(buffer.getvalue())})
    assert "image/bmp" not in str(value.to_messages())
    assert value.native[0].parts[1].as_bytes() == buffer.getvalue()


def test_its_value_is_for_every_style_and_its_own_for_none() -> None:
    value = shared(OPENAI, ANTHROPIC).invoke({"q": "what?", "media": MEDIA["a PNG"]})
    assert value.style is None
    expected = adapter_for(GOOGLE).build_request(Message("user", ["what? ", MEDIA["a PNG"]]))
    assert value.to_request(GOOGLE) == expected


def test_an_unknown_model_among_them_refuses_nothing_and_the_others_do() -> None:
    chain = model(ANTHROPIC).with_fallbacks([FakeListChatModel(responses=["a"])])
    template = AdapterPromptTemplate.from_template("{media}") | chain
    assert isinstance(template.first, SharedPromptTemplate)
    assert template.invoke({"media": "text"}).content == "a"
    with pytest.raises(UnsupportedContentError, match="anthropic_style cannot take audio"):
        template.invoke({"media": MEDIA["a WAV"]})


def test_a_profile_of_an_unknown_package_counts() -> None:
    fake = FakeListChatModel(responses=["a"], profile={"image_inputs": False})
    chain = AdapterPromptTemplate.from_template("{media}") | fake
    with pytest.raises(UnsupportedContentError) as caught:
        chain.invoke({"media": MEDIA["a PNG"]})
    assert str(caught.value).startswith("the chat model cannot take image")
    assert "AdapterRunnable" not in str(caught.value)
    assert chain.invoke({"media": MEDIA["a WAV"]}).content == "a"


def test_alternatives_are_chosen_at_run_time(server: Loopback) -> None:
    models = model(OPENAI, server.url).configurable_alternatives(
        ConfigurableField(id="which"), default_key="openai", claude=model(ANTHROPIC, server.url)
    )
    chain = AdapterPromptTemplate.from_template("{media}") | models
    claude: RunnableConfig = {"configurable": {"which": "claude"}}
    for config, path in ((None, "/v1/chat/completions"), (claude, "/v1/messages")):
        assert chain.invoke({"media": MEDIA["a PNG"]}, config).text == SAID
        assert server.calls[-1][0] == path
        assert str(server.body).count(MEDIA["a PNG"].as_data_url().partition(",")[2]) == 1


def test_it_is_a_value_like_every_template() -> None:
    template = shared(OPENAI, ANTHROPIC)
    assert template.targets[0][:2] == ("openai_style", OPENAI)
    template.invoke({"q": "q", "media": "m"})
    for twin in (pickle.loads(pickle.dumps(template)), copy.deepcopy(template), load(dumpd(template))):
        assert twin == template
        assert twin.invoke({"q": "q", "media": "m"}) == template.invoke({"q": "q", "media": "m"})
    assert (template + "more").targets == template.partial(q="1").targets == template.targets


def test_of_nothing_known_nothing_is_made() -> None:
    template = AdapterPromptTemplate.from_template("{q}")
    assert for_several(template, Targets((), (), False)) is template
    assert for_several(template, targets_of(FakeListChatModel(responses=["a"]))) is template
    made = for_several(template, Targets((Target("openai_style", None),), (), False))
    assert isinstance(made, SharedPromptTemplate)
    assert made.invoke({"q": "q"}) == template.invoke({"q": "q"})
