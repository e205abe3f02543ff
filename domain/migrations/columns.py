"""Kinds of columns that migrations share. What has run depends on them: a new kind gets a new name, none is changed."""

from typing import Any

import sqlalchemy as sa

# Of every table; SQLite has no such things.
MARIADB: Any = {"mysql_charset": "utf8mb4", "mysql_collate": "utf8mb4_unicode_ci", "mysql_engine": "InnoDB"}
KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
# Compared byte by byte: whoever writes it has folded its case.
FOLDED = sa.String(length=191).with_variant(sa.String(length=191, collation="utf8mb4_bin"), "mysql", "mariadb")
DIGEST = sa.String(length=64).with_variant(sa.String(length=64, collation="ascii_bin"), "mysql", "mariadb")
