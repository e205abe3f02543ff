"""Databases of a test run: one MariaDB server, and filled databases that tests copy instead of filling their own."""

import json
import os
import shutil
import signal
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from sqlalchemy import Connection, text
from sqlalchemy.orm import Session

from domain.database.database import Database, database_url
from domain.migrations import runner
from domain.tables import Base
from tests.support.run_cache import RunCache
from tests.support.servers import MariaServer, new_schema

Fill = Callable[[Session], object]
Prepare = Callable[[Database], object]
FILE = "coursefront.db"
# Keeps the object of a process that outlives its fixture: Python warns of one that is dropped while it runs.
_servers: list[MariaServer] = []


def shared_mariadb(cache: RunCache, binary: str) -> str:
    """The URL of the run's server, without a database. It runs until `end_shared_mariadb`."""

    def start(folder: Path) -> None:
        server = MariaServer(binary)
        server.start()
        _servers.append(server)
        about = {"url": server.url, "pid": server.pid, "folder": str(server.folder)}
        (folder / "server.json").write_text(json.dumps(about))

    url: str = json.loads((cache.get("mariadb", start) / "server.json").read_text())["url"]
    return url


def end_shared_mariadb(cache: RunCache) -> None:
    """For the process that outlives the others. The data is no longer needed, so the server is killed."""
    path = cache.folder / "mariadb" / "server.json"
    if not path.exists():
        return
    server = json.loads(path.read_text())
    with suppress(ProcessLookupError):
        os.kill(server["pid"], signal.SIGKILL)
    shutil.rmtree(server["folder"], ignore_errors=True)


def migrated_schema(server: str) -> Database:
    """A new schema on that server with all tables and no rows."""
    db = Database(database_url(new_schema(server), Path()), deadline_s=60)
    runner.upgrade(db.engine)
    return db


def filled_schema(cache: RunCache, server: str, name: str, fill: Fill) -> Database:
    """A schema on the run's server that `fill` filled once. Tests may only read it, or copy it with `copy_rows`."""

    def make(folder: Path) -> None:
        db = migrated_schema(server)
        with db.write_session() as session:
            fill(session)
        (folder / "url").write_text(db.url.render_as_string(hide_password=False))
        db.engine.dispose()

    url = (cache.get(f"mariadb-{name}", make) / "url").read_text()
    return Database(database_url(url, Path()), deadline_s=60)


def filled_file(cache: RunCache, name: str, fill: Fill | None = None, template: Path | None = None) -> Path:
    """A closed SQLite file with all tables that `fill` filled once, to be copied. `template` saves the migrations."""

    def prepare(db: Database) -> None:
        if fill is not None:
            with db.write_session() as session:
                fill(session)

    return prepared_file(cache, name, prepare, template)


def prepared_file(cache: RunCache, name: str, prepare: Prepare, template: Path | None = None) -> Path:
    """A closed SQLite file of a database that `prepare` filled once in transactions of its own, to be copied."""

    def make(folder: Path) -> None:
        if template is not None:
            shutil.copy(template, folder / FILE)
        db = Database(database_url(None, folder), deadline_s=60)
        if template is None:
            runner.upgrade(db.engine)
        prepare(db)
        with db.engine.connect() as connection:
            connection.exec_driver_sql("COMMIT")
            connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
        db.engine.dispose()

    return cache.get(f"sqlite-{name}", make) / FILE


def replace_file(db: Database, source: Path) -> None:
    """Let an unused database of SQLite begin with what another file holds."""
    assert db.engine.pool.checkedin() == 0, "the database has been used"
    shutil.copy(source, str(db.url.database))


def empty(db: Database) -> None:
    """Deletes all rows. Most tests leave none: one query finds the tables that hold some, only these get a DELETE."""
    with db.engine.begin() as connection:
        _run_unchecked(connection, [f"DELETE FROM {table}" for table in _filled_tables(connection)])


def copy_rows(source: Database, target: Database) -> None:
    """Copies every row between two schemas of one MariaDB server; without passing them through Python."""
    schema = source.url.database
    with source.engine.connect() as connection:
        tables = _filled_tables(connection)
    with target.engine.begin() as connection:
        _run_unchecked(connection, [f"INSERT INTO {table} SELECT * FROM {schema}.{table}" for table in tables])


def _filled_tables(connection: Connection) -> list[str]:
    """The tables that hold rows, in one query."""
    names = [table.name for table in Base.metadata.sorted_tables]
    questions = ", ".join(f"EXISTS(SELECT 1 FROM {name})" for name in names)
    answers = connection.execute(text(f"SELECT {questions}")).one()
    return [name for name, is_filled in zip(names, answers, strict=True) if is_filled]


def _run_unchecked(connection: Connection, statements: list[str]) -> None:
    """Runs statements that keep foreign keys intact only together."""
    if not statements:
        return
    for statement in ("SET FOREIGN_KEY_CHECKS=0", *statements, "SET FOREIGN_KEY_CHECKS=1"):
        connection.execute(text(statement))
