"""What models refuse of a prompt: media, turns, parameters, a final assistant turn; and models that nobody knows."""

import pytest

from prompt_adapters import (
    Audio,
    Document,
    FewShot,
    History,
    Image,
    Message,
    Prompt,
    ToolCall,
    ToolResult,
    Variable,
    Video,
    adapter_for,
)
from prompt_adapters.errors import UnsupportedContentError
from prompt_adapters.lint import lint_prompt
from prompt_adapters.lint.models import of_model, of_no_model
from strategies import MP4, PDF, PNG, WAV

CLAUDE, OPUS, GPT = "anthropic/claude-sonnet-4-5", "anthropic/claude-opus-4-6", "openai/gpt-4o"
GEMINI, NOVA = "gemini/gemini-2.5-flash", "bedrock/us.anthropic.claude-opus-4-6-v1"
MIDDLE = Prompt(messages=[("user", "a"), ("system", "b"), ("user", "c")])
PREFILL = Prompt(messages=[("user", "{{ a }}"), ("assistant", "{{ b }}")])
VIDEO = {"type": "video", "variable": "clip"}
CALLED = [("user", "a"), Message("assistant", ToolCall("call_1", "f", {})), Message("tool", ToolResult("call_1", "b"))]

# A prompt, a model, and the rules with a word of what is said.
CASES: dict[str, tuple[Prompt, str, list[tuple[str, str]]]] = {
    "nothing": (Prompt("a", "{{ b }}", parameters={"temperature": 1}), CLAUDE, []),
    "a system text in the middle": (MIDDLE, GEMINI, [("refused-turns", "message 2 (system)")]),
    "system texts alone": (Prompt(messages=[("system", "a"), ("developer", "b")]), CLAUDE, []),
    "which another takes": (MIDDLE, GPT, []),
    "a prefill": (PREFILL, OPUS, [("refused-prefill", "message 2 (assistant)")]),
    "a prefill on Bedrock": (PREFILL, NOVA, [("refused-prefill", "does not continue it")]),
    "a prefill that is continued": (PREFILL, CLAUDE, []),
    "a prefill that is answered": (PREFILL, GPT, [("prefill-not-continued", "message 2 (assistant) ends the prompt")]),
    "a prefill behind a history": (
        PREFILL.replace(messages=[History("chat"), *PREFILL.messages]),
        OPUS,
        [("refused-prefill", "message 3 (assistant)")],
    ),
    "a prefill and more": (
        MIDDLE.replace(messages=[*MIDDLE.messages, ("assistant", "d")]),
        OPUS,
        [("refused-turns", "message 2 (system)")],
    ),
    "an assistant alone": (Prompt(messages=[("assistant", "a")]), CLAUDE, [("refused-prefill", "message 1")]),
    "a history first": (Prompt(messages=[History("chat"), ("user", "a")]), CLAUDE, []),
    "a call and its result": (Prompt(messages=CALLED), CLAUDE, []),
    "a call that waits": (Prompt(messages=[*CALLED[:2], ("user", "b")]), CLAUDE, [("refused-turns", "message 2")]),
    "a final call": (Prompt(messages=CALLED[:2]), CLAUDE, []),
    "a final call that is none": (Prompt(messages=CALLED[:2]), OPUS, [("refused-prefill", "message 2")]),
    "parameters": (
        Prompt(user="a", parameters={"n": 2, "colour": 1, "temperature": 0.5}),
        CLAUDE,
        [("refused-parameter", "parameter 'n'"), ("refused-parameter", "parameter 'colour'")],
    ),
    "a video slot": (Prompt(user=["a", VIDEO]), GPT, [("unsupported-media", "takes no video, but the variable")]),
    "a declared video": (
        Prompt(user="{{ clip }}", variables=[Variable("clip", type="video")]),
        CLAUDE,
        [("unsupported-media", "takes no video")],
    ),
    "a video slot where they are taken": (Prompt(user=["a", VIDEO]), GEMINI, []),
    "a sound": (
        Prompt(messages=[Message("user", ["a", Audio(WAV)])]),
        CLAUDE,
        [("unsupported-media", "cannot take audio (audio/wav) at message 1 (user)")],
    ),
    "a sound in an example": (
        Prompt(user="a", few_shot=FewShot([([Audio(WAV)], "b")])),
        CLAUDE,
        [("unsupported-media", "example 1")],
    ),
    "a picture of the assistant": (
        Prompt(messages=[("user", "a"), Message("assistant", Image(PNG)), ("user", "b")]),
        GPT,
        [("unsupported-media", "message 2 (assistant)")],
    ),
    "fine media": (Prompt(messages=[Message("user", ["a", Image(PNG), Document(PDF)])]), CLAUDE, []),
    "a link that is read": (Prompt(messages=[Message("user", Image.from_url("https://e.org/a.png"))]), CLAUDE, []),
    "a link that is not": (
        Prompt(messages=[Message("user", Image.from_url("https://e.org/a.png"))]),
        NOVA,
        [("link-not-read", "reads no https links to image content")],
    ),
    "a bucket": (
        Prompt(messages=[Message("user", Image.from_url("gs://b/a.png"))]),
        CLAUDE,
        [("unsupported-media", "http and https links only")],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("prompt", "model", "expected"), CASES.values(), ids=CASES)
def test_what_a_model_refuses(prompt: Prompt, model: str, expected: list[tuple[str, str]]) -> None:
    found = list(of_model(prompt, model))
    assert [fault.rule for fault in found] == [rule for rule, _ in expected]
    for fault, (_, word) in zip(found, expected, strict=True):
        assert word in fault.sentence
        assert model in fault.sentence


@pytest.mark.parametrize("model", [CLAUDE, OPUS, GPT, GEMINI, NOVA])
@pytest.mark.parametrize("name", CASES)
def test_what_is_clean_is_taken(name: str, model: str) -> None:
    """What no check objects to, the adapter makes a request of, whatever stands in the slots."""
    prompt = CASES[name][0]
    if name == "system texts alone":
        prompt = prompt.replace(messages=[*prompt.messages, ("user", "a")])
    if any(f.rule.startswith(("refused", "unsupported", "link")) for f in of_model(prompt, model)):
        with pytest.raises(UnsupportedContentError):
            adapter_for(model).build_body(prompt, filled(prompt))
    else:
        assert adapter_for(model).build_body(prompt, filled(prompt))


def filled(prompt: Prompt) -> dict[str, object]:
    values: dict[str, object] = {"chat": [("user", "a"), ("assistant", "b")], "clip": Video(MP4)}
    return {variable.name: values.get(variable.name, "x") for variable in prompt.variables}


def test_media_that_no_provider_takes_need_no_model() -> None:
    drawing = Image(b'<svg xmlns="http://www.w3.org/2000/svg"/>')
    prompt = Prompt(
        messages=[Message("user", ["a", drawing]), ("user", [Image(PNG), {"type": "video", "variable": "clip"}])],
        few_shot=FewShot([(["a", Document(PDF), Audio(WAV), Video(MP4)], "b")]),
    )
    (fault,) = of_no_model(prompt)
    assert fault.rule == "unsupported-media"
    assert fault.sentence.startswith("no provider takes Image(image/svg+xml, 41 bytes, sha256 ")
    assert " at message 1 (user): an SVG is a text " in fault.sentence
    assert list(of_no_model(prompt.replace(messages=[("user", "a")]))) == []
    assert [fault.rule for fault in lint_prompt(prompt)] == ["unsupported-media"]
    assert "no provider" not in "".join(fault.sentence for fault in lint_prompt(prompt, [CLAUDE]))


MODELS = {
    "openai/gpt-4o": [],
    "azure/whatever": [],
    "ollama/whatever": [],
    "openai/gpt-4oo": [("unlisted-model", "did you mean 'gpt-4o'")],
    "gemini/gemini-2.5-flsh": [("unlisted-model", "'gemini-2.5-flash'")],
    "whatever": [("unknown-model", "the provider of the model 'whatever' cannot be told")],
    "opnai/gpt-4o": [("unknown-model", "did you mean 'openai/gpt-4o'")],
    "text-embedding-3-small": [("unknown-model", "is for embeddings and takes no prompt")],
    "": [("unknown-model", "cannot be told")],
}


@pytest.mark.parametrize(("model", "expected"), MODELS.items())
def test_models_that_nobody_knows(model: str, expected: list[tuple[str, str]]) -> None:
    found = list(of_model(Prompt(user="a"), model))
    assert [fault.rule for fault in found] == [rule for rule, _ in expected]
    assert all(word in fault.sentence for fault, (_, word) in zip(found, expected, strict=True))
