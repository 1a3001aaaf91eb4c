"""The demonstration: one prompt and one photo of this package, for three providers, a chain and LiteLLM."""

from __future__ import annotations

import logging
import os
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from prompt_adapters.adapters import adapter_for
from prompt_adapters.cli.render import Rendered, rendered, shortenings
from prompt_adapters.content.parts import Image
from prompt_adapters.content.source import Inline
from prompt_adapters.formats import load_prompt
from prompt_adapters.prompt import Prompt

MODELS: Mapping[str, str] = {
    "OpenAI": "openai/gpt-4o",
    "Anthropic": "anthropic/claude-sonnet-4-5",
    "Gemini": "gemini/gemini-2.5-flash",
}
QUESTION = "What is in this photo?"
ANSWER = "A red boat and a blue one lie in a harbour, with a lighthouse on the right."

Say = Callable[[str], None]


def show(say: Say) -> None:
    """Run the demonstration.

    Args:
        say: What prints a line.
    """
    with as_file(files("prompt_adapters.cli") / "demo_files") as folder:
        prompt = load_prompt(folder / "describe_photo")
        photo = Image(folder / "photo.jpg")
        _introduce(say, folder, prompt, photo)
    values = {"photo": photo, "question": QUESTION}
    _requests(say, prompt, values)
    _chain(say, prompt, values)
    _litellm(say, prompt, values)


def _introduce(say: Say, folder: Path, prompt: Prompt, photo: Image) -> None:
    say("One prompt, written once, becomes the exact request that each model provider wants.\n")
    say(f"The prompt is kept in {folder / 'describe_photo'}:\n")
    for file in sorted((folder / "describe_photo").iterdir()):
        say(f"  {file.name}")
        say("".join(f"    {line}\n" for line in file.read_text(encoding="utf-8").splitlines()))
    say(f"Its variables are {' and '.join(v.name for v in prompt.variables)}. The photo is {photo.describe()},")
    say(f"the question {QUESTION!r}.\n")


def _requests(say: Say, prompt: Prompt, values: Mapping[str, Any]) -> None:
    bodies = {}
    for number, (provider, model) in enumerate(MODELS.items(), 1):
        adapter = adapter_for(model)
        body, prepared = rendered(adapter, prompt, values)
        bodies[provider] = body
        _headline(say, f"{number}. What {provider} is sent: adapter_for({model!r}).build_body(prompt, values)")
        say(Rendered(body, shortenings(prepared.messages), ()).shortened())
        for note in prepared.notes:
            say(f"  noted: {note}\n")
    _side_by_side(say, prompt, values, bodies)


def _side_by_side(say: Say, prompt: Prompt, values: Mapping[str, Any], bodies: Mapping[str, Any]) -> None:
    """Where each thing that the author wrote has gone, found in the requests themselves."""
    source = values["photo"].source
    assert isinstance(source, Inline)  # noqa: S101 - the photo was read from a file
    encoded = values["photo"].as_data_url().partition(",")[2]
    turns = prompt.few_shot.turns() if prompt.few_shot is not None else ()
    wanted = {
        "the system prompt": prompt.system_prompt,
        "the example's question": turns[0].text,
        "the example's answer": turns[1].text,
        "the photo": encoded,
        "the question": QUESTION,
    }
    rows = [("", *bodies)]
    rows += [(what, *(_place(body, text) or "-" for body in bodies.values())) for what, text in wanted.items()]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    _headline(say, "4. The same side by side: where each piece stands")
    for row in rows:
        say("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    say("")


def _place(value: Any, text: str, here: str = "") -> str | None:
    """The path in JSON data to the first text that holds another."""
    match value:
        case dict():
            inner: Iterator[tuple[str, Any]] = ((f"{here}.{key}" if here else str(key), v) for key, v in value.items())
        case list():
            inner = ((f"{here}[{index}]", v) for index, v in enumerate(value))
        case str():
            return here if text in value else None
        case _:
            return None
    return next((place for path, v in inner if (place := _place(v, text, path))), None)


def _chain(say: Say, prompt: Prompt, values: Mapping[str, Any]) -> None:
    _headline(say, "5. In a LangChain chain: template | chat_model, here a model that answers from a list")
    from langchain_core.language_models.fake_chat_models import FakeListChatModel

    from prompt_adapters.langchain import AdapterPromptTemplate

    chain = AdapterPromptTemplate.from_prompt(prompt) | FakeListChatModel(responses=[ANSWER])
    say(f"  {chain.invoke(dict(values)).content}\n")


def _litellm(say: Say, prompt: Prompt, values: Mapping[str, Any]) -> None:
    _headline(say, "6. Through LiteLLM, answered by its own mock (importing LiteLLM takes some seconds)")
    with _quiet():
        from prompt_adapters.litellm import LiteLLMBridge

        for model in MODELS.values():
            bridge = LiteLLMBridge(model)
            answer = bridge.completion(prompt, variables=values, mock_response=ANSWER)
            say(f"  {bridge.model:28} {answer.choices[0].message.content}")
    say("\nNo key was needed and nothing left this machine. Without mock_response the same call asks the model.")


@contextmanager
def _quiet() -> Iterator[None]:
    """LiteLLM imported without asking for its table of models, and without its warnings."""
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    logger = logging.getLogger("LiteLLM")
    level = logger.level
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        logger.setLevel(logging.ERROR)
        try:
            yield
        finally:
            logger.setLevel(level)


def _headline(say: Say, text: str) -> None:
    say(f"{text}\n{'-' * len(text)}")
