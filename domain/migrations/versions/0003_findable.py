"""former slugs, texts of search results, entrances of retired courses"""

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import FOLDED, KEY, MARIADB
from domain.tables.base import UTCTime

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def _product_of(table: str) -> sa.ForeignKeyConstraint:
    name = op.f(f"fk_{table}_product_id_products")
    return sa.ForeignKeyConstraint(["product_id"], ["products.id"], name=name, ondelete="CASCADE")


def upgrade() -> None:
    op.create_table(
        "former_slugs",
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("slug", FOLDED, nullable=False),
        sa.Column("product_id", KEY, nullable=False),
        sa.Column("until", UTCTime(), nullable=False),
        sa.PrimaryKeyConstraint("kind", "slug", name=op.f("pk_former_slugs")),
        _product_of("former_slugs"),
        **MARIADB,
    )
    op.create_index("ix_former_slugs_product_id", "former_slugs", ["product_id"])
    op.create_table(
        "page_texts",
        sa.Column("product_id", KEY, autoincrement=False, nullable=False),
        sa.Column("title", FOLDED, nullable=False),
        sa.Column("description", FOLDED, nullable=False),
        sa.PrimaryKeyConstraint("product_id", name=op.f("pk_page_texts")),
        sa.UniqueConstraint("title", name=op.f("uq_page_texts_title")),
        sa.UniqueConstraint("description", name=op.f("uq_page_texts_description")),
        _product_of("page_texts"),
        **MARIADB,
    )
    op.create_table(
        "entrances",
        sa.Column("product_id", KEY, autoincrement=False, nullable=False),
        sa.Column("last_at", UTCTime(), nullable=False),
        sa.PrimaryKeyConstraint("product_id", name=op.f("pk_entrances")),
        _product_of("entrances"),
        **MARIADB,
    )


def downgrade() -> None:
    # Whole tables: MariaDB would not let go of an index that a foreign key still needs.
    for table in ("entrances", "page_texts", "former_slugs"):
        op.drop_table(table)
