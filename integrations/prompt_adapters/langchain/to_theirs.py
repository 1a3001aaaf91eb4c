"""`to_langchain`: a prompt of this package as LangChain's own.

=============================================  =========================================================================
what the prompt holds                          what it becomes
=============================================  =========================================================================
a template without logic                       an f-string template; braces that are literal are doubled
a template of Jinja or Mustache with logic     a jinja2 or mustache template
a block in another library's words             that block, its texts as templates
a fixed part                                   a block of a message
a literal message                              a message
`History`                                      ``MessagesPlaceholder``
examples                                       messages, or text; a selector stays one
partial values, defaults                       partial variables
model, parameters, name, version, metadata     metadata under the key ``prompt_adapters``, which `from_langchain` reads
=============================================  =========================================================================

Refused by name is what LangChain has no word for: a slot that takes media as objects, a variable called ``self``, logic
beside blocks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NoReturn, assert_never

from langchain_core._api.beta_decorator import suppress_langchain_beta_warning
from langchain_core.prompts import (
    AIMessagePromptTemplate,
    ChatPromptTemplate,
    FewShotChatMessagePromptTemplate,
    HumanMessagePromptTemplate,
    MessagesPlaceholder,
    PromptTemplate,
    SystemMessagePromptTemplate,
)
from langchain_core.prompts.base import BasePromptTemplate
from langchain_core.prompts.dict import DictPromptTemplate
from langchain_core.prompts.string import get_template_variables
from langchain_core.prompts.structured import StructuredPrompt

from prompt_adapters.adapters.spots import Spot
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Part, Text, ToolCall, ToolResult, as_part
from prompt_adapters.errors import PromptFormatError, TemplateError, UnsupportedContentError
from prompt_adapters.few_shot import FewShot
from prompt_adapters.formats.joining import appended
from prompt_adapters.langchain.base import PromptTemplateBase
from prompt_adapters.langchain.chosen import Chosen
from prompt_adapters.langchain.compose import Settings
from prompt_adapters.langchain.dialects import PORTABLE
from prompt_adapters.langchain.inputs import all_variables
from prompt_adapters.langchain.messages import langchain_messages
from prompt_adapters.langchain.string_template import AdapterStringPromptTemplate
from prompt_adapters.langchain.structured import StructuredAdapterPromptTemplate
from prompt_adapters.prompt import Block, History, Prompt, Turn
from prompt_adapters.templates.pieces import to_piece
from prompt_adapters.turn_content import DEVELOPER, SETTINGS_KEY, Written, written
from prompt_adapters.turns import Entry

_TEMPLATES: Mapping[str, Any] = {
    "system": SystemMessagePromptTemplate,
    "developer": SystemMessagePromptTemplate,
    "user": HumanMessagePromptTemplate,
    "assistant": AIMessagePromptTemplate,
}
# What tells an absent variable from an empty one, which is all that LangChain's templates can be given.
_TELLS_ABSENT = re.compile(r"\b(?:defined|undefined|default|none|d\()")


def to_langchain(prompt: Prompt | PromptTemplateBase) -> ChatPromptTemplate | PromptTemplate:
    """A prompt of this package as LangChain's own, which renders the same messages for values that are texts.

    Args:
        prompt: A prompt, or a template of this package with its partial values, tags and metadata.

    Returns:
        A ``ChatPromptTemplate``, a ``StructuredPrompt`` for a template with a form of its answer, and a
        ``PromptTemplate`` for a string template.

    Raises:
        UnsupportedContentError: (a ``ValueError``) LangChain has no word for something; it is named.
        TypeError: It is no prompt.
    """
    if not isinstance(prompt, Prompt | PromptTemplateBase):
        raise TypeError(f"to_langchain takes a Prompt or a template of this package, not {type(prompt).__name__}")
    template = None if isinstance(prompt, Prompt) else prompt
    prompts = (prompt,) if isinstance(prompt, Prompt) else prompt.prompts
    given = {} if template is None else dict(template.partial_variables)
    fields = {**_fields(template, prompts), "partial_variables": {**_optional(prompts), **_as_texts(given)}}
    _check_names(prompts)
    items = [item for one in prompts for item in _items(one, given)]
    if isinstance(template, AdapterStringPromptTemplate):
        text = items[0].prompt
        return PromptTemplate.from_template(text.template, template_format=text.template_format, **fields)
    if isinstance(template, StructuredAdapterPromptTemplate):
        more = {"structured_output_kwargs": template.structured_output_kwargs, **fields}
        with suppress_langchain_beta_warning():
            return StructuredPrompt(items, template.schema_, **more)
    return ChatPromptTemplate(items, **fields)


# What all of the prompt has


def _fields(template: PromptTemplateBase | None, prompts: tuple[Prompt, ...]) -> dict[str, Any]:
    kept = Settings.of(prompts).kept()
    if isinstance(template, StructuredAdapterPromptTemplate):
        kept["parameters"] = {k: v for k, v in kept.get("parameters", {}).items() if k != "response_format"}
    metadata = {SETTINGS_KEY: kept} if any(kept.values()) else {}
    if template is None:
        return {"metadata": metadata or None}
    return {
        "metadata": {**template.own_metadata, **metadata} or None,
        "tags": template.tags,
        "name": template.name,
        "output_parser": template.output_parser,
    }


def _check_names(prompts: tuple[Prompt, ...]) -> None:
    for variable in all_variables(prompts):
        if variable.name in ("self", "stop"):
            _no_word(f"a variable called {variable.name!r}", "the prompt", "it has that name itself", "rename it")


def _optional(prompts: tuple[Prompt, ...]) -> dict[str, Any]:
    """What stands for optional variables that are not given: their default, or nothing."""
    histories = {entry.name for prompt in prompts for entry in prompt.messages if isinstance(entry, History)}
    optional = [v for v in all_variables(prompts) if not v.required and v.name not in histories]
    return {v.name: str(to_piece(v.default)) if v.has_default else "" for v in optional}


def _as_texts(partial: Mapping[str, Any]) -> dict[str, Any]:
    for name, value in partial.items():
        found = value if isinstance(value, list | tuple) else [value]
        if any(as_part(item) is not None for item in found if not isinstance(item, str)):
            remedy = "put the medium into the prompt as a fixed block"
            _no_word(f"media as the partial value of {name!r}", "the prompt", "its slots hold text", remedy)
    return {name: value for name, value in partial.items() if not isinstance(value, Chosen)}


# Its messages


def _items(prompt: Prompt, given: Mapping[str, Any]) -> Iterator[Any]:
    for number, entry in enumerate(_with_examples(prompt), 1):
        match entry:
            case Message():
                yield from langchain_messages((entry,))
            case History():
                filler = given.get(entry.name)
                yield filler.template if isinstance(filler, Chosen) else _placeholder(entry)
            case Turn():
                yield _message_template(entry, prompt, given, f"message {number} ({entry.role})")
            case BasePromptTemplate():
                yield entry
            case _:
                assert_never(entry)


def _placeholder(entry: History) -> MessagesPlaceholder:
    return MessagesPlaceholder(entry.name, optional=not entry.required, n_messages=entry.last)


def _message_template(turn: Turn, prompt: Prompt, given: Mapping[str, Any], where: str) -> Any:
    for slot in turn.slots(prompt.syntax):
        if isinstance(given.get(slot.name), Chosen):
            remedy = "keep the few-shot template of LangChain"
            _no_word("examples that are chosen inside a text", where, "its texts hold none", remedy)
    try:
        content = written(turn, prompt.syntax, where, _block_of)
    except TemplateError as error:
        raise PromptFormatError(None, None, f"{where}: {error}") from None
    if content.template_format == "jinja2":
        _check_logic(content, prompt, where)
    more = {"additional_kwargs": dict(DEVELOPER)} if turn.role == "developer" else {}
    return _TEMPLATES[turn.role](prompt=_prompt_of(content), **more)


def _prompt_of(content: Written) -> Any:
    if isinstance(content.content, str):
        return PromptTemplate.from_template(content.content, template_format=content.template_format)  # type: ignore[arg-type]  # one of LangChain's
    return [
        PromptTemplate.from_template(block["text"])
        if block.keys() == {"type", "text"}
        else DictPromptTemplate(template=block, template_format="f-string")
        for block in content.content
    ]


def _check_logic(content: Written, prompt: Prompt, where: str) -> None:
    text = str(content.content)
    known = {variable.name: variable for variable in prompt.variables}
    named = get_template_variables(text, "jinja2")
    if unknown := [name for name in named if name not in known]:
        _no_word(f"the function {unknown[0]!r}", where, "its jinja2 takes it for a variable", "write it without")
    if any(not known[name].required for name in named) and _TELLS_ABSENT.search(text):
        reason = "there is no variable that may be absent"
        _no_word("a test whether a variable is defined", where, reason, "write {% if name %}, or give a default")


def _block_of(part: Part) -> dict[str, Any]:
    if isinstance(part, Text):
        return {"type": "text", "text": part.text}
    if isinstance(part, ToolCall | ToolResult):
        _no_word(f"a {part.kind.replace('_', ' ')}", "a template", "templates hold none", "put it into a Message")
    return dict(PORTABLE.block(part, Spot(0, "user"), in_result=False))


# Its examples


def _with_examples(prompt: Prompt) -> list[Entry | BasePromptTemplate[Any]]:
    """The entries of a prompt, its examples among them."""
    shots, entries = prompt.few_shot, [*prompt.messages]
    if shots is None:
        return [*entries]
    others = (n for n, entry in enumerate(entries) if isinstance(entry, History) or entry.role not in _LEADING)
    first = next(others, len(entries))
    if shots.format == "converse":
        shown = [_chooser(shots)] if shots.selector is not None else [*shots.turns()]
        return [*entries[:first], *shown, *entries[first:]]
    if shots.selector is not None:
        remedy = "show them as turns, FewShot(..., format='converse')"
        _no_word("chosen examples that are appended to a text", "the prompt", "its texts hold none", remedy)
    if shots.format == "append_to_system_prompt" and first == 0:
        return [Message("system", shots.section()), *entries]
    users = [n for n, entry in enumerate(entries) if not isinstance(entry, History) and entry.role == "user"]
    if shots.format == "append_to_user_prompt" and not users:
        _no_word("examples for a user prompt", "the prompt", "there is no user turn", "write one")
    place = first - 1 if shots.format == "append_to_system_prompt" else users[-1]
    return [*entries[:place], _appended(shots, entries[place], prompt.syntax), *entries[place + 1 :]]


_LEADING = ("system", "developer")


def _chooser(shots: FewShot) -> BasePromptTemplate[Any]:
    if isinstance(shots.selector, BasePromptTemplate):
        return shots.selector
    pair = ChatPromptTemplate([("human", "{input}"), ("ai", "{output}")])
    names = list(shots.variables)
    return FewShotChatMessagePromptTemplate(example_selector=shots.selector, example_prompt=pair, input_variables=names)


def _appended(shots: FewShot, entry: Entry, syntax: str) -> Entry:
    match entry:
        case Message():
            return shots.appended(entry)
        case Turn(content=str() as text):
            parts = shots.section()  # of which the first is a text
            texts = [p.text for p in parts if isinstance(p, Text)]
            lead, rest = ("".join(texts), ()) if len(texts) == len(parts) else (texts[0], parts[1:])
            made = appended(text, lead, syntax)
            if made is not None and not rest:
                return entry.replace(content=made)
            apart = [Block("text", template=text), Block("text", part=Text(f"\n\n{lead}"))]
            head = apart if made is None else [Block("text", template=made)]
            return entry.replace(content=[*head, *(Block(p.kind, part=p) for p in rest)], spaced=False)
        case Turn():
            blocks = [
                *entry.blocks,
                Block("text", part=Text("\n\n")),
                *(Block(p.kind, part=p) for p in shots.section()),
            ]
            if entry.spaced:
                _no_word(
                    "examples after a list of blocks", "the prompt", "its blocks have no separators", "write a text"
                )
            return entry.replace(content=blocks)
        case History():
            _no_word("examples after a history", "the prompt", "they belong to a text", "write a user turn")
    assert_never(entry)


def _no_word(what: str, where: str, reason: str, remedy: str) -> NoReturn:
    raise UnsupportedContentError("LangChain's own prompt", what, where, reason, remedy)
