"""Access to the database: the same synchronous functions on SQLite (in a thread) and on MariaDB (aiomysql).

version, cards = await db.read(catalogue.card_page, query, at)              # in the host
with db.write_session() as session: visits.store_visits(session, rows, at)   # in a worker
"""

import asyncio
import logging
import random
import sqlite3
import time
from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from sqlalchemy import URL, CursorResult, Engine, make_url
from sqlalchemy.dialects.mysql import insert as mysql_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert
from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession, create_async_engine
from sqlalchemy.orm import Session

from domain.audit import recording
from domain.database.brief_reads import InlineReader, LongReads, is_stopped, limited
from domain.database.deadline import DeadlinePassed, with_deadline
from domain.database.engines import (
    SMALL_CACHE_KB,
    autocommit_options,
    guard_transactions,
    in_transaction,
    is_to_repeat,
    mariadb_engine,
    mariadb_options,
    sqlite_engine,
)
from domain.errors import ServiceUnavailable
from domain.permissions import Actor, SystemActor

# A visitor waits at most this long for the database, then gets an error that says "try again".
DEADLINE_S = 2.0
# What the thread has beyond its own deadline to report a commit of its last moment.
REPORT_WAIT_S = 0.05

P = ParamSpec("P")
T = TypeVar("T")
log = logging.getLogger(__name__)

# What is done again on MariaDB: what a deadlock ended, and what inserted a row that another had inserted meanwhile.
# The longest pause before each repeat, in seconds: random, so that those who met do not meet again.
REPEAT_PAUSES_S = (0.01, 0.03, 0.06, 0.1)
_UNAVAILABLE = (OperationalError, InterfaceError, PoolTimeout, TimeoutError, OSError)


def database_url(text: str | None, var_dir: Path) -> URL:
    """The setting DATABASE_URL as a SQLAlchemy URL; without it, SQLite in VAR_DIR. Raises ValueError."""
    if not text:
        return URL.create("sqlite", database=str(var_dir / "coursefront.db"))
    url = make_url(text)
    if url.get_backend_name() == "sqlite":
        return url.set(drivername="sqlite")
    if url.get_backend_name() not in ("mysql", "mariadb"):
        raise ValueError("DATABASE_URL must begin with mysql:// or be left out")
    return url.set(drivername="mysql+pymysql").update_query_dict({"charset": "utf8mb4"})


class Database:
    """Sessions on one database. `read` sees a consistent state; `write` commits when `fn` returns.

    Both raise ServiceUnavailable when the database does not finish within the deadline. `fn` is then normally rolled
    back, but a commit may have succeeded unnoticed: callers must be safe to repeat.
    """

    def __init__(self, url: URL, pool_size: int = 5, deadline_s: float = DEADLINE_S, busy_ms: int | None = None):
        """`busy_ms`: how long SQLite waits for another writer; by default less than the deadline, so that nothing is
        committed after the caller got an error. Commands and workers, with no visitor waiting, pass more."""
        self.url = url
        self.is_sqlite = url.get_backend_name() == "sqlite"
        self._async_url = url.set(drivername="mysql+aiomysql")
        self._pool_size = pool_size
        self._deadline_s = deadline_s
        self._async: AsyncEngine | None = None
        self._async_read: AsyncEngine | None = None
        self._async_select: AsyncEngine | None = None
        self._threads: ThreadPoolExecutor | None = None
        self._writer: ThreadPoolExecutor | None = None
        self._inline_reader: InlineReader | None = None
        self._long_reads = LongReads()
        if self.is_sqlite:
            self.engine = sqlite_engine(url, int(deadline_s * 750) if busy_ms is None else busy_ms, pool_size)
        else:
            self.engine = mariadb_engine(url, pool_size, deadline_s)
        self._read_engine = self.engine.execution_options(read=True)
        self._many_engine = self._read_engine
        if self.is_sqlite:
            many = sqlite_engine(url, int(deadline_s * 750), 1, SMALL_CACHE_KB)
            self._many_engine = many.execution_options(read=True)

    @contextmanager
    def write_session(self) -> Iterator[Session]:
        """A session for workers and commands; commits at the end, rolls back on an error."""
        with Session(self.engine, expire_on_commit=False) as session, session.begin():
            yield session

    @contextmanager
    def read_session(self) -> Iterator[Session]:
        """A session of one consistent state, for workers and commands that only read."""
        with Session(self._read_engine, expire_on_commit=False) as session, session.begin():
            yield session

    async def read(self, fn: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The value of `fn(session, …)` in a read-only transaction."""
        return await self._run(self._read_engine, fn, *args, **kwargs)

    async def read_many(self, fn: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Like `read`, for a part of many rows that are each read once. On SQLite connections with a small cache read
        them: the caches of the others would fill with them, 32 MB each, and keep nothing that pages need."""
        return await self._run(self._many_engine, fn, *args, **kwargs)

    async def read_inline(self, fn: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Like `read`, for a few rows found through an index: well under a millisecond of work.
        On SQLite it runs on the event loop: a thread would cost several times the query itself, because the driver
        releases the interpreter lock at every row (bench/README.md). The loop serves nothing else meanwhile, so no
        scan belongs here. When the database is busy or unavailable, the read falls back to `read` and its deadline.
        """
        if not self.is_sqlite:
            return await self.read(fn, *args, **kwargs)
        try:
            return self._read_on_loop(fn, *args, **kwargs)
        except (*_UNAVAILABLE, sqlite3.Error):
            self._close_inline_reader()
            return await self.read(fn, *args, **kwargs)

    async def select_inline(self, fn: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Like `read_inline`, for one PreparedSelect: no time is spent on a transaction around it. MariaDB has
        connections for such reads, on which each statement is a transaction of its own."""
        if not self.is_sqlite:
            return await self._select(fn, *args, **kwargs)
        try:
            return fn(self._reader().session, *args, **kwargs)
        except (*_UNAVAILABLE, sqlite3.Error):
            self._close_inline_reader()
            return await self.read(fn, *args, **kwargs)

    async def read_briefly(
        self, name: Hashable, fn: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Like `read_inline`, for what takes well under a millisecond on most sites, but not on all: SQLite stops it
        after BRIEF_STEPS or BRIEF_S, and `read` begins it anew. Then every read of this `name` goes to `read` for
        RETRY_S."""

        def brief(session: Session) -> T:
            with limited(session):
                return fn(session, *args, **kwargs)

        if not self.is_sqlite or name in self._long_reads:
            return await self.read(fn, *args, **kwargs)
        try:
            return self._read_on_loop(brief)
        except (*_UNAVAILABLE, sqlite3.Error) as error:
            if is_stopped(error):
                self._long_reads.add(name)
            else:
                self._close_inline_reader()
            return await self.read(fn, *args, **kwargs)

    def _read_on_loop(self, fn: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Reuses one session and one connection. To SQLAlchemy all reads are one transaction, because beginning and
        ending one would cost as much as the read; SQLite's own transaction lasts as long as `fn`."""
        session, driver = self._reader().session, self._reader().driver
        driver.execute("BEGIN")
        try:
            return fn(session, *args, **kwargs)
        finally:
            driver.rollback()
            if session.identity_map:
                session.expunge_all()

    def _reader(self) -> InlineReader:
        if self._inline_reader is None:
            # No busy timeout: waiting for a writer would block the event loop.
            self._inline_reader = InlineReader(self._read_engine.connect(), "PRAGMA busy_timeout=0")
        return self._inline_reader

    def _close_inline_reader(self) -> None:
        if self._inline_reader is not None:
            self._inline_reader.connection.close()
            self._inline_reader = None

    async def write(self, fn: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The value of `fn(session, …)` in a transaction: committed when it returns, rolled back when it raises."""
        return await self._run(self.engine, fn, *args, **kwargs)

    async def write_as(
        self,
        actor: Actor | SystemActor,
        fn: Callable[Concatenate[Session, P], T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """`write` of a change that is recorded as that of `actor`: it is committed with the events that `fn` records.
        Raises UnrecordedChange when `fn` calls neither `recording.record` nor `recording.no_change`."""

        def recorded(session: Session) -> T:
            return recording.run(session, actor, fn, *args, **kwargs)

        return await self.write(recorded)

    async def _run(
        self, engine: Engine, fn: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        with _reported():
            if not self.is_sqlite:
                found = self._async_engine(is_read=engine is not self.engine)
                return await with_deadline(self._deadline_s, self._on_mariadb(found, fn, *args, **kwargs))
            until = time.monotonic() + self._deadline_s
            async with asyncio.timeout(self._deadline_s + REPORT_WAIT_S):
                return await asyncio.get_running_loop().run_in_executor(
                    # Past `until` the caller has an error already, so nothing may be committed.
                    self._executor(engine),
                    lambda: _run_before(engine, lambda: until - time.monotonic(), fn, *args, **kwargs),
                )

    async def _on_mariadb(
        self, engine: AsyncEngine, fn: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        pauses = iter(REPEAT_PAUSES_S)
        while True:
            try:
                async with AsyncSession(engine, expire_on_commit=False) as session:
                    return await session.run_sync(in_transaction(fn, *args, **kwargs))
            except Exception as error:
                pause_s = _pause_before_repeat(error, pauses)
                if pause_s is None:
                    raise
            await asyncio.sleep(pause_s)

    async def _select(self, fn: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        if self._async_select is None:
            options = autocommit_options(self._pool_size, self._deadline_s)
            self._async_select = create_async_engine(self._async_url, **options)

        async def selected(engine: AsyncEngine) -> T:
            async with AsyncSession(engine, expire_on_commit=False) as session:
                return await session.run_sync(fn, *args, **kwargs)

        with _reported():
            return await with_deadline(self._deadline_s, selected(self._async_select))

    def write_sync(self, fn: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """`write` for workers: synchronous, without a deadline; database errors are raised unchanged."""

        def run() -> T:
            with self.write_session() as session:
                return fn(session, *args, **kwargs)

        return _with_retries(run)

    def write_as_sync(
        self,
        actor: Actor | SystemActor,
        fn: Callable[Concatenate[Session, P], T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """`write_as` for workers and commands: synchronous, without a deadline."""

        def recorded(session: Session) -> T:
            return recording.run(session, actor, fn, *args, **kwargs)

        return self.write_sync(recorded)

    def write_before(
        self, left_s: Callable[[], float], fn: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """`write_sync` that commits nothing unless `left_s()`, the seconds left, is positive.

        Raises DeadlinePassed, or OperationalError when the wait for a lock ended (docs/decisions/0023).
        """
        return _with_retries(lambda: _run_before(self.engine, left_s, fn, *args, **kwargs))

    def _executor(self, engine: Engine) -> ThreadPoolExecutor:
        """Writes have one thread: SQLite lets one transaction write at a time, and several threads would sleep and
        look again until the lock is free, instead of reading for others."""
        if engine is self.engine:
            if self._writer is None:
                self._writer = ThreadPoolExecutor(1, thread_name_prefix="database-writer")
            return self._writer
        if self._threads is None:
            self._threads = ThreadPoolExecutor(self._pool_size, thread_name_prefix="database")
        return self._threads

    def _async_engine(self, *, is_read: bool) -> AsyncEngine:
        if self._async is None or self._async_read is None:
            options = mariadb_options(self._pool_size, self._deadline_s)
            self._async = create_async_engine(self._async_url, **options)
            guard_transactions(self._async.sync_engine)
            self._async_read = self._async.execution_options(read=True)
        return self._async_read if is_read else self._async

    async def close(self) -> None:
        for engine in (self._async, self._async_select):
            if engine is not None:
                await engine.dispose()
        for threads in (self._threads, self._writer):
            if threads is not None:
                threads.shutdown(wait=False, cancel_futures=True)
        self._close_inline_reader()
        self._many_engine.dispose()
        self.engine.dispose()


@contextmanager
def _reported() -> Iterator[None]:
    """An unavailable database, for visitors: ServiceUnavailable."""
    try:
        yield
    except _UNAVAILABLE as error:
        raise ServiceUnavailable("The site is temporarily unavailable. Please try again in a moment.") from error


def _run_before(
    engine: Engine,
    left_s: Callable[[], float],
    fn: Callable[Concatenate[Session, P], T],
    *args: P.args,
    **kwargs: P.kwargs,
) -> T:
    """The value of `fn` in a transaction that is committed only while `left_s()` is positive, else DeadlinePassed.

    The check comes after the last statement. The rows that `fn` changed are locked then, so that whoever changes them
    after the deadline does so after this commit.
    """
    # The call may have waited for a free thread until now.
    if left_s() <= 0:
        raise DeadlinePassed
    bounded = engine.execution_options(wait_ms=int(left_s() * 750), left_s=left_s)
    with Session(bounded, expire_on_commit=False) as session, session.begin():
        value = fn(session, *args, **kwargs)
        session.flush()
        if left_s() <= 0:
            raise DeadlinePassed
        return value


def _with_retries(run: Callable[[], T]) -> T:
    pauses = iter(REPEAT_PAUSES_S)
    while True:
        try:
            return run()
        except Exception as error:
            pause_s = _pause_before_repeat(error, pauses)
            if pause_s is None:
                raise
        time.sleep(pause_s)


def _pause_before_repeat(error: Exception, pauses: Iterator[float]) -> float | None:
    """Seconds until the transaction that ended with this error is done again; None for one that is not."""
    longest = next(pauses, None) if is_to_repeat(error) else None
    if longest is None:
        return None
    log.info("a transaction is done again after %s", type(error).__name__)
    return random.uniform(0, longest)  # noqa: S311 no secret


def affected_rows(session: Session, statement: Any) -> int:
    """Execute an UPDATE or DELETE and return the number of its rows. Objects in the session are not updated."""
    result = session.execute(statement, execution_options={"synchronize_session": False})
    return cast("CursorResult[Any]", result).rowcount


def insert_ignoring(session: Session, model: Any, rows: list[dict[str, Any]]) -> None:
    """Insert rows and skip those whose unique key exists. Other errors are raised, unlike with INSERT IGNORE.

    The rows go into the table without ORM objects, which would double the cost.
    """
    if not rows:
        return
    table = model.__table__
    if session.get_bind().dialect.name == "sqlite":
        session.execute(sqlite_insert(table).on_conflict_do_nothing(), rows)
        return
    key = next(iter(table.primary_key.columns))
    session.execute(mysql_insert(table).on_duplicate_key_update({key.name: key}), rows)
