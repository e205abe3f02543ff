"""Reads a number and writes it back plus one: `python -m tests.domain.counter_process FILE TIMES`, in two processes.

Prints "ready" and begins at a line of input.
"""

import sys
from pathlib import Path

from sqlalchemy import update
from sqlalchemy.orm import Session

from domain.database.database import Database, database_url
from domain.tables import CatalogueVersion


def raise_by_one(session: Session) -> None:
    counter = session.get_one(CatalogueVersion, 1)
    session.execute(update(CatalogueVersion).values(number=counter.number + 1))


def main(file: str, times: str) -> None:
    db = Database(database_url(None, Path(file).parent), busy_ms=60_000)
    print("ready", flush=True)
    sys.stdin.readline()
    for _ in range(int(times)):
        with db.write_session() as session:
            raise_by_one(session)
    db.engine.dispose()


if __name__ == "__main__":
    main(*sys.argv[1:])
