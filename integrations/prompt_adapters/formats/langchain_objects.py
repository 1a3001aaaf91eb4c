"""LangChain's dumps as plain data: which class an object is of, and its fields. No class is imported or made.

An object is ``{"lc": 1, "type": "constructor", "id": [module…, class], "kwargs": {fields}}``. Only the classes named
here are read, under the paths that LangChain has given them. A secret is refused and never looked up; what LangChain
could not dump is refused by name. A dictionary of somebody's data that looks like an object stands in
``{"__lc_escaped__": …}``.
https://reference.langchain.com/python/langchain_core/load/
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from prompt_adapters.errors import PromptFormatError

ESCAPED = "__lc_escaped__"

_OLD = {
    "ChatPromptTemplate": ("langchain", "prompts", "chat"),
    "PromptTemplate": ("langchain", "prompts", "prompt"),
    "MessagesPlaceholder": ("langchain", "prompts", "chat"),
    "SystemMessagePromptTemplate": ("langchain", "prompts", "chat"),
    "HumanMessagePromptTemplate": ("langchain", "prompts", "chat"),
    "AIMessagePromptTemplate": ("langchain", "prompts", "chat"),
    "ChatMessagePromptTemplate": ("langchain", "prompts", "chat"),
    "ImagePromptTemplate": ("langchain", "prompts", "image"),
    **dict.fromkeys(
        ("SystemMessage", "HumanMessage", "AIMessage", "ToolMessage", "ChatMessage"),
        ("langchain", "schema", "messages"),
    ),
}
_NEW = {
    "ChatPromptTemplate": "prompts.chat",
    "StructuredPrompt": "prompts.structured",
    "PromptTemplate": "prompts.prompt",
    "MessagesPlaceholder": "prompts.chat",
    "SystemMessagePromptTemplate": "prompts.chat",
    "HumanMessagePromptTemplate": "prompts.chat",
    "AIMessagePromptTemplate": "prompts.chat",
    "ChatMessagePromptTemplate": "prompts.chat",
    "ImagePromptTemplate": "prompts.image",
    "DictPromptTemplate": "prompts.dict",
    "SystemMessage": "messages.system",
    "HumanMessage": "messages.human",
    "AIMessage": "messages.ai",
    "ToolMessage": "messages.tool",
    "ChatMessage": "messages.chat",
}
_OLDER = {
    "ImagePromptTemplate": ("langchain", "schema", "prompt_template"),
    **dict.fromkeys(("SystemMessage", "HumanMessage", "AIMessage", "ChatMessage"), ("langchain", "schema")),
}
_OWN = {
    "AdapterPromptTemplate": "template",
    "AdapterStringPromptTemplate": "string_template",
    "StructuredAdapterPromptTemplate": "structured",
    "SharedPromptTemplate": "shared",
}
_OWN_STYLES = ("prompt_adapters", "langchain", "styles")
_CLASSES: Mapping[tuple[str, ...], str] = {
    **{(*path, name): name for name, path in (*_OLD.items(), *_OLDER.items())},
    **{("langchain_core", *path.split("."), name): name for name, path in _NEW.items()},
    **{("prompt_adapters", "langchain", module, name): "AdapterPromptTemplate" for name, module in _OWN.items()},
}
# As LangChain writes them.
PATHS: Mapping[str, tuple[str, ...]] = {
    name: (*_OLD[name], name) if name in _OLD else ("langchain_core", *path.split("."), name)
    for name, path in _NEW.items()
}
_NOT_DUMPED = "LangChain does not dump it; make a prompt of the object with from_langchain(...) and save that"


class Dumped(NamedTuple):
    """An object of a dump.

    Attributes:
        name: Its class, as it is called here.
        fields: What it was made with.
    """

    name: str
    fields: dict[str, Any]


def is_dump(data: object) -> bool:
    """Whether plain data look like the dump of an object."""
    return isinstance(data, dict) and data.get("lc") == 1 and isinstance(data.get("id"), list)


def opened(data: object, where: str) -> Dumped:
    """The object that data are the dump of.

    Raises:
        PromptFormatError: (a ``ValueError``) They are no dump, or that of something that is not read here.
    """
    if not isinstance(data, dict) or data.get("lc") != 1:
        raise refused(f"{where} is no object of LangChain's dump: it lacks 'lc'")
    path = data.get("id")
    if not isinstance(path, list) or not path or not all(isinstance(item, str) for item in path):
        raise refused(f"{where}: 'id' is a list of names")
    shown = ".".join(path)[:100]
    match data.get("type"):
        case "constructor":
            pass
        case "not_implemented":
            raise refused(f"{where} is {path[-1][:60]}: {_NOT_DUMPED}")
        case "secret":
            raise refused(f"{where} is the secret {shown!r}, which is never looked up; write the prompt without it")
        case other:
            raise refused(f"{where} is of the type {other!r:.40}, where an object is expected")
    name = _class_of(tuple(path))
    if name is None:
        known = ", ".join(sorted({*_NEW, *_OWN}))
        raise refused(f"{where} is of the class {shown!r}, which is not read; the classes are {known}")
    fields = data.get("kwargs")
    if not isinstance(fields, dict):
        raise refused(f"{where}: 'kwargs' is an object")
    return Dumped(name, fields)


def _class_of(path: tuple[str, ...]) -> str | None:
    if path[:-1] == _OWN_STYLES and path[-1].endswith("StylePromptTemplate"):
        return "AdapterPromptTemplate"
    return _CLASSES.get(path)


def refused(reason: str) -> PromptFormatError:
    """The error for a dump that cannot be read."""
    return PromptFormatError(None, None, reason)


def only(fields: Mapping[str, Any], known: Collection[str], where: str) -> None:
    """Refuse fields that hold something and that no prompt can keep."""
    for name, value in fields.items():
        if name not in known and value not in (None, "", [], {}, False):
            raise refused(f"{where} has {name!r}, which no prompt can keep")


def plain(value: Any, where: str) -> Any:
    """Somebody's data as they were, with what was escaped as it is.

    Raises:
        PromptFormatError: There is an object among them.
    """
    match value:
        case {"__lc_escaped__": inner, **rest} if not rest:
            return inner
        case dict():
            if "lc" in value:
                raise refused(f"{where} holds {opened(value, where).name}, where plain data are expected")
            return {name: plain(item, where) for name, item in value.items()}
        case list():
            return [plain(item, where) for item in value]
    return value


def escaped(value: Any) -> Any:
    """Somebody's data as a dump holds them; the opposite of `plain`."""
    match value:
        case dict():
            if "lc" in value or value.keys() == {ESCAPED}:
                return {ESCAPED: value}
            return {name: escaped(item) for name, item in value.items()}
        case list():
            return [escaped(item) for item in value]
    return value


def made(name: str, fields: Mapping[str, Any], *, named: bool = False) -> dict[str, Any]:
    """The dump of an object.

    Args:
        name: Its class.
        fields: What it is made with.
        named: Whether it is a template, whose class's name stands beside the fields.
    """
    data = {"lc": 1, "type": "constructor", "id": list(PATHS[name]), "kwargs": dict(fields)}
    return data | ({"name": name} if named else {})
