"""What a request says beside its messages: parameters that providers share, and those of the provider alone."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from copy import deepcopy
from typing import Any

from prompt_adapters.adapters.parameters import EXTRA_BODY, SHARED
from prompt_adapters.adapters.reading.fields import Fields, refuse

# OpenAI asks for a name of a schema; where a provider has none, this is it.
_SCHEMA_NAME = "response"
# Keywords of the official clients that are no fields of the wire.
CLIENT = frozenset({"extra_headers", "extra_query", "timeout"})
SAME: Mapping[str, str] = {name: name for name in SHARED}


class Settings:
    """The parameters of a request, as they are found.

    Attributes:
        shared: Parameters under the shared names.
        own: Parameters under the provider's own names.
    """

    def __init__(self) -> None:
        self.shared: dict[str, Any] = {}
        self.own: dict[str, Any] = {}

    def share(self, name: str, value: Any, where: str) -> None:
        """A parameter under its shared name.

        Raises:
            PromptFormatError: (a ``ValueError``) It was there already, under another name.
        """
        if name in self.shared:
            refuse(where, f"has two parameters that mean {name!r}")
        self.shared[name] = deepcopy(value)

    def sort(self, fields: Fields, shared: Mapping[str, str], own: Collection[str] = ()) -> None:
        """Take every known parameter out of an object; what is not known stays, to be refused.

        Args:
            fields: The object.
            shared: From the provider's names to the shared ones.
            own: The provider's names that nobody shares.
        """
        for name in fields.left():
            if name in shared:
                self.share(shared[name], fields.take(name), fields.where)
            elif name == "stream" and name in own:
                # An answer in one piece is what a request without the word gets.
                if (value := fields.take(name)) is not False:
                    self.own[name] = value
            elif name in own:
                self.own[name] = deepcopy(fields.take(name))


def spread_extra_body(fields: Fields) -> None:
    """What the client takes as ``extra_body`` stands beside the rest, as it does on the wire."""
    if EXTRA_BODY in fields:
        with fields.inner(EXTRA_BODY) as extra:
            for name in extra.left():
                fields.add(name, extra.take(name))


def schema_format(schema: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    """A JSON schema as the shared ``response_format``."""
    return {"type": "json_schema", "json_schema": {"name": _SCHEMA_NAME} | more | {"schema": schema}}
