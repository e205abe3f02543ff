"""How often a job was begun without getting further, and how far it once was."""

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import required

revision = "0060_job_attempts"
down_revision = "0059_trust"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("jobs", required("attempts", sa.Integer(), server_default="0"))
    op.add_column("jobs", required("furthest", sa.Integer(), server_default="0"))


def downgrade() -> None:
    # Not in a batch: SQLite would replace the table, and delete all that refers to it.
    for name in ("furthest", "attempts"):
        op.execute(f"ALTER TABLE jobs DROP COLUMN {name}")
