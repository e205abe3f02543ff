"""Sites of the fault tests begin with a copy of the demo shop; steps run in a process whose children may be killed."""

import asyncio
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.faults import kill_process
from tests.support.children import Children
from tests.support.site import Site


@pytest.fixture
def filled_sites(todays_demo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sites that a test starts begin with the demo shop. To fill it takes 5 s of processor time once in a run."""
    monkeypatch.setattr(Site, "filled_database", todays_demo)


class StepProcess:
    """Children of one process do the steps: it imports everything once."""

    def __init__(self, children: Children) -> None:
        self._children = children

    async def run(self, job: dict[str, Any]) -> int:
        """The exit code of the step's process, or the signal that ended it."""
        return await asyncio.to_thread(partial(self._children.run, kill_process.take_step, **job))


@pytest.fixture(scope="session")
def process(children: Children) -> StepProcess:
    return StepProcess(children)
