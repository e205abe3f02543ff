"""The one door to the records: the same synchronous functions on SQLite (through a thread) and MariaDB (aiomysql).

lines = await db.read(catalogue.card_page, query)     # in the host
with db.session() as session: visits.store(session, rows)   # in a worker
"""

import asyncio
import sqlite3
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

from sqlalchemy import URL, Connection, Engine, create_engine, make_url
from sqlalchemy.dialects.mysql import insert as mysql_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert
from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession, create_async_engine
from sqlalchemy.orm import Session

from domain.deadlines import within
from domain.engines import mariadb_options, sqlite_engine
from domain.errors import Unavailable
from domain.prepared import DRIVER

# A visitor waits this long for the records before a clear "try again" (invariant: writes refused in 2 s).
DEADLINE_S = 2.0
LAST_MOMENT_S = 0.05

P = ParamSpec("P")
T = TypeVar("T")

# Of two who wait for each other MariaDB ends one and asks for a repeat; nothing of it was done.
_TRIES = (False, False, True)
_DEADLOCK = 1213
_AWAY = (OperationalError, InterfaceError, PoolTimeout, TimeoutError, OSError)


def database_url(text: str | None, var_dir: Path) -> URL:
    """The setting DATABASE_URL as SQLAlchemy's URL: absent means SQLite in VAR_DIR. Raises ValueError."""
    if not text:
        return URL.create("sqlite", database=str(var_dir / "coursefront.db"))
    url = make_url(text)
    if url.get_backend_name() == "sqlite":
        return url.set(drivername="sqlite")
    if url.get_backend_name() not in ("mysql", "mariadb"):
        raise ValueError("DATABASE_URL must begin with mysql:// or be left out")
    return url.set(drivername="mysql+pymysql").update_query_dict({"charset": "utf8mb4"})


class Glances:
    """What Database.glance keeps open."""

    def __init__(self, connection: Connection, pragma: str):
        self.connection = connection
        self.session = Session(bind=connection, expire_on_commit=False)
        self.session.connection()
        driver: Any = connection.connection.driver_connection
        self.driver = driver
        # A Prepared asks the driver itself.
        self.session.info[DRIVER] = driver
        self.driver.rollback()
        self.driver.execute(pragma)


class Database:
    """Sessions on one database. `read` sees a consistent state, `run` may write and commits when `fn` returns.

    Both raise Unavailable when the records cannot be reached within their deadline; nothing of `fn` is then committed
    as far as we know: callers make a repeat harmless.
    """

    def __init__(self, url: URL, pool_size: int = 5, deadline_s: float = DEADLINE_S, busy_ms: int | None = None):
        """`busy_ms`: how long SQLite waits for another writer; by default a little less than the deadline, so that
        nothing is committed after the caller was told no. Commands and workers, which nobody waits for, give more."""
        self.url = url
        self.is_sqlite = url.get_backend_name() == "sqlite"
        self._pool_size = pool_size
        self._deadline_s = deadline_s
        self._async: AsyncEngine | None = None
        self._threads: ThreadPoolExecutor | None = None
        self._glances: Glances | None = None
        if self.is_sqlite:
            self.engine = sqlite_engine(url, int(deadline_s * 750) if busy_ms is None else busy_ms, pool_size)
        else:
            self.engine = create_engine(url, **mariadb_options(pool_size, deadline_s))
        self._reading = self.engine.execution_options(read=True)

    @contextmanager
    def session(self) -> Iterator[Session]:
        """A session for workers and commands; commits at the end, rolls back on an error."""
        with Session(self.engine, expire_on_commit=False) as session, session.begin():
            yield session

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A session of one consistent state, for workers and commands that only read."""
        with Session(self._reading, expire_on_commit=False) as session, session.begin():
            yield session

    async def read(self, fn: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The value of `fn(session, …)` in a transaction that only reads."""
        return await self._carry_out(self._reading, fn, *args, **kwargs)

    async def glance(self, fn: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Like `read`, for the few rows that an index names, well under a millisecond of work.

        SQLite answers such a question in place: handing it to a thread costs several times the answer, since the driver
        gives the interpreter away at every row (bench/README.md). Nothing else is served meanwhile, so no scan belongs
        here. With the records busy or away it goes the usual way, deadline and all.
        """
        if not self.is_sqlite:
            return await self.read(fn, *args, **kwargs)
        try:
            return self._at_once(fn, *args, **kwargs)
        except (*_AWAY, sqlite3.Error):
            self._end_glances()
            return await self.read(fn, *args, **kwargs)

    def _at_once(self, fn: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """On one session and one connection, kept. As SQLAlchemy sees it, it never leaves its first transaction:
        beginning and ending one costs it as much as a glance. SQLite's own lasts as long as `fn`."""
        if self._glances is None:
            # The loop does not wait for a writer.
            self._glances = Glances(self._reading.connect(), "PRAGMA busy_timeout=0")
        session, driver = self._glances.session, self._glances.driver
        driver.execute("BEGIN")
        try:
            return fn(session, *args, **kwargs)
        finally:
            driver.rollback()
            if session.identity_map:
                session.expunge_all()

    def _end_glances(self) -> None:
        if self._glances is not None:
            self._glances.connection.close()
            self._glances = None

    async def run(self, fn: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The value of `fn(session, …)` in a transaction: committed when it returns, rolled back when it raises."""
        return await self._carry_out(self.engine, fn, *args, **kwargs)

    async def _carry_out(
        self, engine: Engine, fn: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        until = time.monotonic() + self._deadline_s

        def in_transaction() -> T:
            # Whoever waited for a thread until nobody waits for the answer any more must not write either.
            left_s = until - time.monotonic()
            if left_s <= 0:
                raise TimeoutError
            bounded = engine.execution_options(wait_ms=int(left_s * 750))
            with Session(bounded, expire_on_commit=False) as session, session.begin():
                answer = fn(session, *args, **kwargs)
                # Nor whoever was kept from the processor meanwhile.
                if time.monotonic() >= until:
                    raise TimeoutError
                return answer

        try:
            if not self.is_sqlite:
                return await within(self._deadline_s, self._on_mariadb(fn, *args, **kwargs))
            # A little longer than the thread has: what it commits in its last moment is heard.
            async with asyncio.timeout(self._deadline_s + LAST_MOMENT_S):
                return await asyncio.get_running_loop().run_in_executor(self._executor(), in_transaction)
        except _AWAY as error:
            raise Unavailable("The records cannot be reached just now. Please try again in a moment.") from error

    async def _on_mariadb(self, fn: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        for is_last in _TRIES:
            try:
                async with AsyncSession(self._async_engine(), expire_on_commit=False) as session, session.begin():
                    return await session.run_sync(fn, *args, **kwargs)
            except OperationalError as error:
                if is_last or not _is_deadlock(error):
                    raise
        raise AssertionError

    def carry_out(self, fn: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The same as `run`, for workers: synchronous, and errors of the records rise as they are."""
        for is_last in _TRIES:
            try:
                with self.session() as session:
                    return fn(session, *args, **kwargs)
            except OperationalError as error:
                if is_last or not _is_deadlock(error):
                    raise
        raise AssertionError

    def _executor(self) -> ThreadPoolExecutor:
        if self._threads is None:
            self._threads = ThreadPoolExecutor(self._pool_size, thread_name_prefix="records")
        return self._threads

    def _async_engine(self) -> AsyncEngine:
        if self._async is None:
            self._async = create_async_engine(
                self.url.set(drivername="mysql+aiomysql"), **mariadb_options(self._pool_size, self._deadline_s)
            )
        return self._async

    async def close(self) -> None:
        if self._async is not None:
            await self._async.dispose()
        if self._threads is not None:
            self._threads.shutdown(wait=False, cancel_futures=True)
        self._end_glances()
        self.engine.dispose()


def _is_deadlock(error: OperationalError) -> bool:
    return error.orig is not None and error.orig.args[:1] == (_DEADLOCK,)


def upsert_ignoring(session: Session, model: Any, rows: list[dict[str, Any]]) -> None:
    """Insert rows; those whose unique key is there already change nothing. Others' errors rise, unlike INSERT IGNORE.

    The rows go straight into the table: the ORM's way costs as much again.
    """
    if not rows:
        return
    table = model.__table__
    if session.get_bind().dialect.name == "sqlite":
        session.execute(sqlite_insert(table).on_conflict_do_nothing(), rows)
        return
    key = next(iter(table.primary_key.columns))
    session.execute(mysql_insert(table).on_duplicate_key_update({key.name: key}), rows)
