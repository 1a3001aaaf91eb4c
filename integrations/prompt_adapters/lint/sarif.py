"""Findings as SARIF, which services that show them beside the code read.

SARIF 2.1.0: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote_from_bytes

from prompt_adapters.lint.rules import RULES, Finding, Rule

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_HERE = "%SRCROOT%"
_NUMBERS = {rule: number for number, rule in enumerate(RULES)}


def sarif(findings: Iterable[Finding], version: str) -> Iterator[str]:
    """The text of a SARIF log, piece by piece: each finding is written when its turn comes.

    Paths that are relative are so to the folder in which the command runs.

    Args:
        findings: The findings.
        version: The version of this package.
    """
    driver = {
        "name": "prompt-adapters",
        "version": version,
        "rules": [_rule(rule) for rule in RULES.values()],
    }
    run = {"tool": {"driver": driver}}
    yield f'{{"$schema": {json.dumps(_SCHEMA)}, "version": "2.1.0", "runs": [{json.dumps(run)[:-1]}, "results": ['
    for number, finding in enumerate(findings):
        yield f"{',' if number else ''}\n{json.dumps(_result(finding))}"
    yield "]}]}\n"


def _rule(rule: Rule) -> dict[str, Any]:
    return {
        "id": rule.id,
        "name": "".join(word.capitalize() for word in rule.id.split("-")),
        "shortDescription": {"text": rule.sentence},
        "defaultConfiguration": {"level": rule.severity},
    }


def _result(finding: Finding) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": _location(finding.path)}
    if finding.line is not None:
        place["region"] = {"startLine": finding.line}
    return {
        "ruleId": finding.rule.id,
        "ruleIndex": _NUMBERS[finding.rule.id],
        "level": finding.rule.severity,
        "message": {"text": finding.sentence},
        "locations": [{"physicalLocation": place}],
    }


def _location(path: str) -> dict[str, str]:
    address = quote_from_bytes(os.fsencode(Path(path).as_posix()))
    if Path(path).is_absolute():
        return {"uri": f"file://{address}"}
    return {"uri": address, "uriBaseId": _HERE}
