"""The stand-in's tables. Times are seconds since 1970 (UTC)."""

from typing import Any

from sqlalchemy import JSON, Text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class PaymentBase(DeclarativeBase):
    """The stand-in's own database, separate from the shop's."""


class StoredObject(PaymentBase):
    """An object of the API. `data`: what the API returns, replaced as a whole; `private`: what it does not return."""

    __tablename__ = "objects"

    # Lists are in this order, the newest first.
    number: Mapped[int] = mapped_column(primary_key=True)
    id: Mapped[str] = mapped_column(unique=True)
    # As in the field `object`.
    kind: Mapped[str] = mapped_column(index=True)
    created: Mapped[int] = mapped_column(index=True)
    intent_id: Mapped[str | None] = mapped_column(index=True)
    charge_id: Mapped[str | None] = mapped_column(index=True)
    data: Mapped[dict[str, Any]] = mapped_column(JSON)
    private: Mapped[dict[str, Any]] = mapped_column(JSON)


class DueChange(PaymentBase):
    """A change of an object that happens by itself at a time, such as the end of a session."""

    __tablename__ = "due_changes"

    number: Mapped[int] = mapped_column(primary_key=True)
    due_at: Mapped[float] = mapped_column(index=True)
    change: Mapped[str]
    object_id: Mapped[str] = mapped_column(index=True)


class StoredAnswer(PaymentBase):
    """The answer to the first request with an idempotency key."""

    __tablename__ = "answers"

    key: Mapped[str] = mapped_column(primary_key=True)
    path: Mapped[str]
    digest: Mapped[str]
    status: Mapped[int]
    body: Mapped[str] = mapped_column(Text)
    request_id: Mapped[str]
    expires_at: Mapped[float]


class MoneyEntry(PaymentBase):
    """A movement of money, as it is written to ledger.jsonl; `number` is its line there."""

    __tablename__ = "money_entries"

    number: Mapped[int] = mapped_column(primary_key=True)
    data: Mapped[dict[str, Any]] = mapped_column(JSON)


class Delivery(PaymentBase):
    """An event on its way to the webhook. `next_at` is None once it is delivered, dropped or given up."""

    __tablename__ = "deliveries"

    number: Mapped[int] = mapped_column(primary_key=True)
    event_id: Mapped[str] = mapped_column(index=True)
    type: Mapped[str]
    # waiting, held (until another one has arrived), delivered, dropped or given_up.
    state: Mapped[str] = mapped_column(index=True)
    first_at: Mapped[float]
    next_at: Mapped[float | None] = mapped_column(index=True)
    # {at, status or error} of each attempt.
    attempts: Mapped[list[dict[str, Any]]] = mapped_column(JSON)


class Fault(PaymentBase):
    """A fault that the next matching requests or deliveries have; `times` are left."""

    __tablename__ = "faults"

    number: Mapped[int] = mapped_column(primary_key=True)
    match: Mapped[str]
    do: Mapped[str]
    times: Mapped[int]
    seconds: Mapped[float]
