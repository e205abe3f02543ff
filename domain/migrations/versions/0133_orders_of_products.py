"""Lists by rating and by price, what is featured, and the next change of a price are found by an index, whatever the
size of the catalogue."""

from alembic import op

revision = "0133_orders_of_products"
down_revision = "0132_visits_by_time"
branch_labels = None
depends_on = None

_INDEXES = {
    "ix_products_rating": ["status", "rating", "rating_count", "id"],
    "ix_products_list_price": ["status", "list_price", "id"],
    "ix_products_sale_price": ["status", "sale_price", "id"],
    "ix_products_featured": ["status", "featured"],
    "ix_products_sale_from": ["status", "sale_from"],
    "ix_products_sale_until": ["status", "sale_until"],
}


def upgrade() -> None:
    for name, columns in _INDEXES.items():
        op.create_index(name, "products", columns)


def downgrade() -> None:
    for name in _INDEXES:
        op.drop_index(name, "products")
