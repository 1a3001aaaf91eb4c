import json
from pathlib import Path

import pytest
from hypothesis import given

from prompt_adapters.errors import PromptFormatError
from prompt_adapters.formats.json_text import format_json, parse_json
from strategies import json_data

PATH = Path("p.json")

REFUSED = [
    ('{"a": 1,\n "b": {"a": 2, "c": [{"x": 1,\n "x": 2}]}}', 3, "the key 'x' stands twice in one object"),
    (r'{"a": {}, "\u0061": 2}', 1, "the key 'a' stands twice"),
    (r'{"a\"{": 1, "b": "\"a\"", "a\"{": 2}', 1, r"""the key 'a"\{' stands twice"""),
    ("\n[NaN]", 2, "NaN is no number"),
    ('{\n"temperature": NaN}', 2, "NaN is no number of JSON"),
    ('["NaN",\n\n-Infinity]', 3, "-Infinity is no number of JSON"),
    ("[Infinity]", 1, "Infinity is no number"),
    ('{"a": 1,\n"b" 2}', 2, "not valid JSON: .*column"),
    ("", 1, "not valid JSON"),
    ('{"a": "\n"}', 1, "not valid JSON: Invalid control character"),
    ('["\\ud83d"]', None, r"the JSON holds U\+D83D, half of a surrogate pair"),
    ("[" * 100_000, None, "nested too deeply"),
    ("[" + "9" * 5000 + "]", None, "not valid JSON: Exceeds the limit"),
]


@pytest.mark.parametrize(("text", "line", "reason"), REFUSED, ids=[case[2] for case in REFUSED])
def test_what_is_no_json_is_refused_with_its_line(text: str, line: int | None, reason: str) -> None:
    with pytest.raises(PromptFormatError, match=rf"^p\.json: .*{reason}") as caught:
        parse_json(text, PATH)
    assert caught.value.line == line


def test_escaped_and_raw_characters_are_equal() -> None:
    assert parse_json(r'["\ud83d\ude80 \u00e9"]', PATH) == parse_json('["🚀 é"]', PATH) == ["🚀 é"]


def test_the_same_key_may_stand_in_several_objects() -> None:
    assert parse_json('[{"a": {"a": 1}}, {"a": 2}]', PATH) == [{"a": {"a": 1}}, {"a": 2}]


def test_written_json_is_readable() -> None:
    assert format_json({"北京": ["é🚀", "a\u2028\x00"]}) == '{\n  "北京": [\n    "é🚀",\n    "a\u2028\\u0000"\n  ]\n}\n'


def test_numbers_without_json_are_not_written() -> None:
    with pytest.raises(PromptFormatError, match="cannot be written as JSON"):
        format_json({"a": float("nan")})


@given(json_data())
def test_what_is_written_is_read(data: object) -> None:
    assert parse_json(format_json(data), PATH) == json.loads(json.dumps(data)) == data
