"""Days computed from raw visits. Only domain/visits/days writes these tables, a day at a time."""

from datetime import date, datetime

from sqlalchemy import BigInteger, Index, SmallInteger, String
from sqlalchemy.orm import Mapped, mapped_column

from domain.tables.base import ASCII, MARIADB, Base, BigKey, Digest, Folded, UTCTime, UuidText, exact_text

DIMENSION = exact_text(10, ASCII)
AUDIENCE = exact_text(10, ASCII)


class VisitRollup(Base):
    """A local day of `zone` and how it was computed. `site` 0 is this shop. `visits`: raw rows of the day; `digest`: of
    its rows in the other tables; both as they were at `built_at` (None: never). `dirty_at`: when the day was last found
    to need computing again, None: it does not. `checked_at`: when its raw rows were last counted. Only the process
    that has the lease may write the day.

    `finalised_at`: since then it is never computed again; `deleted_visits`: how many of its raw rows retention has
    deleted, also late ones, which no figure counts. `erased_at`: when raw rows of the day last lost their learner,
    whom the figures still count. `searches_deleted_at`: since then its log of searches is being deleted, and what
    `search_days` has of them is what the day is computed from."""

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
    searches_deleted_at: Mapped[datetime | None] = mapped_column(UTCTime)


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


# Rows are kept in the order of the key alone.
_BY_KEY = {**MARIADB, "sqlite_with_rowid": False}
_PART_OF_CAMPAIGN = exact_text(100)
_SESSION_ID = exact_text(64)


class Touchpoint(Base):
    """The first visit of a session that may be a person's, or a later one that brings another coupon, special offer,
    student or partner. The values of the dimensions of `visit_days`: source, campaign and referrer are those of this
    visit, coupon to partner those that the session has by then. `landing`: the path of the page it led to, `product`:
    of that page, or "". `was_anonymous`: no learner was signed in. Whose it is, `session_learners` says; an erased
    learner's has the session ""."""

    __tablename__ = "touchpoints"
    __table_args__ = (
        Index("ix_touchpoints_session_id_visited_at", "session_id", "visited_at"),
        Index("ix_touchpoints_student", "student"),
        _BY_KEY,
    )

    day: Mapped[date] = mapped_column(primary_key=True)
    event_id: Mapped[str] = mapped_column(UuidText, primary_key=True)
    visited_at: Mapped[datetime] = mapped_column(UTCTime)
    session_id: Mapped[str] = mapped_column(_SESSION_ID)
    channel: Mapped[str] = mapped_column(exact_text(20, ASCII))
    source: Mapped[str] = mapped_column(Folded)
    campaign: Mapped[str] = mapped_column(Folded)
    term: Mapped[str] = mapped_column(_PART_OF_CAMPAIGN)
    content: Mapped[str] = mapped_column(_PART_OF_CAMPAIGN)
    referrer: Mapped[str] = mapped_column(Folded)
    coupon: Mapped[str] = mapped_column(Folded)
    special: Mapped[str] = mapped_column(Folded)
    student: Mapped[str] = mapped_column(Folded)
    partner: Mapped[str] = mapped_column(Folded)
    landing: Mapped[str] = mapped_column(Folded)
    product: Mapped[str] = mapped_column(exact_text(20, ASCII))
    was_anonymous: Mapped[bool]
    traffic_class: Mapped[str] = mapped_column(exact_text(10, ASCII))


class SessionLearner(Base):
    """The last of some visits of a session that a token proved to be of one learner. All visits of the SessionID before
    it, back to the row before, are that learner's."""

    __tablename__ = "session_learners"
    __table_args__ = (
        Index("ix_session_learners_session_id_visited_at", "session_id", "visited_at"),
        Index("ix_session_learners_learner_id", "learner_id"),
        _BY_KEY,
    )

    day: Mapped[date] = mapped_column(primary_key=True)
    event_id: Mapped[str] = mapped_column(UuidText, primary_key=True)
    visited_at: Mapped[datetime] = mapped_column(UTCTime)
    session_id: Mapped[str] = mapped_column(_SESSION_ID)
    learner_id: Mapped[int] = mapped_column(BigKey)


class LearnerDay(Base):
    """A learner who was there on a day, as a token proved. `is_first`: the account is of that day."""

    __tablename__ = "learner_days"
    __table_args__ = (Index("ix_learner_days_learner_id", "learner_id"), _BY_KEY)

    day: Mapped[date] = mapped_column(primary_key=True)
    learner_id: Mapped[int] = mapped_column(BigKey, primary_key=True, autoincrement=False)
    is_first: Mapped[bool]
