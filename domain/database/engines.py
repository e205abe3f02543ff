"""How connections are opened, on SQLite and on MariaDB."""

from typing import Any

from sqlalchemy import URL, Engine, create_engine, event

CONNECT_TIMEOUT_S = 3

_INIT = (
    "SET SESSION time_zone='+00:00', "
    "sql_mode='STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION', "
    "innodb_lock_wait_timeout=5, "
    # The search index reads thousands of numbers as one text (domain/search/among.py); MySQL would cut it at 1 KiB.
    "group_concat_max_len=4194304"
)


def sqlite_engine(url: URL, busy_ms: int, pool_size: int) -> Engine:
    engine = create_engine(
        url,
        pool_size=pool_size,
        max_overflow=5,
        connect_args={"check_same_thread": False},
    )

    @event.listens_for(engine, "connect")
    def _open(connection: Any, _record: Any) -> None:
        # The driver's own transactions start too late and lose updates (docs/decisions/0004): we say BEGIN ourselves.
        connection.isolation_level = None
        cursor = connection.cursor()
        for pragma in (
            "journal_mode=WAL",
            "synchronous=FULL",
            f"busy_timeout={busy_ms}",
            "foreign_keys=ON",
            "cache_size=-32000",
            "mmap_size=268435456",
        ):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine, "begin")
    def _begin(connection: Any) -> None:
        if connection.get_execution_options().get("read"):
            # It waits for nobody and cannot fail; through SQLAlchemy it would cost as much as a small query.
            connection.connection.driver_connection.execute("BEGIN")
        else:
            wait_ms = connection.get_execution_options().get("wait_ms", busy_ms)
            connection.connection.driver_connection.execute(f"PRAGMA busy_timeout={wait_ms}")
            connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine


def mariadb_options(pool_size: int, pool_timeout_s: float) -> dict[str, Any]:
    return {
        "pool_pre_ping": True,
        "pool_recycle": 1800,
        "pool_size": pool_size,
        "pool_timeout": pool_timeout_s,
        "connect_args": {"connect_timeout": CONNECT_TIMEOUT_S, "init_command": _INIT},
    }
