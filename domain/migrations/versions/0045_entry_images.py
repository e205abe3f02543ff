"""Pictures of categories and instructors."""

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import optional

revision = "0045_entry_images"
down_revision = "0044_enrolment_sources"
branch_labels = None
depends_on = None

TABLES = ("categories", "instructors")


def upgrade() -> None:
    for table in TABLES:
        op.add_column(table, optional("image", sa.JSON()))


def downgrade() -> None:
    # Not in a batch: SQLite would replace the table, and delete what refers to it.
    for table in TABLES:
        op.execute(f"ALTER TABLE {table} DROP COLUMN image")
