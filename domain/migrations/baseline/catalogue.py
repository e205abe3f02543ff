"""Courses and shop items, former slugs, snippets for search results, and visits to retired pages."""

import sqlalchemy as sa

from domain.migrations.columns import CENTS, FOLDED, KEY, LONG_TEXT, create_table, optional, required
from domain.tables.base import UTCTime

TABLES = (
    "catalogue_version",
    "categories",
    "instructors",
    "products",
    "courses",
    "course_instructors",
    "shop_items",
    "reviews",
    "former_slugs",
    "search_snippets",
    "retired_page_visits",
)


def create() -> None:
    _catalogue_version()
    _categories()
    _instructors()
    _products()
    _courses()
    _course_instructors()
    _shop_items()
    _reviews()
    _former_slugs()
    _search_snippets()
    _retired_page_visits()


def _catalogue_version() -> None:
    create_table(
        "catalogue_version",
        required("id", sa.Integer(), primary_key=True, autoincrement=False),
        required("number", sa.Integer()),
    )


def _categories() -> None:
    create_table(
        "categories",
        required("id", KEY, primary_key=True),
        required("slug", FOLDED, unique=True),
        required("name", sa.String(255)),
        required("description", sa.String(500)),
        required("position", sa.Integer()),
    )


def _instructors() -> None:
    create_table(
        "instructors",
        required("id", KEY, primary_key=True),
        required("slug", FOLDED, unique=True),
        required("name", sa.String(255)),
        required("title", sa.String(255)),
        required("bio", sa.Text()),
    )


def _products() -> None:
    create_table(
        "products",
        required("id", KEY, primary_key=True),
        required("kind", sa.String(10)),
        required("slug", FOLDED),
        optional("source_id", FOLDED),
        required("name", sa.String(255)),
        required("subtitle", sa.String(500)),
        required("category_id", KEY, sa.ForeignKey("categories.id")),
        optional("level", sa.String(20)),
        optional("language", sa.String(10)),
        optional("duration_min", sa.Integer()),
        optional("lesson_count", sa.Integer()),
        optional("item_kind", sa.String(20)),
        required("list_price", CENTS),
        optional("sale_price", CENTS),
        optional("sale_from", UTCTime()),
        optional("sale_until", UTCTime()),
        required("image", sa.String(500)),
        required("image_width", sa.Integer()),
        required("image_height", sa.Integer()),
        required("image_alt", sa.String(500)),
        optional("rating", sa.Numeric(3, 2, asdecimal=False)),
        required("rating_count", sa.Integer()),
        required("enrolled", sa.Integer()),
        required("popularity", sa.Integer()),
        required("featured", sa.SmallInteger()),
        required("status", sa.String(10)),
        optional("published_at", UTCTime()),
        required("updated_at", UTCTime()),
        optional("retired_at", UTCTime()),
        optional("successor_id", KEY, sa.ForeignKey("products.id")),
        sa.CheckConstraint("kind IN ('course', 'item')", name="kind"),
        sa.CheckConstraint("list_price >= 0 AND (sale_price IS NULL OR sale_price >= 0)", name="prices"),
        sa.CheckConstraint("status IN ('draft', 'scheduled', 'published', 'retired')", name="status"),
        sa.UniqueConstraint("kind", "slug"),
        sa.UniqueConstraint("kind", "source_id"),
        sa.Index("ix_products_category_popular", "category_id", "status", "popularity", "id"),
        sa.Index("ix_products_newest", "status", "published_at", "id"),
        sa.Index("ix_products_popular", "status", "popularity", "id"),
    )


def _courses() -> None:
    create_table(
        "courses",
        required("id", KEY, sa.ForeignKey("products.id", ondelete="CASCADE"), primary_key=True),
        required("description", LONG_TEXT),
        required("is_generated", sa.Boolean()),
        required("outcomes", sa.JSON()),
        required("prerequisites", sa.JSON()),
        required("audience", sa.JSON()),
        required("sections", sa.JSON()),
        required("faq", sa.JSON()),
        required("provider", sa.String(255)),
        optional("credits", sa.Numeric(5, 1, asdecimal=False)),
    )


def _course_instructors() -> None:
    create_table(
        "course_instructors",
        required("course_id", KEY, sa.ForeignKey("courses.id", ondelete="CASCADE"), primary_key=True),
        required("instructor_id", KEY, sa.ForeignKey("instructors.id"), primary_key=True, index=True),
        required("position", sa.Integer()),
    )


def _shop_items() -> None:
    create_table(
        "shop_items",
        required("id", KEY, sa.ForeignKey("products.id", ondelete="CASCADE"), primary_key=True),
        required("description", LONG_TEXT),
        required("sku", FOLDED, unique=True),
        optional("stock", sa.Integer()),
        required("delivery", sa.String(500)),
        required("images", sa.JSON()),
    )


def _reviews() -> None:
    create_table(
        "reviews",
        required("id", KEY, primary_key=True),
        required("course_id", KEY, sa.ForeignKey("courses.id", ondelete="CASCADE"), index=True),
        required("author", sa.String(255)),
        required("rating", sa.SmallInteger()),
        required("title", sa.String(255)),
        required("body", sa.Text()),
        required("reviewed_at", UTCTime()),
        sa.CheckConstraint("rating BETWEEN 1 AND 5", name="rating"),
    )


def _former_slugs() -> None:
    create_table(
        "former_slugs",
        required("kind", sa.String(10), primary_key=True),
        required("slug", FOLDED, primary_key=True),
        required("product_id", KEY, sa.ForeignKey("products.id", ondelete="CASCADE"), index=True),
        required("replaced_at", UTCTime()),
    )


def _search_snippets() -> None:
    create_table(
        "search_snippets",
        required(
            "product_id", KEY, sa.ForeignKey("products.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
        ),
        required("title", FOLDED, unique=True),
        required("description", FOLDED, unique=True),
    )


def _retired_page_visits() -> None:
    create_table(
        "retired_page_visits",
        required(
            "product_id", KEY, sa.ForeignKey("products.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
        ),
        required("last_at", UTCTime()),
    )
