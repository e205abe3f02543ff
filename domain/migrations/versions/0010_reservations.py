"""Reservations of coupons and stock in one table, in place of coupon_uses; a stock is never below 0.

Uses of coupons move, in both directions. What the build before cannot express is released when the migration is
reverted: stock that open orders have reserved. Goods of paid orders stay sold.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

from domain.migrations.baseline.cart import create_coupon_uses
from domain.migrations.columns import ASCII, KEY, create_table, exact_text, optional, required
from domain.tables.base import UTCTime

revision = "0010_reservations"
down_revision = "0009_order_chain"
branch_labels = None
depends_on = None

SHARED = ("learner_id", "slot", "state", "reserved_at", "expires_at")
USES = sa.table("coupon_uses", *map(sa.column, ("coupon_id", "product_id", "order_id", *SHARED)))
RESERVATIONS = sa.table(
    "reservations",
    *map(sa.column, ("kind", "resource_id", "order_id", "line_id", "product_id", "quantity", "owner_key", *SHARED)),
)
LINES = sa.table("order_lines", sa.column("id"), sa.column("order_id"), sa.column("product_id"))
ORDERS = sa.table("orders", sa.column("id"))
COUPONS = sa.table("coupons", sa.column("id"), sa.column("uses"))
ITEMS = sa.table("shop_items", sa.column("id"), sa.column("stock"))


def upgrade() -> None:
    _create_reservations()
    _move_cart_uses()
    _move_order_uses()
    op.drop_table("coupon_uses")
    _count_uses()
    op.execute(ITEMS.update().where(ITEMS.c.stock < 0).values(stock=0))
    with op.batch_alter_table("shop_items") as items:
        items.create_check_constraint("stock", "stock >= 0")


def downgrade() -> None:
    with op.batch_alter_table("shop_items") as items:
        items.drop_constraint("stock", type_="check")
    _return_reserved_stock()
    create_coupon_uses()
    op.create_index("ix_coupon_uses_state_expires_at", "coupon_uses", ["state", "expires_at"])
    columns = [RESERVATIONS.c[name] for name in SHARED]
    of_whole = (sa.func.coalesce(RESERVATIONS.c[name], 0) for name in ("product_id", "order_id"))
    uses = sa.select(RESERVATIONS.c.resource_id, *of_whole, *columns).where(RESERVATIONS.c.kind == "coupon")
    op.execute(USES.insert().from_select(["coupon_id", "product_id", "order_id", *SHARED], uses))
    op.drop_table("reservations")


def _create_reservations() -> None:
    create_table(
        "reservations",
        required("id", KEY, primary_key=True),
        required("kind", exact_text(10, ASCII)),
        required("resource_id", KEY),
        required("learner_id", KEY, sa.ForeignKey("learners.id"), index=True),
        optional("order_id", KEY, sa.ForeignKey("orders.id"), index=True),
        optional("line_id", KEY, sa.ForeignKey("order_lines.id"), index=True),
        optional("product_id", KEY),
        required("quantity", sa.Integer()),
        optional("slot", sa.Integer()),
        required("state", sa.String(10)),
        required("owner_key", exact_text(64, ASCII)),
        required("reserved_at", UTCTime()),
        optional("expires_at", UTCTime(), index=True),
        sa.UniqueConstraint("kind", "resource_id", "owner_key"),
        sa.UniqueConstraint("kind", "resource_id", "learner_id", "slot"),
        sa.CheckConstraint("state IN ('reserved', 'committed')", name="state"),
        sa.CheckConstraint("quantity > 0 AND slot > 0", name="numbers"),
        sa.CheckConstraint("(expires_at IS NULL) <> (order_id IS NULL)", name="end"),
        sa.Index("ix_reservations_resource_expires_at", "kind", "resource_id", "expires_at"),
    )


def _text(*parts: Any) -> Any:
    """The parts as one text, on both databases."""
    first, *others = (sa.cast(part, sa.String(20)) if isinstance(part, sa.ColumnElement) else part for part in parts)
    joined = sa.literal(first, sa.String) if isinstance(first, str) else first
    for part in others:
        joined = joined.concat(part)
    return joined


def _insert(query: Any, names: list[str]) -> None:
    op.execute(RESERVATIONS.insert().from_select([*names, *SHARED], query))


def _move_cart_uses() -> None:
    key = _text("cart:", USES.c.learner_id, ":", USES.c.product_id)
    values = (sa.literal("coupon"), USES.c.coupon_id, USES.c.product_id, sa.literal(1), key)
    is_in_cart = (USES.c.order_id == 0, USES.c.state == "reserved")
    query = sa.select(*values, *(USES.c[name] for name in SHARED)).where(*is_in_cart)
    _insert(query, ["kind", "resource_id", "product_id", "quantity", "owner_key"])


def _move_order_uses() -> None:
    """Move the uses of orders that exist. The build before placed none; what it may have left without an order is
    dropped."""
    is_line = sa.and_(LINES.c.order_id == USES.c.order_id, LINES.c.product_id == USES.c.product_id)
    place = sa.case((LINES.c.id.is_(None), "cart"), else_=sa.cast(LINES.c.id, sa.String(20)))
    values = (sa.literal("coupon"), USES.c.coupon_id, USES.c.order_id, LINES.c.id, LINES.c.product_id, sa.literal(1))
    # An order's reservation has no end, also where the build before gave it one.
    shared = (sa.null() if name == "expires_at" else USES.c[name] for name in SHARED)
    key = _text("order:", USES.c.order_id, ":").concat(place)
    query = sa.select(*values, key, *shared).join_from(USES, ORDERS, ORDERS.c.id == USES.c.order_id)
    names = ["kind", "resource_id", "order_id", "line_id", "product_id", "quantity", "owner_key"]
    _insert(query.outerjoin(LINES, is_line), names)


def _count_uses() -> None:
    """The counter of a coupon is the number of its uses."""
    of_coupon = (RESERVATIONS.c.kind == "coupon", RESERVATIONS.c.resource_id == COUPONS.c.id)
    number = sa.select(sa.func.count()).select_from(RESERVATIONS).where(*of_coupon).scalar_subquery()
    op.execute(COUPONS.update().where(COUPONS.c.uses > 0).values(uses=number))


def _return_reserved_stock() -> None:
    of_item = (
        RESERVATIONS.c.kind == "stock",
        RESERVATIONS.c.state == "reserved",
        RESERVATIONS.c.resource_id == ITEMS.c.id,
    )
    units = sa.select(sa.func.coalesce(sa.func.sum(RESERVATIONS.c.quantity), 0)).where(*of_item).scalar_subquery()
    op.execute(ITEMS.update().where(ITEMS.c.stock.is_not(None)).values(stock=ITEMS.c.stock + units))
