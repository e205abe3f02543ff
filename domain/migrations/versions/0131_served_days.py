"""Documents that were served, by day and class of agent, and how many the script has seen. Earlier days have none:
the host did not count them."""

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import ASCII, create_table, exact_text, required

revision = "0131_served_days"
down_revision = "0129_saved_reports"
branch_labels = None
depends_on = None


def upgrade() -> None:
    create_table(
        "served_days",
        sa.Column("day", sa.Date(), primary_key=True),
        sa.Column("agent_class", exact_text(10, ASCII), primary_key=True),
        required("documents", sa.BigInteger()),
        required("seen", sa.BigInteger()),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    op.drop_table("served_days")
