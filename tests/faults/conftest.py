"""Sites of the fault tests begin with a copy of the demo shop; steps run in a process whose children may be killed."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from config.settings import ROOT
from tests.support.site import Site
from tests.support.waiting import LIMIT_S


@pytest.fixture(autouse=True)
def _filled_sites(todays_demo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Site, "filled_database", todays_demo)


class StepProcess:
    """Its children do the steps: it imports everything once."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "tests.faults.kill_process"]
        self._process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    async def run(self, job: dict[str, Any]) -> int:
        """The exit code of the step's process, or the signal that ended it."""
        return await asyncio.to_thread(self._tell, f"{json.dumps(job)}\n")

    def _tell(self, line: str) -> int:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(line)
        self._process.stdin.flush()
        return int(self._process.stdout.readline())

    def end(self) -> int:
        self._process.communicate(timeout=LIMIT_S)
        return self._process.returncode


@pytest.fixture(scope="session")
def process() -> Iterator[StepProcess]:
    running = StepProcess()
    yield running
    assert running.end() == 0
