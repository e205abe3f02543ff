"""Statements of the shop's bank account, and their entries. Amounts are integers in minor units."""

from datetime import date, datetime

from sqlalchemy import BigInteger, CheckConstraint, Date, ForeignKey, Index, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from domain.tables.base import MARIADB, Base, BigKey, Digest, UTCTime, exact_text

TEXT_LENGTH, PAYER_LENGTH, NUMBER_LENGTH, NOTE_LENGTH = 1_000, 140, 140, 500


class BankEntry(Base):
    """An entry of a statement. `key`: what it is known by in every file. `used_minor`: what of it has paid its order,
    or waits there for the rest; `back_minor`: what was given back.

    `state`: open: somebody decides, `why` says about what; part: its order waits for the rest; used; returned; ignored;
    noted: nothing was to be done. `doubt` and `instructed` as in domain/bank_transfers/statements.py."""

    __tablename__ = "bank_entries"
    __table_args__ = (
        UniqueConstraint("key"),
        CheckConstraint("kind IN ('credit', 'debit', 'credit_reversed', 'debit_reversed')", name="kind"),
        CheckConstraint("state IN ('open', 'part', 'used', 'returned', 'ignored', 'noted')", name="state"),
        CheckConstraint(
            "amount_minor >= 0 AND used_minor >= 0 AND back_minor >= 0 AND used_minor + back_minor <= amount_minor",
            name="amounts",
        ),
        Index("ix_bank_entries_state", "state"),
        MARIADB,
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    key: Mapped[str] = mapped_column(Digest)
    job_id: Mapped[int] = mapped_column(BigKey, ForeignKey("jobs.id"), index=True)
    kind: Mapped[str] = mapped_column(String(15))
    booked_on: Mapped[date] = mapped_column(Date)
    amount_minor: Mapped[int] = mapped_column(BigInteger)
    currency: Mapped[str] = mapped_column(String(3))
    text: Mapped[str] = mapped_column(String(TEXT_LENGTH))
    payer: Mapped[str] = mapped_column(String(PAYER_LENGTH))
    bank_id: Mapped[str] = mapped_column(exact_text(NUMBER_LENGTH))
    doubt: Mapped[str] = mapped_column(String(10), default="")
    instructed: Mapped[str] = mapped_column(String(PAYER_LENGTH), default="")
    state: Mapped[str] = mapped_column(String(10))
    # less | more | unknown | paid | ended | currency | sum | reversed; "" where nobody decides
    why: Mapped[str] = mapped_column(String(10), default="")
    order_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("orders.id"), index=True)
    used_minor: Mapped[int] = mapped_column(BigInteger, default=0)
    back_minor: Mapped[int] = mapped_column(BigInteger, default=0)
    # Somebody's words about what was decided.
    note: Mapped[str] = mapped_column(String(NOTE_LENGTH), default="")
    created_at: Mapped[datetime] = mapped_column(UTCTime)
    changed_at: Mapped[datetime] = mapped_column(UTCTime)
