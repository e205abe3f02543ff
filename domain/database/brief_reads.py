"""Reads on the event loop that SQLite stops when they take longer than a read there may.

Most lists are short, and then the loop reads them for a third of what a thread costs; the same list of a large site has
to go to a thread. Which it is, is not said beforehand but found: by counting what SQLite does, and by the clock.
"""

import sqlite3
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.orm import Session

from domain.database.prepared_select import DRIVER

# What SQLite does at most for one read, in instructions of its virtual machine: 60 to 100 take a microsecond, of those
# that compare and copy short values. Counting 10,000 rows of an index twice, as lists do (MAX_COUNT), takes 60,000 to
# 80,000.
BRIEF_STEPS = 100_000
# How long one read may take by the clock: an instruction may read from the disk, or a long text. Much more than the
# steps take, as another program may have the core meanwhile.
BRIEF_S = 0.025
# Between two looks at number and clock. One instruction is never stopped, however long its value is: what has such
# values says so (ListSource.has_long_rows).
_EVERY = 1_000
# What was stopped is not tried again for so long.
RETRY_S = 60.0


class InlineReader:
    """The session and the SQLite connection that `Database.read_inline` reuses for every read."""

    def __init__(self, connection: Connection, pragma: str):
        self.connection = connection
        self.session = Session(bind=connection, expire_on_commit=False)
        self.session.connection()
        driver: Any = connection.connection.driver_connection
        self.driver = driver
        # PreparedSelect runs its statements on the driver directly.
        self.session.info[DRIVER] = driver
        self.driver.rollback()
        self.driver.execute(pragma)


class BriefLimit:
    """Called by SQLite after each _EVERY instructions; true stops it. SQLite's own limit would count those of earlier
    executions of the same statement too."""

    def __init__(self) -> None:
        self._left, self._until = BRIEF_STEPS // _EVERY, monotonic() + BRIEF_S

    def __call__(self) -> bool:
        self._left -= 1
        return self._left < 0 or monotonic() >= self._until


@contextmanager
def limited(session: Session) -> Iterator[None]:
    """Statements of an InlineReader's session raise an error that `is_stopped` once they have done BRIEF_STEPS, or
    taken BRIEF_S."""
    driver = session.info[DRIVER]
    driver.set_progress_handler(BriefLimit(), _EVERY)
    try:
        yield
    finally:
        driver.set_progress_handler(None, 0)


def is_stopped(error: BaseException) -> bool:
    """Whether an error, of SQLAlchemy or of the driver, says that a read was stopped."""
    return getattr(getattr(error, "orig", error), "sqlite_errorcode", None) == sqlite3.SQLITE_INTERRUPT


class LongReads:
    """The reads that were stopped in the last RETRY_S, by what their caller names them; kept by each process."""

    def __init__(self) -> None:
        self._until: dict[Hashable, float] = {}

    def __contains__(self, name: Hashable) -> bool:
        return monotonic() < self._until.get(name, 0.0)

    def add(self, name: Hashable) -> None:
        now = monotonic()
        self._until = {other: until for other, until in self._until.items() if now < until}
        self._until[name] = now + RETRY_S
