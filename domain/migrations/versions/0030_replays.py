"""Answers to messages of visitors, when dead letters were replayed, and the reviews of a state."""

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import KEY, create_table, optional, required
from domain.tables.base import UTCTime

revision = "0030_replays"
down_revision = "0027_prices"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("dead_letters", optional("replayed_at", UTCTime()))
    op.add_column("contact_messages", required("state", sa.String(10), server_default="new"))
    op.create_index("ix_contact_messages_state_id", "contact_messages", ["state", "id"])
    op.create_index("ix_reviews_state_id", "reviews", ["state", "id"])
    create_table(
        "contact_replies",
        required("id", KEY, primary_key=True),
        required("message_id", KEY, sa.ForeignKey("contact_messages.id", ondelete="CASCADE"), index=True),
        required("sent_at", UTCTime()),
        optional("author_id", KEY, sa.ForeignKey("learners.id", ondelete="SET NULL"), index=True),
        required("text", sa.Text()),
    )


def downgrade() -> None:
    op.drop_table("contact_replies")
    op.drop_index("ix_reviews_state_id", "reviews")
    op.drop_index("ix_contact_messages_state_id", "contact_messages")
    op.drop_column("contact_messages", "state")
    op.drop_column("dead_letters", "replayed_at")
