"""From a file with one provider's request to the request of another."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from prompt_adapters.adapters import PROMPT_ADAPTER_REGISTRY, Conversation, read_request
from prompt_adapters.adapters.reading import shape_of
from prompt_adapters.cli.render import Rendered, adapter_of, rendered, shortenings
from prompt_adapters.errors import PromptAdapterError, PromptFormatError, UnsupportedContentError
from prompt_adapters.formats.files import decode
from prompt_adapters.formats.json_text import parse_json
from prompt_adapters.prompt import Prompt


def converted(file: str, source: str, target: str, model: str | None) -> Rendered:
    """The JSON body of another shape.

    Parameters go along under the names that providers share. The other ones, and the model, only mean something in the
    shape that they come from.

    Args:
        file: The JSON file with the request.
        source: The request's wire shape.
        target: The wanted one.
        model: The wanted model; without it the request's own stays, if the shapes are the same.

    Raises:
        PromptAdapterError: The file is no such request, or the other provider cannot take something in it.
    """
    path = Path(file).expanduser()
    found = _read(path, source)
    same = _shape(source) == _shape(target)
    if found.own and not same:
        names = ", ".join(repr(name) for name in found.own)
        it = "it" if len(found.own) == 1 else "them"
        reason = "convert-request carries only the parameters that providers share"
        remedy = f"take {it} out of the file, and pass {it} to the target yourself"
        what = f"parameter{'s' if len(found.own) > 1 else ''} {names}"
        raise UnsupportedContentError(target, what, os.fspath(path), reason, remedy)
    adapter = adapter_of(model or (found.model if same else None), target)
    body, prepared = rendered(
        adapter, Prompt(messages=found.messages, parameters={**found.parameters, **found.own}), {}
    )
    notes = [str(note) for note in prepared.notes]
    if found.model is not None and model is None and not same:
        notes.insert(0, f"the model {found.model!r} is left out, since it is of {source}; give another by --model")
    return Rendered(body, shortenings(prepared.messages), tuple(notes))


def _read(path: Path, source: str) -> Conversation:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise PromptAdapterError(f"cannot read {os.fspath(path)!r}: {error.strerror or error}") from None
    request: Any = parse_json(decode(data, path), path)
    try:
        return read_request(source, request)
    except PromptFormatError as error:
        raise PromptFormatError(path, None, error.reason) from None


def _shape(style: str) -> str:
    return shape_of(PROMPT_ADAPTER_REGISTRY.get(style)) or style
