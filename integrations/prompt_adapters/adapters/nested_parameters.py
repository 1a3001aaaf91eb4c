"""Parameters that stand inside others: ``max_tokens`` in ``inferenceConfig``, ``response_format`` in ``text``.

While the parameters of a prompt and of an adapter are merged, each field goes by a path of its own, as
``"inferenceConfig.maxTokens"``, so that one layer does not wipe out what another one said beside it.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from prompt_adapters.adapters.parameters import Translation
from prompt_adapters.errors import PromptFormatError


def path(outer: str, inner: str) -> str:
    """The path of a field."""
    return f"{outer}.{inner}"


def fields_of(outer: str, inner: tuple[str, ...]) -> Translation:
    """A parameter that is a mapping, given under the provider's own name.

    Args:
        outer: Its name.
        inner: Its fields.
    """

    def spread(value: Any) -> Mapping[str, Any]:
        if not isinstance(value, Mapping):
            raise ValueError(f"it is a mapping, with {', '.join(inner)}")
        if unknown := [field for field in value if field not in inner]:
            raise ValueError(f"it has no field {unknown[0]!r}, only {', '.join(inner)}")
        return {path(outer, field): deepcopy(item) for field, item in value.items() if item is not None}

    return Translation(tuple(path(outer, field) for field in inner), spread)


def folded(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters as the provider wants them: fields in the mappings that hold them.

    Raises:
        PromptFormatError: (a ``ValueError``) A field is given by itself and in its mapping.
    """
    if not parameters:
        return {}
    whole = {name: value for name, value in parameters.items() if "." not in name}
    for name, value in parameters.items():
        outer, dot, inner = name.partition(".")
        if dot:
            holder = whole.get(outer, {})
            if inner in holder:
                raise PromptFormatError(None, None, f"parameter {inner!r} is given twice: by itself and in {outer!r}")
            whole[outer] = {**holder, inner: value}
    return whole
