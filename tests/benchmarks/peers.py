"""What others make of the same work: LangChain's converters, LiteLLM's, and libraries that only render."""

from __future__ import annotations

import asyncio
import base64
import copy
import inspect
import os
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pydantic import SecretStr
from tests.benchmarks.cases import Case
from tests.benchmarks.timing import Run

# Before LiteLLM is imported: otherwise it asks GitHub for its table of models, and for one of Anthropic's headers.
os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
os.environ["LITELLM_LOCAL_ANTHROPIC_BETA_HEADERS"] = "True"

STYLES = ("openai_style", "anthropic_style", "google_style", "bedrock_style")
_CLAUDE = "claude-sonnet-4-5"
_BEDROCK = "anthropic.claude-sonnet-4-5-20250929-v1:0"
_GEMINI = "gemini-2.5-pro"
_KEY = SecretStr("test")


def converters() -> dict[str, Callable[[list[Any]], object]]:
    """From a style to the function of its LangChain package that converts messages, and nothing beside that."""
    from langchain_anthropic.chat_models import _format_messages
    from langchain_aws.chat_models.bedrock_converse import _messages_to_bedrock
    from langchain_google_genai.chat_models import _parse_chat_history
    from langchain_openai.chat_models.base import _convert_message_to_dict

    return {
        "openai_style": lambda messages: [_convert_message_to_dict(message) for message in messages],
        "anthropic_style": lambda messages: _format_messages(messages, model=_CLAUDE),
        "google_style": lambda messages: _parse_chat_history(messages, model=_GEMINI),
        "bedrock_style": lambda messages: _messages_to_bedrock(messages, model_id=_BEDROCK, provider="anthropic"),
    }


def requests() -> dict[str, Callable[[list[Any]], object]]:
    """From a style to what its chat model calls for the request, parameters included."""
    from langchain_anthropic import ChatAnthropic
    from langchain_google_genai import ChatGoogleGenerativeAI
    from langchain_openai import ChatOpenAI

    named: Any = {"api_key": _KEY}
    openai: Any = ChatOpenAI(model="gpt-4o", **named)
    anthropic: Any = ChatAnthropic(model=_CLAUDE, **named)  # type: ignore[call-arg]  # the field's alias
    google: Any = ChatGoogleGenerativeAI(model=_GEMINI, **named)
    return {
        "openai_style": openai._get_request_payload,
        "anthropic_style": anthropic._get_request_payload,
        "google_style": google._prepare_request,
        "bedrock_style": converters()["bedrock_style"],
    }


def langchain_run(case: Case, template_format: str, convert: Callable[[list[Any]], object], *, invoke: bool) -> Run:
    """From values to what a converter makes; users of media build the data URL first."""
    template, given = case.theirs[template_format], case.their_values
    mime = "image/png" if case.media is not None and case.media.startswith(b"\x89PNG") else "image/jpeg"

    def values() -> dict[str, Any]:
        if case.media is None:
            return given
        return {**given, "photo_url": f"data:{mime};base64,{base64.b64encode(case.media).decode()}"}

    if invoke:
        return lambda: convert(template.invoke(values()).to_messages())
    return lambda: convert(template.format_messages(**values()))


def litellm_runs(case: Case) -> dict[str, Run]:
    """From a style to LiteLLM's conversion of finished messages, by the functions that ``completion`` calls."""
    asyncio.set_event_loop(asyncio.new_event_loop())  # LiteLLM asks for one while it is imported
    import litellm
    from litellm.llms.vertex_ai.gemini.transformation import transform_request_body

    openai, claude, bedrock = litellm.OpenAIGPTConfig(), litellm.AnthropicConfig(), litellm.AmazonConverseConfig()
    gemini: Any = transform_request_body
    said = case.messages  # some of them change what they are given

    def messages() -> list[Any]:
        return copy.deepcopy(said)

    return {
        "openai_style": lambda: openai.transform_request("gpt-4o", messages(), {}, {}, {}),
        "anthropic_style": lambda: claude.transform_request(_CLAUDE, messages(), {"max_tokens": 1}, {}, {}),
        "google_style": lambda: gemini(messages(), _GEMINI, {}, "gemini", {}, None),
        "bedrock_style": lambda: bedrock._transform_request(
            model=_BEDROCK, messages=messages(), optional_params={}, litellm_params={}, headers={}
        ),
    }


# Libraries that render only


def renderers() -> dict[str, Run]:
    """Rendering the text case, by those libraries that are installed; the others are named."""
    found = {"banks": _banks, "dotpromptz": _dotpromptz, "prompty": _prompty, "haystack": _haystack}
    for name in (missing := [name for name in found if find_spec(name) is None]):
        print(f"\n{name} is left out: it is not installed here")
    return {name: make() for name, make in found.items() if name not in missing}


_VALUES = {"who": "a critic", "a": "this", "b": "that"}


def _banks() -> Run:
    banks: Any = import_module("banks")
    prompt = banks.Prompt(
        '{% chat role="system" %}You are {{ who }}.{% endchat %}'
        '{% chat role="user" %}Compare {{ a }} with {{ b }}.{% endchat %}'
    )
    turn = count()  # it keeps what it rendered for values that it has seen
    return lambda: prompt.chat_messages({**_VALUES, "a": f"this {next(turn)}"})


def _dotpromptz() -> Run:
    from dotpromptz.dotprompt import Dotprompt
    from dotpromptz.typing import DataArgument

    text = '{{role "system"}}You are {{who}}.{{role "user"}}Compare {{a}} with {{b}}.'
    loop = asyncio.new_event_loop()
    made: Any = Dotprompt().compile(text)
    render: Any = loop.run_until_complete(made) if inspect.iscoroutine(made) else made
    data: Any = DataArgument(input=_VALUES)
    return lambda: loop.run_until_complete(render(data))


def _prompty() -> Run:
    import prompty

    text = (
        "---\nname: bench\nmodel:\n  id: gpt-4o\n---\nsystem:\nYou are {{who}}.\n\nuser:\nCompare {{a}} with {{b}}.\n"
    )
    with TemporaryDirectory() as folder:
        path = Path(folder) / "bench.prompty"
        path.write_text(text)
        agent = prompty.load(path)
    return lambda: prompty.prepare(agent, inputs=_VALUES)


def _haystack() -> Run:
    message: Any = import_module("haystack.dataclasses").ChatMessage
    template = [message.from_system("You are {{ who }}."), message.from_user("Compare {{ a }} with {{ b }}.")]
    builder: Any = import_module("haystack.components.builders").ChatPromptBuilder(
        template=template, required_variables="*"
    )
    return lambda: builder.run(template_variables=_VALUES)
