"""One change of many courses or items: which were chosen, and what came of each."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, CheckConstraint, ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from domain.tables.base import MARIADB, Base, BigKey, Folded, UTCTime


class BulkChange(Base):
    """`kind`: course or item. `purpose`: catalogue or prices; what was chosen for one is not used for the other.
    `action` and `job_id` None: products were chosen, and nothing is changed yet. `category`: the short name of the one
    they get; of a change that undoes another, of the one that they must still have. `pricing`: what becomes of the
    prices (`domain/publishing/bulk/price_rules.py`), with the number of its preview."""

    __tablename__ = "bulk_changes"
    __table_args__ = (MARIADB,)

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    kind: Mapped[str] = mapped_column(String(10))
    purpose: Mapped[str] = mapped_column(String(10), default="catalogue", server_default="catalogue")
    chosen_by: Mapped[int] = mapped_column(BigKey, ForeignKey("learners.id"), index=True)
    chosen_at: Mapped[datetime] = mapped_column(UTCTime)
    action: Mapped[str | None] = mapped_column(String(10))
    category: Mapped[str | None] = mapped_column(Folded)
    reason: Mapped[str] = mapped_column(String(500), default="")
    pricing: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    job_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("jobs.id"), unique=True)
    undoes_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("bulk_changes.id"), unique=True)


class BulkChangeRow(Base):
    """`target`: the short name of the category that it gets. `before`: of the one that it had, or its former status.
    `note`: why it was refused.
    `prices`: of a change of prices, before and after it (`domain/publishing/bulk/price_rows.py`)."""

    __tablename__ = "bulk_change_rows"
    __table_args__ = (
        CheckConstraint("state IN ('chosen', 'changed', 'unchanged', 'refused')", name="state"),
        Index("ix_bulk_change_rows_state", "bulk_change_id", "state", "product_id"),
        MARIADB,
    )

    bulk_change_id: Mapped[int] = mapped_column(
        BigKey, ForeignKey("bulk_changes.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    product_id: Mapped[int] = mapped_column(
        BigKey, ForeignKey("products.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    state: Mapped[str] = mapped_column(String(10), default="chosen")
    target: Mapped[str | None] = mapped_column(Folded)
    before: Mapped[str | None] = mapped_column(Folded)
    note: Mapped[str] = mapped_column(String(500), default="")
    prices: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
