"""Figures of filters by a worker with the files, or in place; a breaker of its own, and words when there is neither."""

import shutil
from datetime import date, timedelta
from pathlib import Path

import pytest

from domain.database.database import Database, database_url
from domain.reports.visit_reports.figure_sources import ReportUnavailable
from domain.reports.visit_reports.filed_figures import FigureRequest, current_lists, read
from domain.reports.visit_reports.stored_figures import Span
from domain.reports.warehouse import Warehouse
from domain.visits.days.build import DayBuilder
from domain.visits.raw.local_days import DayRules
from host.messaging.reply_channel import ReplyChannel
from host.messaging.report_client import ReportClient
from host.resilience import circuit_breaker
from tests.conftest import running_redis
from tests.domain.visits.days.worlds import DAY, LATER, NOON, add, visit
from tests.support.servers import CeleryWorker
from tests.support.waiting import until

REQUESTS = [
    FigureRequest("channel", "people", Span(DAY, DAY), (("device", "desktop"),)),
    FigureRequest("day", "people", Span(DAY, DAY)),
    FigureRequest("hour", "people", Span(DAY, DAY)),
    FigureRequest("audience", "", Span(DAY, DAY, NOON + timedelta(hours=1)), (("source", "漢字'\";--"),)),
]


@pytest.fixture(scope="module")
def world(sqlite_template, tmp_path_factory):
    """Folder, database and broker of a worker that has the files of a day."""
    folder: Path = tmp_path_factory.mktemp("worker")
    shutil.copy(sqlite_template, folder / "coursefront.db")
    database = Database(database_url(None, folder), deadline_s=60)
    with database.write_session() as session:
        add(session, visit(1, NOON), visit(2, NOON + timedelta(minutes=3), "/shop"), visit(3, NOON, session_id="b"))
    warehouse = Warehouse(folder / "analytics", 256)
    DayBuilder(database, DayRules(), lambda: LATER, files=warehouse).build_due()
    with running_redis() as broker:
        worker = CeleryWorker()
        worker.start(broker.url, VAR_DIR=str(folder))
        yield database, warehouse, broker, worker
        worker.close()
    database.engine.dispose()


def expected(database, warehouse):
    with database.read_session() as session:
        return read(warehouse, current_lists(session), REQUESTS)


class opened:
    def __init__(self, client: ReportClient):
        self._client = client

    async def __aenter__(self) -> ReportClient:
        self._lifespan = self._client.lifespan(None)
        await anext(self._lifespan)
        return self._client

    async def __aexit__(self, *_error: object) -> None:
        await anext(self._lifespan, None)


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch):
    monkeypatch.setattr(circuit_breaker, "MAX_RETRY_AFTER_S", 0.2)


async def test_a_worker_with_the_files_answers_for_a_host_without_them(world, tmp_path):
    database, warehouse, broker, _worker = world
    here = Warehouse(tmp_path / "nothing", 256)
    async with opened(ReportClient(database, ReplyChannel(broker.url, 60, 60), here)) as client:
        await until(lambda: client.state == "up", deadline_s=60)
        assert await client.figures(REQUESTS) == expected(database, warehouse)
        assert (client.by_worker, client.inline) == (1, 0)


async def test_a_frozen_worker_costs_one_wait_then_a_host_with_the_files_answers_at_once(world):
    database, warehouse, broker, worker = world
    async with opened(ReportClient(database, ReplyChannel(broker.url, 1.0, 1.0), warehouse)) as client:
        await until(lambda: client.state == "up", deadline_s=60)
        worker.freeze()
        try:
            for number in range(3):
                assert await client.figures(REQUESTS) == expected(database, warehouse)
                assert (client.state, client.inline) == ("broken off", number + 1)
        finally:
            worker.thaw()
        await until(lambda: client.state == "up", deadline_s=60)


async def test_a_host_without_worker_and_files_says_what_to_do(world, tmp_path):
    database = world[0]
    client = ReportClient(database, None, Warehouse(tmp_path / "nothing", 256))
    with pytest.raises(ReportUnavailable, match="the worker that has the files of days"):
        await client.figures(REQUESTS)


async def test_a_worker_that_cannot_read_its_files_says_so_and_stays_in_use(world, tmp_path):
    database, warehouse, broker, _worker = world
    hidden = tmp_path / "hidden"
    shutil.move(warehouse.folder / "0", hidden)
    try:
        async with opened(ReportClient(database, ReplyChannel(broker.url, 60, 60), warehouse)) as client:
            await until(lambda: client.state == "up", deadline_s=60)
            with pytest.raises(ReportUnavailable, match="written anew"):
                await client.figures(REQUESTS)
            assert client.state == "up"
    finally:
        shutil.move(hidden, warehouse.folder / "0")


def test_the_requests_are_of_the_day(world):
    """So that an empty answer would be seen."""
    database, warehouse, *_ = world
    found = expected(database, warehouse)
    assert found[REQUESTS[0]]["direct"]["visits"] == 3
    assert list(found[REQUESTS[1]]) == [date(2026, 3, 2)]
    assert found[REQUESTS[3]] == {}
