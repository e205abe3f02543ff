"""The processes of every race."""

import json
from collections.abc import Iterator

import pytest

from domain.database.database import Database
from tests.domain.reservations import races
from tests.support.children import Children

PROCESSES = 4


class Racers:
    """Processes that reserve at the same time, in several threads each (races.py)."""

    def __init__(self, children: Children) -> None:
        self._racers = [children.talk(races.reserve_in_threads) for _ in range(PROCESSES)]

    def run(self, database: Database, way: str, numbers: list[int]) -> int:
        """The number of learners whose reservation succeeded."""
        url = database.url.render_as_string(hide_password=False)
        for index, racer in enumerate(self._racers):
            racer.tell(json.dumps({"url": url, "way": way, "numbers": numbers[index::PROCESSES]}))
        assert [racer.read() for racer in self._racers] == ["warm"] * PROCESSES
        for racer in self._racers:
            racer.tell("go")
        return sum(int(racer.read()) for racer in self._racers)

    def end(self) -> None:
        assert [racer.end() for racer in self._racers] == [0] * PROCESSES


@pytest.fixture(scope="package")
def racers(children: Children) -> Iterator[Racers]:
    started = Racers(children)
    yield started
    started.end()
