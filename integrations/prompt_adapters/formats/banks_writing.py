"""Prompts as chat templates of banks, and what of them has no word there; see `banks`."""

from __future__ import annotations

from prompt_adapters.blocks import Block
from prompt_adapters.content.message import Message
from prompt_adapters.content.parts import Part, Text
from prompt_adapters.errors import PromptAdapterError, PromptFormatError
from prompt_adapters.formats.banks_reading import MEDIA, read_chats
from prompt_adapters.formats.holding import Holding, declaration_loss
from prompt_adapters.formats.inline import address_of, as_turn, joined, medium_at
from prompt_adapters.formats.jinja_tags import for_trimming
from prompt_adapters.formats.joining import closed
from prompt_adapters.formats.template_tags import bare
from prompt_adapters.prompt import Prompt
from prompt_adapters.templates.formats import escaped, is_slot_name
from prompt_adapters.turns import History, Turn

_WHAT = "a template of banks"


def written(prompt: Prompt) -> tuple[str, tuple[str, ...]]:
    """The chat template that is nearest to a prompt, and a phrase for each thing that it leaves out.

    Raises:
        PromptFormatError: No message is left.
    """
    holding = Holding(prompt, _WHAT)
    holding.examples_to_messages()
    holding.to_syntax("jinja")
    holding.literals_to_turns()
    holding.without("model", "name", "version")
    holding.only_keys("parameters", lambda _: False)
    holding.only_keys("metadata", lambda _: False)
    writer = _Writer(holding, prompt)
    chats = [chat for place, entry in holding.entries if (chat := writer.chat(entry, place)) is not None]
    if not chats:
        raise PromptFormatError(None, None, "; ".join((f"{_WHAT} needs a message, and none is left", *holding.losses)))
    text = "".join(chats)
    _declarations(prompt, text, holding)
    return text, tuple(holding.losses)


def _declarations(prompt: Prompt, text: str, holding: Holding) -> None:
    """Take note of what the template does not say of declared variables."""
    turns, optional = read_chats(text)
    told = {variable.name: variable for variable in Prompt(messages=turns, variables=optional).variables}
    for variable in prompt.declared:
        effective = next(known for known in prompt.variables if known.name == variable.name)
        if (loss := declaration_loss(effective, told.get(variable.name))) is not None:
            holding.losses.append(f"variable {variable.name!r}: {loss}")


class _Writer:
    """The messages of a prompt, on their way into a chat template."""

    def __init__(self, holding: Holding, prompt: Prompt) -> None:
        self._holding = holding
        self._optional = {variable.name for variable in prompt.variables if not variable.required}

    def _lose(self, what: str) -> None:
        self._holding.losses.append(what)

    def chat(self, entry: Turn | Message | History, place: str) -> str | None:
        """A message, when something of it is left."""
        if isinstance(entry, History):
            self._lose(f"{place}, a slot for earlier messages")
            return None
        if entry.role == "tool":
            self._lose(f"{place}, the result of a tool")
            return None
        if isinstance(entry, Message):
            self._holding.losses += [f"{place}: the end of a cacheable prefix"] if entry.cache else []
            self._holding.losses += [f"{place}: its name {entry.name!r}"] if entry.name is not None else []
        turn = as_turn(entry, "jinja")
        role = "system" if turn.role == "developer" else turn.role
        if role != turn.role:
            self._lose(f"{place}: the role {turn.role!r}")
        text = self._text(turn, place)
        return None if text is None else _chat(role, text)

    def _text(self, turn: Turn, place: str) -> str | None:
        if isinstance(turn.content, str):
            text = bare(turn.content, "jinja")
        else:
            text = joined(turn, place, "jinja", self._block, self._lose, marks=True)
        stripped = text.strip()
        try:
            kept, _ = read_chats(_chat("user", stripped))
        except PromptAdapterError as error:
            reason = error.reason if isinstance(error, PromptFormatError) else str(error)
            self._lose(f"{place}, which banks cannot have: {reason}")
            return None
        if not kept:
            self._lose(f"{place}, which is empty")
            return None
        if stripped != text:
            self._lose(f"{place}: the blanks round its text")
        return stripped

    def _block(self, block: Block, where: str) -> str | None:
        """A block as it stands in a template; None when it cannot."""
        if block.template is not None:
            template = bare(block.template, "jinja")
            return _marked(template) if block.cache else template
        if block.part is not None:
            return self._fixed(block.part, where, marked=block.cache or block.part.cache)
        if block.variable is None or not is_slot_name(block.variable, "jinja"):
            return None
        index = "" if block.index is None else f"[{block.index}]"
        slot = f"{{{{ {block.variable}{index} | {block.type} }}}}"
        optional = block.variable in self._optional and block.index is None
        return f"{{% if {block.variable} %}}{slot}{{% endif %}}" if optional else slot

    def _fixed(self, part: Part, where: str, *, marked: bool) -> str | None:
        if isinstance(part, Text):
            text = escaped(part.text, "jinja")
            return _marked(text) if marked else text
        address = address_of(part)
        if part.kind not in MEDIA or address is None:
            return None
        if medium_at(address, part.kind) != part.replace(cache=False):
            self._lose(f"{where}: what is said of the {part.kind} beside its content")
        quoted = address.replace("\\", "\\\\").replace('"', '\\"')
        return f'{{{{ "{quoted}" | {part.kind} }}}}'


def _chat(role: str, text: str) -> str:
    return f'{{% chat role="{role}" %}}\n{for_trimming(text)}\n{{% endchat %}}\n'


def _marked(template: str) -> str:
    return f"{{% filter cache_control %}}{closed(template)}{{% endfilter %}}"
