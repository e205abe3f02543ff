"""JSON of a column, as both databases return it; and what a connection to MariaDB does between its transactions."""

import pytest
from sqlalchemy import text

from domain.database.database import Database
from domain.database.engines import json_value
from domain.tables import CatalogueVersion

CASES = {
    "an object": ('{"a": [1, null, 2.5]}', {"a": [1, None, 2.5]}),
    "nothing": ("null", None),
    "by hand": (' {"a": 1}', {"a": 1}),
    "half of a pair of surrogates": (r'"\ud83d"', "\ud83d"),
}


@pytest.mark.parametrize(("text", "value"), CASES.values(), ids=CASES.keys())
def test_json_of_a_column_is_read_as_it_was_written(text, value):
    assert json_value(text) == value


def rollbacks(session) -> int:
    """How often this connection has rolled back."""
    return count_of(session, "Com_rollback")


def count_of(session, name) -> int:
    return int(session.execute(text(f"SHOW SESSION STATUS LIKE '{name}'")).one()[1])


def put(session) -> None:
    session.add(CatalogueVersion(id=1, number=7))


def fail(session) -> None:
    session.add(CatalogueVersion(id=1, number=7))
    session.flush()
    raise ZeroDivisionError


def version(session) -> CatalogueVersion | None:
    return session.get(CatalogueVersion, 1)


@pytest.fixture
async def one_connection(mariadb_database):
    db = Database(mariadb_database.url, pool_size=1, deadline_s=10)
    yield db
    await db.close()


@pytest.mark.mariadb
async def test_a_connection_of_mariadb_rolls_back_what_failed_and_nothing_else(one_connection):
    # SQLAlchemy asks each new connection for the properties of its server.
    first = await one_connection.read(rollbacks)
    assert [await one_connection.read(rollbacks) for _ in range(3)] == [first] * 3
    with pytest.raises(ZeroDivisionError):
        await one_connection.write(fail)
    assert (await one_connection.read(rollbacks), await one_connection.read(version)) == (first + 1, None)


LEFT_OPEN = {
    "a change": "INSERT INTO catalogue_version (id, number) VALUES (1, 7)",
    "a look": "SELECT * FROM catalogue_version",
    "a lock": "SELECT * FROM catalogue_version FOR UPDATE",
}


@pytest.mark.mariadb
@pytest.mark.parametrize("statement", LEFT_OPEN.values(), ids=LEFT_OPEN.keys())
def test_a_transaction_that_is_left_open_ends_with_its_connections_return_to_the_pool(one_connection, statement):
    with one_connection.read_session() as session:
        first = rollbacks(session)
    left = one_connection.engine.raw_connection()
    left.cursor().execute(statement)
    left.close()
    with one_connection.read_session() as session:
        assert (version(session), rollbacks(session)) == (None, first + 1)


@pytest.mark.mariadb
async def test_a_single_statement_of_mariadb_needs_no_transaction_around_it(one_connection):
    ends = ("Com_commit", "Com_rollback")
    first = [await one_connection.select_inline(count_of, name) for name in ends]
    assert await one_connection.select_inline(version) is None
    await one_connection.write(put)
    assert (await one_connection.select_inline(version)).number == 7
    assert [await one_connection.select_inline(count_of, name) for name in ends] == first


@pytest.mark.mariadb
def test_a_connection_that_is_closed_within_its_transaction_leaves_no_error_behind(one_connection):
    with one_connection.engine.connect() as connection:
        connection.execute(text("INSERT INTO catalogue_version (id, number) VALUES (1, 7)"))
        connection.invalidate()
    with one_connection.read_session() as session:
        assert version(session) is None
