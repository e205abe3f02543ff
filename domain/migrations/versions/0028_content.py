"""Pages that staff write, as versions, and pictures that they send."""

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import ASCII, DIGEST, KEY, LONG_TEXT, create_table, exact_text, optional, required
from domain.tables.base import UTCTime

revision = "0028_content"
down_revision = "0025_jobs"
branch_labels = None
depends_on = None


def _author(name: str) -> sa.Column[int]:
    return optional(name, KEY, sa.ForeignKey("learners.id", ondelete="SET NULL"), index=True)


def upgrade() -> None:
    create_table(
        "content_pages",
        required("id", KEY, primary_key=True),
        required("slug", exact_text(60, ASCII)),
        required("version", sa.Integer()),
        required("title", sa.String(255)),
        required("description", sa.String(500)),
        required("body", LONG_TEXT),
        required("meta", sa.JSON()),
        required("published_at", UTCTime()),
        _author("published_by"),
        sa.UniqueConstraint("slug", "version"),
    )
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
        _author("created_by"),
    )


def downgrade() -> None:
    op.drop_table("images")
    op.drop_table("content_pages")
