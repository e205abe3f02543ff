"""Options of connections to SQLite and MariaDB."""

import json
from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec, TypeVar

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.engine import ExceptionContext
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session
from sqlalchemy.pool import PoolResetState

from domain.database.deadline import DeadlinePassed

P = ParamSpec("P")
T = TypeVar("T")

CONNECT_TIMEOUT_S = 3
DEADLOCK, DUPLICATE = 1213, 1062
# The code of SQLAlchemy's PendingRollbackError where the connection was closed before the end of its transaction.
_GONE_ON = "8s2b"
# The key in a connection's `info` that says whether it has ended its last transaction.
_HAS_ENDED = "has_ended"

_INIT = (
    "SET SESSION time_zone='+00:00', "
    "sql_mode='STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION', "
    "innodb_lock_wait_timeout=5, "
    # On from 11.6.2 by default: a row that was committed after the snapshot could not be locked then, and the callers
    # lock such rows on purpose. Older servers read this as a comment.
    "/*M!110602 innodb_snapshot_isolation=OFF, */ "
    # The search index reads thousands of ids as one text (domain/search/id_sets.py); the default would cut it at 1 KiB.
    "group_concat_max_len=4194304"
)


_PRAGMAS = (
    "journal_mode=WAL",
    "synchronous=FULL",
    "foreign_keys=ON",
    "mmap_size=268435456",
)


# The page cache of most connections, and of one that reads many rows once, whose pages nobody needs again.
CACHE_KB, SMALL_CACHE_KB = 32_000, 2_000
_JSON = json.JSONDecoder()


def json_value(text: str) -> Any:
    """The value of a column of JSON, which json has written. json.loads takes three times as long, to look for spaces
    around it: half of the time of a list of events."""
    try:
        return _JSON.raw_decode(text)[0]
    except json.JSONDecodeError:
        # With spaces before it, as nobody writes it but people.
        return json.loads(text)


def sqlite_engine(url: URL, busy_ms: int, pool_size: int, cache_kb: int = CACHE_KB) -> Engine:
    """`busy_ms`: how long a connection waits for another writer, unless the option `wait_ms` of a transaction says."""
    # The connection used last is the next: each in turn would fill its own cache with the same pages.
    engine = create_engine(
        url,
        pool_size=pool_size,
        max_overflow=5,
        pool_use_lifo=True,
        connect_args={"check_same_thread": False},
        json_deserializer=json_value,
    )

    @event.listens_for(engine, "connect")
    def _open(connection: Any, _record: Any) -> None:
        # The driver's own transactions start too late and lose updates (docs/decisions/0004): _begin starts them.
        connection.isolation_level = None
        cursor = connection.cursor()
        for pragma in (*_PRAGMAS, f"cache_size=-{cache_kb}", f"busy_timeout={busy_ms}"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine, "begin")
    def _begin(connection: Any) -> None:
        if connection.get_execution_options().get("read"):
            # On the driver: through SQLAlchemy it would cost as much as a small query. It cannot block or fail.
            connection.connection.driver_connection.execute("BEGIN")
        else:
            wait_ms = connection.get_execution_options().get("wait_ms", busy_ms)
            connection.connection.driver_connection.execute(f"PRAGMA busy_timeout={wait_ms}")
            connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine


def mariadb_engine(url: URL, pool_size: int, pool_timeout_s: float) -> Engine:
    """The server ends a statement, also one that waits for a lock, when `left_s()` seconds have passed: an option of
    the transaction. Raises DeadlinePassed for a statement that begins later."""
    engine = create_engine(url, **mariadb_options(pool_size, pool_timeout_s))
    guard_transactions(engine)

    @event.listens_for(engine, "before_cursor_execute", retval=True)
    def _limit(
        connection: Connection, _cursor: Any, statement: str, parameters: Any, _context: Any, _is_many: bool
    ) -> tuple[str, Any]:
        left_s = connection.get_execution_options().get("left_s")
        if left_s is None:
            return statement, parameters
        if left_s() <= 0:
            raise DeadlinePassed
        # Within the statement: SET SESSION would be a round trip more. 0 would mean no limit.
        return f"SET STATEMENT max_statement_time={max(left_s(), 0.001):.3f} FOR {statement}", parameters

    return engine


def number_of(error: BaseException | None) -> object:
    """The number that MariaDB gives an error of its driver; None for another error."""
    return error.args[0] if error is not None and error.args else None


def is_to_repeat(error: BaseException) -> bool:
    """Whether this error came of a deadlock, or of a row that is there already. After a deadlock a function may have
    raised its own error, or gone on and got PendingRollbackError."""
    if isinstance(error, IntegrityError) and number_of(error.orig) == DUPLICATE:
        return True
    waiting, seen = [error], set[int]()
    while waiting:
        found = waiting.pop()
        if number_of(getattr(found, "orig", None)) == DEADLOCK or getattr(found, "code", None) == _GONE_ON:
            return True
        seen.add(id(found))
        causes = (found.__cause__, found.__context__)
        waiting += [cause for cause in causes if cause is not None and id(cause) not in seen]
    return False


def guard_transactions(engine: Engine) -> None:
    """Three rules for transactions on MariaDB (docs/decisions/0104 and 0164).

    Those that write read what is committed, unless their option `read` says that they write nothing: at the level of a
    snapshot MariaDB locks the gap beside a row that a statement looked for and did not find. Two transactions both get
    such a lock, and then neither can insert.

    A deadlock ends the whole transaction. A function that goes on after its error gets PendingRollbackError for the
    next statement, and for the commit: the server would begin a new transaction with the rest of the work.

    A connection goes back to its pool without a rollback when it has ended its transaction, as by a commit: a round
    trip less. The driver's `server_status` would not do: neither driver takes it from the answer to a SELECT, so that
    one that only looked, or locked, would stay open."""

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        connection.info[_HAS_ENDED] = False
        if connection.get_execution_options().get("read"):
            return
        # For the transaction that begins now; on the driver, because `left_s` is for statements that wait.
        cursor = connection.connection.cursor()
        cursor.execute("SET TRANSACTION ISOLATION LEVEL READ COMMITTED")
        cursor.close()

    @event.listens_for(engine, "handle_error")
    def _end(context: ExceptionContext) -> None:
        if number_of(context.original_exception) == DEADLOCK:
            context.is_disconnect, context.invalidate_pool_on_disconnect = True, False

    # Called before the server is asked. When that fails, the connection is closed, or the server has rolled back.
    @event.listens_for(engine, "rollback")
    @event.listens_for(engine, "commit")
    def _note_end(connection: Connection) -> None:
        # One that is closed already does not go back to the pool.
        if not connection.invalidated:
            connection.info[_HAS_ENDED] = True

    @event.listens_for(engine, "reset")
    def _reset(connection: Any, record: Any, state: PoolResetState) -> None:
        # A connection that nobody gave back cannot wait for the server: the pool closes it.
        if not record.info.pop(_HAS_ENDED, False) and state.asyncio_safe:
            connection.rollback()


def in_transaction(
    fn: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs
) -> Callable[[Session], T]:
    """`fn` with begin and commit around it, for an asynchronous session: its own `begin` would switch to SQLAlchemy's
    greenlet twice more, which costs as much as a round trip."""

    def run(session: Session) -> T:
        with session.begin():
            return fn(session, *args, **kwargs)

    return run


def mariadb_options(pool_size: int, pool_timeout_s: float) -> dict[str, Any]:
    return {
        "pool_pre_ping": True,
        # See `guard_transactions`.
        "pool_reset_on_return": None,
        "pool_recycle": 1800,
        "pool_size": pool_size,
        "pool_timeout": pool_timeout_s,
        "json_deserializer": json_value,
        "connect_args": {"connect_timeout": CONNECT_TIMEOUT_S, "init_command": _INIT},
    }


def autocommit_options(pool_size: int, pool_timeout_s: float) -> dict[str, Any]:
    """For connections that only read, one statement at a time: neither a commit nor a rollback follows it."""
    options = mariadb_options(pool_size, pool_timeout_s)
    connect = {**options["connect_args"], "autocommit": True}
    return {**options, "connect_args": connect, "skip_autocommit_rollback": True}
