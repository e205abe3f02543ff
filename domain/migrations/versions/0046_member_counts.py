"""Who belongs to an organisation now, by one index: its members are counted for each page of their list."""

from alembic import op

revision = "0046_member_counts"
down_revision = "0045_entry_images"
branch_labels = None
depends_on = None

TABLE, BEFORE, NOW = "memberships", "ix_memberships_organisation_id", "ix_memberships_organisation_id_ended_at"


def upgrade() -> None:
    # First the new one: MariaDB needs one of both for the foreign key.
    op.create_index(NOW, TABLE, ["organisation_id", "ended_at"])
    op.drop_index(BEFORE, TABLE)


def downgrade() -> None:
    op.create_index(BEFORE, TABLE, ["organisation_id"])
    op.drop_index(NOW, TABLE)
