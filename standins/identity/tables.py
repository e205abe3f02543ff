"""The provider's tables. Times are seconds since 1970 (UTC); secrets are stored as digests."""

from typing import Any

from sqlalchemy import JSON, ForeignKey, Text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class IdentityBase(DeclarativeBase):
    """The provider's own database, separate from the shop's."""


class User(IdentityBase):
    __tablename__ = "users"

    id: Mapped[str] = mapped_column(primary_key=True)
    login: Mapped[str] = mapped_column(unique=True)
    profile: Mapped[dict[str, Any]] = mapped_column(JSON)
    # None: no password enrolled.
    password_hash: Mapped[str | None] = mapped_column(Text)
    password_at: Mapped[float]
    password_history: Mapped[list[str]] = mapped_column(JSON)
    # ACTIVE, EXPIRED or WARN (soon to expire).
    password_state: Mapped[str]
    # A row of the policies' signOn.
    policy: Mapped[str]
    # A registration that is not finished cannot sign in with a password.
    is_active: Mapped[bool]
    # Whether optional authenticators were declined: they are offered until then.
    has_declined: Mapped[bool]
    created_at: Mapped[float]
    updated_at: Mapped[float]


class WrongPasswords(IdentityBase):
    """Consecutive wrong passwords of one name, known or not."""

    __tablename__ = "guesses"

    name: Mapped[str] = mapped_column(primary_key=True)
    wrong: Mapped[int]
    is_locked: Mapped[bool]


class Enrollment(IdentityBase):
    """One authenticator of a user; email addresses and phones of the account pages are such rows too."""

    __tablename__ = "enrollments"

    id: Mapped[str] = mapped_column(primary_key=True)
    user_id: Mapped[str] = mapped_column(index=True)
    key: Mapped[str]
    is_active: Mapped[bool]
    data: Mapped[dict[str, Any]] = mapped_column(JSON)
    created_at: Mapped[float]


class Code(IdentityBase):
    """The valid code of one attempt, `about`; a new one replaces it."""

    __tablename__ = "codes"

    about: Mapped[str] = mapped_column(primary_key=True)
    digest: Mapped[str]
    tries: Mapped[int]
    created_at: Mapped[float]
    expires_at: Mapped[float]


class Ticket(IdentityBase):
    """The stored side of a random token: session token, code, handle, recovery or refresh token."""

    __tablename__ = "tickets"

    digest: Mapped[str] = mapped_column(primary_key=True)
    kind: Mapped[str]
    user_id: Mapped[str | None] = mapped_column(index=True)
    data: Mapped[dict[str, Any]] = mapped_column(JSON)
    expires_at: Mapped[float]
    used_at: Mapped[float | None]


class Transaction(IdentityBase):
    """A running sign-in; `kind` is authn or idx."""

    __tablename__ = "transactions"

    digest: Mapped[str] = mapped_column(primary_key=True)
    kind: Mapped[str]
    user_id: Mapped[str | None] = mapped_column(index=True)
    data: Mapped[dict[str, Any]] = mapped_column(JSON)
    expires_at: Mapped[float]


class BrowserSession(IdentityBase):
    __tablename__ = "sessions"

    digest: Mapped[str] = mapped_column(primary_key=True)
    id: Mapped[str]
    user_id: Mapped[str] = mapped_column(index=True)
    amr: Mapped[list[str]] = mapped_column(JSON)
    auth_at: Mapped[float]
    expires_at: Mapped[float]


class Message(IdentityBase):
    """A message that would have been sent by email, text message, call or to the verify app."""

    __tablename__ = "messages"

    id: Mapped[int] = mapped_column(primary_key=True)
    to: Mapped[str] = mapped_column(index=True)
    login: Mapped[str | None] = mapped_column(index=True)
    channel: Mapped[str]
    purpose: Mapped[str]
    code: Mapped[str | None]
    link: Mapped[str | None] = mapped_column(Text)
    token: Mapped[str | None] = mapped_column(Text)
    subject: Mapped[str | None] = mapped_column(Text)
    text: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[float]


class MailBody(IdentityBase):
    """The HTML of a message that is a mail of the shop: a table of its own, which older databases get too."""

    __tablename__ = "mail_bodies"

    message_id: Mapped[int] = mapped_column(ForeignKey("messages.id"), primary_key=True)
    html: Mapped[str] = mapped_column(Text)


class Push(IdentityBase):
    """A push to the verify app: kind verify or enroll; status WAITING, APPROVED, REJECTED or REPLACED."""

    __tablename__ = "pushes"

    id: Mapped[str] = mapped_column(primary_key=True)
    user_id: Mapped[str] = mapped_column(index=True)
    enrollment_id: Mapped[str]
    kind: Mapped[str]
    status: Mapped[str]
    # The number that the person has to choose in the app.
    number: Mapped[int]
    created_at: Mapped[float]


class SigningKey(IdentityBase):
    __tablename__ = "keys"

    kid: Mapped[str] = mapped_column(primary_key=True)
    private: Mapped[dict[str, Any]] = mapped_column(JSON)
    created_at: Mapped[float]
