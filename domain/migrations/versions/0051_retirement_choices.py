"""What the page of a retired product answers, where staff decide it, and why."""

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import required

revision = "0051_retirement_choices"
down_revision = "0050_indexes_of_lists"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("products", required("retirement_choice", sa.String(10), server_default="auto"))
    op.add_column("products", required("retirement_reason", sa.String(500), server_default=""))


def downgrade() -> None:
    # Not in a batch: SQLite would replace the table, and delete all that refers to it.
    for name in ("retirement_reason", "retirement_choice"):
        op.execute(f"ALTER TABLE products DROP COLUMN {name}")
