"""Column types that migrations share. Applied migrations depend on them: add a new type under a new name instead of
changing one."""

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.mysql import MEDIUMTEXT

ASCII = "ascii_bin"
# Options of every table; SQLite ignores them.
MARIADB: Any = {"mysql_charset": "utf8mb4", "mysql_collate": "utf8mb4_unicode_ci", "mysql_engine": "InnoDB"}


def exact_text(length: int, collation: str = "utf8mb4_bin") -> sa.String:
    """Text that MariaDB compares byte by byte, as SQLite always does."""
    return sa.String(length).with_variant(sa.String(length, collation=collation), "mysql", "mariadb")


KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
# Callers normalise the case before they store or look up a value.
FOLDED = exact_text(191)
DIGEST = exact_text(64, "ascii_bin")
UUID_TEXT = exact_text(36, "ascii_bin")
# Amounts of two decimals: minor units on SQLite, which would use floats. From the migration "money" on they have three.
CENTS = sa.Numeric(12, 2).with_variant(sa.BigInteger(), "sqlite")
# MariaDB's TEXT ends at 64 KiB.
LONG_TEXT = sa.Text().with_variant(MEDIUMTEXT(), "mysql", "mariadb")


def required(name: str, kind: Any, *items: sa.ForeignKey, **options: Any) -> sa.Column[Any]:
    return sa.Column(name, kind, *items, nullable=False, **options)


def optional(name: str, kind: Any, *items: sa.ForeignKey, **options: Any) -> sa.Column[Any]:
    return sa.Column(name, kind, *items, nullable=True, **options)


def create_table(name: str, *items: sa.schema.SchemaItem, **options: Any) -> None:
    """Constraints without a name get one from the naming convention of `domain.tables.base`."""
    op.create_table(name, *items, **MARIADB, **options)
