"""`format_prompt`: ``{key}`` in the text fields of message templates, replaced by values."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Mapping
from typing import Any

from prompt_adapters.content.plain_data import WHOLE_DEPTH, check_plain
from prompt_adapters.errors import TemplateError


def format_prompt(
    prompt_template: list[dict[str, Any]],
    args: Mapping[Any, Any],
    *,
    single_pass: bool = False,
    nested: bool = False,
) -> list[dict[str, Any]]:
    """Replace ``{key}`` in every text field of message templates.

    The template is copied deeply and never changed. Every field that holds a string is processed, ``role`` and ``name``
    included; everything else is left alone. What matches no key stays, and keys that match nothing are ignored.

    By default one key is replaced after the other, in the order of `args`, so a value that holds another key's
    placeholder is itself replaced when that key comes later. With values from elsewhere, use ``single_pass=True``.

    Args:
        prompt_template: Messages, as ``[{"role": "user", "content": "Hello, {name}!"}]``.
        args: The values by key; both are turned into text with ``str``.
        single_pass: Look only at the template: a value is never searched for placeholders, and the order of `args` does
            not matter. Where two placeholders begin at one place, the longer one counts.
        nested: Also replace inside lists, tuples and dictionaries, such as the text parts of a content list.

    Returns:
        A new list with the same structure.

    Raises:
        TypeError: `args` is no mapping, or a message is no dictionary.
        TemplateError: (a ``ValueError``) With ``single_pass``, two keys that read alike have different values, or a
            value has no text.
        PromptFormatError: (a ``ValueError``) The template is nested too deeply.
    """
    check_plain(prompt_template, "the messages of format_prompt", WHOLE_DEPTH)
    prompt = copy.deepcopy(prompt_template)
    substitute = _once(args) if single_pass else _one_by_one(args)
    # One dictionary may stand in the list several times. Key after key it is then replaced again in the copy, as ever;
    # in a single pass its values must not be searched, so the texts are those of the template.
    for number, (message, source) in enumerate(zip(prompt, prompt_template if single_pass else prompt, strict=True)):
        if not hasattr(source, "items"):
            raise TypeError(f"message {number} is {type(source).__name__}, not a dictionary")
        for field, value in source.items():
            if isinstance(value, str):
                message[field] = substitute(value)
            elif nested:
                message[field] = _inside(value, substitute)
    return prompt


def _one_by_one(args: Mapping[Any, Any]) -> Callable[[str], str]:
    def substitute(text: str) -> str:
        for key, value in _items(args):
            text = text.replace(f"{{{key}}}", str(value))
        return text

    return substitute


def _once(args: Mapping[Any, Any]) -> Callable[[str], str]:
    values: dict[str, str] = {}
    for key, value in _items(args):
        try:
            text = str.__str__(str(value))
        except Exception as error:
            raise TemplateError(f"the value of {key!r} cannot be turned into text: {error}") from error
        if values.setdefault(placeholder := f"{{{key}}}", text) != text:
            raise TemplateError(f"two keys read {placeholder}, with different values; give one of them")
    if not values:
        return lambda text: text
    pattern = re.compile("|".join(re.escape(key) for key in sorted(values, key=len, reverse=True)))
    return lambda text: pattern.sub(lambda found: values[found[0]], text)


def _items(args: Mapping[Any, Any]) -> Any:
    if not hasattr(args, "items"):
        raise TypeError(f"args must be a mapping of placeholder names to values, not {type(args).__name__}")
    return args.items()


def _inside(value: Any, substitute: Callable[[str], str]) -> Any:
    match value:
        case str():
            return substitute(value)
        case dict():
            return {key: _inside(item, substitute) for key, item in value.items()}
        case list():
            return [_inside(item, substitute) for item in value]
        case tuple():
            return tuple(_inside(item, substitute) for item in value)
    return copy.deepcopy(value)
