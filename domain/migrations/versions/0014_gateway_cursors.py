"""How far the gateway's events have been listed; payments are found by their charge without reading all of them."""

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import ASCII, create_table, exact_text, optional, required
from domain.tables.base import UTCTime

revision = "0014_gateway_cursors"
down_revision = "0013_payment_checks"
branch_labels = None
depends_on = None

INDEX = "ix_payments_charge_id"


def upgrade() -> None:
    create_table(
        "gateway_cursors",
        required("gateway", sa.String(20), primary_key=True),
        optional("listed_until", UTCTime()),
        optional("page", exact_text(160, ASCII)),
        optional("newest_at", UTCTime()),
    )
    op.create_index(INDEX, "payments", ["charge_id"])


def downgrade() -> None:
    op.drop_index(INDEX, "payments")
    op.drop_table("gateway_cursors")
