"""``jinja``: templates in Jinja, which yield parts.

A part goes through the engine as the object that it is: loops, macros, ``set``, ``call`` and ``filter`` blocks keep it
whole and in order, and whatever would make text of it is an error.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

import jinja2
from jinja2.exceptions import SecurityError, TemplateAssertionError, TemplateSyntaxError, UndefinedError
from jinja2.utils import internal_code

from prompt_adapters.content.parts import Part
from prompt_adapters.content.value import rendering
from prompt_adapters.errors import (
    MissingVariableError,
    PromptAdapterError,
    PromptFormatError,
    TemplateError,
    UnsafeTemplateError,
)
from prompt_adapters.templates.code import check_nesting, prepared
from prompt_adapters.templates.environment import ENVIRONMENT, FUNCTIONS, Absent, UndefinedNameError
from prompt_adapters.templates.limits import Budget, current_limits, shared_budget, spending
from prompt_adapters.templates.pieces import merge
from prompt_adapters.templates.template import Construct, Slot, Template, blamed, gather
from prompt_adapters.templates.variables import find_variables

_LITERAL_HINT = (
    "text that only looks like a template goes between {% raw %} and {% endraw %}; "
    "with syntax='plain' only {{ name }} is special"
)


def compile_jinja(text: str) -> Template:
    """Compile a Jinja template.

    Raises:
        TemplateError: It is malformed, or uses an unknown filter, test or function.
        UnsafeTemplateError: It refers to another template.
        TemplateLimitError: It is larger than the limits allow.
    """
    limits = current_limits()
    try:
        with spending(Budget(limits, len(text))) as spent:  # constant expressions are evaluated here
            tree = ENVIRONMENT.parse(text)
            check_nesting(tree)
            variables = find_variables(tree, FUNCTIONS)
            code = ENVIRONMENT.compile(prepared(tree, variables, ENVIRONMENT))
    except TemplateSyntaxError as error:
        hint = "" if isinstance(error, TemplateAssertionError) else f"; {_LITERAL_HINT}"
        raise TemplateError(str(error.message).rstrip(".") + hint, line=error.lineno) from None
    except (RecursionError, MemoryError):
        raise limits.exceeded("nesting") from None
    except TemplateError:
        raise
    except ValueError as error:  # a number of more digits than Python reads
        raise TemplateError(f"the template cannot be read: {error}") from None
    except (SyntaxError, AssertionError) as error:  # what Jinja does not check: names given twice, 20 nested blocks …
        raise TemplateError(f"the template cannot be compiled: {getattr(error, 'msg', error)}") from None
    compiled = jinja2.Template.from_code(ENVIRONMENT, code, ENVIRONMENT.globals)
    return _JinjaTemplate(text, variables, compiled, spent.tokens)


class _JinjaTemplate(Template):
    __slots__ = ("_absent", "_compiled", "_tokens")
    _absent: dict[str, Absent]
    _compiled: jinja2.Template
    _tokens: int

    def __init__(self, text: str, variables: tuple[Slot, ...], compiled: jinja2.Template, tokens: int) -> None:
        absent = {slot.name: Absent(slot.name) for slot in variables}
        super().__init__(text, "jinja", variables, _absent=absent, _compiled=compiled, _tokens=tokens)

    @property
    def logic(self) -> tuple[Construct, ...]:
        """See `Template.logic`."""
        from prompt_adapters.templates.logic import constructs  # which rendering never needs

        return constructs(self.text)

    @property
    def computes(self) -> bool:
        """See `Template.computes`."""
        return True

    @property
    def tokens(self) -> int:
        """See `Template.tokens`."""
        return self._tokens

    def render(self, values: Mapping[str, object], *, absent: Collection[str] = ()) -> tuple[Part, ...]:
        """See `Template.render`."""
        given = gather(self.variables, values, absent)
        size = len(self.text)
        for value in given.values():
            if type(value) is str:
                size += len(value)
        spent = shared_budget() or Budget(current_limits())
        spent.allow(size)
        try:
            with rendering(), spending(spent):
                context = self._compiled.new_context({**self._absent, **given})
                pieces = list(self._compiled.root_render_func(context))
                spent.make(sum([len(piece) for piece in pieces if type(piece) is str]))
                return merge(pieces)
        except Exception as error:  # noqa: BLE001 - whatever an expression of the template raises is its error
            if isinstance(error, PromptFormatError):
                raise blamed(error, given) from None
            raise self._translated(error) from (error if _is_unforeseen(error) else None)

    def _translated(self, error: Exception) -> Exception:
        line = self._line_of(error)
        match error:
            case UndefinedNameError():
                return self._not_given(str(error.message), line)
            case SecurityError():
                return UnsafeTemplateError(str(error.message), line=line)
            case UndefinedError():
                return TemplateError(str(error.message), line=line)
            case jinja2.TemplateError():
                return TemplateError(str(error.message), line=line)
            case TemplateError():
                return error.on(line)
            case PromptAdapterError():
                return error
            case RecursionError():
                return current_limits().exceeded("depth", line=line)
        return TemplateError(f"{type(error).__name__}: {error}", line=line)

    def _not_given(self, name: str, line: int | None) -> TemplateError:
        where = "the template" if line is None else f"line {line}"
        error = MissingVariableError([name], hint=f"{where} needs it, unless {{% if {name} %}} stands round that")
        error.line = line
        return error

    def _line_of(self, error: Exception) -> int | None:
        """The innermost line of this template that the error passed."""
        line = None
        trace = error.__traceback__
        while trace is not None:
            frame = trace.tb_frame
            if frame.f_globals.get("__jinja_template__") is self._compiled and frame.f_code not in internal_code:
                line = self._compiled.get_corresponding_lineno(trace.tb_lineno)
            trace = trace.tb_next
        return line


def _is_unforeseen(error: Exception) -> bool:
    return not isinstance(error, jinja2.TemplateError | PromptAdapterError)
