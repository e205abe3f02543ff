"""Pictures that staff send."""

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import DIGEST, KEY, create_table, optional, required
from domain.tables.base import UTCTime

revision = "0028_images"
down_revision = "0025_jobs"
branch_labels = None
depends_on = None


def upgrade() -> None:
    create_table(
        "images",
        required("id", KEY, primary_key=True),
        required("sha256", DIGEST, index=True),
        required("width", sa.Integer()),
        required("height", sa.Integer()),
        required("sizes", sa.JSON()),
        required("name", sa.String(255)),
        required("alt", sa.String(500)),
        required("created_at", UTCTime()),
        optional("created_by", KEY, sa.ForeignKey("learners.id", ondelete="SET NULL"), index=True),
    )


def downgrade() -> None:
    op.drop_table("images")
