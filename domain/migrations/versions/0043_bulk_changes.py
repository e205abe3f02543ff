"""One change of many courses or items, and what came of each."""

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import FOLDED, KEY, create_table, optional, required
from domain.tables.base import UTCTime

revision = "0043_bulk_changes"
down_revision = "0042_counted_learners"
branch_labels = None
depends_on = None


def upgrade() -> None:
    create_table(
        "bulk_changes",
        required("id", KEY, primary_key=True),
        required("kind", sa.String(10)),
        required("chosen_by", KEY, sa.ForeignKey("learners.id")),
        required("chosen_at", UTCTime()),
        optional("action", sa.String(10)),
        optional("category", FOLDED),
        required("reason", sa.String(500)),
        optional("job_id", KEY, sa.ForeignKey("jobs.id"), unique=True),
        optional("undoes_id", KEY, sa.ForeignKey("bulk_changes.id"), unique=True),
    )
    op.create_index("ix_bulk_changes_chosen_by", "bulk_changes", ["chosen_by"])
    create_table(
        "bulk_change_rows",
        required(
            "bulk_change_id",
            KEY,
            sa.ForeignKey("bulk_changes.id", ondelete="CASCADE"),
            primary_key=True,
            autoincrement=False,
        ),
        required(
            "product_id", KEY, sa.ForeignKey("products.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
        ),
        required("state", sa.String(10)),
        optional("target", FOLDED),
        optional("before", FOLDED),
        required("note", sa.String(500)),
        sa.CheckConstraint("state IN ('chosen', 'changed', 'unchanged', 'refused')", name="state"),
    )
    op.create_index("ix_bulk_change_rows_state", "bulk_change_rows", ["bulk_change_id", "state", "product_id"])


def downgrade() -> None:
    op.drop_table("bulk_change_rows")
    op.drop_table("bulk_changes")
