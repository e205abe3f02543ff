"""What a writer hands over: one frozen record per course or shop item, with the names of the tables' columns."""

from dataclasses import dataclass, field, fields
from datetime import datetime
from decimal import Decimal
from typing import Any

from domain.tables import Base, Course, Product, ShopItem

Json = dict[str, Any]


@dataclass(frozen=True)
class ReviewRecord:
    author: str
    rating: int
    at: datetime
    title: str = ""
    body: str = ""


@dataclass(frozen=True, kw_only=True)
class ProductRecord:
    """What both kinds have. `category` and `successor` are slugs; `popularity` follows from `enrolled`.

    `keep` names columns the writer's source says nothing about: a row that is there keeps its own values in them.
    `status` among them means the status is only a guess: it may publish a draft, never bring back what was retired.
    `updated_at` counts for a new row only; afterwards it is the time of the change.
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
    # Empty: the drawn picture.
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
    keep: frozenset[str] = frozenset()

    @property
    def picture_kind(self) -> str:
        """The first part of a drawn picture's address, /pictures/{kind}/…"""
        raise NotImplementedError

    def picture(self, slug: str, variant: int = 0) -> str:
        """Where the host draws it: variant 0 is the one in lists."""
        return self.image or f"/pictures/{self.picture_kind}/{self.category}/{slug}/{variant}.svg"

    def derived(self, slug: str) -> Json:
        """Columns that follow from the others."""
        alt = self.image_alt or f"Illustration for {self.name}"
        return {"popularity": self.enrolled, "image": self.picture(slug), "image_alt": alt}


@dataclass(frozen=True, kw_only=True)
class CourseRecord(ProductRecord):
    """`duration_min` and `lesson_count` are counted from the sections when they are not given.
    `instructors` are slugs in their order; None leaves those of a row that is there. Reviews are only ever added."""

    level: str | None = None
    language: str | None = None
    duration_min: int | None = None
    lesson_count: int | None = None
    is_generated: bool = False
    outcomes: list[str] = field(default_factory=list)
    prerequisites: list[str] = field(default_factory=list)
    audience: list[str] = field(default_factory=list)
    sections: list[Json] = field(default_factory=list)
    faq: list[Json] = field(default_factory=list)
    provider: str = ""
    credits: float | None = None
    instructors: tuple[str, ...] | None = None
    reviews: tuple[ReviewRecord, ...] = ()

    @property
    def picture_kind(self) -> str:
        return "course"

    def derived(self, slug: str) -> Json:
        lessons = [lesson for section in self.sections for lesson in section["lessons"]]
        minutes = sum(lesson["minutes"] for lesson in lessons)
        counted: Json = {}
        if lessons and self.duration_min is None:
            counted["duration_min"] = minutes
        if lessons and self.lesson_count is None:
            counted["lesson_count"] = len(lessons)
        return super().derived(slug) | counted


@dataclass(frozen=True, kw_only=True)
class ItemRecord(ProductRecord):
    """`item_kind`: book | voucher | bundle | physical. `stock` None is unlimited; `picture_count` views are drawn."""

    sku: str
    item_kind: str = "physical"
    stock: int | None = None
    delivery: str = ""
    picture_count: int = 1

    @property
    def picture_kind(self) -> str:
        return self.item_kind

    def derived(self, slug: str) -> Json:
        columns = super().derived(slug)
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
        return columns


def _plain(kind: type[ProductRecord], details: type[Base]) -> tuple[str, ...]:
    columns = {*Product.__table__.columns.keys(), *details.__table__.columns.keys()} - {"slug", "updated_at"}
    return tuple(known.name for known in fields(kind) if known.name in columns)


# Fields that go as they are into a column of the same name; slug and times of change are decided while writing.
PLAIN_COLUMNS: dict[type[ProductRecord], tuple[str, ...]] = {
    CourseRecord: _plain(CourseRecord, Course),
    ItemRecord: _plain(ItemRecord, ShopItem),
}
