"""Migrations on both databases: up to the tables as they are declared, down to nothing, and up again."""

from collections.abc import Iterator

import pytest
from sqlalchemy import inspect

from domain import migrations
from domain.db import Database, database_url
from domain.tables import Base
from tests.conftest import new_schema


@pytest.fixture(params=["sqlite", pytest.param("mariadb", marks=pytest.mark.mariadb)])
def bare(request, tmp_path) -> Iterator[Database]:
    """A database without a single table."""
    text = None if request.param == "sqlite" else new_schema(request.getfixturevalue("mariadb_server"))
    db = Database(database_url(text, tmp_path))
    yield db
    db.engine.dispose()


def tables(db: Database) -> set[str]:
    return set(inspect(db.engine).get_table_names())


def test_migrations_lead_up_and_down_and_up_again(bare):
    migrations.upgrade(bare.engine)
    assert tables(bare) == {*Base.metadata.tables, "alembic_version"}
    migrations.downgrade(bare.engine)
    assert tables(bare) == {"alembic_version"}
    migrations.upgrade(bare.engine)
    assert tables(bare) == {*Base.metadata.tables, "alembic_version"}


def test_migrations_make_the_tables_as_they_are_declared(bare):
    migrations.upgrade(bare.engine)
    migrations.check(bare.engine)


def test_a_database_knows_whether_it_is_current(bare):
    assert not migrations.is_current(bare.engine)
    migrations.upgrade(bare.engine)
    assert migrations.is_current(bare.engine)
    migrations.upgrade(bare.engine)
    assert migrations.is_current(bare.engine)
