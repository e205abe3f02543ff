"""The demo shop on both databases, filled once per run."""

import shutil
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy.orm import Session

from domain.database.database import Database, database_url
from domain.seed import demo_shop
from tests.conftest import database_kind
from tests.support import databases
from tests.support.factories import NOON
from tests.support.run_cache import RunCache
from tests.support.shops import USD

fill_demo = partial(demo_shop.load, at=NOON, currency=USD)


@pytest.fixture(scope="session")
def demo_file(shared: RunCache, sqlite_template: Path) -> Path:
    """The demo shop as a SQLite file to copy."""
    return databases.filled_file(shared, "demo", fill_demo, sqlite_template)


@pytest.fixture(scope="session")
def sqlite_demo(demo_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    folder = tmp_path_factory.mktemp("demo")
    shutil.copy(demo_file, folder / databases.FILE)
    db = Database(database_url(None, folder), deadline_s=60)
    yield db
    db.engine.dispose()


@pytest.fixture(scope="session")
def mariadb_demo(shared: RunCache, mariadb_server: str) -> Iterator[Database]:
    db = databases.filled_schema(shared, mariadb_server, "demo", fill_demo)
    yield db
    db.engine.dispose()


@pytest.fixture
def demo_database(request: pytest.FixtureRequest) -> Database:
    """The demo shop, shared by all tests that only read it."""
    db: Database = request.getfixturevalue(f"{database_kind(request)}_demo")
    return db


@pytest.fixture
def demo(demo_database: Database) -> Iterator[Session]:
    """A session on the shared demo shop. What a test writes through it is rolled back."""
    with Session(demo_database.engine, expire_on_commit=False) as session:
        yield session


@pytest.fixture
def own_demo(request: pytest.FixtureRequest) -> Iterator[Database]:
    """A copy of the demo shop that a test may change."""
    if database_kind(request) == "mariadb":
        db: Database = request.getfixturevalue("mariadb_database")
        databases.copy_rows(request.getfixturevalue("mariadb_demo"), db)
        yield db
        return
    folder = request.getfixturevalue("tmp_path")
    shutil.copy(request.getfixturevalue("demo_file"), folder / databases.FILE)
    db = Database(database_url(None, folder), deadline_s=60)
    yield db
    db.engine.dispose()
