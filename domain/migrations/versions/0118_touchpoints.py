"""Touchpoints of sessions, and which learners were there, by day."""

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import ASCII, FOLDED, KEY, UUID_TEXT, create_table, exact_text, required
from domain.tables.base import UTCTime

revision = "0118_touchpoints"
down_revision = "0117_sale_days"
branch_labels = None
depends_on = None

BY_KEY = {"sqlite_with_rowid": False}


def upgrade() -> None:
    create_table(
        "touchpoints",
        required("day", sa.Date(), primary_key=True),
        required("event_id", UUID_TEXT, primary_key=True),
        required("visited_at", UTCTime()),
        required("session_id", exact_text(64)),
        required("channel", exact_text(20, ASCII)),
        *(required(name, FOLDED) for name in ("source", "campaign")),
        *(required(name, exact_text(100)) for name in ("term", "content")),
        *(required(name, FOLDED) for name in ("referrer", "coupon", "special", "student", "partner", "landing")),
        required("product", exact_text(20, ASCII)),
        required("was_anonymous", sa.Boolean()),
        required("traffic_class", exact_text(10, ASCII)),
        **BY_KEY,
    )
    op.create_index("ix_touchpoints_session_id_visited_at", "touchpoints", ["session_id", "visited_at"])
    op.create_index("ix_touchpoints_student", "touchpoints", ["student"])
    create_table(
        "session_learners",
        required("day", sa.Date(), primary_key=True),
        required("event_id", UUID_TEXT, primary_key=True),
        required("visited_at", UTCTime()),
        required("session_id", exact_text(64)),
        required("learner_id", KEY),
        **BY_KEY,
    )
    op.create_index("ix_session_learners_session_id_visited_at", "session_learners", ["session_id", "visited_at"])
    op.create_index("ix_session_learners_learner_id", "session_learners", ["learner_id"])
    create_table(
        "learner_days",
        required("day", sa.Date(), primary_key=True),
        required("learner_id", KEY, primary_key=True, autoincrement=False),
        required("is_first", sa.Boolean()),
        **BY_KEY,
    )
    op.create_index("ix_learner_days_learner_id", "learner_days", ["learner_id"])


def downgrade() -> None:
    for name in ("learner_days", "session_learners", "touchpoints"):
        op.drop_table(name)
