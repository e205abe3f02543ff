"""Tables of selling: tax and delivery, orders, payments, refunds, documents, checkout drafts. Nothing else changes."""

from alembic import op

from domain.migrations.commerce import checkout, documents, orders, payments, tax_and_delivery

revision = "0006_commerce"
down_revision = "0005_cart_versions"
branch_labels = None
depends_on = None

# In the order of their foreign keys.
GROUPS = (tax_and_delivery, orders, payments, documents, checkout)


def upgrade() -> None:
    for group in GROUPS:
        group.create()


def downgrade() -> None:
    for group in reversed(GROUPS):
        for table in reversed(group.TABLES):
            op.drop_table(table)
