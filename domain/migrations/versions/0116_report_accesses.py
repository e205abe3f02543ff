"""Who looked at which report."""

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import KEY, create_table, required
from domain.tables.base import UTCTime

revision = "0116_report_accesses"
down_revision = "0115_product_feed"
branch_labels = None
depends_on = None


def upgrade() -> None:
    create_table(
        "report_accesses",
        sa.Column("id", KEY, primary_key=True),
        required("accessed_at", UTCTime()),
        required("learner_id", KEY, sa.ForeignKey("learners.id")),
        required("report", sa.String(20)),
        required("query", sa.String(500)),
        required("row_count", sa.Integer()),
        required("action", sa.String(10)),
    )
    op.create_index("ix_report_accesses_accessed_at", "report_accesses", ["accessed_at"])
    op.create_index("ix_report_accesses_learner_id", "report_accesses", ["learner_id"])


def downgrade() -> None:
    op.drop_table("report_accesses")
