"""What a tracer is told of a template: its identity, and media in short form."""

import asyncio
from typing import Any

import pytest
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.messages import HumanMessage

from prompt_adapters import Image, Prompt
from prompt_adapters.langchain import AdapterPromptTemplate, AdapterStringPromptTemplate

LARGE = Image(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 4)
DATA = LARGE.as_data_url()
PAYLOAD = DATA.partition(",")[2]


class Tracer(BaseCallbackHandler):
    def __init__(self) -> None:
        self.started: list[dict[str, Any]] = []
        self.ended: list[Any] = []

    def on_chain_start(self, serialized: Any, inputs: Any, **kwargs: Any) -> None:
        self.started.append({"serialized": serialized, "inputs": inputs, **kwargs})

    def on_chain_end(self, outputs: Any, **kwargs: Any) -> None:
        self.ended.append(outputs)


def traced(template: Any, values: Any, **config: Any) -> tuple[Tracer, Tracer]:
    tracers = Tracer(), Tracer()
    template.invoke(values, {"callbacks": [tracers[0]], **config})
    asyncio.run(template.ainvoke(values, {"callbacks": [tracers[1]], **config}))
    return tracers


def test_the_prompt_is_known_by_name_version_and_digest() -> None:
    prompt = Prompt(user="{{ q }}", name="judge", version="3")
    template = AdapterPromptTemplate.from_prompt(prompt, tags=["ours"], metadata={"team": "a"})
    for tracer in traced(template, {"q": "?"}, tags=["yours"], metadata={"run": 1}):
        (start,) = tracer.started
        assert start["metadata"] == {
            "run": 1, "team": "a", "prompt_name": "judge", "prompt_version": "3", "prompt_digest": prompt.digest
        }  # fmt: skip
        assert start["tags"] == ["yours", "ours"]
        assert start["name"] == "AdapterPromptTemplate"
        assert start["inputs"] == {"q": "?"}
    assert template.partial(q="?").own_metadata == {"team": "a"}
    changed = AdapterPromptTemplate.from_prompt(prompt.replace(user="{{ q }}!"))
    assert (changed.metadata or {})["prompt_digest"] != prompt.digest


BLOCK = {"type": "image_url", "image_url": {"url": "{u}"}}
GIVEN: dict[str, tuple[Any, Any]] = {
    "a part": (AdapterPromptTemplate.from_template("{u}"), {"u": LARGE}),
    "a data URL": (AdapterPromptTemplate.from_messages([("user", [BLOCK])]), {"u": DATA}),
    "a bare data URL": (AdapterPromptTemplate.from_messages([("user", [BLOCK])]), DATA),
    "an object": (AdapterPromptTemplate.from_messages([("user", [BLOCK])]), {"u": {"base64": PAYLOAD}}),
    "a list": (AdapterPromptTemplate.from_messages([("user", [BLOCK])]), {"u": [DATA, LARGE]}),
    "a history": (
        AdapterPromptTemplate.from_messages([("placeholder", "{h}")]),
        {"h": [HumanMessage([{"type": "image_url", "image_url": {"url": DATA}}])]},
    ),
    "a partial value": (AdapterPromptTemplate.from_template("{u}{q}").partial(u=LARGE), {"q": "?"}),
    "a fixed part": (AdapterPromptTemplate.from_prompt(Prompt(user=["q", LARGE])), {}),
}  # fmt: skip


@pytest.mark.parametrize(("template", "values"), GIVEN.values(), ids=GIVEN)
def test_media_are_told_once_with_what_comes_out(template: AdapterPromptTemplate, values: Any) -> None:
    for tracer in traced(template, values):
        assert PAYLOAD not in str(tracer.started)
        assert PAYLOAD in str(tracer.ended[0].to_messages()[0].content)
    assert template.invoke(values).native[0].parts.count(LARGE) >= 1


def test_a_string_template_is_traced_alike() -> None:
    template = AdapterStringPromptTemplate.from_template("{q}", tags=["t"])
    for tracer in traced(template, {"q": "?"}):
        assert tracer.started[0]["tags"] == ["t"]
        assert "prompt_digest" in tracer.started[0]["metadata"]
