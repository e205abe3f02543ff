"""Learners, the identities they are known by, the sessions they are signed in with, and sign-ins under way."""

from datetime import datetime

from sqlalchemy import JSON, ForeignKey, Index, String, Text, UniqueConstraint
from sqlalchemy.dialects.mysql import MEDIUMTEXT
from sqlalchemy.orm import Mapped, mapped_column

from domain.tables.base import MARIADB, Base, BigKey, Digest, Folded, UTCTime


class Learner(Base):
    """A person. `issuer` and `subject` are the first identity they came with, `email` is a label; neither is asked who
    somebody is: that is what `identities` is for. The student number is folded."""

    __tablename__ = "learners"
    __table_args__ = (UniqueConstraint("issuer", "subject"), MARIADB)

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    student_number: Mapped[str] = mapped_column(Folded, unique=True)
    issuer: Mapped[str] = mapped_column(Folded)
    subject: Mapped[str] = mapped_column(Folded)
    email: Mapped[str] = mapped_column(String(254), default="")
    name: Mapped[str] = mapped_column(String(255), default="")
    # administrator | marketer, beside what everybody may.
    roles: Mapped[list[str]] = mapped_column(JSON, default=list)
    created_at: Mapped[datetime] = mapped_column(UTCTime)


class LearnerIdentity(Base):
    """A provider's word for a person: whoever comes with it is this learner. One person may have several."""

    __tablename__ = "identities"
    __table_args__ = (UniqueConstraint("issuer", "subject"), MARIADB)

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    issuer: Mapped[str] = mapped_column(Folded)
    subject: Mapped[str] = mapped_column(Folded)
    learner_id: Mapped[int] = mapped_column(BigKey, ForeignKey("learners.id", ondelete="CASCADE"), index=True)
    created_at: Mapped[datetime] = mapped_column(UTCTime)


class LearnerSession(Base):
    """One sign-in. Both halves are kept as digests: who reads the table cannot sign in with it. `area`: learner |
    organisation | admin. The provider's tokens are encrypted by the host (None: a sign-in without a provider)."""

    __tablename__ = "sessions"
    __table_args__ = (Index("ix_sessions_expires_at", "expires_at"), MARIADB)

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    learner_id: Mapped[int] = mapped_column(BigKey, ForeignKey("learners.id", ondelete="CASCADE"), index=True)
    handle: Mapped[str] = mapped_column(Digest, unique=True)
    half: Mapped[str] = mapped_column(Digest, unique=True)
    area: Mapped[str] = mapped_column(String(20), default="learner")
    issuer: Mapped[str] = mapped_column(String(191), default="", server_default="")
    subject: Mapped[str] = mapped_column(String(191), default="", server_default="")
    id_token: Mapped[str | None] = mapped_column(Text)
    access_token: Mapped[str | None] = mapped_column(Text)
    # Such as "Firefox on Linux": by what people know their own sign-ins.
    browser: Mapped[str] = mapped_column(String(100), default="", server_default="")
    created_at: Mapped[datetime] = mapped_column(UTCTime)
    expires_at: Mapped[datetime] = mapped_column(UTCTime)
    revoked_at: Mapped[datetime | None] = mapped_column(UTCTime)


class SignInTransaction(Base):
    """A registration, recovery, unlocking or second factor under way. Cookie and state are kept as digests; `meta`,
    what the provider's protocol needs, is encrypted by the host. `version` counts the changes: who changes an older
    one has lost against another tab."""

    __tablename__ = "sign_in_transactions"
    __table_args__ = (Index("ix_sign_in_transactions_expires_at", "expires_at"), MARIADB)

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    handle: Mapped[str] = mapped_column(Digest, unique=True)
    state: Mapped[str] = mapped_column(Digest, unique=True)
    # The provider's answers hold pictures (QR codes): more than 64 KiB must fit.
    meta: Mapped[str] = mapped_column(Text().with_variant(MEDIUMTEXT(), "mysql", "mariadb"))
    version: Mapped[int] = mapped_column(default=0)
    created_at: Mapped[datetime] = mapped_column(UTCTime)
    expires_at: Mapped[datetime] = mapped_column(UTCTime)
