"""Two processes that read and then write the same row of SQLite: no update is lost, and the guard is what does it."""

import subprocess
import sys

from domain.db import Database
from domain.tables import CatalogueVersion
from host.settings import ROOT

# Long enough for the two to meet, also where nothing waits for a disk.
TIMES = 400
TRIES = 8


def counted(database: Database, guard: str) -> int:
    """The number two processes arrive at that each raise it TIMES times, both at once."""
    with database.session() as session:
        session.merge(CatalogueVersion(id=1, number=0))
    command = [sys.executable, "-m", "tests.domain.counting", str(database.url.database), str(TIMES), guard]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    runners = [subprocess.Popen(command, cwd=ROOT, **pipes) for _ in range(2)]
    for runner in runners:
        assert runner.stdout.readline() == "ready\n"
    for runner in runners:
        runner.stdin.write("go\n")
        runner.stdin.flush()
    for runner in runners:
        runner.communicate(timeout=30)
        assert runner.returncode == 0
    with database.reading() as session:
        return session.get_one(CatalogueVersion, 1).number


def test_no_update_is_lost(sqlite_database):
    assert counted(sqlite_database, "guarded") == 2 * TIMES


def test_without_begin_immediate_updates_are_lost_silently(sqlite_database):
    assert any(counted(sqlite_database, "unguarded") < 2 * TIMES for _ in range(TRIES))
