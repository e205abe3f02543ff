"""A test that fails in a run and passes alone is unsteady; what must be steady, or fails again, fails the run."""

import json
from types import SimpleNamespace

import pytest

from scripts import repeat_failed
from tests.support.failures import Failures, mark_steady


def failed(*tests, must_be_steady=False):
    return [{"test": test, "mustBeSteady": must_be_steady, "failure": f"{test} broke"} for test in tests]


@pytest.mark.parametrize(
    ("rows", "passing", "unsteady", "reason"),
    [
        (failed("a", "b", "c"), "abc", ["a", "b", "c"], ""),
        (failed("a", "b"), "a", ["a"], "failed again, alone: b"),
        (failed("a", "b", "c", "d"), "abcd", [], "4 tests failed; only up to 3 are run once more"),
        (
            [*failed("a"), *failed("b", must_be_steady=True)],
            "ab",
            [],
            "never run once more (money, rights or a negative control): b",
        ),
        ([], "", [], "pytest failed, but no single test did"),
    ],
    ids=["all pass alone", "one fails again", "too many", "one must be steady", "no test failed"],
)
def test_a_run_passes_only_when_every_failed_test_passes_alone(rows, passing, unsteady, reason):
    found, said = repeat_failed.find_unsteady(rows, lambda test: test in passing)
    assert ([row["test"] for row in found], said) == (unsteady, reason)


def test_nothing_is_run_once_more_when_the_run_has_failed_anyway():
    def passes(test):
        raise AssertionError(test)

    repeat_failed.find_unsteady(failed("a", "b", "c", "d"), passes)
    repeat_failed.find_unsteady(failed("a", must_be_steady=True), passes)


def test_unsteady_tests_are_recorded_with_their_first_failure(tmp_path):
    path = tmp_path / "var" / "unsteady.jsonl"
    for test in ("a", "b"):
        repeat_failed.record(failed(test), path)
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert [(row["test"], row["failure"]) for row in rows] == [("a", "a broke"), ("b", "b broke")]
    assert all({"at", "load"} < set(row) for row in rows)


def test_a_test_is_run_in_a_process_of_its_own(tmp_path, monkeypatch):
    """The real pytest, on a test that passes in its second process."""
    (tmp_path / "test_once.py").write_text(
        "from pathlib import Path\n"
        "def test_second():\n"
        "    mark = Path(__file__).with_name('mark')\n"
        "    was_there = mark.exists()\n"
        "    mark.touch()\n"
        "    assert was_there\n"
    )
    monkeypatch.setattr(repeat_failed, "ROOT", tmp_path)
    assert [repeat_failed.passes_alone("test_once.py::test_second") for _ in range(2)] == [False, True]


def report(test, when, *, is_failed, keywords=()):
    return SimpleNamespace(
        nodeid=test, when=when, failed=is_failed, keywords=dict.fromkeys(keywords, 1), longreprtext=f"{when} broke"
    )


def test_a_failed_test_is_written_once_with_its_first_failure(tmp_path):
    plugin = Failures(tmp_path / "failed")
    for written in (
        report("a", "call", is_failed=True, keywords=["steady"]),
        report("a", "teardown", is_failed=True),
        report("b", "call", is_failed=False),
        report("c", "setup", is_failed=True),
    ):
        plugin.pytest_runtest_logreport(written)
    assert [json.loads(line) for line in (tmp_path / "failed").read_text("utf-8").splitlines()] == [
        {"test": "a", "mustBeSteady": True, "failure": "call broke"},
        {"test": "c", "mustBeSteady": False, "failure": "setup broke"},
    ]


@pytest.mark.parametrize(
    ("test", "docstring", "is_steady"),
    [
        ("tests/domain/orders/test_races.py::test_a", None, True),
        ("tests/host/test_area_matrix.py::test_a[x]", None, True),
        ("tests/host/api/test_cart.py::test_a", "The negative control: both read first.", True),
        ("tests/host/api/test_cart.py::test_b", "Negative control.", True),
        ("tests/host/api/test_cart.py::test_c", "Both read first.", False),
        ("tests/host/api/test_cart.py::test_d", None, False),
    ],
)
def test_money_rights_and_negative_controls_must_be_steady(test, docstring, is_steady):
    marks = []
    item = SimpleNamespace(nodeid=test, function=SimpleNamespace(__doc__=docstring), add_marker=marks.append)
    mark_steady([item])
    assert marks == (["steady"] if is_steady else [])
