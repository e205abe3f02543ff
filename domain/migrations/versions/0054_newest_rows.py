"""The newest event of a kind about something, and the newest row of an organisation's months, by an index."""

from alembic import op

revision = "0054_newest_rows"
down_revision = "0053_erasure"
branch_labels = None
depends_on = None

INDEXES = {
    "ix_audit_events_subject_action_number": ("audit_events", ["subject_type", "subject_id", "action", "number"]),
    "ix_organisation_months_organisation_id_id": ("organisation_months", ["organisation_id", "id"]),
}


def upgrade() -> None:
    for name, (table, columns) in INDEXES.items():
        op.create_index(name, table, columns)


def downgrade() -> None:
    for name, (table, _columns) in INDEXES.items():
        op.drop_index(name, table)
