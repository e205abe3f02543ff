"""Two processes that read and then write the same row of SQLite lose no update, because of BEGIN IMMEDIATE."""

import subprocess
import sys

from sqlalchemy import create_engine, update
from sqlalchemy.orm import Session

from config.settings import ROOT
from domain.database.database import Database
from domain.tables import CatalogueVersion

# Enough for the two processes to collide, also on a fast disk.
TIMES = 400


def count_in_two_processes(database: Database) -> int:
    """The final number after two concurrent processes that each raise it TIMES times."""
    with database.write_session() as session:
        session.merge(CatalogueVersion(id=1, number=0))
    command = [sys.executable, "-m", "tests.domain.counter_process", str(database.url.database), str(TIMES)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    runners = [subprocess.Popen(command, cwd=ROOT, **pipes) for _ in range(2)]
    for runner in runners:
        assert runner.stdout.readline() == "ready\n"
    for runner in runners:
        runner.stdin.write("go\n")
        runner.stdin.flush()
    for runner in runners:
        runner.communicate(timeout=120)
        assert runner.returncode == 0
    return number(database)


def number(database: Database) -> int:
    with database.read_session() as session:
        return session.get_one(CatalogueVersion, 1).number


def test_no_update_is_lost(sqlite_database):
    assert count_in_two_processes(sqlite_database) == 2 * TIMES


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
