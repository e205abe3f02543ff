"""Column types that behave the same on SQLite and MariaDB, and the base class of every table."""

from collections.abc import Callable
from datetime import UTC, datetime
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache
from typing import Any

from sqlalchemy import BigInteger, Dialect, Integer, MetaData, Numeric, String, Text, TypeDecorator
from sqlalchemy.dialects.mysql import DATETIME, MEDIUMTEXT
from sqlalchemy.orm import DeclarativeBase
from sqlalchemy.types import DateTime, TypeEngine

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
ASCII = "ascii_bin"


class AsciiText(TypeDecorator[str]):
    """A column of ASCII on MariaDB, which refuses to compare it with any other text. People may send anything as a
    code: escaped, it is compared and equals none."""

    impl = String
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        return value if value is None or value.isascii() else value.encode("ascii", "backslashreplace").decode()


def exact_text(length: int, collation: str = "utf8mb4_bin") -> String:
    """Text that MariaDB compares byte by byte, as SQLite always does."""
    kind = AsciiText if collation == ASCII else String
    return String(length).with_variant(kind(length, collation=collation), "mysql", "mariadb")


# Slugs, codes and ids are case-folded before they are stored.
Folded = exact_text(191)
# An email address in lower case.
EmailKey = exact_text(254)
# TEXT of MariaDB ends at 64 KiB, a line of an import may be 1 MiB long.
LongText = Text().with_variant(MEDIUMTEXT(), "mysql", "mariadb")
# SHA-256 in hexadecimal: the secret itself is never stored.
Digest = exact_text(64, ASCII)
UuidText = exact_text(36, ASCII)


class Base(DeclarativeBase):
    metadata = MetaData(naming_convention=NAMING)


_THOUSANDTH = Decimal("0.001")


@lru_cache(10_000)
def _of_thousandths(value: int) -> Decimal:
    return Decimal(value).scaleb(-3)


class Money(TypeDecorator[Decimal]):
    """Decimal in major units with three decimals, enough for every currency, which the column does not know.

    DECIMAL(13,3) on MariaDB, integer thousandths on SQLite, which would use floats.
    """

    impl = Numeric(13, 3)
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        return dialect.type_descriptor(BigInteger() if dialect.name == "sqlite" else Numeric(13, 3))

    def process_bind_param(self, value: Decimal | None, dialect: Dialect) -> Any:
        if value is None:
            return None
        amount = Decimal(value).quantize(_THOUSANDTH, ROUND_HALF_UP)
        return int(amount.scaleb(3)) if dialect.name == "sqlite" else amount

    def process_result_value(self, value: Any, dialect: Dialect) -> Decimal | None:
        if value is None:
            return None
        return _of_thousandths(int(value)) if dialect.name == "sqlite" else Decimal(value).quantize(_THOUSANDTH)


NAIVE = "a time without its zone cannot be stored"


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
            raise ValueError(NAIVE)
        return value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return None if value is None else value.replace(tzinfo=UTC)

    def bind_processor(self, dialect: Dialect) -> Callable[[datetime | None], Any] | None:
        return _text_of_utc if dialect.name == "sqlite" else super().bind_processor(dialect)

    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[Any], datetime | None] | None:
        """SQLAlchemy's own reads SQLite's text by a regular expression and calls two functions more: lists of rows with
        several times took most of their time there."""
        return _utc_of_text if dialect.name == "sqlite" else super().result_processor(dialect, coltype)


def _text_of_utc(value: datetime | None) -> str | None:
    if value is None:
        return None
    if value.tzinfo is None:
        raise ValueError(NAIVE)
    # Without "+00:00" at its end.
    return value.astimezone(UTC).isoformat(" ", "microseconds")[:26]


def _utc_of_text(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(f"{text}+00:00")
