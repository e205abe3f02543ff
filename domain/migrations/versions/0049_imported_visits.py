"""Visits from the access logs of other sites."""

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import ASCII, UUID_TEXT, create_table, exact_text, required
from domain.tables.base import UTCTime

revision = "0049_imported_visits"
down_revision = "0048_visit_claims"
branch_labels = None
depends_on = None


def upgrade() -> None:
    create_table(
        "visit_sites",
        _site("id"),
        required("name", exact_text(64, ASCII), unique=True),
    )
    create_table(
        "imported_visits",
        _site(),
        required("visited_at", UTCTime(), primary_key=True),
        required("event_id", UUID_TEXT, primary_key=True),
        required("session_id", exact_text(32, ASCII)),
        required("url", sa.String(2048)),
        required("referrer", sa.String(500)),
        required("visitor_class", exact_text(10, ASCII)),
        required("agent", sa.String(64)),
        sqlite_with_rowid=False,
    )
    create_table(
        "visitor_signs",
        _site(),
        required("hour", UTCTime(), primary_key=True),
        required("session_id", exact_text(32, ASCII), primary_key=True),
        required("signs", sa.SmallInteger()),
        sqlite_with_rowid=False,
    )


def _site(name: str = "site") -> sa.Column[int]:
    return required(name, sa.SmallInteger(), primary_key=True, autoincrement=False)


def downgrade() -> None:
    # Numbers of sites are given anew later: another site would own these days.
    for name in ("visit_days", "visit_hours", "visit_rollups"):
        days = sa.table(name, sa.column("site", sa.SmallInteger()))
        op.execute(days.delete().where(days.c.site != 0))
    for name in ("visitor_signs", "imported_visits", "visit_sites"):
        op.drop_table(name)
