"""What can be said against a prompt without sending it: mistakes in its text, its variables, its model.

Each rule is a row in `rules`; a check is a function from a prompt to its faults. Files are read one after another and
nothing is kept of them, so a folder may be of any size.
"""

from prompt_adapters.lint.linting import Linted, lint_paths, lint_prompt
from prompt_adapters.lint.rules import RULES, Finding, Rule, Severity

__all__ = ["RULES", "Finding", "Linted", "Rule", "Severity", "lint_paths", "lint_prompt"]
