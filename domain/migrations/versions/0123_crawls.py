"""What crawlers fetch, and when pages changed; what the host notes of a fetch."""

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import ASCII, FOLDED, KEY, create_table, exact_text, optional, required
from domain.tables.base import UTCTime

revision = "0123_crawls"
down_revision = "0122_crawlers"
branch_labels = None
depends_on = None

BY_KEY = {"sqlite_with_rowid": False}
SHORT = exact_text(10, ASCII)


def upgrade() -> None:
    op.add_column("visits", optional("attributes", sa.Text()))
    create_table(
        "page_changes",
        sa.Column("id", KEY, primary_key=True),
        required("path", FOLDED),
        optional("product_id", KEY),
        required("kind", SHORT),
        required("changed_at", UTCTime()),
    )
    op.create_index("ix_page_changes_path_changed_at", "page_changes", ["path", "changed_at"])
    op.create_index("ix_page_changes_changed_at", "page_changes", ["changed_at"])
    op.create_index("ix_page_changes_product_id_changed_at", "page_changes", ["product_id", "changed_at"])
    create_table(
        "crawl_days",
        required("day", sa.Date(), primary_key=True),
        required("crawler", FOLDED, primary_key=True),
        required("verification", SHORT, primary_key=True),
        required("page_kind", SHORT, primary_key=True),
        required("status", sa.SmallInteger(), primary_key=True, autoincrement=False),
        *(required(name, sa.BigInteger()) for name in ("fetches", "bytes", "ms", "wasted")),
        **BY_KEY,
    )
    create_table(
        "crawl_pages",
        required("crawler", FOLDED, primary_key=True),
        required("verification", SHORT, primary_key=True),
        required("path", FOLDED, primary_key=True),
        *(required(name, UTCTime()) for name in ("first_ok_at", "last_ok_at", "last_at")),
        required("last_status", sa.SmallInteger()),
        required("title", exact_text(200)),
        optional("price_minor", sa.BigInteger()),
        required("currency", exact_text(3, ASCII)),
        required("digest", exact_text(16, ASCII)),
        **BY_KEY,
    )
    op.create_index("ix_crawl_pages_path", "crawl_pages", ["path"])
    create_table(
        "change_fetches",
        required("change_id", KEY, primary_key=True, autoincrement=False),
        required("crawler", FOLDED, primary_key=True),
        required("verification", SHORT, primary_key=True),
        required("first_at", UTCTime()),
        **BY_KEY,
    )


def downgrade() -> None:
    for name in ("change_fetches", "crawl_pages", "crawl_days", "page_changes"):
        op.drop_table(name)
    op.drop_column("visits", "attributes")
