"""What each target takes, as documented: types, bytes, pixels, counts, and the links that it reads itself.

A number that no documentation gives is None, and None refuses nothing. Where the documents say MB without saying which,
it is 10**6 bytes. Every row names the page that states it, and when that was read. Where pages disagree, one value
stands here and the others in `disputes`; an adapter's option `limits` sets another.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from prompt_adapters.content.frozen import frozen, replaced
from prompt_adapters.targets.sources import READ

MB = 10**6
MIB = 2**20
WEB = frozenset({"http", "https"})

Types = frozenset[str] | None
NONE: frozenset[str] = frozenset()


@frozen()
class Limits:
    """What one target takes.

    Types are canonical media types; ``text/*`` stands for every text type. None means not documented, so anything; an
    empty set means none. Numbers are upper bounds, None for not documented; bytes are bytes, sides are pixels.

    Attributes:
        name: The target as people call it, as ``"Claude on Vertex AI"``.
        source: The address of the page that states it.
        image_types: The image types that it takes.
        document_types: The document types that it takes.
        audio_types: The audio types that it takes.
        video_types: The video types that it takes.
        still_types: Image types of which it takes only files of one frame.
        links: Schemes of the links that it reads itself; None when not documented.
        local: Whether it runs where the user says, and so may reach private hosts.
        max_images: Images in one request.
        max_image_bytes: Bytes of one image, counted as `image_bytes_counted` says.
        image_bytes_counted: Whether the file or its base64 text is measured.
        max_images_bytes: Bytes of all images of a request together, as files.
        max_side: The longer side of an image.
        many_images: With more images than this in a request, `max_side_many` holds for each.
        many_counts_documents: Whether documents count among those.
        max_side_many: The longer side of an image among many.
        max_pixels: Width times height of an image.
        max_documents: Documents in one request.
        max_document_bytes: Bytes of one document, as a file.
        max_documents_bytes: Bytes of all documents of a request together, as files.
        max_document_pages: Pages of one PDF.
        max_documents_pages: Pages of all PDFs of a request together.
        encrypted_documents: Whether it takes PDFs that are encrypted without asking for a password.
        max_audio_bytes: Bytes of one audio part, as a file.
        max_videos: Videos in one request.
        max_video_bytes: Bytes of one video, as base64.
        max_request_bytes: Bytes of a whole request, media as base64.
        type_names: What it calls media types that have another name here.
        read: When the source was read.
    """

    name: str
    source: str
    image_types: Types = None
    document_types: Types = None
    audio_types: Types = None
    video_types: Types = None
    still_types: frozenset[str] = NONE
    links: frozenset[str] | None = WEB
    local: bool = False
    max_images: int | None = None
    max_image_bytes: int | None = None
    image_bytes_counted: Literal["raw", "base64"] = "raw"
    max_images_bytes: int | None = None
    max_side: int | None = None
    many_images: int | None = None
    many_counts_documents: bool = False
    max_side_many: int | None = None
    max_pixels: int | None = None
    max_documents: int | None = None
    max_document_bytes: int | None = None
    max_documents_bytes: int | None = None
    max_document_pages: int | None = None
    max_documents_pages: int | None = None
    encrypted_documents: bool = True
    max_audio_bytes: int | None = None
    max_videos: int | None = None
    max_video_bytes: int | None = None
    max_request_bytes: int | None = None
    type_names: tuple[tuple[str, str], ...] = ()
    read: str = READ

    def type_name(self, mime: str) -> str:
        """What the target calls a media type."""
        return next((name for known, name in self.type_names if known == mime), mime)


PNG_JPEG_WEBP = frozenset({"image/png", "image/jpeg", "image/webp"})
WITH_GIF = PNG_JPEG_WEBP | {"image/gif"}
GOOGLE_IMAGES = PNG_JPEG_WEBP | {"image/heic", "image/heif"}
# Where a page says "non-animated GIF", readers of stills read the other moving pictures no better.
MOVING = frozenset({"image/gif", "image/webp"})
PDF = frozenset({"application/pdf"})
GOOGLE_AUDIO = frozenset({"audio/wav", "audio/mpeg", "audio/aiff", "audio/aac", "audio/ogg", "audio/flac"})
# https://docs.cloud.google.com/vertex-ai/generative-ai/docs/multimodal/audio-understanding
VERTEX_AUDIO = GOOGLE_AUDIO - {"audio/aiff"} | {"audio/mp4", "audio/pcm", "audio/webm"}
GOOGLE_VIDEO = frozenset(
    {
        "video/mp4",
        "video/mpeg",
        "video/quicktime",
        "video/x-msvideo",
        "video/x-flv",
        "video/webm",
        "video/x-ms-wmv",
        "video/3gpp",
    }
)
BEDROCK_AUDIO = GOOGLE_AUDIO - {"audio/aiff"} | {"audio/mp4", "audio/x-matroska", "audio/pcm", "audio/webm"}
BEDROCK_VIDEO = GOOGLE_VIDEO - {"video/x-msvideo"} | {"video/x-matroska"}
OFFICE = frozenset(
    {
        "application/msword",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "application/vnd.ms-excel",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    }
)


def _cohere() -> Limits:
    return Limits(
        "Cohere",
        "https://docs.cohere.com/docs/image-inputs",
        image_types=WITH_GIF,
        document_types=NONE,
        audio_types=NONE,
        video_types=NONE,
        still_types=MOVING,
        max_images=20,
        max_images_bytes=20 * MB,
    )


def _ollama() -> Limits:
    return Limits(
        "Ollama",
        "https://docs.ollama.com/api/chat",
        # Servers and models of every age read these; WebP only the newest: https://github.com/ollama/ollama/issues/2457
        image_types=frozenset({"image/png", "image/jpeg"}),
        document_types=NONE,
        audio_types=NONE,
        video_types=NONE,
        links=NONE,
    )


_VISION = "https://platform.claude.com/docs/en/build-with-claude/vision"
_CLAUDE = Limits(
    "Claude",
    _VISION,
    image_types=WITH_GIF,
    document_types=PDF | {"text/plain"},
    audio_types=NONE,
    video_types=NONE,
    max_images=600,
    max_image_bytes=10 * MB,
    image_bytes_counted="base64",
    max_side=8000,
    many_images=20,
    max_side_many=2000,
    # https://platform.claude.com/docs/en/build-with-claude/pdf-support
    max_documents_pages=600,
    encrypted_documents=False,
    max_request_bytes=32 * MB,
    read="2026-06-30",
)
_CLAUDE_IN_A_CLOUD = replaced(_CLAUDE, links=NONE, max_image_bytes=5 * MB, many_counts_documents=True)
_OPENAI = Limits(
    "OpenAI",
    "https://developers.openai.com/api/docs/guides/images-vision",
    image_types=WITH_GIF,
    document_types=PDF,
    audio_types=frozenset({"audio/wav", "audio/mpeg"}),
    video_types=NONE,
    still_types=MOVING,
    max_images=1500,
    # https://developers.openai.com/api/docs/guides/file-inputs
    max_document_bytes=50 * MB,
    max_documents_bytes=50 * MB,
    max_request_bytes=512 * MB,
)

# By provider and wire shape.
LIMITS: Mapping[tuple[str, str], Limits] = MappingProxyType(
    {
        ("openai", "openai_style"): _OPENAI,
        ("openai", "openai_responses_style"): replaced(_OPENAI, document_types=None, audio_types=NONE),
        ("azure", "openai_style"): Limits(
            # The same models; Azure states no limits of its own.
            "Azure OpenAI",
            "https://learn.microsoft.com/en-us/azure/ai-foundry/openai/how-to/gpt-with-vision",
            image_types=WITH_GIF,
            audio_types=_OPENAI.audio_types,
            video_types=NONE,
        ),
        ("anthropic", "anthropic_style"): replaced(_CLAUDE, name="Anthropic"),
        ("vertex_ai", "anthropic_style"): replaced(
            _CLAUDE_IN_A_CLOUD, name="Claude on Vertex AI", max_request_bytes=30 * MB
        ),
        ("bedrock", "anthropic_style"): replaced(
            _CLAUDE_IN_A_CLOUD, name="Claude on Bedrock", max_request_bytes=20 * MB
        ),
        ("azure_ai", "anthropic_style"): replaced(_CLAUDE, name="Claude on Azure"),
        ("gemini", "google_style"): Limits(
            # Counts: https://ai.google.dev/gemini-api/docs/image-understanding and .../video-understanding,
            # documents: .../document-processing, audio: .../audio
            "the Gemini API",
            "https://ai.google.dev/gemini-api/docs/file-input-methods",
            image_types=GOOGLE_IMAGES,
            document_types=PDF | {"text/*"},
            audio_types=GOOGLE_AUDIO,
            video_types=GOOGLE_VIDEO,
            max_images=3600,
            max_document_bytes=50 * MB,
            max_document_pages=1000,
            max_videos=10,
            max_request_bytes=100 * MB,
            type_names=(("audio/mpeg", "audio/mp3"),),
            read="2026-10-01",
        ),
        ("vertex_ai", "google_style"): Limits(
            "Gemini on Vertex AI",
            "https://docs.cloud.google.com/vertex-ai/generative-ai/docs/multimodal/image-understanding",
            image_types=GOOGLE_IMAGES,
            document_types=PDF | {"text/plain"},
            audio_types=VERTEX_AUDIO,
            links=WEB | {"gs"},
            max_images=3000,
            max_image_bytes=256 * MB,
            max_documents=3000,
            max_document_bytes=50 * MB,
            max_document_pages=3000,
            max_videos=10,
            type_names=(("audio/mpeg", "audio/mp3"), ("audio/aac", "audio/x-aac")),
        ),
        ("bedrock", "bedrock_style"): Limits(
            "Bedrock Converse",
            "https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Message.html",
            image_types=WITH_GIF,
            document_types=PDF | OFFICE | {"text/csv", "text/html", "text/plain", "text/markdown"},
            audio_types=BEDROCK_AUDIO,
            video_types=BEDROCK_VIDEO,
            links=frozenset({"s3"}),
            max_images=20,
            max_image_bytes=3_750_000,
            max_side=8000,
            max_documents=5,
            max_document_bytes=4_500_000,
            max_video_bytes=25 * MB,
        ),
        ("mistral", "mistral_style"): Limits(
            "Mistral",
            "https://docs.mistral.ai/capabilities/vision",
            image_types=WITH_GIF,
            video_types=NONE,
            still_types=MOVING,
            max_images=8,
            max_image_bytes=10 * MB,
            max_document_bytes=50 * MB,
            max_document_pages=1000,
        ),
        ("cohere", "cohere_style"): _cohere(),
        ("cohere_chat", "cohere_style"): _cohere(),
        ("ollama", "ollama_style"): _ollama(),
        ("ollama_chat", "ollama_style"): _ollama(),
        ("groq", "openai_style"): Limits(
            "Groq",
            "https://console.groq.com/docs/vision",
            document_types=NONE,
            audio_types=NONE,
            video_types=NONE,
            max_images=5,
            max_request_bytes=20 * MB,
        ),
        ("xai", "openai_style"): Limits(
            "xAI",
            "https://docs.x.ai/docs/guides/image-understanding",
            image_types=frozenset({"image/png", "image/jpeg"}),
            max_image_bytes=20 * MIB,
        ),
        ("deepseek", "openai_style"): Limits(
            "DeepSeek",
            "https://api-docs.deepseek.com/guides/vision",
            image_types=WITH_GIF,
            max_images=600,
            max_image_bytes=32 * MIB,
            max_side=8192,
            many_images=14,
            max_side_many=4096,
            max_request_bytes=48 * MIB,
            read="2026-08",
        ),
        ("openrouter", "openai_style"): Limits(
            "OpenRouter",
            "https://openrouter.ai/docs/guides/overview/multimodal/overview",
            audio_types=frozenset({"audio/wav", "audio/mpeg"}),
        ),
        # A proxy passes on what it is given, to providers of every kind.
        ("litellm_proxy", "openai_style"): Limits(
            "the LiteLLM proxy", "https://docs.litellm.ai/docs/providers/litellm_proxy", links=None, local=True
        ),
    }
)

# Where a style is chosen without a provider: the targets of which the loosest limit holds.
STYLE_TARGETS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "openai_style": ("openai",),
        "openai_responses_style": ("openai",),
        "anthropic_style": ("anthropic",),
        "google_style": ("gemini", "vertex_ai"),
        "bedrock_style": ("bedrock",),
        "mistral_style": ("mistral",),
        "cohere_style": ("cohere",),
        "ollama_style": ("ollama",),
    }
)


class ModelLimit(NamedTuple):
    """What differs for some models of a target.

    Attributes:
        style: The wire shape.
        provider: The provider; None for every one of that shape.
        models: What the name of the model begins with.
        context: Only models that read at most this many tokens; None for all.
        changes: The fields of `Limits` that differ.
        source: The page that states it.
        read: When it was read.
    """

    style: str
    provider: str | None
    models: re.Pattern[str]
    context: int | None
    changes: Mapping[str, Any]
    source: str
    read: str = READ


# https://platform.claude.com/docs/en/build-with-claude/pdf-support
_SMALL_CLAUDE = {"max_images": 100, "max_documents_pages": 100}
MODEL_LIMITS: tuple[ModelLimit, ...] = (
    ModelLimit("anthropic_style", None, re.compile(""), 200_000, _SMALL_CLAUDE, _VISION, "2026-06-30"),
    ModelLimit(
        "bedrock_style",
        None,
        re.compile(r"(?:[a-z-]+\.)?anthropic\."),
        None,
        {"max_documents_pages": 100, "encrypted_documents": False},
        "https://docs.aws.amazon.com/bedrock/latest/userguide/inference-api-restrictions.html",
    ),
    ModelLimit(
        "openai_style",
        "groq",
        re.compile("meta-llama/llama-4"),
        None,
        {"max_pixels": 33_177_600, "max_request_bytes": 4 * MB},
        "https://console.groq.com/docs/vision",
    ),
    ModelLimit(
        "google_style",
        "vertex_ai",
        re.compile(r"gemini-(?:1|2|3-|3\.1)"),
        None,
        {"max_image_bytes": 7 * MB, "max_document_pages": 1000},
        "https://docs.cloud.google.com/vertex-ai/generative-ai/docs/multimodal/image-understanding",
    ),
    ModelLimit(
        "google_style",
        "vertex_ai",
        re.compile("gemini-3-pro-preview"),
        None,
        {"max_images": 900},
        "https://docs.cloud.google.com/vertex-ai/generative-ai/docs/multimodal/image-understanding",
    ),
)
