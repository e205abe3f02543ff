"""Lists the slow tests of a run. They make it fail on a developer's machine that had nothing else to do.

Where CI is set they are listed and the run passes: CI decides whether a change is correct; the speed of its machine is
not known here.
"""

import resource
import time
from collections import Counter

import psutil
import pytest

# docs/testing.md, "Time": the call phase, without what fixtures prepare.
MAX_TEST_S = 15.0
# Programs outside the run may use this much of one core. Above it a slow test says nothing.
MAX_OTHERS_CORES = 0.5
# How many files a run with CI lists.
LISTED_FILES = 40


def _busy_s() -> float:
    """CPU seconds of the whole machine since it started."""
    times = psutil.cpu_times()
    return sum(getattr(times, name, 0.0) for name in ("user", "nice", "system", "irq", "softirq", "steal"))


def _own_s() -> float:
    """CPU seconds of this process and of all it has waited for."""
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


class SlowTests:
    """A plugin of the process that reports."""

    def __init__(self, is_ci: bool) -> None:
        self._is_ci = is_ci
        self._began, self._busy_s, self._own_s = time.monotonic(), _busy_s(), _own_s()
        self.slow: list[tuple[float, str]] = []
        self._file_s: Counter[str] = Counter()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._file_s[report.nodeid.partition("::")[0]] += report.duration  # type: ignore[assignment] # a Counter may hold fractions
        if report.when == "call" and report.duration > MAX_TEST_S:
            self.slow.append((report.duration, report.nodeid))

    # The outermost: the processes have ended, and what they used is known.
    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> object:
        result = yield
        if self._is_ci:
            self.list_files()
        if self.slow:
            self.judge(session)
        return result

    def list_files(self) -> None:
        """Prints the files that took longest, with fixtures; files of other processes ran beside them."""
        lines = [f"{seconds:6.1f} s  {name}" for name, seconds in self._file_s.most_common(LISTED_FILES)]
        print(f"\nFiles by time, of {self._file_s.total():.0f} s", *lines, sep="\n", flush=True)

    def judge(self, session: pytest.Session) -> None:
        """Prints the slow tests, slowest first, and whether the run fails because of them."""
        excuse = self._excuse()
        lines = [f"{seconds:6.1f} s  {name}" for seconds, name in sorted(self.slow, reverse=True)]
        verdict = f"not judged: {excuse}" if excuse else "FAILED"
        print(f"\nTests over {MAX_TEST_S:g} s, {verdict}", *lines, sep="\n", flush=True)
        if not excuse and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def _excuse(self) -> str:
        """Why slow tests say nothing about this run, or an empty text."""
        if self._is_ci:
            return "CI is set"
        others = self.others_cores()
        return f"other programs used {others:.1f} cores" if others >= MAX_OTHERS_CORES else ""

    def others_cores(self) -> float:
        """How many cores other programs used on average. Servers that a test killed without waiting count as others."""
        others_s = (_busy_s() - self._busy_s) - (_own_s() - self._own_s)
        return max(0.0, others_s) / max(0.001, time.monotonic() - self._began)
