"""Tax rates that replace others, and rates of some postal codes alone."""

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import required

revision = "0064_exceptional_tax_rates"
down_revision = "0060_job_attempts"
branch_labels = None
depends_on = None

LENGTH = 20


def upgrade() -> None:
    op.add_column("tax_rates", required("replaces", sa.Boolean(), server_default=sa.false()))
    op.add_column("tax_rates", required("postal_from", sa.String(LENGTH), server_default=""))
    op.add_column("tax_rates", required("postal_to", sa.String(LENGTH), server_default=""))


def downgrade() -> None:
    # A build of before would charge all rates, those that replace too: they are taken out.
    op.execute("DELETE FROM tax_rates WHERE replaces OR postal_from <> ''")
    for name in ("postal_to", "postal_from", "replaces"):
        op.execute(f"ALTER TABLE tax_rates DROP COLUMN {name}")
