"""The processes of every race."""

import json
import subprocess
import sys
from collections.abc import Iterator

import pytest

from config.settings import ROOT
from domain.database.database import Database
from tests.support.waiting import LIMIT_S

PROCESSES = 4


class Racers:
    """Processes that reserve at the same time, in several threads each (races.py)."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "tests.domain.reservations.races"]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        self._racers = [subprocess.Popen(command, cwd=ROOT, **pipes) for _ in range(PROCESSES)]
        self._wait_for("ready")

    def run(self, database: Database, way: str, numbers: list[int]) -> int:
        """The number of learners whose reservation succeeded."""
        url = database.url.render_as_string(hide_password=False)
        for index, racer in enumerate(self._racers):
            self._send(racer, json.dumps({"url": url, "way": way, "numbers": numbers[index::PROCESSES]}))
        self._wait_for("warm")
        for racer in self._racers:
            self._send(racer, "go")
        return sum(int(racer.stdout.readline()) for racer in self._racers)

    def _send(self, racer: subprocess.Popen[str], line: str) -> None:
        racer.stdin.write(f"{line}\n")
        racer.stdin.flush()

    def _wait_for(self, word: str) -> None:
        assert [racer.stdout.readline() for racer in self._racers] == [f"{word}\n"] * PROCESSES

    def end(self) -> None:
        for racer in self._racers:
            racer.communicate(timeout=LIMIT_S)
        assert [racer.returncode for racer in self._racers] == [0] * PROCESSES


@pytest.fixture(scope="package")
def racers() -> Iterator[Racers]:
    started = Racers()
    yield started
    started.end()
