"""Orders with their lines, events and voucher codes."""

import sqlalchemy as sa

from domain.migrations.columns import ASCII, DIGEST, FOLDED, KEY, create_table, exact_text, optional, required
from domain.tables.base import UTCTime

TABLES = ("orders", "order_lines", "order_events", "voucher_codes")


def create() -> None:
    _orders()
    _order_lines()
    _order_events()
    _voucher_codes()


def _orders() -> None:
    create_table(
        "orders",
        required("id", KEY, primary_key=True),
        required("code", exact_text(20, ASCII), unique=True),
        required("learner_id", KEY, sa.ForeignKey("learners.id")),
        optional("open_learner_id", KEY, sa.ForeignKey("learners.id"), unique=True),
        optional("organisation_id", KEY, sa.ForeignKey("organisations.id"), index=True),
        required("state", sa.String(12)),
        required("currency", sa.String(3)),
        required("subtotal_minor", sa.BigInteger()),
        required("discount_minor", sa.BigInteger()),
        required("delivery_minor", sa.BigInteger()),
        required("tax_minor", sa.BigInteger()),
        required("total_minor", sa.BigInteger()),
        required("refunded_minor", sa.BigInteger()),
        required("price_mode", sa.String(10)),
        required("tax_place", sa.String(12)),
        required("tax_kind", sa.String(15)),
        required("engine_version", sa.Integer()),
        required("form_key", exact_text(200, ASCII)),
        required("content_digest", DIGEST),
        required("email", sa.String(254)),
        required("email_key", exact_text(254)),
        required("terms_date", sa.String(10)),
        required("quote", sa.JSON()),
        required("billing", sa.JSON()),
        optional("delivery", sa.JSON()),
        required("refund_terms", sa.JSON()),
        optional("reserved_until", UTCTime()),
        required("placed_at", UTCTime()),
        optional("paid_at", UTCTime()),
        optional("ended_at", UTCTime()),
        optional("disputed_at", UTCTime()),
        required("changed_at", UTCTime()),
        sa.UniqueConstraint("learner_id", "form_key"),
        sa.CheckConstraint(
            "subtotal_minor >= 0 AND discount_minor >= 0 AND delivery_minor >= 0 AND "
            "tax_minor >= 0 AND total_minor >= 0 AND refunded_minor >= 0 AND "
            "refunded_minor <= total_minor",
            name="amounts",
        ),
        sa.CheckConstraint("price_mode IN ('inclusive', 'exclusive')", name="price_mode"),
        sa.CheckConstraint(
            "state IN ('placed', 'processing', 'paid', 'expired', 'cancelled', 'refunded')", name="state"
        ),
        sa.CheckConstraint("tax_kind IN ('standard', 'reverse_charge', 'none')", name="tax_kind"),
        sa.Index("ix_orders_changed_at", "changed_at"),
        sa.Index("ix_orders_email_key", "email_key"),
        sa.Index("ix_orders_learner_id_placed_at", "learner_id", "placed_at"),
        sa.Index("ix_orders_state_paid_at", "state", "paid_at"),
        sa.Index("ix_orders_state_reserved_until", "state", "reserved_until"),
    )


def _order_lines() -> None:
    create_table(
        "order_lines",
        required("id", KEY, primary_key=True),
        required("order_id", KEY, sa.ForeignKey("orders.id")),
        required("number", sa.SmallInteger()),
        required("kind", sa.String(10)),
        optional("product_id", KEY, sa.ForeignKey("products.id"), index=True),
        optional("contract_id", KEY, sa.ForeignKey("contracts.id"), index=True),
        required("name", sa.String(255)),
        required("sku", FOLDED),
        required("fulfilment", sa.String(10)),
        required("quantity", sa.Integer()),
        required("list_minor", sa.BigInteger()),
        required("unit_minor", sa.BigInteger()),
        required("net_minor", sa.BigInteger()),
        required("tax_minor", sa.BigInteger()),
        required("total_minor", sa.BigInteger()),
        required("offer_step", sa.String(12)),
        optional("offer_id", sa.BigInteger()),
        required("line_code", sa.String(64)),
        required("cart_code", sa.String(64)),
        optional("gift", sa.JSON()),
        required("steps", sa.JSON()),
        required("taxes", sa.JSON()),
        required("refunded_minor", sa.BigInteger()),
        required("refunded_tax_minor", sa.BigInteger()),
        required("refunded_quantity", sa.Integer()),
        optional("shipped_at", UTCTime()),
        optional("delivered_at", UTCTime()),
        optional("ended_at", UTCTime()),
        sa.UniqueConstraint("order_id", "number"),
        sa.CheckConstraint("kind IN ('product', 'delivery', 'seats')", name="kind"),
        sa.CheckConstraint("quantity > 0", name="quantity"),
        sa.CheckConstraint(
            "refunded_minor BETWEEN 0 AND total_minor AND refunded_tax_minor BETWEEN 0 "
            "AND tax_minor AND refunded_quantity BETWEEN 0 AND quantity",
            name="refunded",
        ),
    )


def _order_events() -> None:
    create_table(
        "order_events",
        required("id", KEY, primary_key=True),
        required("order_id", KEY, sa.ForeignKey("orders.id")),
        required("number", sa.Integer()),
        required("occurred_at", UTCTime()),
        required("kind", sa.String(40)),
        required("actor", sa.String(40)),
        optional("from_state", sa.String(12)),
        optional("to_state", sa.String(12)),
        required("facts", sa.JSON()),
        required("chain", DIGEST),
        sa.UniqueConstraint("order_id", "number"),
    )


def _voucher_codes() -> None:
    create_table(
        "voucher_codes",
        required("id", KEY, primary_key=True),
        required("line_id", KEY, sa.ForeignKey("order_lines.id")),
        required("number", sa.Integer()),
        required("code", exact_text(12, ASCII), unique=True),
        required("issued_at", UTCTime()),
        optional("used_at", UTCTime()),
        optional("void_at", UTCTime()),
        sa.UniqueConstraint("line_id", "number"),
    )
