"""Running the checks on prompts and on files."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias

from prompt_adapters.adapters import adapter_for
from prompt_adapters.errors import PromptAdapterError, PromptFormatError
from prompt_adapters.formats import check_format, file_of, load_prompt
from prompt_adapters.formats.folders import Found, iter_prompts
from prompt_adapters.formats.places import parted
from prompt_adapters.lint.characters import empty_messages, hidden_characters, trailing_blanks
from prompt_adapters.lint.models import of_model, of_no_model
from prompt_adapters.lint.placeholders import foreign_placeholders
from prompt_adapters.lint.places import Locator, Source, sources_of
from prompt_adapters.lint.rules import RULES, Fault, Finding
from prompt_adapters.lint.secrets import Secret, masked, secrets_in
from prompt_adapters.lint.templates import unsafe_templates
from prompt_adapters.lint.texts import PlacedText, texts_of
from prompt_adapters.lint.variables import undeclared_variables, unused_variables
from prompt_adapters.prompt import Prompt

Check: TypeAlias = Callable[[Prompt, Sequence[PlacedText]], Iterable[Fault]]
_CHECKS: tuple[Check, ...] = (
    undeclared_variables,
    unused_variables,
    unsafe_templates,
    foreign_placeholders,
    empty_messages,
    hidden_characters,
    trailing_blanks,
)


class Linted(NamedTuple):
    """What was found in one prompt.

    Attributes:
        path: Where it is.
        findings: What was found, in order of files and lines.
    """

    path: Path
    findings: tuple[Finding, ...]


def lint_prompt(prompt: Prompt, models: Iterable[str] = ()) -> Iterator[Fault]:
    """What can be said against a prompt.

    Args:
        prompt: The prompt.
        models: The models that it is checked against; its own, if it has one, when there are none.
    """
    texts = tuple(texts_of(prompt))
    for check in _CHECKS:
        yield from _checked(check, prompt, texts)
    wanted = tuple(models) or ((prompt.model,) if prompt.model is not None else ())
    for model in wanted:
        yield from of_model(prompt, model)
    if not wanted:
        yield from of_no_model(prompt)


def _checked(check: Check, prompt: Prompt, texts: Sequence[PlacedText]) -> Iterator[Fault]:
    """What a check finds; that it cannot go through a prompt is a fault of the prompt, too."""
    try:
        yield from check(prompt, texts)
    except PromptAdapterError as error:
        yield Fault("unreadable", str(error))


def lint_paths(
    paths: Iterable[str | os.PathLike[str]],
    models: Iterable[str] = (),
    *,
    format_: str | None = None,
    syntax: str | None = None,
    without: Collection[str] = (),
) -> Iterator[Linted]:
    """What can be said against the prompts in files and folders, one prompt after another.

    Args:
        paths: Files, directories of prompts, and folders, in which prompts are looked for at every depth.
        models: The models that they are checked against; each prompt's own when there are none.
        format_: The format, when each path is one prompt; None tells it from the content and the name.
        syntax: The placeholder syntax, where a format is given whose files do not say theirs.
        without: The ids of rules that are left out.

    Raises:
        PromptNotFoundError: (a ``FileNotFoundError``) There is nothing at a path.
        UnknownModelError: (a ``KeyError``) A model is given whose provider cannot be told.
        PromptFormatError: (a ``ValueError``) There is no such rule or format, or a syntax is given without a format.
    """
    wanted = tuple(dict.fromkeys(models))
    for model in wanted:
        adapter_for(model)
    for name in without:
        _refuse_unknown(name)
    if format_ is not None:
        check_format(format_)
    elif syntax is not None:
        raise PromptFormatError(
            None, None, "a syntax goes with a format, as other files have their own; give format= too"
        )
    # All are looked at before anything is printed of the first one.
    found = [_prompts(path, format_, syntax) for path in paths]
    return _each_linted((prompt for prompts in found for prompt in prompts), wanted, without)


def _each_linted(prompts: Iterable[Found], models: Sequence[str], without: Collection[str]) -> Iterator[Linted]:
    """Each prompt in its turn; what one has in common with the one before, as a file of several, is said once."""
    before: frozenset[Finding] = frozenset()
    for path, result in prompts:
        found = _linted(path, result, models, without)
        yield found._replace(findings=tuple(finding for finding in found.findings if finding not in before))
        before = frozenset(found.findings)


def _refuse_unknown(rule: str) -> None:
    if rule not in RULES:
        raise PromptFormatError(None, None, f"no rule is called {rule!r}; there are {', '.join(RULES)}")


def _prompts(path: str | os.PathLike[str], format_: str | None, syntax: str | None) -> Iterator[Found]:
    """The prompts in a file or folder, each loaded when its turn comes."""
    if format_ is None and Path(path).expanduser().exists():
        return iter_prompts(path)
    file_of(path)  # which says that nothing is there
    return (_loaded(one, format_, syntax) for one in (path,))


def _loaded(path: str | os.PathLike[str], format_: str | None, syntax: str | None) -> Found:
    place = Path(path).expanduser()
    try:
        return place, load_prompt(place, format_, syntax)
    except PromptAdapterError as error:
        return place, error.with_traceback(None)


def _linted(path: Path, result: Prompt | PromptAdapterError, models: Sequence[str], without: Collection[str]) -> Linted:
    # A link that is no prompt may lead out of the folder, where nothing is read.
    sources = () if path.is_symlink() and not isinstance(result, Prompt) else tuple(sources_of(path))
    found = [(source, secret) for source in sources for secret in secrets_in(source.text)]
    findings = [_secret(source, secret) for source, secret in found]
    known = {(source.text[secret.start : secret.end], secret.shown) for source, secret in found}
    if isinstance(result, Prompt):
        locator = Locator(sources)
        findings += [_placed(fault, path, locator) for fault in lint_prompt(result, models)]
    else:
        findings.append(_unreadable(result, path))
    findings = [finding._replace(sentence=masked(finding.sentence, known)) for finding in findings]
    kept = [finding for finding in dict.fromkeys(findings) if finding.rule.id not in without]
    return Linted(path, tuple(sorted(kept, key=lambda finding: (finding.path, finding.line or 0))))


def _secret(source: Source, secret: Secret) -> Finding:
    """A secret in a file as it is written, comments included."""
    rule, remedy = "secret", "take it out, and revoke it"
    if secret.example:
        rule, remedy = "example-secret", "it says of itself that it is an example"
    said = f"what looks like {secret.what} is in the file: {secret.shown}; {remedy}"
    return Finding(RULES[rule], os.fspath(source.path), source.line_at(secret.start), said)


def _placed(fault: Fault, path: Path, locator: Locator) -> Finding:
    spot = None if fault.text is None else locator.spot(fault.text, fault.offset)
    file, choice = parted(path)
    where, line = (file, None) if spot is None else spot
    which = "" if choice is None else f"prompt #{choice}: "
    return Finding(RULES[fault.rule], os.fspath(where), line, f"{which}{fault.sentence}")


def _unreadable(error: PromptAdapterError, path: Path) -> Finding:
    place, line, said = path, None, str(error)
    if isinstance(error, PromptFormatError):
        place, line, said = Path(error.path or path), error.line, error.reason
    file, choice = parted(place)
    return Finding(RULES["unreadable"], os.fspath(file), line, said if choice is None else f"prompt #{choice}: {said}")
