"""What people of the areas have changed, as one chain of events. Only domain/audit uses these tables."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, BigInteger, Index, SmallInteger, String
from sqlalchemy.orm import Mapped, mapped_column

from domain.tables.base import MARIADB, Base, BigKey, Digest, UTCTime

_CHANGES = JSON(none_as_null=True)


class AuditEvent(Base):
    """An event is appended and never changed, so that no column refers to a row that may be deleted.

    `number` counts without gaps. `before` and `after`: the changed fields alone, personal ones as "changed". `hash`:
    the SHA-256 of `previous_hash` and all other columns but the id.
    """

    __tablename__ = "audit_events"
    __table_args__ = (
        Index("ix_audit_events_occurred_at", "occurred_at"),
        Index("ix_audit_events_actor_id_occurred_at", "actor_id", "occurred_at"),
        Index("ix_audit_events_subject", "subject_type", "subject_id", "occurred_at"),
        Index("ix_audit_events_organisation_id_occurred_at", "organisation_id", "occurred_at"),
        Index("ix_audit_events_action_number", "action", "number"),
        Index("ix_audit_events_actor_id_action_number", "actor_id", "action", "number"),
        Index("ix_audit_events_subject_action_number", "subject_type", "subject_id", "action", "number"),
        MARIADB,
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    number: Mapped[int] = mapped_column(BigInteger, unique=True)
    occurred_at: Mapped[datetime] = mapped_column(UTCTime)
    # None: a command, or the system itself.
    actor_id: Mapped[int | None] = mapped_column(BigInteger)
    # learner | organisation | admin | command | system
    area: Mapped[str] = mapped_column(String(20))
    roles: Mapped[list[str]] = mapped_column(JSON)
    organisation_id: Mapped[int | None] = mapped_column(BigInteger)
    # Such as course.publish.
    action: Mapped[str] = mapped_column(String(60))
    subject_type: Mapped[str] = mapped_column(String(40))
    subject_id: Mapped[str] = mapped_column(String(64))
    before: Mapped[dict[str, Any] | None] = mapped_column(_CHANGES)
    after: Mapped[dict[str, Any] | None] = mapped_column(_CHANGES)
    reason: Mapped[str] = mapped_column(String(500))
    request_id: Mapped[str] = mapped_column(String(32))
    ip_network: Mapped[str] = mapped_column(String(50))
    previous_hash: Mapped[str] = mapped_column(Digest)
    hash: Mapped[str] = mapped_column(Digest)


class AuditChain(Base):
    """One row: number and hash of the last event, so that a missing last event is found too. It is locked last."""

    __tablename__ = "audit_chain"
    __table_args__ = MARIADB

    id: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False)
    number: Mapped[int] = mapped_column(BigInteger)
    hash: Mapped[str] = mapped_column(Digest)
