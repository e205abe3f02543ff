"""The moment of a copy: nobody writes while the copy and the run's own snapshot begin, so that both see the same state.

The scripts and commands of operators write the copy, as processes of their own.
"""

import asyncio
import contextlib
import os
import sqlite3
import sys
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, NullPool, create_engine, make_url, text

from bench.measured_database import administering
from bench.soak.shop import SoakShop, files_folder
from config.settings import ROOT
from domain.database.database import database_url
from tests.support.faults.stored_state import TableState, named_files, read_tables
from tests.support.site import Site

# The user of scripts/backup, by whom the run knows its connection.
USER, PASSWORD = "copier", "copies-only"
DEADLINE_S = 120.0


@dataclass
class Moment:
    """What the shop held when its copy was begun. `held_s`: how long nobody could write for it."""

    tables: dict[str, TableState]
    files: dict[str, int]
    held_s: float
    copied_s: float
    printed: str


async def copy_under_load(shop: SoakShop, folder: Path) -> Moment:
    """Writes a copy into the folder. Raises RuntimeError when the script or the command fails."""
    loop = asyncio.get_running_loop()
    with _snapshot(shop.site) as snapshot:
        began = loop.time()
        async with _no_writers(shop):
            snapshot.execute(text("SELECT count(*) FROM products"))
            process = await _begin_copy(shop, folder)
            await asyncio.wait_for(_has_begun(shop, process), DEADLINE_S)
            held_s = loop.time() - began
        printed, _ = await asyncio.wait_for(process.communicate(), DEADLINE_S)
        copied_s = loop.time() - began
        if process.returncode:
            raise RuntimeError(f"the copy failed: {printed.decode()}")
        tables = await asyncio.to_thread(read_tables, snapshot)
        return Moment(tables, named_files(snapshot), held_s, copied_s, printed.decode())


@contextlib.contextmanager
def _snapshot(site: Site) -> Iterator[Connection]:
    """A connection in a transaction that sees one state, from its first reading on."""
    url = database_url(site.environment.get("DATABASE_URL"), site.var_dir)
    own = {"check_same_thread": False} if url.get_backend_name() == "sqlite" else {}
    engine = create_engine(url, poolclass=NullPool, connect_args=own)
    with engine.connect() as connection:
        if url.get_backend_name() == "sqlite":
            # The driver would begin no transaction for reading.
            connection.exec_driver_sql("BEGIN")
        yield connection
    engine.dispose()


@contextlib.asynccontextmanager
async def _no_writers(shop: SoakShop) -> AsyncIterator[None]:
    if shop.server is None:
        database = sqlite3.connect(shop.site.var_dir / "coursefront.db", timeout=30, isolation_level=None)
        with contextlib.closing(database):
            await asyncio.sleep(0)
            database.execute("BEGIN IMMEDIATE")
            yield
            database.rollback()
        return
    with administering(shop.server) as connection:
        connection.execute(text("FLUSH TABLES WITH READ LOCK"))
        yield
        connection.execute(text("UNLOCK TABLES"))


async def _begin_copy(shop: SoakShop, folder: Path) -> asyncio.subprocess.Process:
    if shop.server is None:
        command = [sys.executable, "-m", "host", "backup", str(folder)]
        environment = shop.site.environment
    else:
        command = [str(ROOT / "scripts" / "backup"), str(folder)]
        environment = script_variables(shop.site.environment["DATABASE_URL"], files_folder(shop.site))
    merged = asyncio.subprocess.STDOUT
    pipe = asyncio.subprocess.PIPE
    return await asyncio.create_subprocess_exec(*command, env=environment, stdout=pipe, stderr=merged, cwd=ROOT)


def script_variables(url: str, files_dir: Path) -> dict[str, str]:
    """The environment of scripts/backup and scripts/restore."""
    parts = make_url(url)
    return {
        "PATH": os.environ["PATH"],
        "DB_HOST": str(parts.host),
        "DB_PORT": str(parts.port),
        "DB_USER": USER,
        "DB_PASSWORD": PASSWORD,
        "DB_NAME": str(parts.database),
        "FILES_DIR": str(files_dir),
    }


def add_copier(shop: SoakShop) -> None:
    """The user by whom the scripts work."""
    assert shop.server is not None
    with administering(shop.server) as connection:
        connection.execute(text(f"CREATE USER {USER}@'127.0.0.1' IDENTIFIED BY '{PASSWORD}'"))
        connection.execute(text(f"GRANT ALL ON *.* TO {USER}@'127.0.0.1'"))


async def _has_begun(shop: SoakShop, process: asyncio.subprocess.Process) -> None:
    """Until the copy has its snapshot: the command says so, and the script's transaction is seen by the server."""
    if shop.server is None:
        assert process.stdout is not None
        seen = b""
        while not seen.startswith(b"Copying the database:"):
            seen = await process.stdout.readline()
            if not seen:
                raise RuntimeError("the copy ended before it was begun")
        return
    with administering(shop.server) as connection:
        while not connection.execute(text(_COPIER_READS)).scalar():
            if process.returncode is not None:
                raise RuntimeError("the copy ended before it was begun")
            await asyncio.sleep(0.11)


# A dump begins its transaction with its snapshot, and reads afterwards. The server makes this table anew only when
# nobody has read it for 0.1 s.
_COPIER_READS = (
    "SELECT count(*) FROM information_schema.innodb_trx t JOIN information_schema.processlist p"
    f" ON p.id = t.trx_mysql_thread_id WHERE p.user = '{USER}'"
)
