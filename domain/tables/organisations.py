"""Organisations, their contracts and their members."""

from datetime import datetime
from decimal import Decimal

from sqlalchemy import JSON, CheckConstraint, ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from domain.tables.base import MARIADB, Base, BigKey, Folded, Money, UTCTime


class Organisation(Base):
    """`domains` are those of its members' email addresses; `logo` is a path on this site."""

    __tablename__ = "organisations"
    __table_args__ = (
        CheckConstraint("state IN ('submitted', 'information', 'approved', 'declined')", name="state"),
        MARIADB,
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    slug: Mapped[str] = mapped_column(Folded, unique=True)
    name: Mapped[str] = mapped_column(String(255))
    logo: Mapped[str] = mapped_column(String(500), default="")
    domains: Mapped[list[str]] = mapped_column(JSON, default=list)
    state: Mapped[str] = mapped_column(String(20), default="approved")


class Contract(Base):
    """The terms of an organisation for its members, from `starts_at` to `ends_at` (None: no end agreed).

    `kind` and `value` as in domain.pricing.Offer; the price of a ContractProduct takes precedence. `join_policy`:
    invitation | code | domain. `is_restricted`: those who join through it see its courses and nothing else.
    """

    __tablename__ = "contracts"
    __table_args__ = (
        CheckConstraint("kind IN ('percent', 'amount', 'price')", name="kind"),
        CheckConstraint("join_policy IN ('invitation', 'code', 'domain')", name="join_policy"),
        CheckConstraint("value >= 0", name="value"),
        MARIADB,
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    organisation_id: Mapped[int] = mapped_column(BigKey, ForeignKey("organisations.id", ondelete="CASCADE"), index=True)
    starts_at: Mapped[datetime] = mapped_column(UTCTime)
    ends_at: Mapped[datetime | None] = mapped_column(UTCTime)
    seats: Mapped[int | None]
    kind: Mapped[str] = mapped_column(String(10), default="percent")
    value: Mapped[Decimal] = mapped_column(Money, default=Decimal(0))
    has_all_courses: Mapped[bool] = mapped_column(default=False)
    is_restricted: Mapped[bool] = mapped_column(default=False)
    join_policy: Mapped[str] = mapped_column(String(10), default="invitation")


class ContractProduct(Base):
    """A product that a contract names; `price` None: the terms of the contract apply."""

    __tablename__ = "contract_products"
    __table_args__ = MARIADB

    contract_id: Mapped[int] = mapped_column(BigKey, ForeignKey("contracts.id", ondelete="CASCADE"), primary_key=True)
    product_id: Mapped[int] = mapped_column(
        BigKey, ForeignKey("products.id", ondelete="CASCADE"), primary_key=True, index=True
    )
    price: Mapped[Decimal | None] = mapped_column(Money)


class Membership(Base):
    __tablename__ = "memberships"
    __table_args__ = (
        UniqueConstraint("learner_id", "organisation_id"),
        CheckConstraint("role IN ('owner', 'manager', 'member')", name="role"),
        MARIADB,
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    learner_id: Mapped[int] = mapped_column(BigKey, ForeignKey("learners.id", ondelete="CASCADE"))
    organisation_id: Mapped[int] = mapped_column(BigKey, ForeignKey("organisations.id", ondelete="CASCADE"), index=True)
    role: Mapped[str] = mapped_column(String(10), default="member")
    # Sees and buys only the products of the contract.
    is_restricted: Mapped[bool] = mapped_column(default=False)
    joined_at: Mapped[datetime] = mapped_column(UTCTime)
