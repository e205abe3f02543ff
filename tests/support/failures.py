"""Which tests of a run failed, written for scripts/repeat_failed.py, and which of them must be steady.

A test that must be steady fails the run at its first failure: it is about money or rights, or it is a negative control,
which shows nothing when it needs a second attempt.
"""

import json
from pathlib import Path

import pytest

STEADY = "steady"
# Money, then rights. A folder stands for all tests in it.
STEADY_PLACES = (
    "tests/domain/coupons/",
    "tests/domain/orders/",
    "tests/domain/payments/",
    "tests/domain/pricing/",
    "tests/domain/reservations/",
    "tests/host/api/test_authorization.py",
    "tests/host/auth/",
    "tests/host/organisation/test_foreign_ids.py",
    "tests/host/organisation/test_tenants.py",
    "tests/host/test_area_matrix.py",
)
CONTROL = "negative control"


def mark_steady(items: list[pytest.Item]) -> None:
    """Marks the tests that must be steady. A negative control says so in its docstring, or in its file's."""
    for item in items:
        if item.nodeid.startswith(STEADY_PLACES) or CONTROL in _docstrings(item).lower():
            item.add_marker(STEADY)


def _docstrings(item: pytest.Item) -> str:
    objects = (getattr(item, "function", None), getattr(item, "module", None))
    return " ".join(found.__doc__ or "" for found in objects if found is not None)


class Failures:
    """A plugin of the process that reports: it writes each failed test once, as a line of JSON."""

    def __init__(self, path: Path) -> None:
        self._path, self._seen = path, set[str]()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if not report.failed or report.nodeid in self._seen:
            return
        self._seen.add(report.nodeid)
        row = {"test": report.nodeid, "mustBeSteady": STEADY in report.keywords, "failure": report.longreprtext}
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
