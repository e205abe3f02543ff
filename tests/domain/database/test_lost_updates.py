"""Two processes that read and then write the same row of SQLite lose no update, because of BEGIN IMMEDIATE."""

from sqlalchemy import create_engine, update
from sqlalchemy.orm import Session

from domain.database.database import Database
from domain.tables import CatalogueVersion
from tests.domain import counter_process

# Enough for the two processes to collide, also on a fast disk.
TIMES = 400


def count_in_two_processes(children, database: Database) -> int:
    """The final number after two concurrent processes that each raise it TIMES times."""
    with database.write_session() as session:
        session.merge(CatalogueVersion(id=1, number=0))
    job = {"file": str(database.url.database), "times": TIMES}
    runners = [children.talk(counter_process.count, **job) for _ in range(2)]
    assert [runner.read() for runner in runners] == ["ready", "ready"]
    for runner in runners:
        runner.tell("go")
    assert [runner.end() for runner in runners] == [0, 0]
    return number(database)


def number(database: Database) -> int:
    with database.read_session() as session:
        return session.get_one(CatalogueVersion, 1).number


def test_no_update_is_lost(children, sqlite_database):
    assert count_in_two_processes(children, sqlite_database) == 2 * TIMES


def test_without_begin_immediate_updates_are_lost_silently(sqlite_database):
    """The negative control: by default the driver begins a transaction with the first write, after the read."""
    with sqlite_database.write_session() as session:
        session.add(CatalogueVersion(id=1, number=0))
    engine = create_engine(f"sqlite:///{sqlite_database.url.database}")
    with Session(engine) as first, Session(engine) as second:
        numbers = [session.get_one(CatalogueVersion, 1).number for session in (first, second)]
        for session, before in zip((first, second), numbers, strict=True):
            session.execute(update(CatalogueVersion).values(number=before + 1))
            session.commit()
    engine.dispose()
    assert number(sqlite_database) == 1
