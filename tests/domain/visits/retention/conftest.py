"""The days that retention works on, computed once per run for SQLite."""

from pathlib import Path

import pytest

from domain.database.database import Database
from tests.domain.visits.retention.worlds import fill
from tests.support import databases
from tests.support.run_cache import RunCache


@pytest.fixture(scope="session")
def days_file(shared: RunCache, sqlite_template: Path) -> Path:
    """A database with the days of `fill`, to be copied."""
    return databases.prepared_file(shared, "days-of-visits", fill, sqlite_template)


@pytest.fixture
def filled(database: Database, days_file: Path) -> Database:
    """A database with the days of `fill`."""
    if database.is_sqlite:
        databases.replace_file(database, days_file)
    else:
        fill(database)
    return database
