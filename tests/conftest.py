"""The test world: private databases on SQLite and MariaDB, a migrated schema, and what is missing said aloud."""

import gc
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy.orm import Session

from config.settings import ROOT
from domain.database.database import Database, database_url
from domain.seed import demo_shop
from tests.support import area_rows as rows_of_areas
from tests.support import compiled_statements, databases, run_cache
from tests.support.children import Children
from tests.support.failures import Failures, mark_steady
from tests.support.order import long_groups_first
from tests.support.processes import Processes
from tests.support.run_cache import RunCache
from tests.support.servers import NodeWorker, RedisServer, mariadb_binary, redis_server_binary
from tests.support.shops import USD
from tests.support.slow_tests import SlowTests

EACH_DATABASE = ["sqlite", pytest.param("mariadb", marks=pytest.mark.mariadb)]
# Fixtures that are of one database: of SQLite, and with the mark each_database of each in turn.
BY_DATABASE = {
    *("database", "module_database", "demo_database", "own_demo"),
    *("each_shop", "each_site", "selling_site"),
}


def database_kind(request: pytest.FixtureRequest) -> str:
    """Which database a fixture of BY_DATABASE is to be of."""
    return str(getattr(request, "param", "sqlite"))


def missing(what: str) -> None:
    """Skips visibly; under CI what is missing is a failure."""
    if os.environ.get("CI"):
        pytest.fail(f"{what} is missing, and CI must run every test")
    pytest.skip(f"{what} is not installed")


def mariadb_program() -> str:
    """The path of mariadbd; skips, or fails under CI, where it is not installed."""
    binary = mariadb_binary()
    if binary is None:
        missing("MariaDB (mariadbd)")
    return str(binary)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--failed-to", type=Path, help="write a line of JSON for each failed test to this file")
    parser.addoption("--processes", type=int, default=1, help="how many processes run the tests, each whole files")


def pytest_configure(config: pytest.Config) -> None:
    compiled_statements.share(pytest.MonkeyPatch())
    # Nothing of what the collection makes becomes garbage.
    gc.disable()
    if (number := config.getoption("--processes")) > 1:
        config.pluginmanager.register(Processes(number))
    config.pluginmanager.register(SlowTests(is_ci=bool(os.environ.get("CI"))), "slow tests")
    if path := config.getoption("--failed-to"):
        config.pluginmanager.register(Failures(path), "failures")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Tests with the mark each_database run on SQLite and on MariaDB; all others on SQLite alone."""
    if metafunc.definition.get_closest_marker("each_database") is None:
        return
    marks = metafunc.definition.iter_markers("parametrize")
    own = {name.strip() for mark in marks for name in _names(mark.args[0])}
    for fixture in sorted(BY_DATABASE & set(metafunc.fixturenames) - own):
        metafunc.parametrize(fixture, EACH_DATABASE, indirect=True)


def _names(argument: str | Sequence[str]) -> Sequence[str]:
    return argument.split(",") if isinstance(argument, str) else argument


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    mark_steady(items)
    long_groups_first(items)


def pytest_collection_finish() -> None:
    """What the collection made stays until the end of the run: the garbage collector need not look at it again."""
    gc.collect()
    gc.freeze()
    gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    databases.end_shared_mariadb(run_cache.of_run(session.config))


@pytest.fixture(scope="session")
def shared(request: pytest.FixtureRequest) -> RunCache:
    """What this run has made once for all its processes."""
    return run_cache.of_run(request.config)


@pytest.fixture(scope="session")
def mariadb_server(shared: RunCache) -> str:
    """The address of the run's private MariaDB server, without a database."""
    return databases.shared_mariadb(shared, mariadb_program())


@pytest.fixture(scope="session")
def mariadb_records(mariadb_server: str) -> Iterator[Database]:
    """A migrated schema for all tests of this process. It may hold rows of an earlier test: see `mariadb_database`."""
    db = databases.migrated_schema(mariadb_server)
    yield db
    db.engine.dispose()


@pytest.fixture
def mariadb_database(mariadb_records: Database) -> Database:
    """The schema of this process, empty."""
    databases.empty(mariadb_records)
    return mariadb_records


@pytest.fixture(scope="session")
def sqlite_template(shared: RunCache) -> Path:
    """A migrated database without rows, to be copied."""
    return databases.filled_file(shared, "empty")


@pytest.fixture(scope="session")
def todays_demo(shared: RunCache, sqlite_template: Path) -> Path:
    """The demo shop as a site would load it today, to be copied."""
    return databases.filled_file(
        shared, "demo-today", partial(demo_shop.load, at=datetime.now(UTC), currency=USD), sqlite_template
    )


@pytest.fixture
def sqlite_database(sqlite_template: Path, tmp_path: Path) -> Iterator[Database]:
    shutil.copy(sqlite_template, tmp_path / "coursefront.db")
    db = Database(database_url(None, tmp_path), deadline_s=10)
    yield db
    db.engine.dispose()


@pytest.fixture
def database(request: pytest.FixtureRequest) -> Database:
    """An empty, migrated database of the kind that the test asks for."""
    found: Database = request.getfixturevalue(f"{database_kind(request)}_database")
    return found


@pytest.fixture(scope="module")
def module_database(request: pytest.FixtureRequest) -> Iterator[Database]:
    """An empty, migrated database that the tests of a module share: its fixtures fill it, and the tests only read."""
    if database_kind(request) == "mariadb":
        records: Database = request.getfixturevalue("mariadb_records")
        databases.empty(records)
        yield records
        return
    folder = request.getfixturevalue("tmp_path_factory").mktemp("module")
    shutil.copy(request.getfixturevalue("sqlite_template"), folder / databases.FILE)
    db = Database(database_url(None, folder), deadline_s=60)
    yield db
    db.engine.dispose()


@pytest.fixture
def session(database: Database) -> Iterator[Session]:
    """A session that is rolled back after the test: nothing has to be deleted."""
    with Session(database.engine, expire_on_commit=False) as open_session:
        yield open_session
        open_session.flush()


@contextmanager
def running_redis() -> Iterator[RedisServer]:
    """A Redis that runs, with no data."""
    binary = redis_server_binary()
    if binary is None:
        missing("redis-server")
    server = RedisServer(str(binary))
    server.start()
    yield server
    server.close()


@pytest.fixture
def redis_server() -> Iterator[RedisServer]:
    """A running Redis of this test's own."""
    with running_redis() as server:
        yield server


@pytest.fixture(scope="session")
def children() -> Iterator[Children]:
    """A process whose children do jobs of tests and may be killed."""
    running = Children()
    yield running
    running.end()


@pytest.fixture(scope="session")
def node_worker() -> Iterator[NodeWorker]:
    """The real SSR worker, for pages that React draws."""
    if shutil.which("node") is None or not (ROOT / "ssr" / "dist" / "server.cjs").exists():
        missing("Node, or the build (npm run build),")
    worker = NodeWorker()
    worker.start()
    yield worker
    worker.close()


@pytest.fixture
def area_rows(tmp_path: Path) -> Iterator[None]:
    """The pages of areas of tests/support/area_rows.py are in the table."""
    with pytest.MonkeyPatch.context() as patch, rows_of_areas.use_rows(patch, tmp_path):
        yield
