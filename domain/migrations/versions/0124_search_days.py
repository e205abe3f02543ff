"""What people searched for, bought after it, and did not find, by day; and searches that are written once."""

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import FOLDED, KEY, UUID_TEXT, create_table, exact_text, optional, required
from domain.tables.base import UTCTime

revision = "0124_search_days"
down_revision = "0123_crawls"
branch_labels = None
depends_on = None

COUNTS = ("searches", "no_results", "in_sessions", "followed", "abandoned")
BY_KEY = {"sqlite_with_rowid": False}
EVENT_IDS = "ix_search_queries_event_id"


def upgrade() -> None:
    # Searches of before have none, and hosts of the build before write none.
    op.add_column("search_queries", optional("event_id", UUID_TEXT))
    op.create_index(EVENT_IDS, "search_queries", ["event_id"], unique=True)
    op.add_column("visit_rollups", optional("searches_deleted_at", UTCTime()))
    create_table(
        "search_days",
        required("day", sa.Date(), primary_key=True),
        required("query", exact_text(200), primary_key=True),
        *(required(name, sa.BigInteger()) for name in COUNTS),
        required("last_results", sa.Integer()),
        **BY_KEY,
    )
    create_table(
        "search_purchases",
        required("day", sa.Date(), primary_key=True),
        required("query", exact_text(200), primary_key=True),
        required("product_id", KEY, primary_key=True, autoincrement=False),
        required("buyers", sa.Integer()),
        **BY_KEY,
    )
    create_table(
        "unknown_path_days",
        required("day", sa.Date(), primary_key=True),
        required("path", FOLDED, primary_key=True),
        required("referrer", FOLDED, primary_key=True),
        required("sessions", sa.BigInteger()),
        **BY_KEY,
    )


def downgrade() -> None:
    for name in ("unknown_path_days", "search_purchases", "search_days"):
        op.drop_table(name)
    op.drop_column("visit_rollups", "searches_deleted_at")
    op.drop_index(EVENT_IDS, "search_queries")
    op.drop_column("search_queries", "event_id")
