"""Seats of contracts, who asks for one, and the monthly figures of an organisation that are never computed anew."""

from datetime import datetime

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Index, String, UniqueConstraint, false
from sqlalchemy.orm import Mapped, mapped_column

from domain.tables.base import ASCII, MARIADB, Base, BigKey, UTCTime, exact_text

HOLDER_KEY = exact_text(64, ASCII)


class Seat(Base):
    """One seat of a contract: N seats are N rows. `domain.seats` alone writes them.

    `state`: free, reserved for an invitation, active (a learner has it), spent (its course was completed), or removed
    from the contract. `holder_key`: the learner or invitation, with the product where seats are per course; None
    without a holder. `learner_id` stays when the seat is spent. `reminders`: mails about a seat that was not started
    which the mail server has taken; `reminder_id`: the event of one that it has not taken yet. `notified_at` and
    `grace_until`: of the notice that an idle seat goes back. `confirmed_at`: when the holder last said to need it.
    `order_line_id`: the paid line that it came with.
    """

    __tablename__ = "seats"
    __table_args__ = (
        UniqueConstraint("contract_id", "number"),
        UniqueConstraint("contract_id", "holder_key"),
        CheckConstraint("state IN ('free', 'reserved', 'active', 'spent', 'removed')", name="state"),
        CheckConstraint("number > 0", name="number"),
        Index("ix_seats_contract_id_state_last_active_at", "contract_id", "state", "last_active_at"),
        MARIADB,
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    contract_id: Mapped[int] = mapped_column(BigKey, ForeignKey("contracts.id", ondelete="CASCADE"))
    number: Mapped[int]
    state: Mapped[str] = mapped_column(String(10), default="free")
    holder_key: Mapped[str | None] = mapped_column(HOLDER_KEY)
    learner_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("learners.id", ondelete="SET NULL"), index=True)
    invitation_id: Mapped[int | None] = mapped_column(
        BigKey, ForeignKey("invitations.id", ondelete="SET NULL"), index=True
    )
    product_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("products.id"), index=True)
    order_line_id: Mapped[int | None] = mapped_column(
        BigKey, ForeignKey("order_lines.id", ondelete="SET NULL"), index=True
    )
    assigned_at: Mapped[datetime | None] = mapped_column(UTCTime)
    started_at: Mapped[datetime | None] = mapped_column(UTCTime)
    last_active_at: Mapped[datetime | None] = mapped_column(UTCTime)
    reminders: Mapped[int] = mapped_column(default=0)
    # No foreign key: an event belongs to its seat.
    reminder_id: Mapped[int | None] = mapped_column(BigInteger)
    notified_at: Mapped[datetime | None] = mapped_column(UTCTime)
    grace_until: Mapped[datetime | None] = mapped_column(UTCTime)
    confirmed_at: Mapped[datetime | None] = mapped_column(UTCTime)
    paused_until: Mapped[datetime | None] = mapped_column(UTCTime)
    version: Mapped[int] = mapped_column(default=1)


class SeatEvent(Base):
    """What happened to a seat, for its manager and its holder. `learner_id`: who held it; `actor_id`: who did it, None
    for the rules. `reason`: as the holder reads it."""

    __tablename__ = "seat_events"
    __table_args__ = (Index("ix_seat_events_learner_id_kind", "learner_id", "kind"), MARIADB)

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    seat_id: Mapped[int] = mapped_column(BigKey, ForeignKey("seats.id", ondelete="CASCADE"), index=True)
    occurred_at: Mapped[datetime] = mapped_column(UTCTime)
    kind: Mapped[str] = mapped_column(String(20))
    learner_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("learners.id", ondelete="SET NULL"))
    actor_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("learners.id", ondelete="SET NULL"), index=True)
    reason: Mapped[str] = mapped_column(String(500), default="")


class SeatRequest(Base):
    """A member asks for a course of a contract. `open_key`: contract, learner and course, while it waits.
    `has_priority`: the member lost a seat before, and comes before newcomers once."""

    __tablename__ = "seat_requests"
    __table_args__ = (
        CheckConstraint("state IN ('waiting', 'granted', 'withdrawn')", name="state"),
        Index("ix_seat_requests_contract_id_state_requested_at", "contract_id", "state", "requested_at"),
        MARIADB,
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    contract_id: Mapped[int] = mapped_column(BigKey, ForeignKey("contracts.id", ondelete="CASCADE"))
    learner_id: Mapped[int] = mapped_column(BigKey, ForeignKey("learners.id", ondelete="CASCADE"), index=True)
    product_id: Mapped[int] = mapped_column(BigKey, ForeignKey("products.id"), index=True)
    requested_at: Mapped[datetime] = mapped_column(UTCTime)
    state: Mapped[str] = mapped_column(String(10), default="waiting")
    has_priority: Mapped[bool] = mapped_column(default=False, server_default=false())
    open_key: Mapped[str | None] = mapped_column(HOLDER_KEY, unique=True)
    decided_at: Mapped[datetime | None] = mapped_column(UTCTime)


class OrganisationMonth(Base):
    """Frozen figures of one month: distinct learners of a course and team, and of how many the figures are true.

    `month`: 2026-11. `product_id` and `team` None: everybody, each once; `team` "": those without a team. `is_named`:
    of those whom reports name. `cell_key` is course, team and that. All numbers are of everything until the end of the
    month. `score`: sum of the learners' mean best scores in quizzes, in percent, of `scored` learners.

    In the row of everybody: `seats`, `unused` and `cost_thousandths` (of a unit of the currency; None where no seat has
    a price) of the organisation when the month was frozen.
    """

    __tablename__ = "organisation_months"
    __table_args__ = (
        UniqueConstraint("organisation_id", "month", "cell_key"),
        # The newest row of an organisation, whatever its month.
        Index("ix_organisation_months_organisation_id_id", "organisation_id", "id"),
        CheckConstraint("started <= learners AND completed <= learners AND scored <= learners", name="counts"),
        MARIADB,
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    organisation_id: Mapped[int] = mapped_column(BigKey, ForeignKey("organisations.id", ondelete="CASCADE"))
    month: Mapped[str] = mapped_column(exact_text(7, ASCII))
    product_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("products.id"), index=True)
    team: Mapped[str | None] = mapped_column(String(100))
    cell_key: Mapped[str] = mapped_column(exact_text(130))
    learners: Mapped[int]
    started: Mapped[int]
    completed: Mapped[int]
    scored: Mapped[int] = mapped_column(default=0)
    score: Mapped[int] = mapped_column(default=0)
    is_named: Mapped[bool] = mapped_column(default=False, server_default=false())
    seats: Mapped[int | None]
    unused: Mapped[int | None]
    cost_thousandths: Mapped[int | None] = mapped_column(BigInteger)


class CountedLearner(Base):
    """In which group frozen months count a learner of a course: that of the first month, whatever team they change to.
    `is_named`: of those whom reports name."""

    __tablename__ = "counted_learners"
    __table_args__ = MARIADB

    organisation_id: Mapped[int] = mapped_column(
        BigKey, ForeignKey("organisations.id", ondelete="CASCADE"), primary_key=True
    )
    product_id: Mapped[int] = mapped_column(BigKey, ForeignKey("products.id"), primary_key=True, index=True)
    learner_id: Mapped[int] = mapped_column(
        BigKey, ForeignKey("learners.id", ondelete="CASCADE"), primary_key=True, index=True
    )
    since: Mapped[str] = mapped_column(exact_text(7, ASCII))
    team: Mapped[str] = mapped_column(String(100))
    is_named: Mapped[bool]
