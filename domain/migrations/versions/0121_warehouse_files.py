"""The files of days of visits."""

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import ASCII, DIGEST, FOLDED, create_table, exact_text, required
from domain.tables.base import UTCTime

revision = "0121_warehouse_files"
down_revision = "0119_attribution"
branch_labels = None
depends_on = None


def upgrade() -> None:
    create_table(
        "warehouse_files",
        required("name", FOLDED, primary_key=True),
        required("kind", exact_text(10, ASCII)),
        required("site", sa.SmallInteger()),
        required("first_day", sa.Date()),
        required("last_day", sa.Date()),
        required("row_count", sa.Integer()),
        required("digest", DIGEST),
        required("version", sa.SmallInteger()),
        required("written_at", UTCTime()),
        sa.Column("replaced_at", UTCTime()),
    )


def downgrade() -> None:
    op.drop_table("warehouse_files")
