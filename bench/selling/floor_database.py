"""The database of the reference servers of C1 and C3: the driver alone, SQLite's or the one for MariaDB.

Its statements are written for SQLite. On MariaDB their `?` become the driver's `%s`, and the quotes
around names those of MariaDB.
"""

import sqlite3
from collections.abc import Sequence
from typing import Any

import pymysql
from sqlalchemy import make_url

MARIADB = ("mysql://", "mysql+pymysql://")


class FloorDatabase:
    """Commits each statement, or those between `begin` and `commit` together, as durably as the product's database."""

    def __init__(self, address: str):
        """`address`: the file of SQLite, or a URL that begins with mysql://."""
        self.is_mariadb = address.startswith(MARIADB)
        self._texts: dict[str, str] = {}
        self._driver: Any
        if self.is_mariadb:
            url = make_url(address)
            self._driver = pymysql.connect(
                host=url.host,
                port=url.port or 3306,
                user=url.username,
                database=url.database,
                charset="utf8mb4",
                autocommit=True,
            )
            return
        self._driver = sqlite3.connect(address, isolation_level=None, check_same_thread=False)
        for pragma in ("journal_mode=WAL", "synchronous=FULL"):
            self._driver.execute(f"PRAGMA {pragma}")

    def execute(self, statement: str, values: Sequence[object] = ()) -> Any:
        """A cursor."""
        if not self.is_mariadb:
            return self._driver.execute(statement, values)
        cursor = self._driver.cursor()
        cursor.execute(self._mariadb_text(statement), values)
        return cursor

    def count(self, query: str) -> int:
        """What a query of one number finds now."""
        return int(self.execute(query).fetchone()[0])

    def begin(self) -> None:
        self.execute("BEGIN" if self.is_mariadb else "BEGIN IMMEDIATE")

    def commit(self) -> None:
        self.execute("COMMIT")

    def _mariadb_text(self, statement: str) -> str:
        known = self._texts.get(statement)
        if known is None:
            known = self._texts[statement] = statement.replace("?", "%s").replace('"', "`")
        return known
