"""Changes of staff that wait for another administrator."""

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import ASCII, DIGEST, KEY, create_table, exact_text, optional, required
from domain.tables.base import UTCTime

revision = "0105_confirmations"
down_revision = "0104_parts_of_lines"
branch_labels = None
depends_on = None


def upgrade() -> None:
    create_table(
        "pending_actions",
        required("id", KEY, primary_key=True),
        required("action", sa.String(40)),
        required("learner_id", KEY, sa.ForeignKey("learners.id"), index=True),
        required("values", sa.JSON),
        required("seen", DIGEST),
        required("reason", sa.String(500)),
        required("state", sa.String(10)),
        optional("open_key", exact_text(80, ASCII), unique=True),
        required("requested_by", KEY, sa.ForeignKey("learners.id"), index=True),
        required("requested_at", UTCTime()),
        required("expires_at", UTCTime()),
        optional("decided_by", KEY, sa.ForeignKey("learners.id"), index=True),
        optional("decided_at", UTCTime()),
        required("answer", sa.String(500)),
        sa.CheckConstraint("state IN ('waiting', 'confirmed', 'refused', 'withdrawn', 'expired')", name="state"),
        sa.Index("ix_pending_actions_state_expires_at", "state", "expires_at"),
    )


def downgrade() -> None:
    op.drop_table("pending_actions")
