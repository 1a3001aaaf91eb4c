"""What a model can do, where LiteLLM's table says so.

Three values: True, False, and None for unknown. Unknown never means no: nothing is refused because nobody wrote it
down; the adapters note it. A row says so by a field for each ability, or by the list of what it takes, which is whole:
what it leaves out, the model does not take. Where there is no row, what the table says of the model's family counts.
"""

from __future__ import annotations

from functools import lru_cache

from prompt_adapters.content.frozen import frozen
from prompt_adapters.targets.cost_map import Info, model_info
from prompt_adapters.targets.providers import PROVIDERS


@frozen()
class Capabilities:
    """What is known of one model.

    Attributes:
        image: Takes images.
        document: Takes PDF documents.
        audio: Takes audio.
        video: Takes video.
        system: Takes a system message.
        prefill: Continues an assistant message that ends the conversation.
        prompt_caching: Caches prefixes of prompts.
        sampling_params: Takes temperature and its like.
        mid_conversation_system: Takes a system message after the first turn.
        max_output_tokens: The most tokens that it writes.
        max_input_tokens: The most tokens that it reads.
    """

    image: bool | None = None
    document: bool | None = None
    audio: bool | None = None
    video: bool | None = None
    system: bool | None = None
    prefill: bool | None = None
    prompt_caching: bool | None = None
    sampling_params: bool | None = None
    mid_conversation_system: bool | None = None
    max_output_tokens: int | None = None
    max_input_tokens: int | None = None


_FIELDS = {
    "image": "supports_vision",
    "document": "supports_pdf_input",
    "audio": "supports_audio_input",
    "video": "supports_video_input",
    "system": "supports_system_messages",
    "prefill": "supports_assistant_prefill",
    "prompt_caching": "supports_prompt_caching",
    "sampling_params": "supports_sampling_params",
    "mid_conversation_system": "supports_mid_conversation_system",
}
_LISTED = ("image", "audio", "video")
UNKNOWN = Capabilities()


@lru_cache(maxsize=1024)
def capabilities_of(provider: str, model: str) -> Capabilities:
    """What is known of a model; all None where its name is the owner's invention, as an Azure deployment's is.

    Args:
        provider: LiteLLM's name of the provider.
        model: The model without that prefix.
    """
    row = PROVIDERS.get(provider)
    if row is not None and row.own_names:
        return UNKNOWN
    info = model_info(provider, model)
    return UNKNOWN if info is None else _from_info(info)


def _from_info(info: Info) -> Capabilities:
    said = ((name, info.get(field)) for name, field in _FIELDS.items())
    known = _from_list(info.get("supported_modalities")) | {n: value for n, value in said if isinstance(value, bool)}
    return Capabilities(
        **known,
        max_output_tokens=_count(info.get("max_output_tokens")),
        max_input_tokens=_count(info.get("max_input_tokens")),
    )


def _from_list(taken: object) -> dict[str, bool]:
    """From the list of what a model takes."""
    return {kind: kind in taken for kind in _LISTED} if isinstance(taken, list) else {}


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and value > 0 else None
