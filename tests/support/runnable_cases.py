"""The Runnables of the LangChain face, what they are called with, and what they give, from the prompt alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from prompt_adapters import Image, Message, Prompt, get_adapter
from prompt_adapters.langchain import (
    AdapterPromptTemplate,
    AdapterRunnable,
    AdapterStringPromptTemplate,
    GoogleStylePromptTemplate,
)

PROMPT = Prompt(system="Be {{ tone }}.", user="{{ word }} {{ photo }}", name="judge", version="v3")
TEXT = Prompt(user="{{ word }}, {{ tone }}")
# LangChain warns of functions of its own that are in beta, or that it has given up.
LANGCHAINS = pytest.mark.filterwarnings(
    "ignore::langchain_core._api.LangChainBetaWarning", "ignore::langchain_core._api.LangChainDeprecationWarning"
)


class Case(NamedTuple):
    """One class.

    Attributes:
        make: Makes the Runnable.
        kind: What tracers call it.
        described: A result as data that can be compared with ``==``.
        schema: The title of its output's schema.
    """

    make: Callable[..., Any]
    kind: str
    described: Callable[[Any], Any]
    schema: str


def messages(value: Any) -> Any:
    """A prompt value by its messages."""
    return [(message.type, message.content) for message in value.to_messages()]


CASES: dict[str, Case] = {
    "template": Case(
        lambda **fields: AdapterPromptTemplate.from_prompt(PROMPT, **fields),
        "prompt",
        messages,
        "AdapterPromptValue",
    ),
    "template of a style": Case(
        lambda **fields: GoogleStylePromptTemplate.from_prompt(PROMPT, **fields),
        "prompt",
        messages,
        "AdapterPromptValue",
    ),
    "adapter": Case(
        lambda **fields: AdapterRunnable("openai_style", prompt=PROMPT, **fields),
        "chain",
        lambda made: made,
        "AdapterRunnableOutput",
    ),
    "string template": Case(
        lambda **fields: AdapterStringPromptTemplate.from_prompt(TEXT, **fields),
        "prompt",
        lambda made: made.to_string(),
        "AdapterStringPromptTemplateOutput",
    ),
}


def values_for(photo: Image) -> dict[str, Any]:
    """The variables, and a key that nobody asks for."""
    return {"tone": "kind", "word": "yes", "photo": photo, "more": 1}


def name_of(case: Case) -> str:
    """What a case is called."""
    return next(name for name, other in CASES.items() if other is case)


def results(photo: Image) -> dict[str, Any]:
    """What each case gives."""
    given = (Message("system", "Be kind."), Message("user", ["yes ", photo]))
    text = {"type": "text", "text": "yes "}
    data = photo.as_data_url().partition(",")[2]
    return {
        "template": [
            ("system", "Be kind."),
            ("human", [text, {"type": "image_url", "image_url": {"url": photo.as_data_url()}}]),
        ],
        "template of a style": [
            ("system", "Be kind."),
            ("human", [text, {"type": "media", "mime_type": "image/png", "data": data}]),
        ],
        "adapter": get_adapter("openai_style").build_request(given),
        "string template": "yes, kind",
    }
