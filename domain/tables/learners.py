"""Learners, their identities at providers, their sessions, and unfinished sign-ins."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, String, UniqueConstraint, false
from sqlalchemy.orm import Mapped, mapped_column, validates

from domain.tables.areas.person_keys import email_key, name_key
from domain.tables.base import MARIADB, Base, BigKey, Digest, EmailKey, Folded, LongText, UTCTime, exact_text


def _made_of(column: str, make: Callable[[str], str]) -> Callable[[Any], str]:
    """The default of a key in rows that no object was made for."""

    def key(context: Any) -> str:
        return make(context.get_current_parameters().get(column) or "")

    return key


class Learner(Base):
    """A person. `issuer` and `subject` are the identity of the first sign-in, `email` is a label. Sign-ins look only
    at `identities`. The student number is case-folded. `email_key` and `name_key`: by which staff find them. Hosts of
    the build before insert rows without the keys; the next sign-in writes them. Visits until `visits_erased_at` are
    stored as those of a deleted account are, whenever they come."""

    __tablename__ = "learners"
    __table_args__ = (UniqueConstraint("issuer", "subject"), MARIADB)

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    student_number: Mapped[str] = mapped_column(Folded, unique=True)
    issuer: Mapped[str] = mapped_column(Folded)
    subject: Mapped[str] = mapped_column(Folded)
    email: Mapped[str] = mapped_column(String(254), default="")
    # As the provider said at the last sign-in.
    email_verified: Mapped[bool] = mapped_column(default=False, server_default=false())
    name: Mapped[str] = mapped_column(String(255), default="")
    email_key: Mapped[str] = mapped_column(
        EmailKey, default=_made_of("email", email_key), server_default="", index=True
    )
    name_key: Mapped[str] = mapped_column(
        exact_text(255), default=_made_of("name", name_key), server_default="", index=True
    )
    created_at: Mapped[datetime] = mapped_column(UTCTime)
    visits_erased_at: Mapped[datetime | None] = mapped_column(UTCTime, index=True)

    @validates("email", "name")
    def _put_key(self, column: str, value: str) -> str:
        if column == "email":
            self.email_key = email_key(value)
        else:
            self.name_key = name_key(value)
        return value


class LearnerIdentity(Base):
    """An account at a provider that signs in as this learner. A learner may have several."""

    __tablename__ = "identities"
    __table_args__ = (UniqueConstraint("issuer", "subject"), MARIADB)

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    issuer: Mapped[str] = mapped_column(Folded)
    subject: Mapped[str] = mapped_column(Folded)
    learner_id: Mapped[int] = mapped_column(BigKey, ForeignKey("learners.id", ondelete="CASCADE"), index=True)
    created_at: Mapped[datetime] = mapped_column(UTCTime)


class LearnerSession(Base):
    """One sign-in. The session token and the session cookie are stored as digests, so that the table is of no use for
    signing in. `area`: learner | organisation | admin. `organisation_id`: the one that was chosen in the area of
    organisations. `amr`: how the person proved who they are, in the provider's words with spaces between;
    `authenticated_at`: when they did. The provider's tokens are encrypted by the host (None: a sign-in without a
    provider)."""

    __tablename__ = "sessions"
    __table_args__ = (Index("ix_sessions_expires_at", "expires_at"), MARIADB)

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    learner_id: Mapped[int] = mapped_column(BigKey, ForeignKey("learners.id", ondelete="CASCADE"), index=True)
    token_digest: Mapped[str] = mapped_column(Digest, unique=True)
    cookie_digest: Mapped[str] = mapped_column(Digest, unique=True)
    area: Mapped[str] = mapped_column(String(20), default="learner")
    organisation_id: Mapped[int | None] = mapped_column(
        BigKey, ForeignKey("organisations.id", ondelete="SET NULL"), index=True
    )
    amr: Mapped[str] = mapped_column(String(100), default="", server_default="")
    authenticated_at: Mapped[datetime] = mapped_column(UTCTime)
    issuer: Mapped[str] = mapped_column(String(191), default="", server_default="")
    subject: Mapped[str] = mapped_column(String(191), default="", server_default="")
    id_token: Mapped[str | None] = mapped_column(LongText)
    access_token: Mapped[str | None] = mapped_column(LongText)
    # Such as "Firefox on Linux", shown in the list of a learner's own sign-ins.
    browser: Mapped[str] = mapped_column(String(100), default="", server_default="")
    created_at: Mapped[datetime] = mapped_column(UTCTime)
    expires_at: Mapped[datetime] = mapped_column(UTCTime)
    revoked_at: Mapped[datetime | None] = mapped_column(UTCTime)


class SignInFlow(Base):
    """An unfinished registration, recovery, unlocking or second factor. Cookie and state are stored as digests;
    `encrypted_state`, what the provider's protocol needs, is encrypted by the host. `version` counts the changes: an
    update that names an older version is refused, because another tab has advanced the flow."""

    __tablename__ = "sign_in_flows"
    __table_args__ = (Index("ix_sign_in_flows_expires_at", "expires_at"), MARIADB)

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    cookie_digest: Mapped[str] = mapped_column(Digest, unique=True)
    state_digest: Mapped[str] = mapped_column(Digest, unique=True)
    # The provider's replies may contain images (QR codes) and exceed the 64 KiB of TEXT.
    encrypted_state: Mapped[str] = mapped_column(LongText)
    version: Mapped[int] = mapped_column(default=0)
    created_at: Mapped[datetime] = mapped_column(UTCTime)
    expires_at: Mapped[datetime] = mapped_column(UTCTime)
