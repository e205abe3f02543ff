"""Shop items: how they reach the buyer, what they weigh, and how they are taxed."""

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import required

revision = "0007_fulfilment"
down_revision = "0006_commerce"
branch_labels = None
depends_on = None

_PRODUCTS = sa.table("products", sa.column("id"), sa.column("item_kind"))
_ITEMS = sa.table("shop_items", *map(sa.column, ("id", "stock", "fulfilment", "tax_class")))
# (kind, condition, fulfilment, tax class): what is none of these is shipped goods, as the columns' defaults say.
_VALUES = (
    ("book", _ITEMS.c.stock.is_not(None), "shipped", "book"),
    ("book", _ITEMS.c.stock.is_(None), "download", "ebook"),
    ("voucher", sa.true(), "code", "voucher"),
    ("bundle", sa.true(), "courses", "service"),
)


def upgrade() -> None:
    # The defaults are for hosts and workers of the build before, which insert rows without the columns.
    with op.batch_alter_table("shop_items") as items:
        items.add_column(required("fulfilment", sa.String(10), server_default="shipped"))
        items.add_column(required("weight_g", sa.Integer(), server_default="0"))
        items.add_column(required("tax_class", sa.String(10), server_default="goods"))
    for kind, condition, fulfilment, tax_class in _VALUES:
        of_kind = sa.select(_PRODUCTS.c.id).where(_PRODUCTS.c.item_kind == kind)
        items_of_kind = sa.update(_ITEMS).where(_ITEMS.c.id.in_(of_kind), condition)
        op.execute(items_of_kind.values(fulfilment=fulfilment, tax_class=tax_class))


def downgrade() -> None:
    with op.batch_alter_table("shop_items") as items:
        for name in ("tax_class", "weight_g", "fulfilment"):
            items.drop_column(name)
