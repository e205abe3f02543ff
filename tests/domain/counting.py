"""One of several processes that read a number and write it back one higher: `python -m tests.domain.counting`.

Arguments: the database's file, how often, and `guarded` (the product's engine) or `unguarded` (the same engine without
BEGIN IMMEDIATE: the negative control of tests/domain/test_lost_updates.py). Says "ready" and begins at a line of input.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Engine, create_engine, update
from sqlalchemy.orm import Session

from domain.db import Database, database_url
from domain.tables import CatalogueVersion


def unguarded(file: Path) -> Engine:
    """SQLite as its driver comes: a transaction begins only with the first write, after the read."""
    return create_engine(f"sqlite:///{file}", connect_args={"timeout": 30})


@contextmanager
def opened(file: Path, guard: str) -> Iterator[Engine]:
    is_guarded = guard == "guarded"
    engine = Database(database_url(None, file.parent), busy_ms=30_000).engine if is_guarded else unguarded(file)
    yield engine
    engine.dispose()


def raise_by_one(session: Session) -> None:
    counter = session.get_one(CatalogueVersion, 1)
    session.execute(update(CatalogueVersion).values(number=counter.number + 1))


def main(file: str, times: str, guard: str) -> None:
    with opened(Path(file), guard) as engine:
        print("ready", flush=True)
        sys.stdin.readline()
        for _ in range(int(times)):
            with Session(engine) as session, session.begin():
                raise_by_one(session)


if __name__ == "__main__":
    main(*sys.argv[1:])
