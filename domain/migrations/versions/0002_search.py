"""search index and query log"""

import sqlalchemy as sa
from alembic import op

from domain.migrations.columns import KEY, MARIADB
from domain.tables.base import UTCTime

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def _text(length: int) -> sa.types.TypeEngine[str]:
    plain = sa.String(length=length)
    return plain.with_variant(sa.String(length=length, collation="utf8mb4_bin"), "mysql", "mariadb")


def upgrade() -> None:
    op.create_table(
        "search_words",
        sa.Column("id", KEY, nullable=False),
        sa.Column("word", _text(40), nullable=False),
        sa.Column("shown", _text(40), nullable=False),
        sa.Column("products", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_search_words")),
        sa.UniqueConstraint("word", name=op.f("uq_search_words_word")),
        **MARIADB,
    )
    op.create_table(
        "search_postings",
        sa.Column("word_id", KEY, autoincrement=False, nullable=False),
        sa.Column("product_id", KEY, autoincrement=False, nullable=False),
        sa.Column("impact", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("word_id", "product_id", name=op.f("pk_search_postings")),
        sqlite_with_rowid=False,
        **MARIADB,
    )
    op.create_index("ix_search_postings_word_id_impact", "search_postings", ["word_id", "impact"])
    op.create_index("ix_search_postings_product_id", "search_postings", ["product_id"])
    op.create_table(
        "search_misspellings",
        sa.Column("remnant", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("word_id", KEY, autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("remnant", "word_id", name=op.f("pk_search_misspellings")),
        sqlite_with_rowid=False,
        **MARIADB,
    )
    op.create_table(
        "search_queries",
        sa.Column("id", KEY, nullable=False),
        sa.Column("at", UTCTime(), nullable=False),
        sa.Column("query", _text(200), nullable=False),
        sa.Column("results", sa.Integer(), nullable=False),
        sa.Column("answer", sa.String(length=10), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_search_queries")),
        **MARIADB,
    )
    op.create_index("ix_search_queries_at", "search_queries", ["at"])


def downgrade() -> None:
    for table in ("search_queries", "search_misspellings", "search_postings", "search_words"):
        op.drop_table(table)
