"""catalogue, visits and messages"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.mysql import MEDIUMTEXT

from domain.migrations.columns import FOLDED, KEY, MARIADB
from domain.tables.base import Money, UTCTime

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    _catalogue_version()
    _categories()
    _contact_messages()
    _dead_letters()
    _instructors()
    _outbox()
    _visits()
    _products()
    _courses()
    _shop_items()
    _course_instructors()
    _reviews()


def _catalogue_version() -> None:
    op.create_table(
        "catalogue_version",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_catalogue_version")),
        **MARIADB,
    )


def _categories() -> None:
    op.create_table(
        "categories",
        sa.Column("id", KEY, nullable=False),
        sa.Column("slug", FOLDED, nullable=False),
        sa.Column("name", sa.String(length=255), nullable=False),
        sa.Column("description", sa.String(length=500), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_categories")),
        sa.UniqueConstraint("slug", name=op.f("uq_categories_slug")),
        **MARIADB,
    )


def _contact_messages() -> None:
    op.create_table(
        "contact_messages",
        sa.Column("id", KEY, nullable=False),
        sa.Column("at", UTCTime(), nullable=False),
        sa.Column("name", sa.String(length=120), nullable=False),
        sa.Column("email", sa.String(length=254), nullable=False),
        sa.Column("subject", sa.String(length=160), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_contact_messages")),
        **MARIADB,
    )


def _dead_letters() -> None:
    op.create_table(
        "dead_letters",
        sa.Column("id", KEY, nullable=False),
        sa.Column("at", UTCTime(), nullable=False),
        sa.Column("task", sa.String(length=100), nullable=False),
        sa.Column("body", sa.JSON(), nullable=False),
        sa.Column("error", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_dead_letters")),
        **MARIADB,
    )


def _instructors() -> None:
    op.create_table(
        "instructors",
        sa.Column("id", KEY, nullable=False),
        sa.Column("slug", FOLDED, nullable=False),
        sa.Column("name", sa.String(length=255), nullable=False),
        sa.Column("title", sa.String(length=255), nullable=False),
        sa.Column("bio", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_instructors")),
        sa.UniqueConstraint("slug", name=op.f("uq_instructors_slug")),
        **MARIADB,
    )


def _outbox() -> None:
    op.create_table(
        "outbox",
        sa.Column("id", KEY, nullable=False),
        sa.Column("created_at", UTCTime(), nullable=False),
        sa.Column("task", sa.String(length=100), nullable=False),
        sa.Column("body", sa.JSON(), nullable=False),
        sa.Column("done_at", UTCTime(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outbox")),
        **MARIADB,
    )
    with op.batch_alter_table("outbox", schema=None) as batch_op:
        batch_op.create_index("ix_outbox_done_at_id", ["done_at", "id"], unique=False)


def _visits() -> None:
    op.create_table(
        "visits",
        sa.Column("id", KEY, nullable=False),
        sa.Column(
            "event_id",
            sa.String(length=36)
            .with_variant(sa.String(length=36, collation="ascii_bin"), "mariadb")
            .with_variant(sa.String(length=36, collation="ascii_bin"), "mysql"),
            nullable=False,
        ),
        sa.Column("at", UTCTime(), nullable=False),
        sa.Column("session_id", sa.String(length=64), nullable=False),
        sa.Column("page", sa.String(length=40), nullable=False),
        sa.Column("url", sa.String(length=2048), nullable=False),
        sa.Column("learner_id", KEY, nullable=True),
        sa.Column("claimed_id", KEY, nullable=True),
        sa.Column("coupon_id", sa.String(length=64), nullable=False),
        sa.Column("student_number", sa.String(length=64), nullable=False),
        sa.Column("special_coupon", sa.String(length=64), nullable=False),
        sa.Column("campaign", sa.JSON(), nullable=False),
        sa.Column("referrer", sa.String(length=500), nullable=False),
        sa.Column("visitor_class", sa.String(length=10), nullable=False),
        sa.Column("source", sa.String(length=10), nullable=False),
        sa.Column("agent", sa.String(length=64), nullable=False),
        sa.Column("address", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_visits")),
        sa.UniqueConstraint("event_id", name=op.f("uq_visits_event_id")),
        **MARIADB,
    )
    with op.batch_alter_table("visits", schema=None) as batch_op:
        batch_op.create_index("ix_visits_at", ["at"], unique=False)
        batch_op.create_index("ix_visits_learner_id_at", ["learner_id", "at"], unique=False)
        batch_op.create_index("ix_visits_session_at", ["session_id", "at"], unique=False)


def _products() -> None:
    op.create_table(
        "products",
        sa.Column("id", KEY, nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("slug", FOLDED, nullable=False),
        sa.Column("source_id", FOLDED, nullable=True),
        sa.Column("name", sa.String(length=255), nullable=False),
        sa.Column("subtitle", sa.String(length=500), nullable=False),
        sa.Column("category_id", KEY, nullable=False),
        sa.Column("level", sa.String(length=20), nullable=True),
        sa.Column("language", sa.String(length=10), nullable=True),
        sa.Column("duration_min", sa.Integer(), nullable=True),
        sa.Column("lesson_count", sa.Integer(), nullable=True),
        sa.Column("item_kind", sa.String(length=20), nullable=True),
        sa.Column("list_price", Money(), nullable=False),
        sa.Column("sale_price", Money(), nullable=True),
        sa.Column("sale_from", UTCTime(), nullable=True),
        sa.Column("sale_until", UTCTime(), nullable=True),
        sa.Column("image", sa.String(length=500), nullable=False),
        sa.Column("image_width", sa.Integer(), nullable=False),
        sa.Column("image_height", sa.Integer(), nullable=False),
        sa.Column("image_alt", sa.String(length=500), nullable=False),
        sa.Column("rating", sa.Numeric(precision=3, scale=2, asdecimal=False), nullable=True),
        sa.Column("rating_count", sa.Integer(), nullable=False),
        sa.Column("enrolled", sa.Integer(), nullable=False),
        sa.Column("popularity", sa.Integer(), nullable=False),
        sa.Column("featured", sa.SmallInteger(), nullable=False),
        sa.Column("status", sa.String(length=10), nullable=False),
        sa.Column("published_at", UTCTime(), nullable=True),
        sa.Column("updated_at", UTCTime(), nullable=False),
        sa.Column("retired_at", UTCTime(), nullable=True),
        sa.Column("successor_id", KEY, nullable=True),
        sa.CheckConstraint("kind IN ('course', 'item')", name=op.f("ck_products_kind")),
        sa.CheckConstraint("status IN ('draft', 'scheduled', 'published', 'retired')", name=op.f("ck_products_status")),
        sa.CheckConstraint(
            "list_price >= 0 AND (sale_price IS NULL OR sale_price >= 0)", name=op.f("ck_products_prices")
        ),
        sa.ForeignKeyConstraint(["category_id"], ["categories.id"], name=op.f("fk_products_category_id_categories")),
        sa.ForeignKeyConstraint(["successor_id"], ["products.id"], name=op.f("fk_products_successor_id_products")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_products")),
        sa.UniqueConstraint("kind", "slug", name=op.f("uq_products_kind_slug")),
        sa.UniqueConstraint("kind", "source_id", name=op.f("uq_products_kind_source_id")),
        **MARIADB,
    )
    with op.batch_alter_table("products", schema=None) as batch_op:
        batch_op.create_index(
            "ix_products_category_popular", ["category_id", "status", "popularity", "id"], unique=False
        )
        batch_op.create_index("ix_products_newest", ["status", "published_at", "id"], unique=False)
        batch_op.create_index("ix_products_popular", ["status", "popularity", "id"], unique=False)


def _courses() -> None:
    op.create_table(
        "courses",
        sa.Column("id", KEY, nullable=False),
        sa.Column(
            "description",
            sa.Text().with_variant(MEDIUMTEXT(), "mariadb").with_variant(MEDIUMTEXT(), "mysql"),
            nullable=False,
        ),
        sa.Column("is_generated", sa.Boolean(), nullable=False),
        sa.Column("outcomes", sa.JSON(), nullable=False),
        sa.Column("prerequisites", sa.JSON(), nullable=False),
        sa.Column("audience", sa.JSON(), nullable=False),
        sa.Column("sections", sa.JSON(), nullable=False),
        sa.Column("faq", sa.JSON(), nullable=False),
        sa.Column("provider", sa.String(length=255), nullable=False),
        sa.Column("credits", sa.Numeric(precision=5, scale=1, asdecimal=False), nullable=True),
        sa.ForeignKeyConstraint(["id"], ["products.id"], name=op.f("fk_courses_id_products"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_courses")),
        **MARIADB,
    )


def _shop_items() -> None:
    op.create_table(
        "shop_items",
        sa.Column("id", KEY, nullable=False),
        sa.Column(
            "description",
            sa.Text().with_variant(MEDIUMTEXT(), "mariadb").with_variant(MEDIUMTEXT(), "mysql"),
            nullable=False,
        ),
        sa.Column("sku", FOLDED, nullable=False),
        sa.Column("stock", sa.Integer(), nullable=True),
        sa.Column("delivery", sa.String(length=500), nullable=False),
        sa.Column("images", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["id"], ["products.id"], name=op.f("fk_shop_items_id_products"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_shop_items")),
        sa.UniqueConstraint("sku", name=op.f("uq_shop_items_sku")),
        **MARIADB,
    )


def _course_instructors() -> None:
    op.create_table(
        "course_instructors",
        sa.Column("course_id", KEY, nullable=False),
        sa.Column("instructor_id", KEY, nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["course_id"], ["courses.id"], name=op.f("fk_course_instructors_course_id_courses"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["instructor_id"], ["instructors.id"], name=op.f("fk_course_instructors_instructor_id_instructors")
        ),
        sa.PrimaryKeyConstraint("course_id", "instructor_id", name=op.f("pk_course_instructors")),
        **MARIADB,
    )
    with op.batch_alter_table("course_instructors", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_course_instructors_instructor_id"), ["instructor_id"], unique=False)


def _reviews() -> None:
    op.create_table(
        "reviews",
        sa.Column("id", KEY, nullable=False),
        sa.Column("course_id", KEY, nullable=False),
        sa.Column("author", sa.String(length=255), nullable=False),
        sa.Column("rating", sa.SmallInteger(), nullable=False),
        sa.Column("title", sa.String(length=255), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("at", UTCTime(), nullable=False),
        sa.CheckConstraint("rating BETWEEN 1 AND 5", name=op.f("ck_reviews_rating")),
        sa.ForeignKeyConstraint(
            ["course_id"], ["courses.id"], name=op.f("fk_reviews_course_id_courses"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_reviews")),
        **MARIADB,
    )
    with op.batch_alter_table("reviews", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_reviews_course_id"), ["course_id"], unique=False)


def downgrade() -> None:
    # Indexes go with their tables: MariaDB keeps one that a foreign key needs.
    op.drop_table("reviews")
    op.drop_table("course_instructors")
    op.drop_table("shop_items")
    op.drop_table("courses")
    op.drop_table("products")
    op.drop_table("visits")
    op.drop_table("outbox")
    op.drop_table("instructors")
    op.drop_table("dead_letters")
    op.drop_table("contact_messages")
    op.drop_table("categories")
    op.drop_table("catalogue_version")
