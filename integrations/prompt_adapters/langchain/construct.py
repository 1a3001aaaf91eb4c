"""pydantic's reports of a mistake, in one line and as an error of this package."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from prompt_adapters.errors import PromptAdapterError, PromptFormatError


class OneLineErrors:
    """A mixin for pydantic models: what cannot be made, or changed, says so in one line.

    Raises:
        PromptAdapterError: A field is missing or wrong, or is set though the object is immutable.
    """

    def __init__(self, *args: Any, **fields: Any) -> None:
        try:
            super().__init__(*args, **fields)
        except ValidationError as error:
            raise one_line(error, type(self)) from None

    def __setattr__(self, name: str, value: Any) -> None:
        try:
            super().__setattr__(name, value)
        except ValidationError as error:
            raise one_line(error, type(self)) from None


def one_line(error: ValidationError, cls: type) -> PromptAdapterError:
    """The error that says the same: this package's own when a validator raised one."""
    found = error.errors(include_url=False, include_input=False)
    for item in found:
        raised = item.get("ctx", {}).get("error")
        if isinstance(raised, PromptAdapterError):
            return raised
    texts = [f"{'.'.join(map(str, item['loc']))}: {item['msg']}" if item["loc"] else item["msg"] for item in found]
    return PromptFormatError(None, None, f"{cls.__name__}: {'; '.join(texts)}")
