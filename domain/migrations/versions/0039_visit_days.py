"""Days that are computed from raw visits."""

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import DIGEST, FOLDED, create_table, exact_text, optional, required
from domain.tables.base import UTCTime

revision = "0039_visit_days"
down_revision = "0035_content_pages"
branch_labels = None
depends_on = None

_FIGURES = (
    *("visits", "sessions", "confirmed", "possible", "bounces", "timed_sessions", "seconds"),
    *("reached_product", "reached_cart", "reached_checkout", "reached_order", "reached_payment"),
)


def upgrade() -> None:
    create_table(
        "visit_rollups",
        _site(),
        required("day", sa.Date(), primary_key=True),
        required("visits", sa.BigInteger()),
        required("digest", DIGEST),
        required("rules_version", sa.String(40)),
        required("zone", sa.String(64)),
        optional("built_at", UTCTime()),
        required("duration_ms", sa.Integer()),
        optional("dirty_at", UTCTime()),
        optional("checked_at", UTCTime()),
        required("lease_token", exact_text(32, "ascii_bin")),
        optional("lease_until", UTCTime()),
    )
    create_table("visit_days", *_key(), *_figures())
    create_table("visit_hours", *_key(required("hour", UTCTime(), primary_key=True)), *_figures())


def _site() -> sa.Column[int]:
    return required("site", sa.SmallInteger(), primary_key=True, autoincrement=False)


def _key(*within_the_day: sa.Column[object]) -> list[sa.Column[object]]:
    return [
        _site(),
        required("dimension", exact_text(10, "ascii_bin"), primary_key=True),
        required("day", sa.Date(), primary_key=True),
        *within_the_day,
        required("audience", exact_text(10, "ascii_bin"), primary_key=True),
        required("key", FOLDED, primary_key=True),
    ]


def _figures() -> list[sa.Column[int]]:
    return [required(name, sa.BigInteger()) for name in _FIGURES]


def downgrade() -> None:
    for name in ("visit_hours", "visit_days", "visit_rollups"):
        op.drop_table(name)
