"""What LiteLLM passes on whole, by kind of target, and how messages are written for it.

Each row says what was seen to arrive, over HTTP, with litellm 1.110. What a row does not name, LiteLLM drops, downloads
or sends as something else. A target without a row is spoken to in text only.

To most servers that speak OpenAI's shape, to Mistral and to Cohere LiteLLM passes on the provider's own messages as
they are, so these are what it gets; their rows say what is short of that. To the others it translates from OpenAI's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from prompt_adapters.adapters.accepted import EVERYTHING, Sources, sources
from prompt_adapters.adapters.anthropic import TAKES
from prompt_adapters.adapters.litellm_parameters import (
    AZURE,
    AZURE_RESPONSES,
    CLAUDE,
    CLAUDE_ON_VERTEX,
    GEMINI,
    OPENAI,
    RESPONSES,
    VERTEX_GEMINI,
    goes_to_responses,
)
from prompt_adapters.adapters.litellm_passing import Call, Passing, info_of
from prompt_adapters.adapters.litellm_server_parameters import CONVERSE, SERVERS, SERVERS_WITH_USER, server
from prompt_adapters.adapters.litellm_writing import (
    Wire,
    as_claude,
    as_converse,
    as_gemini,
    as_it_is,
    as_openai,
    with_files_wrapped,
)
from prompt_adapters.adapters.parameters import names
from prompt_adapters.targets import Route

if TYPE_CHECKING:
    from prompt_adapters.adapters.litellm_writing import Encode

Own: TypeAlias = Callable[[Wire], Wire]
_EVERYBODY = frozenset({"system", "user", "assistant", "tool"})
_MEDIA = frozenset({"image", "audio", "video", "document"})


class Dialect(NamedTuple):
    """What LiteLLM passes on whole to one kind of target.

    Attributes:
        kinds: The kinds of media that arrive.
        encode: How they are written, where LiteLLM translates.
        own: What becomes of one of the provider's own messages, where LiteLLM passes these on; None where it
            translates.
        carries: What arrives of name, cache, detail, title and clip; None for all that the provider has a field for.
        cached: The models for which marks of a cacheable prefix arrive; None for all.
        media_roles: The roles in whose turns media arrive.
        in_results: The kinds of media that arrive inside tool results.
        tried: Whether more is known than what arrives everywhere.
        takes: From these kinds to where their content may be; None for what the provider's shape takes.
        links: The schemes of links that arrive as links; None for those that the provider reads.
        passing: The parameters that arrive; None when nobody tried.
        blank_text: Whether a text of only whitespace arrives, where the provider takes one.
        named: Whether a document's name arrives, where the provider has a field for it.
        joins: The roles of messages whose texts LiteLLM makes one.
        joins_beside_media: Whether it does so beside media as well.
        listed_only: Whether media arrive only for models that LiteLLM's table lists as taking images.
        pdf_only: Whether of documents only PDFs arrive.
        blank_results: Whether a tool's result that is blank arrives.
        bare_results: Whether a result that is empty is written as an empty list, since a text would arrive blank.
        tool_turns: Why tool turns are lost when the call declares no tools, as a sentence; empty when they are not.
        remarks: What is said when there is media (``"media"``), an uploaded file (``"uploaded"``) or one with a title
            (``"uploaded_title"``), a tool's result (``"tool_result"``), or a call or a result while the call declares
            no tools (``"undeclared"``).
    """

    kinds: frozenset[str]
    encode: Encode = as_openai
    own: Own | None = None
    carries: frozenset[str] | None = frozenset()
    cached: re.Pattern[str] | None = None
    media_roles: frozenset[str] = frozenset({"user"})
    in_results: frozenset[str] = frozenset()
    tried: bool = True
    takes: Sources | None = None
    links: frozenset[str] | None = None
    passing: Passing | None = None
    blank_text: bool = True
    named: bool = True
    joins: frozenset[str] = frozenset()
    joins_beside_media: bool = False
    listed_only: bool = False
    pdf_only: bool = False
    blank_results: bool = True
    bare_results: bool = False
    tool_turns: str = ""
    remarks: Mapping[str, str] = MappingProxyType({})


# LiteLLM passes on what it gets; what the server takes, the server's own row tells.
_SERVER = Dialect(_MEDIA, own=as_it_is, carries=None, passing=SERVERS)
_OPENAI = _SERVER._replace(kinds=_MEDIA - {"video"}, passing=OPENAI)
_RESPONSES = Dialect(
    frozenset({"image", "document"}),
    carries=frozenset({"detail"}),
    takes=sources(image="inline link", document="inline uploaded"),
    passing=RESPONSES,
)
_CLAUDE = Dialect(
    frozenset({"image", "document"}),
    as_claude,
    carries=frozenset({"cache", "title"}),
    in_results=frozenset({"image"}),
    takes=TAKES,
    passing=CLAUDE,
    remarks=MappingProxyType(
        {
            "undeclared": "LiteLLM declares a tool of its own, 'dummy_tool', for Claude",
            "uploaded": "for uploaded files LiteLLM asks GitHub once for its list of Anthropic's beta headers, unless "
            "LITELLM_LOCAL_ANTHROPIC_BETA_HEADERS=True stands in the environment",
            "uploaded_title": "LiteLLM has no place for the title of an uploaded file, so it is not sent",
        }
    ),
)
# A detail would not stay with its image: for Gemini 2 LiteLLM makes it the resolution of the whole request.
_GEMINI = Dialect(
    _MEDIA,
    as_gemini,
    carries=frozenset({"clip"}),
    media_roles=frozenset({"user", "assistant"}),
    in_results=frozenset({"image"}),
    takes=EVERYTHING,
    passing=VERTEX_GEMINI,
)
_CONVERSE = Dialect(
    frozenset({"image", "video", "document"}),
    as_converse,
    carries=frozenset({"cache"}),
    in_results=frozenset({"image", "document"}),
    takes=sources(image="inline", video="inline", document="inline"),
    links=frozenset(),
    passing=CONVERSE,
    named=False,
    bare_results=True,
    tool_turns="LiteLLM writes the calls and results of tools as text of the user and the assistant",
)
_MISTRAL = Dialect(
    frozenset({"image", "document"}),
    own=with_files_wrapped,
    carries=None,
    takes=sources(image="inline link uploaded", document="uploaded"),
    passing=server("mistral"),
    joins=_EVERYBODY,
)
_COHERE = Dialect(frozenset({"image"}), own=as_it_is, carries=None, passing=server("cohere_chat"))
_OLLAMA = Dialect(
    frozenset({"image"}),
    media_roles=frozenset({"system", "developer", "user", "assistant"}),
    in_results=frozenset({"image"}),
    takes=sources(image="inline"),
    links=frozenset(),
    passing=server("ollama_chat"),
    joins=_EVERYBODY,
    joins_beside_media=True,
    remarks=MappingProxyType({"tool_result": "LiteLLM sends the call's id in place of the tool's name"}),
)
_TEXT_ONLY = _SERVER._replace(kinds=frozenset(), joins=_EVERYBODY)
# Without a model: what arrives wherever it goes.
ANYWHERE = Dialect(frozenset({"image", "document"}), tried=False)
UNTRIED = Dialect(frozenset(), tried=False, joins=_EVERYBODY)

# Servers to which nothing is known to be lost.
_PLAIN = names(
    "abliteration ai21_chat aiand aihubmix aiml amazon_nova apertis assemblyai bedrock_mantle bigmodel "
    "charity_engine chutes clf_ai_gateway cloudflare cognition cometapi compactifai coralbricks cortecs crusoe "
    "custom_openai darkbloom dashscope datarobot edenai empiriolabs empower featherless_ai friendliai galadriel github "
    "gmi groq helicone hostinger_router inception inferenceapis kyma lambda_ai lemonade libertai llamafile llamagate "
    "lm_studio maritalk meta meta_llama minimax morph nadir nano-gpt nebius neosantara novita nscale nvidia_nim "
    "oobabooga openinfer ovhcloud parasail perplexity pinstripes poe prism qwen_ai_platform qwencloud "
    "refuseless reka sail sarvam scaleway scx-ai snowflake streamlake synthetic tencent tensormesh together_ai v0 "
    "veniceai vercel_ai_gateway volcengine wally wandb watsonx xiaomi_mimo xinference zai zerogpu"
)
_PLAIN_WITH_USER = names("baseten cerebras hyperbolic")

_SERVERS: Mapping[str, Dialect] = MappingProxyType(
    {
        **{name: _SERVER._replace(passing=server(name)) for name in sorted(_PLAIN)},
        **{name: _SERVER._replace(passing=SERVERS_WITH_USER) for name in sorted(_PLAIN_WITH_USER)},
        # LiteLLM makes one text of what the assistant says, and a film of a file in the caller's own list.
        "hosted_vllm": _SERVER._replace(passing=server("hosted_vllm"), joins=frozenset({"assistant"})),
        "openrouter": _SERVER._replace(
            passing=server("openrouter"), cached=re.compile(r"(?i).*(?:claude|gemini|minimax|glm|z-ai)")
        ),
        "fireworks_ai": _SERVER._replace(kinds=_MEDIA - {"document"}, passing=SERVERS_WITH_USER),
        "xai": _SERVER._replace(carries=frozenset({"detail"}), passing=server("xai")),
        "databricks": _SERVER._replace(
            carries=frozenset({"detail"}), passing=server("databricks"), blank_text=False, blank_results=False
        ),
        "deepinfra": _SERVER._replace(joins=frozenset({"tool"}), passing=server("deepinfra")),
        **dict.fromkeys(("modelscope", "moonshot"), _SERVER._replace(joins=_EVERYBODY)),
        "deepseek": _SERVER._replace(
            kinds=frozenset({"image"}), joins=_EVERYBODY, listed_only=True, passing=server("deepseek")
        ),
        "azure_ai": _SERVER._replace(
            kinds=frozenset({"image", "audio", "document"}),
            takes=sources(image="inline link", audio="inline", document="inline"),
            carries=frozenset({"name", "detail"}),
            joins=_EVERYBODY,
            pdf_only=True,
        ),
        **dict.fromkeys(("docker_model_runner", "heroku", "publicai", "sambanova"), _TEXT_ONLY),
        "litellm_proxy": _SERVER._replace(
            passing=SERVERS_WITH_USER,
            remarks=MappingProxyType({"media": "what of it reaches the model is up to the proxy"}),
        ),
        # Documents become images there.
        "vertex_ai": _SERVER._replace(kinds=_MEDIA - {"document"}),
    }
)

DIALECTS: Mapping[tuple[str, str], Dialect] = MappingProxyType(
    {
        ("openai", "openai_style"): _OPENAI,
        ("openai", "openai_responses_style"): _RESPONSES,
        ("azure", "openai_style"): _OPENAI._replace(passing=AZURE),
        ("azure", "openai_responses_style"): _RESPONSES._replace(passing=AZURE_RESPONSES),
        ("azure_ai", "openai_responses_style"): _RESPONSES._replace(passing=None),
        ("bedrock_mantle", "openai_responses_style"): _RESPONSES._replace(passing=None),
        ("anthropic", "anthropic_style"): _CLAUDE,
        ("vertex_ai", "anthropic_style"): _CLAUDE._replace(
            takes=sources(image="inline", document="inline"), passing=CLAUDE_ON_VERTEX
        ),
        ("azure_ai", "anthropic_style"): _CLAUDE._replace(passing=CLAUDE._replace(takes=None)),
        ("bedrock", "anthropic_style"): _CLAUDE._replace(
            takes=sources(image="inline", document="inline"), passing=CLAUDE._replace(takes=None)
        ),
        ("gemini", "google_style"): _GEMINI._replace(
            takes={**EVERYTHING, **sources(video="inline uploaded")}, links=frozenset({"gs"}), passing=GEMINI
        ),
        ("vertex_ai", "google_style"): _GEMINI._replace(links=frozenset({"https", "gs"})),
        ("bedrock", "bedrock_style"): _CONVERSE,
        ("mistral", "mistral_style"): _MISTRAL,
        ("codestral", "mistral_style"): _MISTRAL,
        # For the models that its table lists, LiteLLM makes one text of each message that holds no image.
        ("vertex_ai", "mistral_style"): _SERVER._replace(
            kinds=frozenset({"image"}),
            takes=sources(image="inline link"),
            joins=_EVERYBODY,
            passing=server("mistral"),
        ),
        ("cohere_chat", "cohere_style"): _COHERE,
        ("cohere", "cohere_style"): _COHERE,
        ("ollama_chat", "ollama_style"): _OLLAMA,
        ("ollama", "ollama_style"): _OLLAMA,
        **{(name, "openai_style"): row for name, row in _SERVERS.items()},
    }
)


# The parameters that tell to which API a call goes.
TELLING = ("tools", "reasoning_effort")


def dialect_of(target: Route, parameters: Mapping[str, Any]) -> Dialect:
    """What LiteLLM passes on whole in a call: with some parameters it goes to another API of OpenAI's."""
    effort = parameters.get("reasoning_effort")
    if effort is not None and isinstance(effort, Mapping):
        effort = effort.get("effort")
    return _row(target, bool(parameters.get("tools")), None if effort is None else str(effort))


@lru_cache(maxsize=1024)
def _row(target: Route, tools: bool, effort: str | None) -> Dialect:
    call = Call(target, info_of(target), {"tools": tools, "reasoning_effort": effort})
    style = "openai_responses_style" if goes_to_responses(call) else target.style
    row = DIALECTS.get((target.provider, style), UNTRIED)
    if row.listed_only and target.capabilities.image is not True:
        row = row._replace(kinds=frozenset())
    return row


def carried(row: Dialect, by_provider: frozenset[str], target: Route | None) -> frozenset[str]:
    """What arrives of name, cache, detail, title and clip.

    Args:
        row: What LiteLLM passes on.
        by_provider: What the provider's own shape has fields for.
        target: The bound model.
    """
    fields = by_provider if row.carries is None else row.carries
    if target is None or "cache" not in fields:
        return fields
    lost = row.cached is not None and row.cached.match(target.model) is None
    # LiteLLM leaves marks out for models of Bedrock of which its table does not say that they cache.
    unlisted = target.style == "bedrock_style" and target.capabilities.prompt_caching is not True
    return fields - {"cache"} if lost or unlisted else fields
