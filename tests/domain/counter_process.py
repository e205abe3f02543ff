"""One of two child processes that read a number and write it back plus one (tests/support/children.py).

It prints "ready" and begins at a line of input.
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


def count(file: str, times: int) -> None:
    db = Database(database_url(None, Path(file).parent), busy_ms=60_000)
    print("ready", flush=True)
    sys.stdin.readline()
    for _ in range(times):
        with db.write_session() as session:
            raise_by_one(session)
    db.engine.dispose()
