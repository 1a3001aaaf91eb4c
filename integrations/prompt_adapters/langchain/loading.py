"""`load`: what ``dumpd`` and ``dumps`` made of templates, Runnables and chains of them, as objects again."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core._api.beta_decorator import suppress_langchain_beta_warning
from langchain_core.load import load as load_any

from prompt_adapters.errors import PromptFormatError
from prompt_adapters.langchain.nodes import PromptNode
from prompt_adapters.langchain.prompt_value import AdapterPromptValue
from prompt_adapters.langchain.runnable import AdapterRunnable
from prompt_adapters.langchain.shared import SharedPromptTemplate
from prompt_adapters.langchain.string_template import AdapterStringPromptTemplate
from prompt_adapters.langchain.structured import StructuredAdapterPromptTemplate
from prompt_adapters.langchain.styles import STYLE_TEMPLATES
from prompt_adapters.langchain.template import AdapterPromptTemplate

_CLASSES: tuple[type[Any], ...] = (
    AdapterPromptTemplate,
    AdapterPromptValue,
    AdapterRunnable,
    AdapterStringPromptTemplate,
    StructuredAdapterPromptTemplate,
    SharedPromptTemplate,
    PromptNode,
    *STYLE_TEMPLATES,
)


def load(dumped: Mapping[str, Any] | str, *, classes: Sequence[type[Any]] = ()) -> Any:
    """The object that was dumped.

    It reads no file, no environment and no secret. Beside this package's classes it makes those of ``langchain_core``
    (messages, prompts, chains), so dumps of strangers are not for it. LangChain's own ``load`` does the same with
    ``allowed_objects`` and ``valid_namespaces=["prompt_adapters"]``; it warns that it is a beta.

    Args:
        dumped: What ``dumpd`` or ``dumps`` gave.
        classes: More classes that may be made, as templates of your own.

    Raises:
        PromptFormatError: (a ``ValueError``) It is no such dump, or holds something that is not to be loaded: another
            class, a function among the partial variables, a template in LangChain's own jinja2.
    """
    if isinstance(dumped, str):
        try:
            dumped = json.loads(dumped)
        except (ValueError, RecursionError) as error:
            raise PromptFormatError(None, None, f"the dump is not JSON: {error}") from None
    if not isinstance(dumped, Mapping):
        raise PromptFormatError(None, None, f"load takes what dumpd or dumps gave, not {type(dumped).__name__}")
    allowed = (*_CLASSES, *classes)
    paths = {(path := tuple(cls.lc_id())): path for cls in allowed}
    try:
        with suppress_langchain_beta_warning():
            return load_any(
                dict(dumped),
                allowed_objects="core",
                valid_namespaces=sorted({path[0] for path in paths}),
                additional_import_mappings=paths,
            )
    except PromptFormatError:
        raise
    except (ArithmeticError, AttributeError, ImportError, LookupError, RuntimeError, TypeError, ValueError) as error:
        # Of LangChain's own classes, which say little of what they are given.
        raise PromptFormatError(None, None, f"this dump cannot be loaded: {str(error)[:400]}") from error
