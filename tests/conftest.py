import gc
import os

import pytest
from hypothesis import HealthCheck, settings

# Machines that run the tests are shared, so a slow example is no failure. In CI the examples are the same in each run,
# so that a change is judged by what it changed; anywhere else they are new each time.
settings.register_profile(
    "shared",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    print_blob=True,
    derandomize=bool(os.environ.get("CI")),
)
settings.load_profile("shared")


def pytest_collection() -> None:
    """Thousands of tests are made and none is thrown away, so there is nothing to look for meanwhile."""
    gc.disable()


def pytest_collection_finish(session: pytest.Session) -> None:
    """Nor is what was there before the first test looked through again and again."""
    gc.freeze()
    gc.enable()
