"""Column types that behave the same on SQLite and MariaDB, and the base class of every table."""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import BigInteger, Dialect, Integer, MetaData, Numeric, String, TypeDecorator
from sqlalchemy.dialects.mysql import DATETIME
from sqlalchemy.orm import DeclarativeBase
from sqlalchemy.types import DateTime, TypeEngine

from domain import money

NAMING = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}

# utf8mb4 stores every script and emoji.
MARIADB = {"mysql_charset": "utf8mb4", "mysql_collate": "utf8mb4_unicode_ci", "mysql_engine": "InnoDB"}

# SQLite generates ids only in a column of the type INTEGER.
BigKey = BigInteger().with_variant(Integer, "sqlite")
# Compared byte by byte on both: slugs, codes and ids are case-folded before they are stored.
Folded = String(191).with_variant(String(191, collation="utf8mb4_bin"), "mysql", "mariadb")
# SHA-256 in hexadecimal: the secret itself is never stored.
Digest = String(64).with_variant(String(64, collation="ascii_bin"), "mysql", "mariadb")
UuidText = String(36).with_variant(String(36, collation="ascii_bin"), "mysql", "mariadb")


class Base(DeclarativeBase):
    metadata = MetaData(naming_convention=NAMING)


class Money(TypeDecorator[Decimal]):
    """Decimal to the minor unit: DECIMAL(12,2) on MariaDB, integer minor units on SQLite, which would use floats."""

    impl = Numeric(12, 2)
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        return dialect.type_descriptor(BigInteger() if dialect.name == "sqlite" else Numeric(12, 2))

    def process_bind_param(self, value: Decimal | None, dialect: Dialect) -> Any:
        if value is None:
            return None
        return money.to_minor(Decimal(value)) if dialect.name == "sqlite" else money.round_to_cent(Decimal(value))

    def process_result_value(self, value: Any, dialect: Dialect) -> Decimal | None:
        if value is None:
            return None
        return money.from_minor(int(value)) if dialect.name == "sqlite" else Decimal(value).quantize(money.CENT)


class UTCTime(TypeDecorator[datetime]):
    """An aware UTC time to the microsecond. Raises ValueError for a naive time."""

    impl = DateTime
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        return dialect.type_descriptor(DateTime() if dialect.name == "sqlite" else DATETIME(fsp=6))

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a time without its zone cannot be stored")
        return value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return None if value is None else value.replace(tzinfo=UTC)
