"""A run in several processes, which are forked once the tests are collected: to collect takes as long as hundreds of
tests, and so it is done once, and not by every process.

The tests of a file run in one process and share its fixtures. Each process takes the next file when it begins the last
test of the one before.
"""

import multiprocessing
import os
import struct
from collections.abc import Iterator
from itertools import groupby
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import pytest

from tests.support.run_cache import IS_CHILD, of_run

FILE_NUMBER = struct.Struct("I")
Files = list[list[pytest.Item]]


class Processes:
    """A plugin of a run with `--processes`."""

    def __init__(self, number: int) -> None:
        self._number = number

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool | None:
        """Runs all tests; None leaves what is no run to pytest."""
        if session.testsfailed or session.config.option.collectonly:
            return None
        files = [list(items) for _, items in groupby(session.items, lambda item: item.nodeid.partition("::")[0])]
        queue, folder = _queue(len(files)), of_run(session.config).folder.parent
        children = [_Child(session, files, queue, folder / f"process-{number}") for number in range(self._number)]
        try:
            _report(session, children)
            # Reading from the pipe ends at once when every file was taken.
            if os.read(queue, FILE_NUMBER.size) or any(child.status for child in children):
                session.shouldfail = "a process ended before its tests"
                raise session.Failed(session.shouldfail)
        finally:
            for child in children:
                child.end()
            os.close(queue)
        return True


def _queue(size: int) -> int:
    """A pipe with the numbers of all files: every read takes one."""
    source, target = os.pipe()
    with open(target, "wb") as numbers:
        os.set_blocking(target, False)
        numbers.write(b"".join(FILE_NUMBER.pack(number) for number in range(size)))
    return source


class _Child:
    """A process that runs files, as the process that reports sees it."""

    def __init__(self, session: pytest.Session, files: Files, queue: int, folder: Path) -> None:
        self.reports, sender = multiprocessing.Pipe(duplex=False)
        context = multiprocessing.get_context("fork")
        self._process: BaseProcess = context.Process(target=_run, args=(session, files, queue, folder, sender))
        self._process.start()
        sender.close()
        self._files = files
        # Tests of the files that it has taken, and that have not ended.
        self._open: dict[str, pytest.Item] = {}

    def receive(self, config: pytest.Config) -> list[pytest.TestReport] | None:
        """What the process has sent: reports of tests, or none when it took a file; None when it has ended. Tests that
        it left undone have failed."""
        try:
            message = self.reports.recv()
        except EOFError:
            self._process.join()
            left, self._open = list(self._open.values()), {}
            return [_undone(item, self.status) for item in left] or None
        if isinstance(message, int):
            self._open |= {item.nodeid: item for item in self._files[message]}
            return []
        report = config.hook.pytest_report_from_serializable(config=config, data=message)
        if report.when == "teardown":
            self._open.pop(report.nodeid, None)
        return [report]

    @property
    def status(self) -> int | None:
        """The exit status of the process, or minus the signal that ended it."""
        return self._process.exitcode

    def end(self) -> None:
        if self._process.is_alive():
            self._process.terminate()
        self._process.join()
        self.reports.close()


def _undone(item: pytest.Item, status: int | None) -> pytest.TestReport:
    why = f"its process ended with {status} before this test had"
    return pytest.TestReport(item.nodeid, item.location, dict.fromkeys(item.keywords, 1), "failed", why, "call")


def _report(session: pytest.Session, children: list[_Child]) -> None:
    config, by_line = session.config, {child.reports: child for child in children}
    while by_line:
        for line in wait(list(by_line)):
            assert isinstance(line, Connection)
            reports = by_line[line].receive(config)
            if reports is None:
                del by_line[line]
            for report in reports or []:
                config.hook.pytest_runtest_logreport(report=report)
            if session.shouldfail:
                raise session.Failed(session.shouldfail)


class _Sender:
    """Instead of the plugins that report, in a process that runs tests."""

    def __init__(self, config: pytest.Config, line: Connection) -> None:
        self._config, self._line = config, line

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._line.send(self._config.hook.pytest_report_to_serializable(config=self._config, report=report))


def _run(session: pytest.Session, files: Files, queue: int, folder: Path, line: Connection) -> None:
    config = session.config
    config.stash[IS_CHILD] = True
    _begin_own_output(config)
    _begin_own_folder(config, folder)
    plugins = config.pluginmanager
    for name in ("terminalreporter", "slow tests", "failures"):
        if (plugin := plugins.get_plugin(name)) is not None:
            plugins.unregister(plugin)
    plugins.register(_Sender(config, line))
    items = _items(files, queue, line)
    item = next(items, None)
    while item is not None:
        following = next(items, None)
        config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        item = following


def _items(files: Files, queue: int, line: Connection) -> Iterator[pytest.Item]:
    while taken := os.read(queue, FILE_NUMBER.size):
        (number,) = FILE_NUMBER.unpack(taken)
        line.send(number)
        yield from files[number]


def _begin_own_output(config: pytest.Config) -> None:
    """What tests print goes to a file, which the forked processes would share."""
    capture: Any = config.pluginmanager.get_plugin("capturemanager")
    capture.stop_global_capturing()
    capture.start_global_capturing()
    capture.suspend_global_capture()


def _begin_own_folder(config: pytest.Config, folder: Path) -> None:
    folder.mkdir()
    factory: Any = config._tmp_path_factory  # type: ignore[attr-defined] # pytest has no public name for it
    factory._basetemp = folder
