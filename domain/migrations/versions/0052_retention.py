"""Which days of visits are final, and how many of their raw rows are deleted."""

import sqlalchemy as sa
from alembic import op

from domain.errors import Refused
from domain.migrations.columns import optional, required
from domain.tables.base import UTCTime

revision = "0052_retention"
down_revision = "0051_retirement_choices"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("visit_rollups") as rollups:
        rollups.add_column(optional("finalised_at", UTCTime()))
        # Hosts of the build before insert rows without it.
        rollups.add_column(required("deleted_visits", sa.BigInteger(), server_default="0"))
        rollups.add_column(optional("erased_at", UTCTime()))
        rollups.add_column(optional("hours_deleted_at", UTCTime()))


def check_downgrade(connection: sa.Connection) -> None:
    """Raises Refused."""
    count = connection.scalar(sa.text("SELECT COUNT(*) FROM visit_rollups WHERE deleted_visits > 0"))
    if count:
        raise Refused(
            f"The visits of {count} days were deleted: a release from before {revision} would compute these days anew, "
            "to nothing. Nothing was changed. Stay on this release, or restore a backup from before these visits were "
            'deleted into an empty database (docs/operations.md, "Rolling back").'
        )


def downgrade() -> None:
    # Nobody would compute these days any more.
    op.execute("UPDATE visit_rollups SET lease_until = NULL WHERE finalised_at IS NOT NULL")
    with op.batch_alter_table("visit_rollups") as rollups:
        for name in ("finalised_at", "deleted_visits", "erased_at", "hours_deleted_at"):
            rollups.drop_column(name)
