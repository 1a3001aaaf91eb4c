"""Failures that people reported about models that take no system role, or only one system text."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from prompt_adapters.adapters import adapter_for, get_adapter
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Image, Text
from prompt_adapters.errors import UnsupportedContentError

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


def say(*roles_and_parts: Any) -> tuple[Message, ...]:
    return tuple(Message(role, parts) for role, parts in roles_and_parts)


def sent(model: str, messages: tuple[Message, ...], **options: Any) -> list[tuple[str, Any]]:
    body = adapter_for(model, **options).build_body(messages)
    return [(message["role"], message["content"]) for message in body["messages"]]


def test_gemma_takes_system_text_in_the_first_user_text() -> None:
    """MSG-16: stanfordnlp/dspy#1627, vllm-project/vllm#2964. Gemma 2 behind vLLM has no system role."""
    messages = say(("system", "A"), ("user", "q1"), ("assistant", "a1"), ("user", "q2"))
    model = "hosted_vllm/google/gemma-2-9b-it"
    assert sent(model, messages) == [("user", "A\n\nq1"), ("assistant", "a1"), ("user", "q2")]
    assert sent("groq/gemma2-9b-it", messages, system="fold")[0] == ("user", "A\n\nq1")
    assert sent(model, messages, system="keep")[0] == ("system", "A")
    assert "sent before the first user text" in str(adapter_for(model).prepare(messages).notes)


def test_mistral_instruct_takes_it_likewise() -> None:
    """MSG-17: microsoft/autogen#1037, EricLBuehler/mistral.rs#45. Its template checks that roles alternate."""
    model = "hosted_vllm/mistralai/Mistral-7B-Instruct-v0.2"
    assert sent(model, say(("system", "A"), ("user", "q"))) == [("user", "A\n\nq")]
    assert sent(model, say(("user", "p"), ("user", "q"))) == [
        ("user", [{"type": "text", "text": "p"}, {"type": "text", "text": "q"}])
    ]
    with pytest.raises(UnsupportedContentError, match=r"the first one at message 1 \(assistant\)"):
        sent(model, say(("assistant", "a"), ("user", "q")))


def test_gemma_3_takes_one_system_text() -> None:
    """MSG-18: suitenumerique/conversations#197. Two system texts break the alternation of roles."""
    model = "hosted_vllm/google/gemma-3-27b-it"
    assert sent(model, say(("system", "A"), ("system", "B"), ("user", "q"))) == [("system", "A\n\nB"), ("user", "q")]
    middle = say(("system", "A"), ("user", "q"), ("system", "B"), ("user", "r"))
    with pytest.raises(UnsupportedContentError, match=r"message 3 \(system\): system text leads"):
        sent(model, middle)
    body = sent(model, middle, system_in_middle="user")
    assert [role for role, _ in body] == ["system", "user"]
    assert [part["text"] for part in body[1][1]] == ["q", "<system>\nB\n</system>", "r"]


@pytest.mark.parametrize(("parts", "roles"), [([Image(PNG), "q"], ["user"]), (["q"], ["system", "user"])])
def test_system_text_does_not_go_with_images_on_groq(parts: list[Any], roles: list[str]) -> None:
    """MSG-19: BerriAI/litellm#6569. Llama 3.2 vision refuses images beside a system text."""
    found = sent("groq/llama-3.2-11b-vision-preview", say(("system", "A"), ("user", parts)), on_limit="send")
    assert [role for role, _ in found] == roles
    if roles == ["user"]:
        assert [part.get("text", part["type"]) for part in found[0][1]] == ["image_url", "A\n\nq"]


def test_a_lone_system_text_is_the_users_when_that_is_asked_for() -> None:
    """MSG-10: BerriAI/litellm#13769. With an explicit option the text is sent as the user turn."""
    body = get_adapter("google_style", system="fold").build_body(Message("system", "Write a haiku."))
    assert body == {"contents": [{"role": "user", "parts": [{"text": "Write a haiku."}]}]}


def test_positions_stay_those_of_the_author() -> None:
    messages = say(("system", "A"), ("system", "B"), ("user", "q"), ("assistant", ["a", Image(PNG)]), ("user", "r"))
    for options in ({"system": "fold"}, {"system": "one"}, {"system": "keep"}):
        with pytest.raises(UnsupportedContentError, match=r"message 4 \(assistant\), part 2"):
            get_adapter("openai_style", **options).build_body(messages)


@pytest.mark.parametrize("style", ["openai_style", "mistral_style", "cohere_style", "ollama_style"])
def test_payloads_fold_on_request(style: str) -> None:
    prompt = say(("system", "A"), ("user", "q"))
    (only,) = get_adapter(style, system="fold").build_payload(list(prompt))
    assert only["role"] == "user"
    assert "A\n\nq" in str(only["content"]).replace("\\n", "\n")


def test_a_folded_prefix_is_not_marked_and_that_is_said() -> None:
    messages = (Message("system", [Text("A", cache=True)]), Message("user", "q"))
    adapter = get_adapter("anthropic_style", system="fold")
    assert "cache_control" not in str(adapter.build_body(messages))
    assert "the end of its cacheable prefix is not marked" in str(adapter.prepare(messages).notes)
    kept = get_adapter("anthropic_style", system="one").build_body((messages[0], *messages))
    assert kept["system"] == [{"type": "text", "text": "A\n\nA", "cache_control": {"type": "ephemeral"}}]


def test_litellm_is_given_what_the_model_takes() -> None:
    messages = say(("system", "A"), ("user", "q"))
    request = get_adapter("litellm_style", model="hosted_vllm/google/gemma-2-9b-it").build_request(messages)
    assert request["messages"] == [{"role": "user", "content": "A\n\nq"}]
    folded = get_adapter("litellm_style", model="o3", system="fold").build_request(messages)
    assert folded["messages"] == [{"role": "user", "content": "A\n\nq"}]


def test_the_note_on_a_final_assistant_turn_is_made_once() -> None:
    messages = say(("user", "q"), ("assistant", "{"))
    for model in ("openai/responses/gpt-5.6", "openai/gpt-4o", "azure/mine"):
        notes = [str(note) for note in get_adapter("litellm_style", model=model).prepare(messages).notes]
        assert len([note for note in notes if "final assistant turn" in note]) == 1
