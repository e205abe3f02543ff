"""Signing keys that others know are marked: since when, and why. Reviews that were hidden are remembered after their
author deletes them. Courses promise the lessons that they have."""

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import optional, required
from domain.tables.base import UTCTime

revision = "0059_trust"
down_revision = "0058_disputed_money"
branch_labels = None
depends_on = None


COUNT_LESSONS = """
UPDATE products SET lesson_count = (
  SELECT NULLIF(COUNT(*), 0) FROM lessons
  WHERE lessons.course_id = products.id AND lessons.withdrawn_at IS NULL AND lessons.source_key <> 'shop: course guide'
) WHERE kind = 'course'
"""


def upgrade() -> None:
    op.execute(COUNT_LESSONS)
    op.add_column("signing_keys", optional("distrusted_since", UTCTime()))
    op.add_column("reviews", optional("deleted_at", UTCTime()))
    op.add_column("signing_keys", required("distrust_reason", sa.String(500), server_default=""))


def downgrade() -> None:
    # What was deleted must not come back: the column alone tells.
    op.execute("DELETE FROM reviews WHERE deleted_at IS NOT NULL")
    # Not in a batch: SQLite would replace the table, and delete all that refers to it.
    op.execute("ALTER TABLE reviews DROP COLUMN deleted_at")
    for name in ("distrust_reason", "distrusted_since"):
        op.execute(f"ALTER TABLE signing_keys DROP COLUMN {name}")
