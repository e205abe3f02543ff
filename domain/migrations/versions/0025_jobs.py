"""Long work of staff in slices, and the files that they send in parts."""

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import ASCII, KEY, create_table, exact_text, optional, required
from domain.tables.base import UTCTime

revision = "0025_jobs"
down_revision = "0024_order_list"
branch_labels = None
depends_on = None

_STATES = "state IN ('queued', 'running', 'done', 'failed', 'stopped')"


def upgrade() -> None:
    create_table(
        "jobs",
        required("id", KEY, primary_key=True),
        required("kind", sa.String(30)),
        required("state", sa.String(10)),
        required("processed", sa.Integer()),
        optional("total", sa.Integer()),
        required("input", sa.JSON()),
        required("report", sa.JSON()),
        required("idempotency_key", exact_text(200, ASCII)),
        required("started_by", KEY, sa.ForeignKey("learners.id"), index=True),
        required("created_at", UTCTime()),
        optional("started_at", UTCTime()),
        optional("ended_at", UTCTime()),
        optional("heartbeat_at", UTCTime()),
        sa.CheckConstraint(_STATES, name="state"),
        sa.CheckConstraint("processed >= 0", name="processed"),
        sa.UniqueConstraint("idempotency_key"),
    )
    op.create_index("ix_jobs_state_kind", "jobs", ["state", "kind"])
    create_table(
        "uploads",
        required("id", KEY, primary_key=True),
        required("name", sa.String(255)),
        required("bytes", sa.BigInteger()),
        required("purpose", sa.String(10)),
        required("parts", sa.Text()),
        required("created_by", KEY, sa.ForeignKey("learners.id"), index=True),
        required("created_at", UTCTime()),
        required("expires_at", UTCTime()),
        optional("completed_at", UTCTime()),
        sa.CheckConstraint("purpose IN ('import', 'image', 'lesson')", name="purpose"),
        sa.CheckConstraint("bytes > 0", name="bytes"),
    )
    op.create_index("ix_uploads_expires_at", "uploads", ["expires_at"])


def downgrade() -> None:
    op.drop_table("uploads")
    op.drop_table("jobs")
