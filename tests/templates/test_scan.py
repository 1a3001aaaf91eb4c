import re
import time

import pytest

from prompt_adapters.templates.scan import line_of, scan

SLOT = re.compile(r"##|#([^\s#]++)#")


@pytest.mark.parametrize(
    ("text", "segments"),
    [
        ("", [("", None)]),
        ("no slot", [("no slot", None)]),
        ("#a#", [("", "a"), ("", None)]),
        ("x #a# y #b#", [("x ", "a"), (" y ", "b"), ("", None)]),
        ("a ## b", [("a #", None), (" b", None)]),
        ("#1# #a#", [("#1# ", "a"), ("", None)]),
        ("#,#a#", [("#,", "a"), ("", None)]),
        ("#नाम# #变量# #é#", [("", "नाम"), (" ", "变量"), (" ", "é"), ("", None)]),
    ],
)
def test_segments(text: str, segments: list[tuple[str, str | None]]) -> None:
    assert list(scan(SLOT, text, {"##": "#"})) == segments


@pytest.mark.parametrize("text", ["#" * 200_001, "#a" * 100_000, "#" + "a" * 200_000, "# " * 100_000, "#,#" * 70_000])
def test_the_time_is_linear(text: str) -> None:
    started = time.process_time()
    list(scan(SLOT, text, {"##": "#"}))
    assert time.process_time() - started < 2


@pytest.mark.parametrize(("text", "line"), [("x", 1), ("\nx", 2), ("\r\n\r\nx", 3), ("\r\rx", 3), ("\u2028x", 1)])
def test_line_of(text: str, line: int) -> None:
    assert line_of(text, text.index("x")) == line
