"""Databases that tests of migrations may change: without a table, or with all tables and no rows."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from domain.database.database import Database, database_url
from domain.migrations import runner
from tests.support import databases
from tests.support.servers import new_schema

MakeBare = Callable[[str], Database]
EACH_DATABASE = ["sqlite", pytest.param("mariadb", marks=pytest.mark.mariadb)]


@pytest.fixture
def make_bare(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[MakeBare]:
    """Makes databases of a kind without a single table."""
    with ExitStack() as stack:

        def make(kind: str) -> Database:
            folder = tmp_path / f"bare-{len(list(tmp_path.iterdir()))}"
            folder.mkdir()
            url = None if kind == "sqlite" else new_schema(request.getfixturevalue("mariadb_server"))
            made = Database(database_url(url, folder), deadline_s=60)
            stack.callback(made.engine.dispose)
            return made

        yield make


@pytest.fixture(params=EACH_DATABASE)
def bare(request: pytest.FixtureRequest, make_bare: MakeBare) -> Database:
    """A database without a single table."""
    return make_bare(request.param)


@pytest.fixture(scope="module")
def mariadb_schema(mariadb_server: str) -> Iterator[Database]:
    """A schema that the tests of a module migrate back and forth."""
    schema = databases.migrated_schema(mariadb_server)
    yield schema
    schema.engine.dispose()


@pytest.fixture(params=EACH_DATABASE)
def current(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """A database with all tables, each made by its migration, and no rows."""
    if request.param == "mariadb":
        schema: Database = request.getfixturevalue("mariadb_schema")
        # The test before may have left it at another revision.
        runner.upgrade(schema.engine)
        databases.empty(schema)
        yield schema
        return
    shutil.copy(request.getfixturevalue("sqlite_template"), tmp_path / databases.FILE)
    db = Database(database_url(None, tmp_path), deadline_s=60)
    yield db
    db.engine.dispose()
