"""One model of each kind that LiteLLM tells apart: what is not refused arrives, wherever its table sends a model.

LiteLLM chooses how it speaks to a model by its name as well as by its provider, and its table adds such names with each
release.
"""

import base64
import json
from collections.abc import Iterator
from typing import Any

import pytest

from litellm_access import access
from prompt_adapters import Audio, Document, Image, Message
from prompt_adapters.adapters.litellm import LiteLLMStylePromptAdapter
from prompt_adapters.errors import PromptAdapterError
from prompt_adapters.litellm import LiteLLMBridge
from prompt_adapters.targets import route
from prompt_adapters.targets.cost_map import chat_models
from strategies import PNG

PDF = b"%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n"
WAVE = b"RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x80\x3e\0\0\x02\0\x10\0data\0\0\0\0"
MEDIA = {
    "image": (Image(PNG), PNG),
    "audio": (Audio(WAVE), WAVE),
    "document": (Document(PDF, name="a.pdf"), PDF),
}
# Their keys come from a person at a browser, or from files: LiteLLM asks for these before it looks at a request.
_WITHOUT_KEYS = {"chatgpt", "gigachat", "github_copilot", "microsoft_365_copilot", "nlp_cloud", "oci", "sap"}
# Once a call is over, LiteLLM asks these servers for facts about the model, in a thread of its own.
_ASKED_LATER = {"lemonade", "ollama", "ollama_chat"}
LEFT_OUT = _WITHOUT_KEYS | _ASKED_LATER


def kinds(litellm: Any) -> Iterator[str]:
    """A model of each kind, the first in the table."""
    from litellm.types.utils import LlmProviders
    from litellm.utils import ProviderConfigManager

    seen: set[tuple[str, str, str]] = set()
    for name in chat_models():
        try:
            target = route(name)
        except PromptAdapterError:
            continue
        if target.provider in LEFT_OUT:
            continue
        model, provider, _, _ = litellm.get_llm_provider(LiteLLMStylePromptAdapter(model=name).sent.name)
        try:
            config = type(ProviderConfigManager.get_provider_chat_config(model, LlmProviders(provider))).__name__
        except ValueError:  # one that LiteLLM reads from a list
            config = ""
        if (provider, target.style, config) not in seen:
            seen.add((provider, target.style, config))
            yield name


@pytest.fixture(scope="module")
def models(litellm: Any) -> list[str]:
    """One of each kind."""
    return list(kinds(litellm))


def conversation(kind: str) -> tuple[tuple[Message, ...], list[str]]:
    """Texts in every role and one medium, and what has to be found of them in a body."""
    medium, data = MEDIA[kind]
    said = ("the rules", "a question", "one answer", "in two parts", "and then")
    messages = (
        Message("system", said[0]),
        Message("user", [said[1], medium]),
        Message("assistant", [said[2], said[3]]),
        Message("user", said[4]),
    )
    return messages, [*said, base64.b64encode(data).decode()]


def bodies(provider: Any) -> list[Any]:
    """What arrived, but for what LiteLLM asks servers about their models."""
    return [call.body for call in provider.calls if call.body]


@pytest.mark.parametrize("kind", MEDIA)
def test_nothing_is_lost_in_silence(kind: str, models: list[str], provider: Any, litellm: Any) -> None:
    messages, wanted = conversation(kind)
    lost: dict[str, Any] = {}
    arrived = 0
    for model in models:
        bridge = LiteLLMBridge(model)
        try:
            request = bridge.request(messages, **access(bridge._speaker.sent.name, provider.url))
        except PromptAdapterError:
            continue
        provider.reset()
        try:
            litellm.completion(**request)
        except Exception as error:  # noqa: BLE001 - LiteLLM refuses aloud, or cannot read the server's answer
            if not bodies(provider):
                assert str(error)  # noqa: PT017 - aloud is what counts
                continue
        arrived += 1
        body = json.dumps(bodies(provider)[-1])
        if missing := [text for text in wanted if text not in body]:
            lost[model] = missing
    assert lost == {}
    assert len(models) > 90
    assert arrived >= {"image": 70, "audio": 60, "document": 70}[kind]
