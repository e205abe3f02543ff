"""Slow tests are always listed; they fail a run only where the machine was idle and is not that of CI."""

from types import SimpleNamespace

import pytest

from tests.support.slow_tests import SlowTests

FAILED, PASSED = pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.OK
SLOW, FAST = "tests/test_a.py::test_slow", "tests/test_a.py::test_fast"


def run(monkeypatch, *, is_ci: bool, others_cores: float, **durations_s: float) -> SimpleNamespace:
    """A run in which the call phases of the tests took so long."""
    plugin, session = SlowTests(is_ci), SimpleNamespace(exitstatus=PASSED)
    monkeypatch.setattr(plugin, "others_cores", lambda: others_cores)
    for name, duration in durations_s.items():
        plugin.pytest_runtest_logreport(SimpleNamespace(when="call", duration=duration, nodeid=name))
    hook = plugin.pytest_sessionfinish(session)
    next(hook)
    with pytest.raises(StopIteration):
        hook.send(None)
    return session


@pytest.mark.parametrize(
    ("is_ci", "others_cores", "expected"),
    [
        (False, 0.1, ("FAILED", FAILED)),
        (False, 0.6, ("not judged: other programs used 0.6 cores", PASSED)),
        (True, 0.1, ("not judged: CI is set", PASSED)),
        (True, 0.6, ("not judged: CI is set", PASSED)),
    ],
    ids=["idle", "busy", "idle CI", "busy CI"],
)
def test_a_slow_test_is_listed_and_fails_an_idle_run_without_ci(monkeypatch, capsys, is_ci, others_cores, expected):
    verdict, status = expected
    session = run(monkeypatch, is_ci=is_ci, others_cores=others_cores, **{SLOW: 15.1, FAST: 14.9})
    assert session.exitstatus == status
    assert capsys.readouterr().out.endswith(f"\nTests over 15 s, {verdict}\n  15.1 s  {SLOW}\n")


def test_a_run_with_ci_lists_its_files_by_time(monkeypatch, capsys):
    times = {"tests/test_a.py::test_one": 1.0, "tests/test_b.py::test_two": 2.0, "tests/test_a.py::test_three": 1.5}
    run(monkeypatch, is_ci=True, others_cores=0.0, **times)
    assert capsys.readouterr().out == "\nFiles by time, of 4 s\n   2.5 s  tests/test_a.py\n   2.0 s  tests/test_b.py\n"


def test_a_run_without_slow_tests_passes_in_silence(monkeypatch, capsys):
    assert run(monkeypatch, is_ci=False, others_cores=0.0, **{FAST: 14.9}).exitstatus == PASSED
    assert capsys.readouterr().out == ""
