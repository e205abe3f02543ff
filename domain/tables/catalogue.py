"""Courses and shop items. The columns of lists are in the narrow table `products`; long texts have tables of their own,
so that counting facets never reads them. Both kinds share one sequence of ids (products.id)."""

from datetime import datetime
from decimal import Decimal
from typing import Any, ClassVar

from sqlalchemy import (
    JSON,
    CheckConstraint,
    ForeignKey,
    Index,
    Numeric,
    SmallInteger,
    String,
    Text,
    UniqueConstraint,
    false,
)
from sqlalchemy.orm import Mapped, mapped_column

from domain.tables.base import MARIADB, Base, BigKey, Folded, LongText, Money, UTCTime


class Category(Base):
    __tablename__ = "categories"
    __table_args__ = MARIADB

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    slug: Mapped[str] = mapped_column(Folded, unique=True)
    name: Mapped[str] = mapped_column(String(255))
    description: Mapped[str] = mapped_column(String(500), default="")
    position: Mapped[int] = mapped_column(default=0)
    # A picture that staff sent: src, width, height, alt.
    image: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))


class Instructor(Base):
    __tablename__ = "instructors"
    __table_args__ = MARIADB

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    slug: Mapped[str] = mapped_column(Folded, unique=True)
    name: Mapped[str] = mapped_column(String(255))
    title: Mapped[str] = mapped_column(String(255), default="")
    bio: Mapped[str] = mapped_column(LongText, default="")
    # As of a category.
    image: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))


class Product(Base):
    """The columns that courses and shop items share, and all that a list shows. `kind`: course | item."""

    __tablename__ = "products"
    __table_args__ = (
        UniqueConstraint("kind", "slug"),
        UniqueConstraint("kind", "source_id"),
        CheckConstraint("kind IN ('course', 'item')", name="kind"),
        CheckConstraint("status IN ('draft', 'scheduled', 'published', 'retired')", name="status"),
        CheckConstraint("list_price >= 0 AND (sale_price IS NULL OR sale_price >= 0)", name="prices"),
        Index("ix_products_kind_id", "kind", "id"),
        Index("ix_products_popular", "status", "popularity", "id"),
        Index("ix_products_newest", "status", "published_at", "id"),
        Index("ix_products_category_popular", "category_id", "status", "popularity", "id"),
        Index("ix_products_rating", "status", "rating", "rating_count", "id"),
        Index("ix_products_list_price", "status", "list_price", "id"),
        Index("ix_products_sale_price", "status", "sale_price", "id"),
        Index("ix_products_featured", "status", "featured"),
        Index("ix_products_sale_from", "status", "sale_from"),
        Index("ix_products_sale_until", "status", "sale_until"),
        MARIADB,
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    kind: Mapped[str] = mapped_column(String(10))
    slug: Mapped[str] = mapped_column(Folded)
    source_id: Mapped[str | None] = mapped_column(Folded)
    name: Mapped[str] = mapped_column(String(255))
    subtitle: Mapped[str] = mapped_column(String(500), default="")
    category_id: Mapped[int] = mapped_column(ForeignKey("categories.id"))
    # Courses only.
    level: Mapped[str | None] = mapped_column(String(20))
    language: Mapped[str | None] = mapped_column(String(10))
    duration_min: Mapped[int | None]
    lesson_count: Mapped[int | None]
    # Shop items only: book | voucher | bundle | physical.
    item_kind: Mapped[str | None] = mapped_column(String(20))
    list_price: Mapped[Decimal] = mapped_column(Money)
    sale_price: Mapped[Decimal | None] = mapped_column(Money)
    sale_from: Mapped[datetime | None] = mapped_column(UTCTime)
    sale_until: Mapped[datetime | None] = mapped_column(UTCTime)
    # The lowest price of the 30 days before the sale (domain/publishing/lowest_prices.py).
    lowest_before: Mapped[Decimal | None] = mapped_column(Money)
    image: Mapped[str] = mapped_column(String(500), default="")
    image_width: Mapped[int] = mapped_column(default=800)
    image_height: Mapped[int] = mapped_column(default=450)
    image_alt: Mapped[str] = mapped_column(String(500), default="")
    rating: Mapped[Decimal | None] = mapped_column(Numeric(3, 2, asdecimal=False))
    rating_count: Mapped[int] = mapped_column(default=0)
    enrolled: Mapped[int] = mapped_column(default=0)
    # The default order of every list: featured first, then by learners.
    popularity: Mapped[int] = mapped_column(default=0)
    featured: Mapped[int] = mapped_column(SmallInteger, default=0)
    status: Mapped[str] = mapped_column(String(10), default="draft")
    published_at: Mapped[datetime | None] = mapped_column(UTCTime)
    updated_at: Mapped[datetime] = mapped_column(UTCTime)
    retired_at: Mapped[datetime | None] = mapped_column(UTCTime)
    successor_id: Mapped[int | None] = mapped_column(ForeignKey("products.id"))
    # What the page answers while retired: auto | landing | redirect | gone, and why staff decided so ("" for auto).
    retirement_choice: Mapped[str] = mapped_column(String(10), default="auto", server_default="auto")
    retirement_reason: Mapped[str] = mapped_column(String(500), default="", server_default="")
    # For optimistic locking: each change by a person or an import increments it.
    version: Mapped[int] = mapped_column(default=1, server_default="1")


class PriceChange(Base):
    """A price from `starts_at` on, until the next row of the product; only domain/publishing/prices.py writes them.

    `ends_at`: of the sale. `applied_at` None: planned, its price is not in the product yet. `changed_by` None: a
    command, an import, or the price from before changes were recorded."""

    __tablename__ = "price_changes"
    __table_args__ = (
        Index("ix_price_changes_product_id_starts_at", "product_id", "starts_at"),
        Index("ix_price_changes_applied_at_starts_at", "applied_at", "starts_at"),
        MARIADB,
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    product_id: Mapped[int] = mapped_column(BigKey, ForeignKey("products.id", ondelete="CASCADE"))
    changed_at: Mapped[datetime] = mapped_column(UTCTime)
    starts_at: Mapped[datetime] = mapped_column(UTCTime)
    ends_at: Mapped[datetime | None] = mapped_column(UTCTime)
    applied_at: Mapped[datetime | None] = mapped_column(UTCTime)
    list_price: Mapped[Decimal] = mapped_column(Money)
    sale_price: Mapped[Decimal | None] = mapped_column(Money)
    changed_by: Mapped[int | None] = mapped_column(BigKey, ForeignKey("learners.id", ondelete="SET NULL"), index=True)
    reason: Mapped[str] = mapped_column(String(500), default="")


class Course(Base):
    """The long part of a course. Lists are JSON arrays; sections: [{title, lessons: [{title, minutes, preview}]}].
    `base_rating`, `base_rating_count`: of the reviews that import or seed brought. `reviews_changed_at`: a review on
    its page changed, and the stars are not counted anew yet."""

    __tablename__ = "courses"
    __table_args__ = MARIADB

    id: Mapped[int] = mapped_column(BigKey, ForeignKey("products.id", ondelete="CASCADE"), primary_key=True)
    description: Mapped[str] = mapped_column(LongText, default="")
    is_generated: Mapped[bool] = mapped_column(default=False)
    outcomes: Mapped[list[str]] = mapped_column(JSON, default=list)
    prerequisites: Mapped[list[str]] = mapped_column(JSON, default=list)
    audience: Mapped[list[str]] = mapped_column(JSON, default=list)
    sections: Mapped[list[dict[str, Any]]] = mapped_column(JSON, default=list)
    faq: Mapped[list[dict[str, str]]] = mapped_column(JSON, default=list)
    provider: Mapped[str] = mapped_column(String(255), default="")
    credits: Mapped[Decimal | None] = mapped_column(Numeric(5, 1, asdecimal=False))
    # So many decimals that the sum of the stars can be computed from it.
    base_rating: Mapped[float | None] = mapped_column(Numeric(11, 10, asdecimal=False))
    base_rating_count: Mapped[int] = mapped_column(default=0, server_default="0")
    reviews_changed_at: Mapped[datetime | None] = mapped_column(UTCTime, index=True)


class CourseInstructor(Base):
    __tablename__ = "course_instructors"
    __table_args__ = MARIADB

    course_id: Mapped[int] = mapped_column(BigKey, ForeignKey("courses.id", ondelete="CASCADE"), primary_key=True)
    instructor_id: Mapped[int] = mapped_column(BigKey, ForeignKey("instructors.id"), primary_key=True, index=True)
    position: Mapped[int] = mapped_column(default=0)


class ShopItem(Base):
    """The long part of a shop item. `stock`: what can still be sold, without what orders have reserved; None means
    unlimited. images: [{src, width, height, alt}]. `weight_g`: of one unit with its packing; 0: unknown, which counts
    as nothing."""

    __tablename__ = "shop_items"
    __table_args__ = (CheckConstraint("stock >= 0", name="stock"), MARIADB)

    id: Mapped[int] = mapped_column(BigKey, ForeignKey("products.id", ondelete="CASCADE"), primary_key=True)
    description: Mapped[str] = mapped_column(LongText, default="")
    sku: Mapped[str] = mapped_column(Folded, unique=True)
    stock: Mapped[int | None]
    delivery: Mapped[str] = mapped_column(String(500), default="")
    images: Mapped[list[dict[str, Any]]] = mapped_column(JSON, default=list)
    # shipped | download | code | courses
    fulfilment: Mapped[str] = mapped_column(String(10), default="shipped", server_default="shipped")
    weight_g: Mapped[int] = mapped_column(default=0, server_default="0")
    # A class of tax_rates.
    tax_class: Mapped[str] = mapped_column(String(10), default="goods", server_default="goods")


class Review(Base):
    """A review that import or seed brought, or one of a learner who had the course: then `is_verified`, also after the
    account is deleted, when `learner_id` and `author` are empty. Pages show the published ones. `hidden_reason`: why
    a moderator has hidden it, in words. `deleted_at`: its author has deleted one that a moderator had hidden or had to
    look at; it is remembered without its text, so that the next one waits too."""

    __tablename__ = "reviews"
    __table_args__ = (
        UniqueConstraint("learner_id", "course_id"),
        CheckConstraint("rating BETWEEN 1 AND 5", name="rating"),
        CheckConstraint("state IN ('published', 'pending', 'hidden')", name="state"),
        Index("ix_reviews_state_id", "state", "id"),
        MARIADB,
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    course_id: Mapped[int] = mapped_column(BigKey, ForeignKey("courses.id", ondelete="CASCADE"), index=True)
    learner_id: Mapped[int | None] = mapped_column(BigKey, ForeignKey("learners.id", ondelete="SET NULL"))
    author: Mapped[str] = mapped_column(String(255))
    rating: Mapped[int] = mapped_column(SmallInteger)
    title: Mapped[str] = mapped_column(String(255), default="")
    body: Mapped[str] = mapped_column(Text, default="")
    state: Mapped[str] = mapped_column(String(10), default="published", server_default="published")
    is_verified: Mapped[bool] = mapped_column(default=False, server_default=false())
    reviewed_at: Mapped[datetime] = mapped_column(UTCTime)
    edited_at: Mapped[datetime | None] = mapped_column(UTCTime)
    hidden_reason: Mapped[str] = mapped_column(String(500), default="", server_default="")
    deleted_at: Mapped[datetime | None] = mapped_column(UTCTime)


class ReviewReport(Base):
    """A learner finds that a review should not be shown."""

    __tablename__ = "review_reports"
    __table_args__ = MARIADB

    review_id: Mapped[int] = mapped_column(
        BigKey, ForeignKey("reviews.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    learner_id: Mapped[int] = mapped_column(
        BigKey, ForeignKey("learners.id", ondelete="CASCADE"), primary_key=True, autoincrement=False, index=True
    )
    reason: Mapped[str] = mapped_column(String(500), default="")
    reported_at: Mapped[datetime] = mapped_column(UTCTime)


class CatalogueVersion(Base):
    """The version of the catalogue is the sum of `number`; caches compare it. Every change of the catalogue increments
    the row EDITS in its transaction, and purchases that change what pages show of the stock the row STOCK, as their
    last statement: neither waits for the other."""

    EDITS: ClassVar[int] = 1
    STOCK: ClassVar[int] = 2

    __tablename__ = "catalogue_version"
    __table_args__ = MARIADB

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    number: Mapped[int] = mapped_column(default=0)
