"""What a learner typed at the checkout, and links that carry a guest's cart to another device."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from domain.tables.base import MARIADB, Base, BigKey, Digest, UTCTime


class CheckoutDraft(Base):
    """`values`: what was typed, by field. `rendered`: the values that the last form showed."""

    __tablename__ = "checkout_drafts"
    __table_args__ = MARIADB

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    learner_id: Mapped[int] = mapped_column(BigKey, ForeignKey("learners.id", ondelete="CASCADE"), unique=True)
    values: Mapped[dict[str, Any]] = mapped_column(JSON)
    rendered: Mapped[dict[str, Any]] = mapped_column(JSON)
    changed_at: Mapped[datetime] = mapped_column(UTCTime)
    expires_at: Mapped[datetime] = mapped_column(UTCTime, index=True)


class KnownAddress(Base):
    """`values`: those of buyer and addresses in the form of the learner's last order, by field."""

    __tablename__ = "known_addresses"
    __table_args__ = MARIADB

    learner_id: Mapped[int] = mapped_column(BigKey, ForeignKey("learners.id", ondelete="CASCADE"), primary_key=True)
    values: Mapped[dict[str, Any]] = mapped_column(JSON)
    ordered_at: Mapped[datetime] = mapped_column(UTCTime)


class CartLink(Base):
    """`digest`: of the secret in the link. `lines`: [[product id, quantity], …]. `prices`: of a link that promises
    them, [list, sale or null] of each line as decimal text. `agent`: the family of the program that made it for a
    person, such as "ChatGPT-User"; "" for one from a page of the shop."""

    __tablename__ = "cart_links"
    __table_args__ = MARIADB

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    digest: Mapped[str] = mapped_column(Digest, unique=True)
    lines: Mapped[list[list[int]]] = mapped_column(JSON)
    coupon_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("coupons.id"), index=True)
    expires_at: Mapped[datetime] = mapped_column(UTCTime, index=True)
    prices: Mapped[list[list[str | None]] | None] = mapped_column(JSON(none_as_null=True))
    agent: Mapped[str] = mapped_column(String(64), default="", server_default="")
