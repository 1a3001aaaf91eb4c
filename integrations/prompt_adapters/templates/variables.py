"""The variables of a Jinja template, read from the syntax tree that is compiled.

A variable is a name that the template takes from outside: not a loop's target, an argument of a macro, or what ``set``,
``with`` or ``macro`` bind before. It is optional when the template copes without it, which means that each use is

- in ``x | default(…)``, ``x is defined``, ``x is undefined`` or ``x is none``;
- a bare test of its truth: ``{% if x %}``, ``not x``, ``x and …``, ``x or …``, ``… if x else …``;
- or where such a test has shown that it is there, as in the body of ``{% if x %}``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from jinja2 import nodes

from prompt_adapters.errors import TemplateError, UnsafeTemplateError
from prompt_adapters.templates.template import Slot

# What is known of names at a place: True when the template binds it, False when it is a variable that is surely there.
Known: TypeAlias = Mapping[str, bool]

_SPECIAL_IN_MACROS = ("caller", "varargs", "kwargs")
_PRESENCE_TESTS = {"defined": True, "undefined": False, "none": False}  # the outcome that shows a variable to be there
_OTHER_TEMPLATES = {
    nodes.Include: "include",
    nodes.Import: "import",
    nodes.FromImport: "import",
    nodes.Extends: "extends",
}


def find_variables(tree: nodes.Template, functions: Iterable[str]) -> tuple[Slot, ...]:
    """The variables of a template in order of first appearance.

    Args:
        tree: Its syntax tree.
        functions: The names that can be called without being bound; printed, they are variables like others.

    Raises:
        UnsafeTemplateError: It refers to another template.
        TemplateError: It calls a function that does not exist, wants HTML escaping, or has a variable called ``self``.
    """
    _check_self(tree)
    reader = _Reader(functions)
    reader.scope(tree.body, {"self": True}, top=True)
    return tuple(Slot(name, required) for name, required in reader.found.items())


def _check_self(tree: nodes.Template) -> None:
    """In Jinja ``self`` is the template, of whose blocks one may speak; as a variable it could never be filled in."""
    spoken_of = {id(node.node) for node in tree.find_all(nodes.Getattr)}
    spoken_of |= {id(node.node) for node in tree.find_all(nodes.Getitem)}
    for name in tree.find_all(nodes.Name):
        if name.name == "self" and name.ctx == "load" and id(name) not in spoken_of:
            raise TemplateError("'self' is the template itself, and no variable; rename it", line=name.lineno)


class _Reader:
    def __init__(self, functions: Iterable[str]) -> None:
        self.found: dict[str, bool] = {}  # name -> required, in order of appearance
        self._functions = tuple(functions)
        self._bound_later: list[frozenset[str]] = []  # by each enclosing scope, which macros see when they are called
        self._top: Known = {}

    # Statements take what is known before them and give what is known after them.

    def scope(self, body: list[nodes.Node], known: Known, *, top: bool = False) -> None:
        self._bound_later.append(_binds(body))
        if top:
            self._top = known
        for node in body:
            known = self._statement(node, known)
            if top:
                self._top = known
        self._bound_later.pop()

    def _statements(self, body: Iterable[nodes.Node], known: Known) -> Known:
        for node in body:
            known = self._statement(node, known)
        return known

    def _statement(self, node: nodes.Node, known: Known) -> Known:
        match node:
            case nodes.Output():
                self._children(node, known)
            case nodes.If():
                return self._if(node, known)
            case nodes.Assign():
                self._expression(node.node, known)
                return self._bound(node.target, known)
            case nodes.AssignBlock():
                self._optional(node.filter, known)
                self.scope(node.body, known)
                return self._bound(node.target, known)
            case nodes.For():
                self._for(node, known)
            case nodes.Macro():
                return self._macro(node, known)
            case nodes.CallBlock():
                self._expression(node.call, known)
                self._callable(node, known)
            case nodes.FilterBlock():
                self._expression(node.filter, known)
                self.scope(node.body, known)
            case nodes.With():
                for value in node.values:
                    self._expression(value, known)
                self.scope(node.body, {**known, **_names(*node.targets)})
            case nodes.Block():
                self.scope(node.body, {**(known if node.scoped else self._top), "super": True})
            case nodes.Scope():
                self.scope(node.body, known)
            case nodes.ScopedEvalContextModifier() if _is_no_escaping(node):
                self.scope(node.body, known)
            case _:
                raise _refusal(node)
        return known

    def _if(self, node: nodes.If, known: Known) -> Known:
        ends = []
        for branch in (node, *node.elif_):
            self._expression(branch.test, known, truth=True)
            ends.append(self._statements(branch.body, _and(known, branch.test, True)))
            known = _and(known, branch.test, False)
        ends.append(self._statements(node.else_, known))
        shared = set(ends[0]).intersection(*ends[1:])
        return {name: all(end[name] for end in ends) for name in shared}

    def _bound(self, target: nodes.Node, known: Known) -> Known:
        for attribute in (target, *target.find_all(nodes.NSRef)):
            if isinstance(attribute, nodes.NSRef) and not known.get(attribute.name):
                raise TemplateError(
                    f"an attribute of the variable {attribute.name!r} cannot be set; "
                    f"set one of {{% set {attribute.name} = namespace() %}}",
                    line=target.lineno,
                )
        return {**known, **_names(target)}

    def _for(self, node: nodes.For, known: Known) -> None:
        self._expression(node.iter, known)
        inner: Known = {**known, **_names(node.target)}
        if node.test is not None:
            self._expression(node.test, inner, truth=True)
            inner = _and(inner, node.test, True)
        self.scope(node.body, {**inner, "loop": True})
        self.scope(node.else_, known)

    def _macro(self, node: nodes.Macro, known: Known) -> Known:
        after = {**known, node.name: True}
        self._callable(node, {**after, **{name: True for names in self._bound_later for name in names}})
        return after

    def _callable(self, node: nodes.Macro | nodes.CallBlock, known: Known) -> None:
        inner = {**known, **_names(*node.args), **dict.fromkeys(_SPECIAL_IN_MACROS, True)}
        for default in node.defaults:
            self._expression(default, inner)
        self.scope(node.body, inner)

    # Expressions bind nothing. `truth` says that only the truth of the value matters.

    def _expression(self, node: nodes.Node, known: Known, *, truth: bool = False) -> None:
        match node:
            case nodes.Name():
                self._use(node.name, known, guarded=truth)
            case nodes.Not():
                self._expression(node.node, known, truth=True)
            case nodes.And() | nodes.Or():
                self._expression(node.left, known, truth=True)
                self._expression(node.right, _and(known, node.left, isinstance(node, nodes.And)), truth=truth)
            case nodes.CondExpr():
                self._expression(node.expr1, _and(known, node.test, True), truth=truth)
                self._expression(node.test, known, truth=True)
                self._optional(node.expr2, _and(known, node.test, False), truth=truth)
            case nodes.Filter(name="default" | "d", node=nodes.Name() as name):
                self._use(name.name, known, guarded=True)
                self._children(node, known, but=name)
            case nodes.Test(node=nodes.Name() as name) if node.name in _PRESENCE_TESTS:
                self._use(name.name, known, guarded=True)
            case nodes.Call(node=nodes.Name() as name):
                self._called(name, known)
                self._children(node, known, but=name)
            case _:
                self._children(node, known)

    def _optional(self, node: nodes.Node | None, known: Known, *, truth: bool = False) -> None:
        if node is not None:
            self._expression(node, known, truth=truth)

    def _children(self, node: nodes.Node, known: Known, but: nodes.Node | None = None) -> None:
        for child in node.iter_child_nodes():
            if child is not but:
                self._expression(child, known)

    def _called(self, name: nodes.Name, known: Known) -> None:
        if name.name in known:
            self._use(name.name, known)
        elif name.name not in self._functions:
            raise TemplateError(
                f"there is no function {name.name!r}, and the value of a variable cannot be one; the functions are "
                f"{', '.join(self._functions)} and the template's own macros",
                line=name.lineno,
            )

    def _use(self, name: str, known: Known, *, guarded: bool = False) -> None:
        bound = known.get(name)
        if not bound:
            self.found[name] = self.found.get(name, False) or (bound is None and not guarded)


def _refusal(node: nodes.Node) -> TemplateError:
    """The error for a statement that prompts cannot have."""
    match node:
        case nodes.Include() | nodes.Import() | nodes.FromImport() | nodes.Extends():
            folder = "" if isinstance(node, nodes.Extends) else "give a folder, as Prompt(..., includes='parts'), "
            return UnsafeTemplateError(
                f"{{% {_OTHER_TEMPLATES[type(node)]} %}} is refused, as there is nowhere to load a template from; "
                f"{folder}put the text here, or give it as the value of a variable",
                line=node.lineno,
            )
        case nodes.ScopedEvalContextModifier():
            return TemplateError("a prompt is no HTML: write {{ x | e }} to escape a value", line=node.lineno)
    return TemplateError(f"the statement {type(node).__name__} is not supported", line=node.lineno)


def _and(known: Known, test: nodes.Node, outcome: bool) -> Known:
    """What is known where a test had an outcome."""
    return {**dict.fromkeys(_shown(test, outcome), False), **known}


def _shown(test: nodes.Node, outcome: bool) -> frozenset[str]:
    """The names that surely have a value when a test has an outcome."""
    match test:
        case nodes.Name() if outcome:
            return frozenset({test.name})
        case nodes.Not():
            return _shown(test.node, not outcome)
        case nodes.And() | nodes.Or():
            left, right = _shown(test.left, outcome), _shown(test.right, outcome)
            return left | right if isinstance(test, nodes.And) is outcome else left & right
        case nodes.Test(node=nodes.Name() as name) if _PRESENCE_TESTS.get(test.name) is outcome:
            return frozenset({name.name})
        case nodes.Filter(name="default" | "d", node=nodes.Name() as name) if outcome and _defaults_to_false(test):
            return frozenset({name.name})
    return frozenset()


def _defaults_to_false(node: nodes.Filter) -> bool:
    if not node.args:
        return not node.kwargs
    return isinstance(node.args[0], nodes.Const) and not node.args[0].value


def _binds(body: Iterable[nodes.Node]) -> frozenset[str]:
    """The names that statements surely bind in their own scope."""
    names: set[str] = set()
    for node in body:
        match node:
            case nodes.Assign() | nodes.AssignBlock():
                names.update(_names(node.target))
            case nodes.Macro():
                names.add(node.name)
            case nodes.If():
                branches = (node.body, *(branch.body for branch in node.elif_), node.else_)
                names.update(frozenset.intersection(*map(_binds, branches)))
    return frozenset(names)


def _names(*targets: nodes.Node) -> dict[str, bool]:
    found = {}
    for target in targets:
        for name in (target, *target.find_all(nodes.Name)):
            if isinstance(name, nodes.Name):
                found[name.name] = True
    return found


def _is_no_escaping(node: nodes.ScopedEvalContextModifier) -> bool:
    return all(isinstance(option.value, nodes.Const) and option.value.value is False for option in node.options)
