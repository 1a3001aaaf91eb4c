"""The form of a medium that each chat-model package passes on whole, as rows with the version that was looked at.

Each row says it per kind and per place of the content: ``inline`` (bytes, sent as base64), ``link`` and ``uploaded``
(a file that the provider holds, by its id). A cell that a row lacks is refused by name before anything is sent. Text
documents (``text``) stand apart from other documents, since some packages treat them in another way. ``portable`` says
what of the portable form goes through the same package, for chains where several packages may be called.

What the providers themselves refuse, as links for Bedrock, their adapters refuse first. langchain-ollama puts a line
break before each text of a message that is a list. langchain-google-genai puts files that a tool gave beside its
result, before it. langchain-aws turns tool calls and results into text where no tools are bound.

Inline images as ``image_url`` with a data URL are the one form that all packages take and that keeps ``detail``.
LangChain's standard blocks: https://docs.langchain.com/oss/python/langchain/messages
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, NoReturn, TypeAlias

from langchain_core.messages import AIMessage, BaseMessage

from prompt_adapters.adapters import MessageAdapter
from prompt_adapters.adapters.accepted import Sources, sources
from prompt_adapters.adapters.bedrock_names import Named, document_names
from prompt_adapters.adapters.spots import Spot
from prompt_adapters.adapters.tidy import SYSTEM_ROLES
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Document, MediaPart
from prompt_adapters.content.source import Inline, Link, Uploaded
from prompt_adapters.langchain.forms import FORMS, Block, Form, Site, default_name
from prompt_adapters.langchain.litellm_messages import litellm_messages, tool_names

__all__ = [
    "DIALECTS",
    "PORTABLE",
    "Block",
    "Dialect",
    "default_name",
    "dialect_of",
    "kind_of",
    "mark_prefill",
    "where_of",
]

# From a kind and a place to the form.
Cells: TypeAlias = Mapping[tuple[str, str], Form]

_NO_NAMES: Mapping[Spot, Named] = MappingProxyType({})
_WHERE: Mapping[type, str] = MappingProxyType({Inline: "inline", Link: "link", Uploaded: "uploaded"})


def cells(**kinds: str) -> Cells:
    """A table, written as ``cells(image="inline:image_url link:standard")``."""
    pairs = [(kind, cell.partition(":")) for kind, text in kinds.items() for cell in text.split()]
    return MappingProxyType({(kind, where): FORMS[form] for kind, (where, _, form) in pairs})


def kind_of(part: MediaPart) -> str:
    """The kind of a part, as the rows have it."""
    text = isinstance(part, Document) and isinstance(part.source, Inline) and part.source.mime.startswith("text/")
    return "text" if text else part.kind


def where_of(part: MediaPart) -> str:
    """Where the content of a part is, as the rows have it."""
    return _WHERE[type(part.source)]


class Dialect(NamedTuple):
    """What a chat-model package passes on whole.

    Attributes:
        package: Its name, for errors.
        version: The version that was looked at.
        forms: The form of a medium in turns of the user and of the model.
        results: The form inside tool results.
        systems: The form inside system texts.
        portable: What goes through in the portable form.
        carries: Which of name, cache, detail, title, clip and error go through.
        system_leads: Whether it loses or moves a system message that does not lead.
        text_beside_calls: Whether the text of a message with tool calls goes through.
        names_documents: Whether documents need a name that Bedrock takes.
        prefill: What marks a final answer as one that is to be continued.
        answers: How its models' answers name their provider; None where thoughts of any model may be sent back.
        remedy: What to do where a form is lacking.
        makes: What makes whole messages, where media alone do not do.
        tools: The tools' names by the ids of their calls, for `makes`; `naming` fills them in.
        names: The names of documents by their places; `naming` fills them in.
        adapter: The adapter of the target, where it is known.
    """

    package: str
    version: str
    forms: Cells
    results: Cells
    systems: Cells = MappingProxyType({})
    portable: Sources = MappingProxyType({})
    carries: frozenset[str] = frozenset()
    system_leads: bool = False
    text_beside_calls: bool = True
    names_documents: bool = False
    prefill: Mapping[str, bool] = MappingProxyType({})
    answers: frozenset[str] | None = frozenset()
    remedy: str = "give the bytes"
    makes: Callable[[Message, MessageAdapter, Mapping[str, str]], Iterator[BaseMessage]] | None = None
    tools: Mapping[str, str] = MappingProxyType({})
    names: Mapping[Spot, Named] = _NO_NAMES
    adapter: MessageAdapter | None = None

    def __deepcopy__(self, memo: object) -> Dialect:
        return self  # templates keep theirs, and are copied

    def block(self, part: MediaPart, spot: Spot, *, in_result: bool) -> Block:
        """A medium as a content block.

        Raises:
            UnsupportedContentError: (a ``ValueError``) The package has no form that goes through whole.
        """
        named = self.names.get(spot)
        site = Site(self.package, spot, None if named is None else named.name, self.adapter)
        form = self._forms(spot, in_result).get((kind_of(part), where_of(part)))
        if form is None:
            self._refuse(part, site, in_result)
        block = form(part, site)
        return block | ({"cache_control": {"type": "ephemeral"}} if part.cache and "cache" in self.carries else {})

    def _forms(self, spot: Spot, in_result: bool) -> Cells:
        if in_result:
            return self.results
        return self.systems if spot.role in SYSTEM_ROLES else self.forms

    def _refuse(self, part: MediaPart, site: Site, in_result: bool) -> NoReturn:
        if not in_result and site.spot.role in SYSTEM_ROLES:
            site.refuse(part, "a system text holds only text", "move it to a user turn")
        inside = " inside a tool result" if in_result else ""
        site.refuse(part, f"it has no form{inside} that goes through whole", self.remedy)

    def takes_back(self, provider: str | None) -> bool:
        """Whether what a model of this provider thought may be sent back."""
        return self.answers is None or provider in self.answers

    def naming(self, messages: tuple[Message, ...]) -> Dialect:
        """The same for these messages, whose documents have names that Bedrock takes, and whose tools have names."""
        names = document_names(messages) if self.names_documents else self.names
        tools = self.tools if self.makes is None else tool_names(messages)
        return self if names is self.names and tools is self.tools else self._replace(names=names, tools=tools)


_ALL = "inline:standard link:standard uploaded:standard"
_PORTABLE = cells(
    image="inline:image_url link:image_url uploaded:standard", audio=_ALL, video=_ALL, document=_ALL, text=_ALL
)
PORTABLE = Dialect(
    package="LangChain messages",
    version="",
    forms=_PORTABLE,
    results=_PORTABLE,
    systems=_PORTABLE,
    carries=frozenset({"name", "detail", "title", "error"}),
    names_documents=True,
    answers=None,
)

_RESPONSES = cells(
    image="inline:image_url link:image_url uploaded:input_image",
    document="inline:standard link:standard uploaded:standard",
    text="inline:standard",
)
_ANTHROPIC = cells(
    image="inline:standard link:standard uploaded:standard",
    document="inline:titled link:titled uploaded:titled",
    text="inline:text_plain",
)
_CONVERSE = cells(
    image="inline:image_url link:own uploaded:own",
    audio="inline:own link:own uploaded:own",
    video="inline:standard link:own uploaded:own",
    document="inline:converse_file link:converse uploaded:converse",
    text="inline:converse_file",
)
_OLLAMA = cells(image="inline:image_url")
_ANYWHERE = "inline:{0} link:{0} uploaded:{0}"


def _everywhere(form: str) -> Cells:
    every = _ANYWHERE.format(form)
    return cells(image=every, audio=every, video=every, document=every, text="inline:" + form)


# Per wire shape; one without a row is spoken to in the portable form.
DIALECTS: Mapping[str, Dialect] = MappingProxyType(
    {
        "openai_style": Dialect(
            package="langchain-openai",
            version="1.7.4",
            answers=frozenset({"openai"}),
            forms=cells(
                image="inline:image_url link:image_url",
                audio="inline:input_audio link:own",
                video="inline:own link:own",
                document="inline:standard uploaded:standard",
                text="inline:standard",
            ),
            results=cells(),
            portable=sources(image="inline link", audio="inline", document="inline uploaded", text="inline"),
            carries=frozenset({"name", "detail"}),
        ),
        "openai_responses_style": Dialect(
            package="langchain-openai",
            version="1.7.4",
            answers=frozenset({"openai"}),
            forms=_RESPONSES,
            results=_RESPONSES,
            portable=sources(image="inline link", document="inline link uploaded", text="inline"),
            carries=frozenset({"detail"}),
        ),
        "anthropic_style": Dialect(
            package="langchain-anthropic",
            version="1.7.10",
            answers=frozenset({"anthropic"}),
            forms=_ANTHROPIC,
            results=_ANTHROPIC,
            portable=sources(image="inline link uploaded", document="inline link uploaded"),
            carries=frozenset({"cache", "title", "error"}),
            system_leads=True,
        ),
        "google_style": Dialect(
            package="langchain-google-genai",
            version="4.4.3",
            answers=frozenset({"google_genai"}),
            forms=_everywhere("media"),
            # Inside a tool result a ``media`` part would be taken for data of the tool, and a link be downloaded.
            results=cells(
                image="inline:image_url link:file_reference uploaded:file_reference",
                audio="inline:standard link:file_reference uploaded:file_reference",
                video="inline:standard link:file_reference uploaded:file_reference",
                document="inline:standard link:file_reference uploaded:file_reference",
                text="inline:standard",
            ),
            portable=sources(
                image="inline uploaded",
                audio="inline uploaded",
                video="inline uploaded",
                document="inline uploaded",
                text="inline",
            ),
            carries=frozenset({"clip"}),
            system_leads=True,
        ),
        "bedrock_style": Dialect(
            package="langchain-aws",  # ChatBedrockConverse
            version="1.9.1",
            answers=frozenset({"bedrock_converse"}),
            forms=_CONVERSE,
            results=_CONVERSE,
            portable=sources(image="inline", video="inline", document="inline", text="inline"),
            carries=frozenset({"title", "error"}),
            system_leads=True,
            names_documents=True,
        ),
        "mistral_style": Dialect(
            package="langchain-mistralai",
            version="1.1.6",
            answers=frozenset({"mistralai"}),
            forms=cells(
                image="inline:own link:own",
                audio="inline:own link:own",
                document="inline:own link:own",
                text="inline:own",
            ),
            results=cells(),
            portable=sources(image="inline link"),
            carries=frozenset({"detail"}),
            text_beside_calls=False,
            prefill=MappingProxyType({"prefix": True}),
            remedy="give the bytes or a link, or use AdapterRunnable('mistral_style') and Mistral's own client",
        ),
        "cohere_style": Dialect(
            package="langchain-cohere",
            version="",  # nobody looked at it here: the portable form, of what Cohere takes
            forms=cells(image="inline:image_url link:image_url"),
            results=cells(),
            portable=sources(image="inline link"),
            carries=frozenset({"detail"}),
        ),
        "ollama_style": Dialect(
            package="langchain-ollama",
            version="1.1.0",
            answers=frozenset({"ollama"}),
            forms=_OLLAMA,
            results=_OLLAMA,
            systems=_OLLAMA,
            portable=sources(image="inline"),
        ),
        "litellm_style": Dialect(
            package="langchain-litellm",
            version="0.11.2",
            answers=frozenset({"litellm"}),
            forms=cells(),  # its messages are made of LiteLLM's own, for the provider behind it
            results=cells(),
            makes=litellm_messages,
            portable=sources(image="inline link", document="inline"),
        ),
    }
)


def dialect_of(adapter: MessageAdapter | None) -> Dialect:
    """The dialect for an adapter's target; the portable one where nothing is known of it."""
    if adapter is None:
        return PORTABLE
    dialect = DIALECTS.get(adapter.style, PORTABLE)._replace(adapter=adapter)
    if adapter.style == "litellm_style":
        return dialect._replace(carries=adapter.carries)
    if adapter.style == "anthropic_style" and adapter.capabilities.mid_conversation_system:
        return dialect._replace(system_leads=False)
    return dialect


def mark_prefill(messages: Sequence[BaseMessage], dialect: Dialect) -> None:
    """Mark a final answer as one that is to be continued, where the provider asks for that."""
    if dialect.prefill and messages and isinstance(last := messages[-1], AIMessage) and not last.tool_calls:
        last.additional_kwargs.update(dialect.prefill)
