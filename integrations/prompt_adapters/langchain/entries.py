"""Everything that LangChain takes for a list of messages, read into prompts.

===========================================  =================================================================
what is written                              what it is
===========================================  =================================================================
``"text"``                                   a user template
``("human", "text")``, ``(HumanMessage, …)``  a template of that role; also as ``{"role": …, "content": …}``
``("human", [block, …])``                    literal when it holds no placeholder; one text block is a template;
                                             a list with parts or ``{"variable": …}`` is a block list
``("placeholder", "{history}")``             a slot for earlier messages; ``MessagesPlaceholder`` as well
a message                                    literal
message templates, ``ChatPromptTemplate``    their templates, in their own format, with their partial variables
``AdapterPromptTemplate``                    its prompts
===========================================  =================================================================

What is none of these is refused by name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from langchain_core.messages import BaseMessage
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
from langchain_core.prompts.chat import BaseChatPromptTemplate
from langchain_core.prompts.message import BaseMessagePromptTemplate

from prompt_adapters.content.message import ROLES, Message
from prompt_adapters.content.parts import as_part
from prompt_adapters.content.read import ROLE_ALIASES, read_message, read_messages
from prompt_adapters.errors import PromptFormatError, TemplateError
from prompt_adapters.langchain.compose import joined
from prompt_adapters.langchain.template_format import TemplateFormat
from prompt_adapters.prompt import Block, History, Prompt, Turn
from prompt_adapters.templates import compile_template
from prompt_adapters.turns import Entry

_TEMPLATE_ROLES: Mapping[type[BaseMessagePromptTemplate], str] = {
    SystemMessagePromptTemplate: "system",
    HumanMessagePromptTemplate: "user",
    AIMessagePromptTemplate: "assistant",
}


class Composition(NamedTuple):
    """What a list of messages holds.

    Attributes:
        prompts: Prompts whose messages follow one another.
        partial: Values that the templates among them brought along.
    """

    prompts: tuple[Prompt, ...]
    partial: dict[str, Any]


def read_composition(items: Iterable[Any], template_format: str) -> Composition:
    """Read a list of messages.

    Args:
        items: What LangChain takes for messages.
        template_format: How placeholders are written in plain texts.

    Raises:
        PromptFormatError: (a ``ValueError``) Something is none of the known forms; its number is named.
        TemplateError: (a ``ValueError``) A template cannot be compiled.
    """
    if isinstance(items, str | Mapping):
        raise _refused(f"messages are a list, not {type(items).__name__}")
    reader = _Reader(TemplateFormat.named(template_format))
    for number, item in enumerate(items, 1):
        reader.add(item, f"message {number}")
    return reader.done()


def is_made(item: object) -> bool:
    """Whether it is a template that somebody has made already, with braces as its own class reads them."""
    return isinstance(item, BaseMessagePromptTemplate | BasePromptTemplate)


class _Reader:
    """Collects prompts: a run of entries in one syntax makes one."""

    def __init__(self, own: TemplateFormat) -> None:
        self._own = own
        self._where = ""
        self._prompts: list[Prompt] = []
        self._partial: dict[str, Any] = {}
        self._local: dict[str, int] = {}

    def done(self) -> Composition:
        if not self._prompts:
            raise _refused("a prompt needs at least one message")
        self._check_local()
        return Composition(joined(self._prompts), self._partial)

    def add(self, item: Any, where: str) -> None:
        self._where = where
        match item:
            case Message() | History() | Turn():
                self._entry(item)
            case str():
                self._entry(_said("user", item, where, self._own))
            case BaseMessage():
                self._entry(read_message(item, where))
            case MessagesPlaceholder():
                self._entry(_history(item, where))
            case BaseMessagePromptTemplate() | BaseChatPromptTemplate():
                self._template(item, where)
            case Mapping():
                self._dictionary(item, where)
            case (role, content):
                self._pair(role, content, where)
            case _:
                raise _refused(f"{where} is {type(item).__name__}; write (role, template), a message, or a placeholder")

    def _entry(self, entry: Entry, syntax: str | None = None) -> None:
        syntax = syntax or self._own.syntax
        if isinstance(entry, Turn):
            try:
                entry.slots(syntax)
            except TemplateError as error:  # the prompt would call it the first message, being one of many
                raise error.at(f"{self._where} ({entry.role})") from error.__cause__
        self._prompts.append(Prompt(messages=(entry,), syntax=syntax))

    def _dictionary(self, item: Mapping[str, Any], where: str) -> None:
        if item.keys() == {"role", "content"}:
            self._pair(item["role"], item["content"], where)
        else:
            self._entry(read_message({**item, "content": _literal(item.get("content"), where, self._own)}, where))

    def _pair(self, role: Any, content: Any, where: str) -> None:
        fields = getattr(role, "model_fields", {})
        name = fields["type"].default if "type" in fields else role
        if name == "placeholder":
            self._entry(_placeholder(content, where))
        elif not isinstance(name, str) or ROLE_ALIASES.get(name, name) not in ROLES:
            raise _refused(f"{where}: {name!r} is not a role; the roles are {', '.join(ROLES)} and placeholder")
        else:
            self._entry(_said(name, content, where, self._own))

    def _template(self, item: Any, where: str) -> None:
        from prompt_adapters.langchain.template import AdapterPromptTemplate

        match item:
            case AdapterPromptTemplate():
                self._prompts += item.prompts
                self._fill(item.partial_variables, where)
            case ChatPromptTemplate():
                for number, inner in enumerate(item.messages, 1):
                    self.add(inner, f"{where}, message {number}")
                self._fill(item.partial_variables, where)
            case FewShotChatMessagePromptTemplate(examples=list()) if not item.input_variables:
                for message in read_messages(item.format_messages(), where):
                    self._entry(message)
            case _:
                self._message_template(item, where)

    def _message_template(self, item: Any, where: str) -> None:
        """A template of one message, as ``HumanMessagePromptTemplate``: one text, or blocks without placeholders."""
        from prompt_adapters.langchain.string_template import AdapterStringPromptTemplate

        text = getattr(item, "prompt", None)
        if isinstance(text, list) and len(text) == 1:
            text = text[0]
        if getattr(item, "additional_kwargs", None):
            raise _refused(f"{where}: {type(item).__name__} has additional_kwargs, which a template cannot keep")
        if isinstance(text, AdapterStringPromptTemplate):
            self._entry(Turn(_role(item, where), text.turn.content), text.prompt.syntax)
            self._fill(text.partial_variables, where, local=True)
        elif isinstance(text, PromptTemplate):
            theirs = TemplateFormat.named(text.template_format)
            self._entry(_said(_role(item, where), text.template, where, theirs), theirs.syntax)
            self._fill(text.partial_variables, where, local=True)
        elif isinstance(item, BaseMessagePromptTemplate) and not item.input_variables and not _partial_of(text):
            for message in read_messages(item.format_messages(), where):
                self._entry(message)
        else:
            raise _refused(
                f"{where}: {type(item).__name__} cannot be taken over whole; write (role, template) with the media as "
                "values, as ('user', '{question} {photo}'), or put both prompts into a ChatPromptTemplate"
            )

    # Partial variables

    def _fill(self, partial: Mapping[str, Any], where: str, *, local: bool = False) -> None:
        for name, value in partial.items():
            if name in self._partial and self._partial[name] is not value and self._partial[name] != value:
                raise _refused(f"{where}: the variable {name!r} has two different partial values")
            self._partial[name] = value
            if local:
                self._local[name] = self._local.get(name, 0) + 1

    def _check_local(self) -> None:
        """A partial of one message may not fill the same name in another one, which LangChain would ask for."""
        for name, times in self._local.items():
            uses = sum(any(v.name == name for v in prompt.variables) for prompt in self._prompts)
            if uses > times:
                raise _refused(
                    f"the variable {name!r} is filled in one message and asked for in another; rename one of them"
                )


def _said(role: str, content: Any, where: str, form: TemplateFormat) -> Entry:
    """A turn of one role: a template, a block list, or a literal message."""
    if isinstance(content, str):
        return Turn(role, _translated(content, where, form))
    if not isinstance(content, list | tuple):
        return read_message((role, content), where)
    if any(_is_own(block) for block in content):
        return Turn(role, [_as_own(block, where, form) for block in content])
    if len(content) == 1 and (text := _text_of(content[0])) is not None:
        return Turn(role, _translated(text, where, form))
    return read_message((role, _literal(content, where, form)), where)


def _translated(text: str, where: str, form: TemplateFormat) -> str:
    try:
        return form.text(text)
    except TemplateError as error:
        raise TemplateError(f"{where}: {error}") from None


def _is_own(block: Any) -> bool:
    if isinstance(block, Mapping):
        return "variable" in block or "content" in block
    return isinstance(block, Block) or (not isinstance(block, str) and as_part(block) is not None)


def _as_own(block: Any, where: str, form: TemplateFormat) -> Any:
    text = _text_of(block)
    if text is None and isinstance(block, Mapping) and isinstance(block.get("content"), str):
        return {**block, "content": _translated(block["content"], where, form)}
    return block if text is None else {"type": "text", "content": _translated(text, where, form)}


def _text_of(block: Any) -> str | None:
    """The text of a text block that is nothing else."""
    if isinstance(block, Mapping) and block.keys() <= {"type", "text"} and block.get("type", "text") == "text":
        block = block.get("text")
    return block if isinstance(block, str) else None


def _literal(value: Any, where: str, form: TemplateFormat, key: object = None) -> Any:
    """Content whose texts hold no placeholder, with escaped braces as they are meant.

    Raises:
        PromptFormatError: (a ``ValueError``) There is a placeholder.
    """
    match value:
        case str() if key != "type" and ("{" in value or "%" in value):
            try:
                template = compile_template(form.text(value), form.syntax)
            except TemplateError as error:
                raise TemplateError(f"{where}: {error}") from None
            if template.variables:
                raise _refused(
                    f"{where} has the placeholder {template.variables[0].name!r} inside a list of blocks; write one "
                    "template and give media as values, as ('user', '{question} {photo}'), or blocks, as "
                    "{'type': 'text', 'content': '{question}'} and {'type': 'image', 'variable': 'photo'}"
                )
            return "".join(getattr(part, "text", "") for part in template.render({}))
        case Mapping():
            return {name: _literal(item, where, form, name) for name, item in value.items()}
        case list() | tuple():
            return [_literal(item, where, form) for item in value]
    return value


def _placeholder(content: Any, where: str) -> History:
    """LangChain's ``("placeholder", "{name}")`` is optional; ``("placeholder", ["{name}", False])`` is required."""
    name, optional = content if isinstance(content, list | tuple) and len(content) == 2 else (content, True)
    if not isinstance(name, str) or name[:1] != "{" or name[-1:] != "}" or not isinstance(optional, bool):
        raise _refused(f"{where}: a placeholder is written ('placeholder', '{{name}}'), not {content!r}")
    return History(name[1:-1], required=not optional)


def _history(item: MessagesPlaceholder, where: str) -> History:
    if item.n_messages is not None:
        raise _refused(
            f"{where}: the placeholder {item.variable_name!r} has n_messages={item.n_messages}, which a history does "
            "not have; trim the messages before, as with langchain_core.messages.trim_messages"
        )
    return History(item.variable_name, required=not item.optional)


def _role(item: Any, where: str) -> str:
    role = next((role for cls, role in _TEMPLATE_ROLES.items() if isinstance(item, cls)), None)
    if role is None:
        said = getattr(item, "role", None)
        role = ROLE_ALIASES.get(said, said) if isinstance(said, str) else None
    if role not in ROLES:
        raise _refused(f"{where}: {type(item).__name__} has no known role; the roles are {', '.join(ROLES)}")
    return role


def _partial_of(prompt: Any) -> bool:
    prompts = prompt if isinstance(prompt, list) else [prompt]
    return any(isinstance(p, BasePromptTemplate) and p.partial_variables for p in prompts)


def _refused(reason: str) -> PromptFormatError:
    return PromptFormatError(None, None, reason)
