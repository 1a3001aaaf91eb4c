"""SARIF 2.1.0: the log has the structure that its specification asks for, whatever stands in paths and sentences."""

import json
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlparse

import pytest

from prompt_adapters.lint.rules import RULES, Finding
from prompt_adapters.lint.sarif import sarif

# What section 3 of the specification says of the objects that are used here: the types of their properties, and those
# that an object must have.
STRUCTURE: dict[str, tuple[dict[str, Any], set[str]]] = {
    "log": ({"$schema": str, "version": str, "runs": ["run"]}, {"version", "runs"}),
    "run": ({"tool": "tool", "results": ["result"]}, {"tool"}),
    "tool": ({"driver": "driver"}, {"driver"}),
    "driver": ({"name": str, "version": str, "rules": ["rule"]}, {"name"}),
    "rule": (
        {"id": str, "name": str, "shortDescription": "message", "defaultConfiguration": "configuration"},
        {"id"},
    ),
    "configuration": ({"level": str}, set()),
    "result": (
        {"ruleId": str, "ruleIndex": int, "level": str, "message": "message", "locations": ["location"]},
        {"message"},
    ),
    "message": ({"text": str}, {"text"}),
    "location": ({"physicalLocation": "place"}, set()),
    "place": ({"artifactLocation": "artifact", "region": "region"}, {"artifactLocation"}),
    "artifact": ({"uri": str, "uriBaseId": str}, {"uri"}),
    "region": ({"startLine": int}, set()),
}


def check(value: Any, kind: Any) -> None:
    if isinstance(kind, list):
        assert isinstance(value, list)
        for item in value:
            check(item, kind[0])
    elif isinstance(kind, str):
        properties, needed = STRUCTURE[kind]
        assert needed <= value.keys() <= properties.keys()
        for key, item in value.items():
            check(item, properties[key])
    else:
        assert type(value) is kind


def log(*findings: Finding) -> Any:
    return json.loads("".join(sarif(findings, "1.2.3")))


PATHS = ["a.prompt", "a b/ü.prompt", "a#b%20?.yaml", "c:d.json", "名/字.json", "n\udcff.prompt", "a\nb.prompt"]
ALL = [Finding(rule, PATHS[n % len(PATHS)], n or None, f'said "{n}" \u2028 é') for n, rule in enumerate(RULES.values())]


@pytest.mark.parametrize("findings", [[], ALL[:1], ALL], ids=["none", "one", "one of each"])
def test_the_structure(findings: list[Finding]) -> None:
    found = log(*findings)
    check(found, "log")
    assert found["version"] == "2.1.0"
    (run,) = found["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert len({rule["id"] for rule in rules}) == len(rules) == len(RULES)
    for result, finding in zip(run["results"], findings, strict=True):
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"] == finding.rule.id
        assert result["level"] in ("none", "note", "warning", "error")
        assert result["message"]["text"] == finding.sentence
        (location,) = result["locations"]
        line = location["physicalLocation"].get("region", {}).get("startLine")
        assert line == finding.line
        assert line is None or line >= 1


@pytest.mark.parametrize("path", PATHS)
def test_relative_paths_are_relative_references(path: str) -> None:
    place = log(Finding(RULES["secret"], path, 1, "a"))["runs"][0]["results"][0]["locations"][0]
    artifact = place["physicalLocation"]["artifactLocation"]
    assert artifact["uriBaseId"] == "%SRCROOT%"
    address = urlparse(artifact["uri"])
    assert (address.scheme, address.netloc, address.query, address.fragment) == ("", "", "", "")
    assert artifact["uri"].isascii()
    assert " " not in artifact["uri"]
    assert unquote(address.path, errors="surrogateescape") == path


def test_absolute_paths_are_addresses_of_files(tmp_path: Path) -> None:
    path = tmp_path / "a b.prompt"
    place = log(Finding(RULES["secret"], str(path), 1, "a"))["runs"][0]["results"][0]["locations"][0]
    assert place["physicalLocation"]["artifactLocation"] == {"uri": path.as_uri()}


def test_findings_are_written_when_their_turn_comes() -> None:
    taken: list[int] = []

    def findings() -> Any:
        for number in range(3):
            taken.append(number)
            yield Finding(RULES["secret"], "a", None, "b")

    pieces = sarif(findings(), "1")
    next(pieces)
    assert taken == []
    next(pieces)
    assert taken == [0]
