"""The input of a writer: one frozen record per course or shop item, with the names of the tables' columns."""

from dataclasses import dataclass, field, fields
from datetime import datetime
from decimal import Decimal
from typing import Any

from domain.publishing.fulfilment import default_fulfilment, default_tax_class
from domain.tables import Base, Course, Product, ShopItem
from domain.text_direction import isolated

Json = dict[str, Any]


@dataclass(frozen=True)
class ReviewRecord:
    author: str
    rating: int
    at: datetime
    title: str = ""
    body: str = ""


@dataclass(frozen=True)
class LessonRecord:
    """`source_key`: the source's own id, empty where it has none. `body`: in the form of the kind; None leaves what is
    stored."""

    title: str
    minutes: int = 0
    source_key: str = ""
    kind: str = "text"
    is_required: bool = True
    is_preview: bool = False
    body: Json | None = None
    is_generated: bool = False


@dataclass(frozen=True)
class SectionRecord:
    title: str
    lessons: tuple[LessonRecord, ...]


@dataclass(frozen=True, kw_only=True)
class ProductRecord:
    """The fields of both kinds. `category` and `successor` are slugs; `popularity` follows from `enrolled`.

    `preserved_fields` names columns that the source does not contain: a stored row keeps its values in them. With
    `status` among them the status is a default: it may publish a draft, but never republish a retired product.
    `updated_at` counts for a new row only; afterwards it is the time of the change. `finds_by_slug`: the source has no
    ids, and `source_id` is made of its address or title; a stored product of this slug without an id is the same one.
    """

    slug: str
    name: str
    category: str
    list_price: Decimal
    source_id: str | None = None
    subtitle: str = ""
    description: str = ""
    sale_price: Decimal | None = None
    sale_from: datetime | None = None
    sale_until: datetime | None = None
    # Empty: the generated picture.
    image: str = ""
    image_width: int = 800
    image_height: int = 450
    image_alt: str = ""
    enrolled: int = 0
    featured: bool = False
    status: str = "published"
    published_at: datetime | None = None
    updated_at: datetime | None = None
    retired_at: datetime | None = None
    successor: str | None = None
    preserved_fields: frozenset[str] = frozenset()
    finds_by_slug: bool = False

    @property
    def picture_kind(self) -> str:
        """The first part of a generated picture's URL, /pictures/{kind}/…"""
        raise NotImplementedError

    def picture(self, slug: str, variant: int = 0) -> str:
        """The URL of a picture. Lists show variant 0."""
        return self.image or f"/pictures/{self.picture_kind}/{self.category}/{slug}/{variant}.svg"

    def with_derived_fields(self, slug: str) -> Json:
        """Columns derived from the others."""
        alt = self.image_alt or f"Illustration for {isolated(self.name)}"
        return {"popularity": self.enrolled, "image": self.picture(slug), "image_alt": alt}


@dataclass(frozen=True, kw_only=True)
class CourseRecord(ProductRecord):
    """`duration_min` is counted from the outline when it is None, and lessons always are: a source that promises others
    is not believed. `instructors`: slugs in their
    order. None as `instructors` or `outline` leaves the stored ones. Reviews are added, never removed."""

    level: str | None = None
    language: str | None = None
    duration_min: int | None = None
    is_generated: bool = False
    outcomes: list[str] = field(default_factory=list)
    prerequisites: list[str] = field(default_factory=list)
    audience: list[str] = field(default_factory=list)
    outline: tuple[SectionRecord, ...] | None = None
    faq: list[Json] = field(default_factory=list)
    provider: str = ""
    credits: float | None = None
    instructors: tuple[str, ...] | None = None
    reviews: tuple[ReviewRecord, ...] = ()

    @property
    def picture_kind(self) -> str:
        return "course"

    def with_derived_fields(self, slug: str) -> Json:
        lessons = [lesson for section in self.outline or () for lesson in section.lessons]
        minutes = sum(lesson.minutes for lesson in lessons)
        counted: Json = {}
        if lessons and self.duration_min is None:
            counted["duration_min"] = minutes
        if self.outline is not None:
            counted["lesson_count"] = len(lessons) or None
        return super().with_derived_fields(slug) | counted


@dataclass(frozen=True, kw_only=True)
class ItemRecord(ProductRecord):
    """`item_kind`: book | voucher | bundle | physical. `stock` None is unlimited; `picture_count`: generated views.
    `fulfilment` and `tax_class` None: by kind and stock (fulfilment.py)."""

    sku: str
    item_kind: str = "physical"
    stock: int | None = None
    delivery: str = ""
    fulfilment: str | None = None
    weight_g: int = 0
    tax_class: str | None = None
    picture_count: int = 1

    @property
    def picture_kind(self) -> str:
        return self.item_kind

    def with_derived_fields(self, slug: str) -> Json:
        columns = super().with_derived_fields(slug)
        count = 1 if self.image else self.picture_count
        columns["images"] = [
            {
                "src": self.picture(slug, variant),
                "width": self.image_width,
                "height": self.image_height,
                "alt": columns["image_alt"] if variant == 0 else f"{columns['image_alt']}, view {variant + 1}",
            }
            for variant in range(count)
        ]
        fulfilment = self.fulfilment or default_fulfilment(self.item_kind, self.stock)
        columns["fulfilment"] = fulfilment
        columns["tax_class"] = self.tax_class or default_tax_class(self.item_kind, fulfilment)
        return columns


def _plain(kind: type[ProductRecord], details: type[Base]) -> tuple[str, ...]:
    columns = {*Product.__table__.columns.keys(), *details.__table__.columns.keys()} - {"slug", "updated_at"}
    return tuple(own.name for own in fields(kind) if own.name in columns)


# Fields copied into a column of the same name; the slug and the time of the change are decided while writing.
PLAIN_COLUMNS: dict[type[ProductRecord], tuple[str, ...]] = {
    CourseRecord: _plain(CourseRecord, Course),
    ItemRecord: _plain(ItemRecord, ShopItem),
}
