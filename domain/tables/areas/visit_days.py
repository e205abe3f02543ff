"""Days computed from raw visits. Only domain/visits/days writes these tables, a day at a time."""

from datetime import date, datetime

from sqlalchemy import BigInteger, SmallInteger, String
from sqlalchemy.orm import Mapped, mapped_column

from domain.tables.base import ASCII, MARIADB, Base, Digest, Folded, UTCTime, exact_text

DIMENSION = exact_text(10, ASCII)
AUDIENCE = exact_text(10, ASCII)


class VisitRollup(Base):
    """A local day of `zone` and how it was computed. `site` 0 is this shop. `visits`: raw rows of the day; `digest`: of
    its rows in the other tables; both as they were at `built_at` (None: never). `dirty_at`: when the day was last found
    to need computing again, None: it does not. `checked_at`: when its raw rows were last counted. Only the process
    that has the lease may write the day.

    `finalised_at`: since then it is never computed again; `deleted_visits`: how many of its raw rows retention has
    deleted, also late ones, which no figure counts. `erased_at`: when raw rows of the day last lost their learner,
    whom the figures still count."""

    __tablename__ = "visit_rollups"
    __table_args__ = MARIADB

    site: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False)
    day: Mapped[date] = mapped_column(primary_key=True)
    visits: Mapped[int] = mapped_column(BigInteger, default=0)
    digest: Mapped[str] = mapped_column(Digest, default="")
    rules_version: Mapped[str] = mapped_column(String(40), default="")
    zone: Mapped[str] = mapped_column(String(64), default="")
    built_at: Mapped[datetime | None] = mapped_column(UTCTime)
    duration_ms: Mapped[int] = mapped_column(default=0)
    dirty_at: Mapped[datetime | None] = mapped_column(UTCTime)
    checked_at: Mapped[datetime | None] = mapped_column(UTCTime)
    lease_token: Mapped[str] = mapped_column(exact_text(32, ASCII), default="")
    lease_until: Mapped[datetime | None] = mapped_column(UTCTime)
    finalised_at: Mapped[datetime | None] = mapped_column(UTCTime)
    # Hosts of the build before insert rows without it.
    deleted_visits: Mapped[int] = mapped_column(BigInteger, default=0, server_default="0")
    erased_at: Mapped[datetime | None] = mapped_column(UTCTime)
    hours_deleted_at: Mapped[datetime | None] = mapped_column(UTCTime)


class _Figures:
    """`confirmed`: sessions of people beyond doubt, `possible`: of who may be people. `seconds` are those between first
    and last visit of the `timed_sessions`, which have two visits. `reached_…`: sessions that got at least so far."""

    visits: Mapped[int] = mapped_column(BigInteger)
    sessions: Mapped[int] = mapped_column(BigInteger)
    confirmed: Mapped[int] = mapped_column(BigInteger)
    possible: Mapped[int] = mapped_column(BigInteger)
    bounces: Mapped[int] = mapped_column(BigInteger)
    timed_sessions: Mapped[int] = mapped_column(BigInteger)
    seconds: Mapped[int] = mapped_column(BigInteger)
    reached_product: Mapped[int] = mapped_column(BigInteger)
    reached_cart: Mapped[int] = mapped_column(BigInteger)
    reached_checkout: Mapped[int] = mapped_column(BigInteger)
    reached_order: Mapped[int] = mapped_column(BigInteger)
    reached_payment: Mapped[int] = mapped_column(BigInteger)


class VisitDay(_Figures, Base):
    """Figures of a day by one value of one dimension. `audience`: people | suspected | crawlers."""

    __tablename__ = "visit_days"
    __table_args__ = MARIADB

    site: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False)
    dimension: Mapped[str] = mapped_column(DIMENSION, primary_key=True)
    day: Mapped[date] = mapped_column(primary_key=True)
    audience: Mapped[str] = mapped_column(AUDIENCE, primary_key=True)
    key: Mapped[str] = mapped_column(Folded, primary_key=True)


class VisitHour(_Figures, Base):
    """Figures of an hour of a day by one value of one dimension. Hours are of UTC: two local days may share one."""

    __tablename__ = "visit_hours"
    __table_args__ = MARIADB

    site: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False)
    dimension: Mapped[str] = mapped_column(DIMENSION, primary_key=True)
    day: Mapped[date] = mapped_column(primary_key=True)
    hour: Mapped[datetime] = mapped_column(UTCTime, primary_key=True)
    audience: Mapped[str] = mapped_column(AUDIENCE, primary_key=True)
    key: Mapped[str] = mapped_column(Folded, primary_key=True)
