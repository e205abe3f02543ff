"""Payments, events of the gateway, findings of the reconciliation, refunds."""

import sqlalchemy as sa

from domain.migrations.columns import ASCII, DIGEST, KEY, create_table, exact_text, optional, required
from domain.tables.base import UTCTime

TABLES = ("payments", "gateway_events", "payment_findings", "refunds", "refund_lines")


def create() -> None:
    _payments()
    _gateway_events()
    _payment_findings()
    _refunds()
    _refund_lines()


def _payments() -> None:
    create_table(
        "payments",
        required("id", KEY, primary_key=True),
        required("order_id", KEY, sa.ForeignKey("orders.id")),
        required("number", sa.SmallInteger()),
        required("gateway", sa.String(20)),
        optional("session_id", exact_text(191, ASCII), unique=True),
        optional("intent_id", exact_text(191, ASCII)),
        optional("charge_id", exact_text(191, ASCII)),
        required("amount_minor", sa.BigInteger()),
        required("refunded_minor", sa.BigInteger()),
        required("currency", sa.String(3)),
        required("state", sa.String(10)),
        required("key", DIGEST, unique=True),
        optional("url", sa.Text()),
        optional("expires_at", UTCTime()),
        required("method", sa.String(60)),
        required("failure", sa.String(255)),
        optional("livemode", sa.Boolean()),
        required("created_at", UTCTime()),
        optional("paid_at", UTCTime()),
        optional("poll_at", UTCTime()),
        required("polls", sa.Integer()),
        optional("lease_token", sa.String(32)),
        optional("leased_until", UTCTime()),
        optional("reconciled_at", UTCTime()),
        sa.UniqueConstraint("order_id", "number"),
        sa.CheckConstraint("amount_minor >= 0 AND refunded_minor BETWEEN 0 AND amount_minor", name="amounts"),
        sa.CheckConstraint("state IN ('new', 'open', 'processing', 'paid', 'failed', 'expired', 'void')", name="state"),
        sa.Index("ix_payments_created_at", "created_at"),
        sa.Index("ix_payments_intent_id", "intent_id"),
        sa.Index("ix_payments_poll_at", "poll_at"),
    )


def _gateway_events() -> None:
    create_table(
        "gateway_events",
        required("id", KEY, primary_key=True),
        required("gateway", sa.String(20)),
        required("event_id", exact_text(160, ASCII)),
        required("type", sa.String(80)),
        required("object_id", exact_text(191, ASCII)),
        required("created_at", UTCTime()),
        required("received_at", UTCTime()),
        sa.UniqueConstraint("gateway", "event_id"),
        sa.Index("ix_gateway_events_gateway_created_at", "gateway", "created_at"),
    )


def _payment_findings() -> None:
    create_table(
        "payment_findings",
        required("id", KEY, primary_key=True),
        required("kind", sa.String(15)),
        required("gateway_id", exact_text(160, ASCII)),
        optional("order_id", KEY, sa.ForeignKey("orders.id"), index=True),
        required("detected_at", UTCTime()),
        optional("resolved_at", UTCTime()),
        sa.UniqueConstraint("kind", "gateway_id"),
        sa.CheckConstraint("kind IN ('missing_here', 'missing_there', 'amount', 'orphan')", name="kind"),
        sa.Index("ix_payment_findings_resolved_at", "resolved_at"),
    )


def _refunds() -> None:
    create_table(
        "refunds",
        required("id", KEY, primary_key=True),
        required("order_id", KEY, sa.ForeignKey("orders.id")),
        optional("payment_id", KEY, sa.ForeignKey("payments.id"), index=True),
        required("number", sa.Integer()),
        required("amount_minor", sa.BigInteger()),
        required("tax_minor", sa.BigInteger()),
        required("state", sa.String(10)),
        required("reason", sa.String(20)),
        required("note", sa.Text()),
        required("actor", sa.String(40)),
        optional("gateway_id", exact_text(191, ASCII), unique=True),
        required("key", DIGEST, unique=True),
        required("failure", sa.String(255)),
        required("keeps_access", sa.Boolean()),
        required("restocks", sa.Boolean()),
        required("requested_at", UTCTime()),
        required("changed_at", UTCTime()),
        sa.UniqueConstraint("order_id", "number"),
        sa.CheckConstraint("amount_minor >= 0 AND tax_minor BETWEEN 0 AND amount_minor", name="amounts"),
        sa.CheckConstraint(
            "state IN ('requested', 'declined', 'approved', 'sent', 'pending', 'succeeded', 'failed', 'manual')",
            name="state",
        ),
        sa.Index("ix_refunds_state_changed_at", "state", "changed_at"),
    )


def _refund_lines() -> None:
    create_table(
        "refund_lines",
        required("refund_id", KEY, sa.ForeignKey("refunds.id"), primary_key=True, autoincrement=False),
        required("line_id", KEY, sa.ForeignKey("order_lines.id"), primary_key=True, autoincrement=False, index=True),
        required("quantity", sa.Integer()),
        required("amount_minor", sa.BigInteger()),
        required("tax_minor", sa.BigInteger()),
        sa.CheckConstraint(
            "quantity >= 0 AND amount_minor >= 0 AND tax_minor BETWEEN 0 AND amount_minor", name="amounts"
        ),
    )
