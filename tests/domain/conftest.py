"""The demo shop on both databases, filled once, for tests that only search in it."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy.orm import Session

from domain import migrations, seed
from domain.db import Database, database_url
from tests.conftest import new_schema
from tests.factories import NOON


@pytest.fixture(scope="module", params=["sqlite", pytest.param("mariadb", marks=pytest.mark.mariadb)])
def demo(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    """A session on the demo shop that nobody writes to."""
    folder = tmp_path_factory.mktemp("demo")
    if request.param == "sqlite":
        shutil.copy(request.getfixturevalue("sqlite_template"), folder / "coursefront.db")
        db = Database(database_url(None, folder), deadline_s=60)
    else:
        db = Database(database_url(new_schema(request.getfixturevalue("mariadb_server")), Path()), deadline_s=60)
        migrations.upgrade(db.engine)
    with db.session() as session:
        seed.load(session, NOON)
    with db.reading() as session:
        yield session
    db.engine.dispose()
