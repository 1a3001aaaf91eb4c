"""Everything that LangChain takes for a list of messages, read into prompts.

============================================  ================================================================
what is written                               what it is
============================================  ================================================================
``"text"``                                    a user template
``("human", "text")``, ``(HumanMessage, …)``  a template of that role; also as ``{"role": …, "content": …}``
``("human", [block, …])``                     blocks; see `turn_content`
``("placeholder", "{history}")``              a slot for earlier messages; ``MessagesPlaceholder`` as well
a message                                     literal
message templates, ``ChatPromptTemplate``     their templates, in their own format, with their partial variables
few-shot templates                            literal messages; where a selector chooses, a slot that it fills
other templates of messages                   a slot that they fill themselves
``AdapterPromptTemplate``, ``Prompt``         its prompts
============================================  ================================================================

What is none of these is refused by name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, assert_never

from langchain_core.messages import BaseMessage
from langchain_core.prompts import (
    AIMessagePromptTemplate,
    ChatPromptTemplate,
    FewShotChatMessagePromptTemplate,
    HumanMessagePromptTemplate,
    MessagesPlaceholder,
    SystemMessagePromptTemplate,
)
from langchain_core.prompts.base import BasePromptTemplate
from langchain_core.prompts.chat import BaseChatPromptTemplate, BaseStringMessagePromptTemplate
from langchain_core.prompts.dict import DictPromptTemplate
from langchain_core.prompts.image import ImagePromptTemplate
from langchain_core.prompts.message import BaseMessagePromptTemplate
from langchain_core.prompts.string import StringPromptTemplate

from prompt_adapters.content.message import ROLES, Message
from prompt_adapters.content.read import ROLE_ALIASES, read_message, read_messages
from prompt_adapters.errors import PromptFormatError, TemplateError
from prompt_adapters.langchain.carried import Carried
from prompt_adapters.langchain.chosen import Chosen
from prompt_adapters.langchain.compose import Composition, apart, joined
from prompt_adapters.langchain.text_prompts import read_text_prompt
from prompt_adapters.partial_values import Partials
from prompt_adapters.prompt import History, Prompt, Turn
from prompt_adapters.templates import Slot, one_prompt
from prompt_adapters.templates.formats import syntax_of
from prompt_adapters.turn_content import DEVELOPER, literal, said, said_in
from prompt_adapters.turns import Entry

_TEMPLATE_ROLES: Mapping[type[BaseMessagePromptTemplate], str] = {
    SystemMessagePromptTemplate: "system",
    HumanMessagePromptTemplate: "user",
    AIMessagePromptTemplate: "assistant",
}
_CHOSEN = "chosen_"


@one_prompt()
def read_composition(items: Iterable[Any], template_format: str) -> Composition:
    """Read a list of messages.

    Args:
        items: What LangChain takes for messages.
        template_format: How placeholders are written in plain texts.

    Raises:
        PromptFormatError: (a ``ValueError``) Something is none of the known forms; its number is named.
        TemplateError: (a ``ValueError``) A template cannot be compiled.
    """
    if isinstance(items, str | Mapping) or not isinstance(items, Iterable):
        raise _refused(f"messages are a list, not {type(items).__name__}")
    reader = _Reader(syntax_of(template_format))
    for number, item in enumerate(items, 1):
        reader.add(item, f"message {number}")
    return reader.done()


def is_made(item: object) -> bool:
    """Whether it is a template that somebody has made already, with braces as its own class reads them."""
    return isinstance(item, BaseMessagePromptTemplate | BasePromptTemplate)


class _Reader:
    """Collects prompts: a run of entries in one syntax makes one."""

    def __init__(self, own: str) -> None:
        self._own = own
        self._where = ""
        self._prompts: list[Prompt] = []
        self._partials = Partials()
        self._chosen: set[str] = set()  # the names in use that look like those of slots that templates fill
        self._number = 1

    def done(self) -> Composition:
        if not self._prompts:
            raise _refused("a prompt needs at least one message")
        self._partials.check(
            {slot.name for slot in _slots(entry, prompt.syntax)}
            for prompt in self._prompts
            for entry in prompt.messages
        )
        return Composition(joined(self._prompts), self._partials.values)

    def add(self, item: Any, where: str) -> None:
        self._where = where
        match item:
            case Message() | History() | Turn():
                self._entry(item)
            case str():
                self._entry(said("user", item, where, self._own))
            case BaseMessage():
                self._entry(Carried.of(read_message(item, where), item.model_copy(deep=True)))
            case MessagesPlaceholder():
                self._entry(_history(item))
            case Prompt():
                self._template(item, where)
            case BaseMessagePromptTemplate() | BaseChatPromptTemplate():
                self._template(item, where)
            case Mapping():
                self._dictionary(item, where)
            case (role, content):
                self._pair(role, content, where)
            case _:
                raise _refused(f"{where} is {type(item).__name__}; write (role, template), a message, or a placeholder")

    def _entry(self, entry: Entry, syntax: str | None = None) -> None:
        syntax = syntax or self._own
        if isinstance(entry, Turn):
            try:
                entry.slots(syntax)
            except TemplateError as error:  # the prompt would call it the first message, being one of many
                raise error.at(f"{self._where} ({entry.role})") from error.__cause__
        self._append([Prompt(messages=(entry,), syntax=syntax)])

    def _append(self, prompts: Iterable[Prompt]) -> None:
        for prompt in prompts:
            self._prompts.append(prompt)
            self._chosen.update(v.name for v in prompt.variables if v.name.startswith(_CHOSEN))

    def _fill(self, partial: Mapping[str, Any], where: str, *, local: bool = False) -> None:
        self._partials.fill(partial, where, local=local)
        self._chosen.update(name for name in partial if name.startswith(_CHOSEN))

    def _dictionary(self, item: Mapping[str, Any], where: str) -> None:
        if item.keys() == {"role", "content"}:
            self._pair(item["role"], item["content"], where)
        else:
            self._entry(read_message({**item, "content": literal(item.get("content"), where, self._own)}, where))

    def _pair(self, role: Any, content: Any, where: str) -> None:
        fields = getattr(role, "model_fields", {})
        name = fields["type"].default if "type" in fields else role
        if name == "placeholder":
            self._entry(_placeholder(content, where))
        elif not isinstance(name, str) or ROLE_ALIASES.get(name, name) not in ROLES:
            raise _refused(f"{where}: {name!r} is not a role; the roles are {', '.join(ROLES)} and placeholder")
        else:
            self._entry(said(name, content, where, self._own))

    def _template(self, item: Any, where: str) -> None:
        from prompt_adapters.langchain.template import AdapterPromptTemplate

        match item:
            case Prompt():
                self._template(AdapterPromptTemplate.from_prompt(item), where)
            case AdapterPromptTemplate():
                inner = apart(self._so_far(), Composition(item.prompts, dict(item.partial_variables)))
                self._append(inner.prompts)
                self._fill(inner.partial, where)
            case ChatPromptTemplate():
                for number, inner_item in enumerate(item.messages, 1):
                    self.add(inner_item, f"{where}, message {number}")
                self._fill(_own_partials(item), where)
            case FewShotChatMessagePromptTemplate(examples=list()) if not item.input_variables:
                for message in read_messages(item.format_messages(), where):
                    self._entry(message)
            case HumanMessagePromptTemplate() | AIMessagePromptTemplate() | SystemMessagePromptTemplate():
                self._message_template(item, where)
            case BaseStringMessagePromptTemplate():
                self._message_template(item, where)
            case _:
                self._filled_by(item, where)

    def _filled_by(self, item: Any, where: str) -> None:
        """A template that gives messages in its own way, as one that chooses examples, fills a slot for them."""
        name = self._slot_name()
        self._entry(History(name))
        self._fill({name: Chosen(item)}, where, local=True)

    def _slot_name(self) -> str:
        while any(name.startswith(f"{_CHOSEN}{self._number}") for name in self._chosen):
            self._number += 1
        return f"{_CHOSEN}{self._number}"

    def _message_template(self, item: Any, where: str) -> None:
        """A template of one message, as ``HumanMessagePromptTemplate``: one text, or blocks."""
        role = _role(item, where)
        if isinstance(item.prompt, list):
            self._blocks(role, item.prompt, where)
        else:
            text = read_text_prompt(item.prompt, where, self._slot_name())
            self._entry(Turn(role, text.text), text.syntax)
            self._fill(text.partial, where, local=True)

    def _blocks(self, role: str, prompts: list[Any], where: str) -> None:
        blocks: list[tuple[str, Any]] = []
        for number, prompt in enumerate(prompts, 1):
            here = f"{where}, block {number}"
            match prompt:
                case ImagePromptTemplate():
                    image = {"type": "image_url", "image_url": prompt.template}
                    blocks.append((syntax_of(prompt.template_format), image))
                    self._fill(prompt.partial_variables, here, local=True)
                case DictPromptTemplate():
                    blocks.append((syntax_of(prompt.template_format), prompt.template))
                case StringPromptTemplate():
                    text = read_text_prompt(prompt, here, self._slot_name())
                    blocks.append((text.syntax, {"type": "text", "text": text.text}))
                    self._fill(text.partial, here, local=True)
                case _:
                    raise _refused(
                        f"{here}: {type(prompt).__name__} is no template of a text, an image or a dictionary"
                    )
        entry, syntax = said_in(role, blocks, where, self._own)
        self._entry(entry, syntax)

    # Partial variables

    def _so_far(self) -> Composition:
        return Composition(tuple(self._prompts), self._partials.values)


def _placeholder(content: Any, where: str) -> History:
    """LangChain's ``("placeholder", "{name}")`` is optional; ``("placeholder", ["{name}", False])`` is required."""
    name, optional = content if isinstance(content, list | tuple) and len(content) == 2 else (content, True)
    if not isinstance(name, str) or name[:1] != "{" or name[-1:] != "}" or not isinstance(optional, bool):
        raise _refused(f"{where}: a placeholder is written ('placeholder', '{{name}}'), not {content!r}")
    return History(name[1:-1], required=not optional)


def _slots(entry: Entry, syntax: str) -> tuple[Any, ...]:
    match entry:
        case Turn():
            return entry.slots(syntax)
        case History():
            return (Slot(entry.name, entry.required),)
        case Message():
            return ()
    assert_never(entry)


def _own_partials(item: ChatPromptTemplate) -> dict[str, Any]:
    """Its partial values, without the empty lists that LangChain keeps for optional placeholders."""
    optional = set(item.optional_variables)
    return {name: value for name, value in item.partial_variables.items() if name not in optional or value != []}


def _history(item: MessagesPlaceholder) -> History:
    return History(item.variable_name, required=not item.optional, last=item.n_messages)


def _role(item: Any, where: str) -> str:
    role = next((role for cls, role in _TEMPLATE_ROLES.items() if isinstance(item, cls)), None)
    if item.additional_kwargs == DEVELOPER and role == "system":
        return "developer"
    if item.additional_kwargs:
        raise _refused(f"{where}: {type(item).__name__} has additional_kwargs, which a template cannot keep")
    if role is None:
        said = getattr(item, "role", None)
        role = ROLE_ALIASES.get(said, said) if isinstance(said, str) else None
    if role not in ROLES:
        raise _refused(f"{where}: {type(item).__name__} has no known role; the roles are {', '.join(ROLES)}")
    return role


def _refused(reason: str) -> PromptFormatError:
    return PromptFormatError(None, None, reason)
