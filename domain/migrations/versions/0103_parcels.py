"""Who carries the parcel of a line with goods, its number, and an index of goods by what became of them."""

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import required

revision = "0103_parcels"
down_revision = "0102_dismissed_searches"
branch_labels = None
depends_on = None
INDEX = "ix_order_lines_fulfilment_shipped_at"


def upgrade() -> None:
    op.add_column("order_lines", required("carrier", sa.String(60), server_default=""))
    op.add_column("order_lines", required("tracking", sa.String(100), server_default=""))
    op.create_index(INDEX, "order_lines", ["fulfilment", "shipped_at"])


def downgrade() -> None:
    op.drop_index(INDEX, "order_lines")
    op.drop_column("order_lines", "tracking")
    op.drop_column("order_lines", "carrier")
