"""coupons and their uses, carts, wishes"""

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import DIGEST, FOLDED, KEY, MARIADB
from domain.tables.base import Money, UTCTime

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _coupons()
    _cart_lines()
    _carts()
    _coupon_products()
    _coupon_uses()
    _wishes()


def _coupons() -> None:
    op.create_table(
        "coupons",
        sa.Column("id", KEY, nullable=False),
        sa.Column("code", FOLDED, nullable=False),
        sa.Column("shown", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("value", Money(), nullable=False),
        sa.Column("minimum", Money(), nullable=False),
        sa.Column("covers", sa.String(length=10), nullable=False),
        sa.Column("category_id", KEY, nullable=True),
        sa.Column("starts_at", UTCTime(), nullable=True),
        sa.Column("ends_at", UTCTime(), nullable=True),
        sa.Column("total_limit", sa.Integer(), nullable=True),
        sa.Column("learner_limit", sa.Integer(), nullable=True),
        sa.Column("organisation_id", KEY, nullable=True),
        sa.Column("is_special", sa.Boolean(), nullable=False),
        sa.Column("campaign", sa.String(length=100), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("uses", sa.Integer(), nullable=False),
        sa.Column("created_at", UTCTime(), nullable=False),
        sa.CheckConstraint("covers IN ('all', 'course', 'item', 'category')", name=op.f("ck_coupons_covers")),
        sa.CheckConstraint("kind IN ('percent', 'amount')", name=op.f("ck_coupons_kind")),
        sa.CheckConstraint("state IN ('draft', 'active', 'paused', 'ended')", name=op.f("ck_coupons_state")),
        sa.CheckConstraint("value > 0 AND minimum >= 0 AND uses >= 0", name=op.f("ck_coupons_amounts")),
        sa.ForeignKeyConstraint(["category_id"], ["categories.id"], name=op.f("fk_coupons_category_id_categories")),
        sa.ForeignKeyConstraint(
            ["organisation_id"], ["organisations.id"], name=op.f("fk_coupons_organisation_id_organisations")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_coupons")),
        sa.UniqueConstraint("code", name=op.f("uq_coupons_code")),
        **MARIADB,
    )
    op.create_index("ix_coupons_campaign", "coupons", ["campaign"], unique=False)
    op.create_index("ix_coupons_special", "coupons", ["is_special", "state"], unique=False)


def _cart_lines() -> None:
    op.create_table(
        "cart_lines",
        sa.Column("id", KEY, nullable=False),
        sa.Column("learner_id", KEY, nullable=False),
        sa.Column("product_id", KEY, nullable=False),
        sa.Column("quantity", sa.Integer(), nullable=False),
        sa.Column("coupon_id", KEY, nullable=True),
        sa.Column("seen_price", Money(), nullable=True),
        sa.Column("is_saved", sa.Boolean(), nullable=False),
        sa.Column("added_at", UTCTime(), nullable=False),
        sa.CheckConstraint("quantity BETWEEN 1 AND 99", name=op.f("ck_cart_lines_quantity")),
        sa.ForeignKeyConstraint(["coupon_id"], ["coupons.id"], name=op.f("fk_cart_lines_coupon_id_coupons")),
        sa.ForeignKeyConstraint(
            ["learner_id"], ["learners.id"], name=op.f("fk_cart_lines_learner_id_learners"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["product_id"], ["products.id"], name=op.f("fk_cart_lines_product_id_products"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_cart_lines")),
        sa.UniqueConstraint("learner_id", "product_id", name=op.f("uq_cart_lines_learner_id_product_id")),
        **MARIADB,
    )
    op.create_index(op.f("ix_cart_lines_product_id"), "cart_lines", ["product_id"], unique=False)


def _carts() -> None:
    op.create_table(
        "carts",
        sa.Column("id", KEY, nullable=False),
        sa.Column("learner_id", KEY, nullable=True),
        sa.Column("guest", DIGEST, nullable=True),
        sa.Column("coupon_id", KEY, nullable=True),
        sa.Column("expires_at", UTCTime(), nullable=True),
        sa.CheckConstraint("(learner_id IS NULL) <> (guest IS NULL)", name=op.f("ck_carts_owner")),
        sa.ForeignKeyConstraint(["coupon_id"], ["coupons.id"], name=op.f("fk_carts_coupon_id_coupons")),
        sa.ForeignKeyConstraint(["learner_id"], ["learners.id"], name=op.f("fk_carts_learner_id_learners")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_carts")),
        sa.UniqueConstraint("guest", name=op.f("uq_carts_guest")),
        sa.UniqueConstraint("learner_id", name=op.f("uq_carts_learner_id")),
        **MARIADB,
    )
    op.create_index(op.f("ix_carts_expires_at"), "carts", ["expires_at"], unique=False)


def _coupon_products() -> None:
    op.create_table(
        "coupon_products",
        sa.Column("coupon_id", KEY, nullable=False),
        sa.Column("product_id", KEY, nullable=False),
        sa.ForeignKeyConstraint(
            ["coupon_id"], ["coupons.id"], name=op.f("fk_coupon_products_coupon_id_coupons"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["product_id"], ["products.id"], name=op.f("fk_coupon_products_product_id_products"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("coupon_id", "product_id", name=op.f("pk_coupon_products")),
        **MARIADB,
    )
    op.create_index(op.f("ix_coupon_products_product_id"), "coupon_products", ["product_id"], unique=False)


def _coupon_uses() -> None:
    op.create_table(
        "coupon_uses",
        sa.Column("id", KEY, nullable=False),
        sa.Column("coupon_id", KEY, nullable=False),
        sa.Column("learner_id", KEY, nullable=False),
        sa.Column("product_id", KEY, nullable=False),
        sa.Column("order_id", KEY, nullable=False),
        sa.Column("nth", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("held_at", UTCTime(), nullable=False),
        sa.Column("expires_at", UTCTime(), nullable=True),
        sa.CheckConstraint("state IN ('held', 'committed')", name=op.f("ck_coupon_uses_state")),
        sa.CheckConstraint("nth > 0", name=op.f("ck_coupon_uses_nth")),
        sa.ForeignKeyConstraint(["coupon_id"], ["coupons.id"], name=op.f("fk_coupon_uses_coupon_id_coupons")),
        sa.ForeignKeyConstraint(["learner_id"], ["learners.id"], name=op.f("fk_coupon_uses_learner_id_learners")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_coupon_uses")),
        sa.UniqueConstraint("coupon_id", "learner_id", "nth", name=op.f("uq_coupon_uses_coupon_id_learner_id_nth")),
        sa.UniqueConstraint(
            "coupon_id",
            "learner_id",
            "product_id",
            "order_id",
            name=op.f("uq_coupon_uses_coupon_id_learner_id_product_id_order_id"),
        ),
        **MARIADB,
    )
    op.create_index("ix_coupon_uses_expiring", "coupon_uses", ["coupon_id", "state", "expires_at"], unique=False)
    op.create_index("ix_coupon_uses_learner_id_product_id", "coupon_uses", ["learner_id", "product_id"], unique=False)
    op.create_index("ix_coupon_uses_order_id", "coupon_uses", ["order_id"], unique=False)


def _wishes() -> None:
    op.create_table(
        "wishes",
        sa.Column("id", KEY, nullable=False),
        sa.Column("learner_id", KEY, nullable=False),
        sa.Column("product_id", KEY, nullable=False),
        sa.Column("seen_price", Money(), nullable=True),
        sa.Column("added_at", UTCTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["learner_id"], ["learners.id"], name=op.f("fk_wishes_learner_id_learners"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["product_id"], ["products.id"], name=op.f("fk_wishes_product_id_products"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_wishes")),
        sa.UniqueConstraint("learner_id", "product_id", name=op.f("uq_wishes_learner_id_product_id")),
        **MARIADB,
    )
    op.create_index(op.f("ix_wishes_product_id"), "wishes", ["product_id"], unique=False)


def downgrade() -> None:
    # Whole tables: MariaDB would not let go of an index that a foreign key still needs.
    for table in ("wishes", "coupon_uses", "coupon_products", "carts", "cart_lines", "coupons"):
        op.drop_table(table)
