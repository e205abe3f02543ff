"""Where access to a course comes from, beside when it ends: lists of courses need it of each."""

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import optional

revision = "0044_enrolment_sources"
down_revision = "0043_bulk_changes"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("enrolments", optional("source", sa.String(10)))
    op.execute(
        "UPDATE enrolments SET source = (SELECT source FROM enrolment_grants "
        "WHERE enrolment_grants.enrolment_id = enrolments.id ORDER BY ended_at IS NOT NULL, ended_at DESC, id LIMIT 1)"
    )


def downgrade() -> None:
    # Not in a batch: SQLite would replace the table, and delete the grants that refer to it.
    op.execute("ALTER TABLE enrolments DROP COLUMN source")
