"""Visits: the visit of the link that led here, and the partner of that link."""

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import UUID_TEXT, optional, required

revision = "0003_visit_referral"
down_revision = "0002_outbox"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("visits") as visits:
        visits.add_column(optional("referral_id", UUID_TEXT))
        # The default is for workers of the build before, which insert rows without the column.
        visits.add_column(required("partner", sa.String(191), server_default=""))


def downgrade() -> None:
    with op.batch_alter_table("visits") as visits:
        visits.drop_column("partner")
        visits.drop_column("referral_id")
