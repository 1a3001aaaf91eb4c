"""A test has the same name in every process: the processes that share the tests out tell each other these names."""

import re

import pytest

from ids import named

ADDRESS = re.compile(r" at 0x[0-9a-f]{6,}")


def test_no_test_is_named_by_an_address(request: pytest.FixtureRequest) -> None:
    assert [item.nodeid for item in request.session.items if ADDRESS.search(item.nodeid)] == []


@pytest.mark.parametrize("value", [object(), [object()], iter([1]), lambda: 1], ids=named)
def test_a_name_has_no_address(value: object) -> None:
    assert ADDRESS.search(repr(value))
    assert not ADDRESS.search(named(value))
