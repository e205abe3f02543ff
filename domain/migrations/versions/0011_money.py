"""Money: prices have three decimals, for currencies that have them, and the shop's currency is stored."""

from decimal import Decimal

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import UUID_TEXT, create_table, required

revision = "0011_money"
down_revision = "0010_reservations"
branch_labels = None
depends_on = None

# Table -> its columns of money, and whether each may be NULL.
COLUMNS = {
    "products": {"list_price": False, "sale_price": True},
    "coupons": {"value": False, "minimum": False},
    "cart_lines": {"seen_price": True},
    "wishlist_entries": {"seen_price": True},
    "contracts": {"value": False},
    "contract_products": {"price": True},
}
Number = sa.Numeric[Decimal]
CENTS, THOUSANDTHS = sa.Numeric(12, 2), sa.Numeric(13, 3)


def upgrade() -> None:
    _convert(THOUSANDTHS, CENTS, "{0} * 10")
    create_table(
        "shop_settings",
        required("id", sa.Integer(), primary_key=True, autoincrement=False),
        required("uid", UUID_TEXT),
        required("currency", sa.String(3)),
        sa.CheckConstraint("id = 1", name="single"),
    )


def downgrade() -> None:
    op.drop_table("shop_settings")
    # Prices are multiples of 0.01 in every currency; a finer number, such as a percentage, is rounded half up.
    _convert(CENTS, THOUSANDTHS, "({0} + 5) / 10")


def _convert(new: Number, former: Number, on_sqlite: str) -> None:
    """SQLite stores integers, whose column type does not change."""
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    for table, columns in COLUMNS.items():
        if is_sqlite:
            # One statement for each table: its CHECK constraints compare the columns.
            changes = ", ".join(f"{name} = {on_sqlite.format(name)}" for name in columns)
            op.execute(f"UPDATE {table} SET {changes}")  # noqa: S608 names of the table above
            continue
        for name, is_null in columns.items():
            op.alter_column(table, name, type_=new, existing_type=former, existing_nullable=is_null)
