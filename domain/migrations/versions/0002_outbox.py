"""Attempts, leases and dead rows of the outbox; dead letters are found by their age.

Hosts and workers of the build before can use the table meanwhile: no column is renamed, and every new one that must
not be empty has a server default.
"""

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import optional, required
from domain.tables.base import UTCTime

revision = "0002_outbox"
down_revision = "0001_baseline"
branch_labels = None
depends_on = None

FORMER_INDEX, INDEX = "ix_outbox_done_at_id", "ix_outbox_topic_done_at_next_at_id"
DEAD_LETTERS_INDEX = "ix_dead_letters_failed_at"


def _columns() -> list[sa.Column[object]]:
    return [
        required("topic", sa.String(20), server_default="mail"),
        required("attempts", sa.Integer(), server_default="0"),
        optional("next_at", UTCTime(), server_default="1970-01-01 00:00:00"),
        optional("error", sa.Text()),
        optional("lease_token", sa.String(32)),
        optional("leased_until", UTCTime()),
        optional("dead_at", UTCTime()),
    ]


def upgrade() -> None:
    with op.batch_alter_table("outbox") as outbox:
        outbox.drop_index(FORMER_INDEX)
        for column in _columns():
            outbox.add_column(column)
        outbox.create_index(INDEX, ["topic", "done_at", "next_at", "id"])
    op.create_index(DEAD_LETTERS_INDEX, "dead_letters", ["failed_at"])


def downgrade() -> None:
    """Rows stay, with those that are dead: the build before tries them again."""
    op.drop_index(DEAD_LETTERS_INDEX, "dead_letters")
    with op.batch_alter_table("outbox") as outbox:
        outbox.drop_index(INDEX)
        for column in _columns():
            outbox.drop_column(column.name)
        outbox.create_index(FORMER_INDEX, ["done_at", "id"])
