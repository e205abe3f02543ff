"""The database of a measured site: SQLite in the site's folder, or with `--mariadb` a schema of a private server.

The server writes each commit to the disk, as production does, and has a cache for all of what is measured. Its own CPU
time is not part of any figure: only that of the host is.
"""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, create_engine, text

from domain.database.database import Database, database_url
from tests.support.servers import MariaServer, mariadb_binary, new_schema
from tests.support.site import Site

OPTION = "--mariadb"
CACHE_MIB = 512
# For statements that fill tables.
PATIENCE_S = 600.0


@dataclass
class Chosen:
    """What this process measures with."""

    is_mariadb: bool = False

    @property
    def suffix(self) -> str:
        """What a line of results adds to what it says."""
        return ", MariaDB" if self.is_mariadb else ""


CHOSEN = Chosen()


@contextlib.contextmanager
def database_settings() -> Iterator[dict[str, str]]:
    """The settings of a site with a new database of the chosen kind, during a block."""
    if not CHOSEN.is_mariadb:
        yield {}
        return
    server = MariaServer(mariadb_binary() or "mariadbd")
    try:
        start_durable(server)
        yield {"DATABASE_URL": new_schema(server.url)}
    finally:
        server.close()


def start_durable(server: MariaServer) -> None:
    server.start()
    write_commits(server)
    with administering(server) as connection:
        connection.execute(text(f"SET GLOBAL innodb_buffer_pool_size = {CACHE_MIB * 2**20}"))


def write_commits(server: MariaServer) -> None:
    """Write each commit to the disk, as production does. Tests start their server without that, to be faster."""
    with administering(server) as connection:
        connection.execute(text("SET GLOBAL innodb_flush_log_at_trx_commit = 1"))


@contextlib.contextmanager
def administering(server: MariaServer) -> Iterator[Connection]:
    engine = create_engine(server.url.replace("mysql://", "mysql+pymysql://") + "/mysql")
    try:
        with engine.connect() as connection:
            yield connection
    finally:
        engine.dispose()


def own_database(site: Site) -> Database:
    """A connection of the measurement itself to the database of a site. Dispose of its engine."""
    url = database_url(site.environment.get("DATABASE_URL"), site.var_dir)
    return Database(url, deadline_s=PATIENCE_S, busy_ms=60_000)


@contextlib.contextmanager
def database_of(settings: dict[str, str], folder: Path) -> Iterator[Database]:
    """The database that a site with these settings and that folder has or will have."""
    db = Database(database_url(settings.get("DATABASE_URL"), folder), deadline_s=PATIENCE_S, busy_ms=60_000)
    try:
        yield db
    finally:
        db.engine.dispose()
