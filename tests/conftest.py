"""The test world: private databases on SQLite and MariaDB, a migrated schema, and what is missing said aloud."""

import itertools
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.orm import Session

from domain import migrations
from domain.db import Database, database_url
from domain.tables import Base
from host.embedded import redis_binary
from host.settings import ROOT
from tests.servers import MariaServer, NodeWorker, RedisServer


def missing(what: str) -> None:
    """Skips visibly; under CI what is missing is a failure."""
    if os.environ.get("CI"):
        pytest.fail(f"{what} is missing, and CI must run every test")
    pytest.skip(f"{what} is not installed")


def mariadb_binary() -> str | None:
    found = shutil.which("mariadbd") or shutil.which("mysqld") or "/usr/sbin/mariadbd"
    return found if Path(found).exists() else None


@pytest.fixture(scope="session")
def mariadb_server() -> Iterator[str]:
    """A private mariadbd in a folder of its own; answers the address of its server without a database."""
    binary = mariadb_binary()
    if binary is None:
        missing("MariaDB (mariadbd)")
    server = MariaServer(str(binary))
    try:
        server.start()
        yield server.url
    finally:
        server.close()


_schemas = itertools.count(1)


def new_schema(server: str) -> str:
    """A fresh, empty database on the private server."""
    name = f"shop{os.getpid()}_{next(_schemas)}"
    engine = create_engine(server.replace("mysql://", "mysql+pymysql://") + "/mysql")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name} CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci"))
    engine.dispose()
    return f"{server}/{name}"


@pytest.fixture(scope="session")
def mariadb_records(mariadb_server: str) -> Iterator[Database]:
    """One migrated MariaDB for all tests; each test finds it empty."""
    db = Database(database_url(new_schema(mariadb_server), Path()), deadline_s=10)
    migrations.upgrade(db.engine)
    yield db
    db.engine.dispose()


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("template")
    db = Database(database_url(None, folder))
    migrations.upgrade(db.engine)
    with db.engine.connect() as connection:
        connection.exec_driver_sql("COMMIT")
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    db.engine.dispose()
    return folder / "coursefront.db"


@pytest.fixture
def sqlite_database(sqlite_template: Path, tmp_path: Path) -> Iterator[Database]:
    shutil.copy(sqlite_template, tmp_path / "coursefront.db")
    db = Database(database_url(None, tmp_path), deadline_s=10)
    yield db
    db.engine.dispose()


@pytest.fixture(params=["sqlite", pytest.param("mariadb", marks=pytest.mark.mariadb)])
def database(request: pytest.FixtureRequest) -> Iterator[Database]:
    """An empty, migrated database: the same test on SQLite and on MariaDB."""
    if request.param == "sqlite":
        yield request.getfixturevalue("sqlite_database")
        return
    db: Database = request.getfixturevalue("mariadb_records")
    empty(db)
    yield db


def empty(db: Database) -> None:
    with db.engine.begin() as connection:
        connection.execute(text("SET FOREIGN_KEY_CHECKS=0"))
        for table in Base.metadata.sorted_tables:
            connection.execute(text(f"DELETE FROM {table.name}"))
        connection.execute(text("SET FOREIGN_KEY_CHECKS=1"))


@pytest.fixture
def session(database: Database) -> Iterator[Session]:
    with database.session() as open_session:
        yield open_session


@pytest.fixture
def redis_server() -> Iterator[RedisServer]:
    """A running Redis of this test's own."""
    binary = redis_binary()
    if binary is None:
        missing("redis-server")
    server = RedisServer(str(binary))
    server.start()
    yield server
    server.close()


@pytest.fixture(scope="session")
def node_worker() -> Iterator[NodeWorker]:
    """The real SSR worker, for pages that React draws."""
    if shutil.which("node") is None or not (ROOT / "ssr" / "dist" / "server.cjs").exists():
        missing("Node, or the build (npm run build),")
    worker = NodeWorker()
    worker.start()
    yield worker
    worker.close()
