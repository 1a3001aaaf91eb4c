"""What `lint` prints: a line for each finding, or SARIF; and what its exit status is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from prompt_adapters.cli.sentences import in_words, shown, visible
from prompt_adapters.errors import PromptAdapterError
from prompt_adapters.lint import Finding, Linted

FORMATS = ("plain", "sarif")


class Report:
    """The findings on their way to the output, and what is counted of them.

    Args:
        linted: What was found, prompt by prompt.
        strict: Whether a finding of any severity fails.
    """

    def __init__(self, linted: Iterable[Linted], *, strict: bool) -> None:
        self._linted = linted
        self._strict = strict
        self.prompts = 0
        self.findings = 0
        self.failed = False

    def _all(self) -> Iterator[Finding]:
        for linted in self._linted:
            self.prompts += 1
            for finding in linted.findings:
                self.findings += 1
                self.failed |= self._strict or finding.rule.severity == "error"
                yield finding._replace(sentence=shown(in_words(finding.sentence, "--from")))

    def pieces(self, format_: str) -> Iterator[str]:
        """The output, piece by piece.

        Args:
            format_: ``plain`` or ``sarif``.

        Raises:
            PromptAdapterError: There is no such format.
        """
        match format_:
            case "plain":
                return (_line(finding) for finding in self._all())
            case "sarif":
                from importlib.metadata import version

                from prompt_adapters.lint.sarif import sarif

                return sarif(self._all(), version("prompt-adapters"))
        raise PromptAdapterError(f"--format is one of {', '.join(FORMATS)}, not {format_!r}")

    def summary(self) -> str:
        """One line about all of it."""
        if not self.prompts:
            return "no prompts were found there"
        found = f"{self.findings or 'no'} finding{'' if self.findings == 1 else 's'}"
        return f"{found} in {self.prompts} prompt{'' if self.prompts == 1 else 's'}"


def _line(finding: Finding) -> str:
    place = visible(finding.path) if finding.line is None else f"{visible(finding.path)}:{finding.line}"
    return f"{place}: {finding.rule.severity} {finding.rule.id}: {finding.sentence}\n"
