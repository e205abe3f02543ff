"""The purchase order number of a business, as typed and as it is found."""

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import exact_text, required

revision = "0110_purchase_orders"
down_revision = "0108_bulk_prices"
branch_labels = None
depends_on = None
INDEX = "ix_orders_purchase_order_key"


def upgrade() -> None:
    op.add_column("orders", required("purchase_order", sa.String(50), server_default=""))
    op.add_column("orders", required("purchase_order_key", exact_text(150), server_default=""))
    op.create_index(INDEX, "orders", ["purchase_order_key"])


def downgrade() -> None:
    op.drop_index(INDEX, "orders")
    op.drop_column("orders", "purchase_order_key")
    op.drop_column("orders", "purchase_order")
