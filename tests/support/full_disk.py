"""A disk that a test fills, for SQLite: a limit of the pages of a database."""

from typing import Any

from sqlalchemy import event

from domain.database.database import Database

UNLIMITED = 2**30


class Disk:
    """What is left of it, in pages of the database."""

    def __init__(self, db: Database):
        self._db, self._pages = db, UNLIMITED
        # Pages that deleted rows have left would be space.
        with db.engine.connect() as connection:
            connection.connection.driver_connection.execute("VACUUM")
        event.listen(db.engine, "checkout", self._limit)

    def _limit(self, connection: Any, *_: object) -> None:
        connection.execute(f"PRAGMA max_page_count={self._pages}")

    def leave(self, pages: int) -> None:
        with self._db.engine.connect() as connection:
            self._pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one() + pages

    def free(self) -> None:
        self._pages = UNLIMITED
