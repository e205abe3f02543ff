"""Ranges of addresses of crawlers, which addresses were checked, and what hosts note of a request."""

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import ASCII, DIGEST, LONG_TEXT, create_table, exact_text, optional, required
from domain.tables.base import UTCTime

revision = "0122_crawlers"
down_revision = "0121_warehouse_files"
branch_labels = None
depends_on = None


def upgrade() -> None:
    create_table(
        "crawler_ranges",
        required("name", exact_text(40, ASCII), primary_key=True),
        required("fetched_at", UTCTime()),
        optional("created_at", UTCTime()),
        required("prefixes", LONG_TEXT),
        required("digest", DIGEST),
    )
    create_table(
        "crawler_checks",
        required("ip_hash", exact_text(16, ASCII), primary_key=True),
        required("crawler", exact_text(64), primary_key=True),
        required("verification", exact_text(10, ASCII)),
        required("method", exact_text(10, ASCII)),
        required("checked_at", UTCTime()),
        required("expires_at", UTCTime()),
    )
    op.create_index("ix_crawler_checks_checked_at", "crawler_checks", ["checked_at"])
    op.add_column("visits", required("ip_hash", exact_text(16, ASCII), server_default=""))
    op.add_column("visits", required("evidence", sa.SmallInteger(), server_default="0"))


def downgrade() -> None:
    for name in ("evidence", "ip_hash"):
        op.drop_column("visits", name)
    for name in ("crawler_checks", "crawler_ranges"):
        op.drop_table(name)
