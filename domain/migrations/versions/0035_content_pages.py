"""The written pages of the shop, in every version that was published. A page without a row is the one of the shop's
files, which may change with each release."""

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import FOLDED, KEY, LONG_TEXT, create_table, optional, required
from domain.tables.base import UTCTime

revision = "0035_content_pages"
down_revision = "0033_upload_purposes"
branch_labels = None
depends_on = None


def upgrade() -> None:
    create_table(
        "content_pages",
        required("id", KEY, primary_key=True),
        required("slug", FOLDED),
        required("version", sa.Integer()),
        required("title", sa.String(255)),
        required("description", sa.String(500)),
        required("body", LONG_TEXT),
        required("meta", sa.JSON()),
        required("published_at", UTCTime()),
        optional("published_by", KEY, sa.ForeignKey("learners.id", ondelete="SET NULL"), index=True),
        sa.UniqueConstraint("slug", "version"),
    )


def downgrade() -> None:
    op.drop_table("content_pages")
