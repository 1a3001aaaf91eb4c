from dataclasses import fields

import pytest

from prompt_adapters.targets import Limits, capabilities_of, limits_for, route
from prompt_adapters.targets.capabilities import Capabilities
from prompt_adapters.targets.limit_rows import LIMITS, MODEL_LIMITS, STYLE_TARGETS


@pytest.mark.parametrize("key", sorted(LIMITS), ids="/".join)
def test_every_row_names_itself_and_its_source(key: tuple[str, str]) -> None:
    row = LIMITS[key]
    assert row.name
    assert row.source.startswith("https://")
    numbers = {field.name: getattr(row, field.name) for field in fields(row) if field.name.startswith("max_")}
    assert all(value is None or value > 0 for value in numbers.values())
    assert (row.many_images is None) == (row.max_side_many is None)


def test_every_model_limit_changes_fields_that_there_are() -> None:
    names = {field.name for field in fields(Limits)}
    assert all(row.changes.keys() <= names and row.source.startswith("https://") for row in MODEL_LIMITS)


@pytest.mark.parametrize(
    ("model", "field", "value"),
    [
        ("openai/gpt-4o", "max_images", 1500),
        ("openai/gpt-4o", "document_types", {"application/pdf"}),
        ("anthropic/claude-opus-5", "max_image_bytes", 10_000_000),
        ("anthropic/claude-opus-5", "image_bytes_counted", "base64"),
        ("anthropic/claude-opus-5", "max_images", 600),
        ("anthropic/claude-haiku-4-5", "max_images", 100),
        ("anthropic/claude-unheard-of-9", "max_images", 600),
        ("vertex_ai/claude-opus-5", "max_image_bytes", 5_000_000),
        ("vertex_ai/claude-opus-5", "links", set()),
        ("bedrock/invoke/anthropic.claude-x", "max_request_bytes", 20_000_000),
        ("gemini/gemini-2.5-pro", "links", {"http", "https"}),
        ("vertex_ai/gemini-2.5-pro", "links", {"http", "https", "gs"}),
        ("vertex_ai/gemini-2.5-pro", "max_image_bytes", 7_000_000),
        ("vertex_ai/gemini-9-pro", "max_image_bytes", 256_000_000),
        ("bedrock/amazon.nova-pro-v1:0", "links", {"s3"}),
        ("bedrock/amazon.nova-pro-v1:0", "max_images", 20),
        ("mistral/any", "max_images", 8),
        ("ollama/llava", "links", set()),
        ("hosted_vllm/any", "image_types", None),
        ("hosted_vllm/any", "max_images", None),
        ("litellm_proxy/any", "links", None),
        ("xai/any", "image_types", {"image/png", "image/jpeg"}),
        ("ollama/llava", "image_types", {"image/png", "image/jpeg"}),
        ("openai/gpt-4o", "still_types", {"image/gif", "image/webp"}),
        ("groq/meta-llama/llama-4-scout-17b-16e-instruct", "max_pixels", 33_177_600),
        ("groq/meta-llama/llama-4-scout-17b-16e-instruct", "max_request_bytes", 4_000_000),
        ("anthropic/claude-opus-5", "max_documents_pages", 600),
        ("anthropic/claude-haiku-4-5", "max_documents_pages", 100),
        ("anthropic/claude-opus-5", "encrypted_documents", False),
        ("bedrock/us.anthropic.claude-opus-5", "max_documents_pages", 100),
        ("bedrock/amazon.nova-pro-v1:0", "max_documents_pages", None),
        ("gemini/gemini-2.5-pro", "max_document_pages", 1000),
        ("vertex_ai/gemini-2.5-pro", "max_document_pages", 1000),
        ("vertex_ai/gemini-9-pro", "max_document_pages", 3000),
        ("mistral/any", "max_document_pages", 1000),
    ],
)
def test_documented_limits(model: str, field: str, value: object) -> None:
    assert getattr(route(model).limits, field) == value


@pytest.mark.parametrize(
    ("model", "mime", "name"),
    [
        ("gemini/gemini-2.5-pro", "audio/mpeg", "audio/mp3"),
        ("vertex_ai/gemini-2.5-pro", "audio/mpeg", "audio/mp3"),
        ("vertex_ai/gemini-2.5-pro", "audio/aac", "audio/x-aac"),
        ("gemini/gemini-2.5-pro", "audio/aac", "audio/aac"),
        ("gemini/gemini-2.5-pro", "image/png", "image/png"),
        ("openai/gpt-4o", "audio/mpeg", "audio/mpeg"),
    ],
)
def test_types_are_called_as_the_target_calls_them(model: str, mime: str, name: str) -> None:
    assert route(model).limits.type_name(mime) == name
    assert limits_for("google_style").type_name("audio/mpeg") == "audio/mp3"


def test_a_style_alone_has_the_loosest_limits_of_its_targets() -> None:
    google = limits_for("google_style")
    gemini, vertex = LIMITS["gemini", "google_style"], LIMITS["vertex_ai", "google_style"]
    assert google.name == "the Gemini API or Gemini on Vertex AI"
    assert google.links == frozenset({"http", "https", "gs"})
    assert google.max_images == 3600
    assert google.max_image_bytes is None
    assert google.document_types is not None
    assert google.document_types >= (gemini.document_types or set()) | (vertex.document_types or set())
    assert limits_for("anthropic_style") == LIMITS["anthropic", "anthropic_style"]


@pytest.mark.parametrize("style", sorted(STYLE_TARGETS))
def test_every_style_has_its_targets(style: str) -> None:
    assert all((provider, style) in LIMITS for provider in STYLE_TARGETS[style])
    assert limits_for(style).name


def test_a_style_alone_with_a_model_is_narrowed_by_what_is_known_of_the_model() -> None:
    assert limits_for("anthropic_style", model="claude-haiku-4-5").max_images == 100


@pytest.mark.parametrize(
    ("style", "provider", "name"),
    [
        ("my_style", None, "my_style"),
        ("openai_style", "gemini", "gemini"),
        ("openai_style", "nobody", "nobody"),
        ("openai_style", "cerebras", "cerebras"),
    ],
)
def test_where_nothing_is_documented_nothing_is_refused(style: str, provider: str | None, name: str) -> None:
    limits = limits_for(style, provider, "any")
    assert limits.name == name
    kept = {"name", "source", "read", "links", "local"}
    assert all(getattr(limits, field.name) == field.default for field in fields(limits) if field.name not in kept)
    assert limits.links is None or "https" in limits.links


def test_a_model_known_not_to_take_something_takes_none(monkeypatch: pytest.MonkeyPatch) -> None:
    unable = Capabilities(image=False, document=False, audio=False, video=False)
    monkeypatch.setattr("prompt_adapters.targets.limits.capabilities_of", lambda provider, model: unable)
    limits = limits_for("google_style", "gemini", "gemini-text-only")
    assert limits.name == "gemini-text-only (the Gemini API)"
    assert (limits.image_types, limits.audio_types, limits.video_types) == (frozenset(), frozenset(), frozenset())
    assert limits.document_types == frozenset({"text/*"})


def test_a_model_of_which_nothing_is_known_has_its_providers_limits() -> None:
    assert capabilities_of("openai", "gpt-99") == Capabilities()
    assert limits_for("openai_style", "openai", "gpt-99") == LIMITS["openai", "openai_style"]
