"""Reads that the event loop tries, and that SQLite stops when they take too long."""

import itertools
import threading

import pytest
from sqlalchemy import text

from domain.database import brief_reads
from domain.database.brief_reads import BRIEF_S, BRIEF_STEPS, RETRY_S
from domain.database.database import Database

COUNTING = text(
    "WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < :most) "
    "SELECT count(*) FROM numbers"
)
# Within SOME rows SQLite looks at number and clock a dozen times.
FEW, SOME, MANY = 100, 1_000, BRIEF_STEPS


@pytest.fixture
async def db(sqlite_database, monkeypatch):
    """With a clock that stands still: a busy machine would stop any read."""
    monkeypatch.setattr(brief_reads, "monotonic", lambda: 0.0)
    own = Database(sqlite_database.url, deadline_s=20)
    yield own
    await own.close()


def count(session, most: int) -> tuple[int, bool]:
    """The number, and whether the event loop counted."""
    return session.scalar(COUNTING, {"most": most}), threading.current_thread() is threading.main_thread()


async def test_few_rows_are_read_on_the_event_loop(db):
    assert await db.read_briefly("list", count, FEW) == (FEW, True)


async def test_what_takes_long_is_read_by_a_thread_and_then_not_tried_for_a_minute(db, monkeypatch):
    seen = []
    for now, name, most in (
        *((100.0, "list", MANY), (100.0, "list", FEW), (100.0, "other", FEW)),
        *((99.9 + RETRY_S, "list", FEW), (100.0 + RETRY_S, "list", FEW)),
    ):
        monkeypatch.setattr(brief_reads, "monotonic", lambda now=now: now)
        seen.append(await db.read_briefly(name, count, most))
    assert seen == [(MANY, False), (FEW, False), (FEW, True), (FEW, False), (FEW, True)]


async def test_few_steps_that_take_long_are_left_to_a_thread(db, monkeypatch):
    """The clock gains as much at each look, as while a disk is waited for."""
    seen = []
    for gained in (BRIEF_S / 100, BRIEF_S):
        looks = itertools.count()
        monkeypatch.setattr(brief_reads, "monotonic", lambda looks=looks, gained=gained: next(looks) * gained)
        seen.append(await db.read_briefly(f"list {gained}", count, SOME))
    assert seen == [(SOME, True), (SOME, False)]


async def test_what_is_read_often_is_not_stopped_for_all_times_together(db):
    """SQLite counts what a statement does in all its executions, and looks at that number."""
    times = 2 * BRIEF_STEPS // FEW
    assert {await db.read_briefly("list", count, FEW) for _ in range(times)} == {(FEW, True)}


async def test_other_reads_on_the_event_loop_are_not_stopped(db):
    await db.read_briefly("list", count, FEW)
    assert await db.read_inline(count, MANY) == (MANY, True)


async def test_errors_of_what_is_read_are_raised(db):
    with pytest.raises(ZeroDivisionError):
        await db.read_briefly("list", lambda _session: 1 // 0)


async def test_mariadb_reads_as_it_always_does(database):
    if not database.is_sqlite:
        own = Database(database.url, deadline_s=20)
        assert (await own.read_briefly("list", count, FEW))[0] == FEW
        await own.close()
