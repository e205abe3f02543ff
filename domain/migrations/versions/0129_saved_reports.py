"""Saved views of reports, and who gets them by mail."""

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import ASCII, KEY, LONG_TEXT, create_table, exact_text, optional, required
from domain.tables.base import UTCTime

revision = "0129_saved_reports"
down_revision = "0128_referral_days"
branch_labels = None
depends_on = None


def upgrade() -> None:
    create_table(
        "saved_reports",
        required("id", KEY, primary_key=True),
        required("owner_id", KEY, sa.ForeignKey("learners.id")),
        required("name", sa.String(100)),
        required("report", exact_text(20, ASCII)),
        required("query", LONG_TEXT),
        required("period", exact_text(20, ASCII)),
        required("is_shared", sa.Boolean()),
        required("created_at", UTCTime()),
        optional("deleted_at", UTCTime()),
    )
    op.create_index("ix_saved_reports_owner_id", "saved_reports", ["owner_id"])
    create_table(
        "report_subscriptions",
        required("id", KEY, primary_key=True),
        required("saved_report_id", KEY, sa.ForeignKey("saved_reports.id", ondelete="CASCADE")),
        required("learner_id", KEY, sa.ForeignKey("learners.id")),
        required("frequency", exact_text(10, ASCII)),
        required("hour", sa.SmallInteger()),
        required("starts_at", UTCTime()),
        optional("ended_at", UTCTime()),
        required("ended_reason", exact_text(10, ASCII)),
    )
    name = "uq_report_subscriptions_saved_report_id_learner_id"
    op.create_index(name, "report_subscriptions", ["saved_report_id", "learner_id"], unique=True)
    op.create_index("ix_report_subscriptions_learner_id", "report_subscriptions", ["learner_id"])
    create_table(
        "report_deliveries",
        required(
            "subscription_id",
            KEY,
            sa.ForeignKey("report_subscriptions.id", ondelete="CASCADE"),
            primary_key=True,
            autoincrement=False,
        ),
        required("period", sa.Date(), primary_key=True),
        required("written_at", UTCTime()),
        required("content", LONG_TEXT),
    )


def downgrade() -> None:
    for name in ("report_deliveries", "report_subscriptions", "saved_reports"):
        op.drop_table(name)
