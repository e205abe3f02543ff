"""Until when a learner's visits were erased, and the student numbers that are being taken from visits."""

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import FOLDED, create_table, optional, required
from domain.tables.base import UTCTime

revision = "0053_erasure"
down_revision = "0052_retention"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("learners", optional("visits_erased_at", UTCTime()))
    op.create_index("ix_learners_visits_erased_at", "learners", ["visits_erased_at"])
    create_table(
        "erased_numbers",
        required("number", FOLDED, primary_key=True),
        required("erased_at", UTCTime()),
        required("scanned_to", sa.BigInteger()),
        required("is_last_pass", sa.Boolean()),
    )


def downgrade() -> None:
    op.drop_table("erased_numbers")
    # Not in a batch: SQLite would replace the table, and delete all that refers to it.
    op.drop_index("ix_learners_visits_erased_at", "learners")
    op.drop_column("learners", "visits_erased_at")
