"""Lists for staff and managers in their own order by an index, and the last sign-in of a person by one."""

from alembic import op

revision = "0050_indexes_of_lists"
down_revision = "0049_imported_visits"
branch_labels = None
depends_on = None

INDEXES = {
    "ix_audit_events_actor_id_action_number": ("audit_events", ["actor_id", "action", "number"]),
    "ix_invitations_organisation_id_id": ("invitations", ["organisation_id", "id"]),
    "ix_jobs_kind_id": ("jobs", ["kind", "id"]),
    "ix_outbox_topic_id": ("outbox", ["topic", "id"]),
    "ix_products_kind_id": ("products", ["kind", "id"]),
}


def upgrade() -> None:
    for name, (table, columns) in INDEXES.items():
        op.create_index(name, table, columns)


def downgrade() -> None:
    for name, (table, _columns) in INDEXES.items():
        op.drop_index(name, table)
