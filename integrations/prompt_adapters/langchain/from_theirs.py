"""`from_langchain`: any prompt of LangChain as a template of this package."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias, TypeVar, overload

from langchain_core.messages import BaseMessage
from langchain_core.prompts.base import BasePromptTemplate
from langchain_core.prompts.chat import BaseChatPromptTemplate, HumanMessagePromptTemplate
from langchain_core.prompts.dict import DictPromptTemplate
from langchain_core.prompts.image import ImagePromptTemplate
from langchain_core.prompts.message import BaseMessagePromptTemplate
from langchain_core.prompts.string import StringPromptTemplate
from langchain_core.prompts.structured import StructuredPrompt

from prompt_adapters.langchain.base import PromptTemplateBase
from prompt_adapters.langchain.compose import Settings
from prompt_adapters.langchain.string_template import AdapterStringPromptTemplate
from prompt_adapters.langchain.structured import StructuredAdapterPromptTemplate
from prompt_adapters.langchain.template import AdapterPromptTemplate
from prompt_adapters.langchain.text_prompts import read_text_prompt
from prompt_adapters.prompt import Prompt
from prompt_adapters.turn_content import SETTINGS_KEY

_ChatLike: TypeAlias = (
    BaseChatPromptTemplate
    | BaseMessagePromptTemplate
    | BaseMessage
    | ImagePromptTemplate
    | DictPromptTemplate
    | Prompt
    | list[Any]
    | tuple[Any, ...]
)
_Template = TypeVar("_Template", bound=PromptTemplateBase)


@overload
def from_langchain(prompt: StringPromptTemplate) -> AdapterStringPromptTemplate: ...


@overload
def from_langchain(prompt: _ChatLike) -> AdapterPromptTemplate: ...


def from_langchain(prompt: Any) -> AdapterPromptTemplate | AdapterStringPromptTemplate:
    """A prompt of LangChain as a template of this package, which renders the same.

    ============================================================  =====================================================
    what is given                                                 what comes
    ============================================================  =====================================================
    ``ChatPromptTemplate``, ``StructuredPrompt``,                 `AdapterPromptTemplate`
    ``FewShotChatMessagePromptTemplate`` and other chat prompts
    ``HumanMessagePromptTemplate`` and its kin,                   `AdapterPromptTemplate` of this one message
    ``MessagesPlaceholder``, ``ImagePromptTemplate``,
    ``DictPromptTemplate``, a message, a list of all these
    ``PromptTemplate``, ``FewShotPromptTemplate``,                `AdapterStringPromptTemplate`
    ``FewShotPromptWithTemplates`` and other string prompts
    a template of this package, a `Prompt`                        a template of this package
    ============================================================  =====================================================

    Partial values and functions, optional placeholders, formats, tags and metadata are kept. The result's ``prompt`` is
    the `Prompt`. A difference is meant: an example of a few-shot prompt is rendered once, and is data after that.

    Args:
        prompt: The prompt.

    Raises:
        TypeError: It is no prompt.
        PromptFormatError: (a ``ValueError``) Something in it has no place in a prompt of this package; it is named.
        TemplateError: (a ``ValueError``) A template of it cannot be compiled, as one with a partial of Mustache.
    """
    match prompt:
        case PromptTemplateBase():
            return prompt  # type: ignore[return-value]  # both kinds of templates derive from it
        case Prompt():
            return AdapterPromptTemplate.from_prompt(prompt)
        case StringPromptTemplate():
            return _string(prompt)
        case ImagePromptTemplate() | DictPromptTemplate():
            message = HumanMessagePromptTemplate(prompt=[prompt])
            return AdapterPromptTemplate.from_messages([message])
        case BaseChatPromptTemplate():
            return _chat(prompt)
        case BaseMessagePromptTemplate() | BaseMessage():
            return AdapterPromptTemplate.from_messages([prompt])
        case list() | tuple():
            return AdapterPromptTemplate.from_messages(prompt)
    raise TypeError(f"from_langchain takes a prompt of LangChain, not {type(prompt).__name__}")


def _string(prompt: StringPromptTemplate) -> AdapterStringPromptTemplate:
    text = read_text_prompt(prompt, "the prompt", "chosen_1")
    own = Prompt(messages=[("user", text.text)], syntax=text.syntax)
    template = AdapterStringPromptTemplate.from_prompt(own, partial_variables=text.partial)
    return _with_fields(template, prompt)


def _chat(prompt: BaseChatPromptTemplate) -> AdapterPromptTemplate:
    template = AdapterPromptTemplate.from_messages([prompt])
    template = _with_fields(template, prompt)
    if isinstance(prompt, StructuredPrompt):
        return StructuredAdapterPromptTemplate.of(template, prompt.schema_, prompt.structured_output_kwargs)
    return template


def _with_fields(template: _Template, prompt: BasePromptTemplate[Any]) -> _Template:
    """The template with the fields that all of LangChain's prompts have."""
    metadata = dict(prompt.metadata or {})
    kept = metadata.pop(SETTINGS_KEY, None)
    fields: dict[str, Any] = {
        "tags": prompt.tags,
        "metadata": metadata,
        "name": prompt.name,
        "output_parser": prompt.output_parser,
        "input_types": {**prompt.input_types, **template.input_types},
    }
    if isinstance(kept, Mapping):
        first, *rest = template.prompts
        fields["prompts"] = (Settings.restored(first, kept), *rest)
    return template._changed(**fields)
