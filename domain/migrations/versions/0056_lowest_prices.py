"""The lowest price of the 30 days before the sale of each product, stored with it."""

from itertools import groupby

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import optional
from domain.publishing.lowest_prices import before_sale
from domain.tables.base import Money, UTCTime

revision = "0056_lowest_prices"
down_revision = "0055_known_addresses"
branch_labels = None
depends_on = None

PRODUCTS = sa.table(
    "products",
    sa.column("id"),
    sa.column("list_price", Money()),
    sa.column("sale_price", Money()),
    sa.column("sale_from", UTCTime()),
    sa.column("published_at", UTCTime()),
    sa.column("lowest_before", Money()),
)
CHANGES = sa.table(
    "price_changes",
    sa.column("id"),
    sa.column("product_id"),
    sa.column("starts_at", UTCTime()),
    sa.column("ends_at", UTCTime()),
    sa.column("applied_at", UTCTime()),
    sa.column("list_price", Money()),
    sa.column("sale_price", Money()),
)


def upgrade() -> None:
    op.add_column("products", optional("lowest_before", Money()))
    connection, has_sale = op.get_bind(), PRODUCTS.c.sale_price.is_not(None)
    changes = sa.select(CHANGES).join(PRODUCTS, PRODUCTS.c.id == CHANGES.c.product_id)
    changes = changes.where(has_sale, CHANGES.c.applied_at.is_not(None))
    found = connection.execute(changes.order_by(CHANGES.c.product_id, CHANGES.c.starts_at, CHANGES.c.id))
    entries = {key: list(group) for key, group in groupby(found, key=lambda row: row.product_id)}
    products = connection.execute(sa.select(PRODUCTS).where(has_sale)).all()
    rows = [{"key": row.id, "lowest": before_sale(row, entries.get(row.id, ()))} for row in products]
    if rows:
        fill = sa.update(PRODUCTS).where(PRODUCTS.c.id == sa.bindparam("key"))
        connection.execute(fill.values(lowest_before=sa.bindparam("lowest", type_=Money())), rows)


def downgrade() -> None:
    # Not in a batch: SQLite would replace the table that others refer to.
    op.execute("ALTER TABLE products DROP COLUMN lowest_before")
