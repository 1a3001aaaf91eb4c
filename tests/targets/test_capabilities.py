import pytest

from prompt_adapters.targets import Capabilities, capabilities_of, route
from prompt_adapters.targets.capabilities import UNKNOWN


@pytest.mark.parametrize(
    ("info", "expected"),
    [
        ({}, Capabilities()),
        ({"supports_vision": True, "supports_pdf_input": False}, Capabilities(image=True, document=False)),
        ({"supports_audio_input": None, "supports_video_input": "yes"}, Capabilities()),
        ({"max_output_tokens": 10, "max_input_tokens": 20}, Capabilities(max_output_tokens=10, max_input_tokens=20)),
        ({"max_output_tokens": 0, "max_input_tokens": "many"}, Capabilities()),
        (
            {"supported_modalities": ["text", "image"]},
            Capabilities(image=True, audio=False, video=False),
        ),
        (
            {"supported_modalities": ["text"], "supports_vision": True, "supports_audio_input": None},
            Capabilities(image=True, audio=False, video=False),
        ),
        ({"supported_modalities": "image"}, Capabilities()),
        (
            {
                "supports_system_messages": True,
                "supports_assistant_prefill": False,
                "supports_prompt_caching": True,
                "supports_sampling_params": False,
                "supports_mid_conversation_system": True,
            },
            Capabilities(
                system=True, prefill=False, prompt_caching=True, sampling_params=False, mid_conversation_system=True
            ),
        ),
    ],
    ids=[
        "nothing",
        "yes and no",
        "no truth values",
        "counts",
        "no counts",
        "a list",
        "a switch before a list",
        "no list",
        "switches",
    ],
)
def test_three_values_from_a_row(
    monkeypatch: pytest.MonkeyPatch, info: dict[str, object], expected: Capabilities
) -> None:
    monkeypatch.setattr("prompt_adapters.targets.capabilities.model_info", lambda provider, model: info)
    capabilities_of.cache_clear()
    assert capabilities_of("openai", "any") == expected
    capabilities_of.cache_clear()


@pytest.mark.parametrize(
    "model", ["anthropic/claude-3-5-sonnet-20241022", "azure/gpt-4o", "hosted_vllm/gpt-4o", "xai/x"]
)
def test_what_nobody_wrote_down_is_unknown(model: str) -> None:
    assert route(model).capabilities == UNKNOWN


def test_known_models() -> None:
    claude = route("anthropic/claude-opus-5").capabilities
    assert (claude.image, claude.document, claude.prefill, claude.sampling_params) == (True, True, False, False)
    assert claude.mid_conversation_system is True
    assert claude.max_output_tokens is not None
    assert claude.max_output_tokens > 10_000
    gemini = route("gemini/gemini-2.5-pro").capabilities
    assert (gemini.image, gemini.audio, gemini.video, gemini.system) == (True, True, True, True)
