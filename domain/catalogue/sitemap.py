"""The data of sitemaps: products in buckets of their ids, and when the content or the price of each changed.

A bucket is a range of ids, so that a new course changes one file only. `summary` counts the products of every bucket
and finds their last change, PIECE ids at a time: `read_piece` and `summarise` are its steps, for whoever must not hold
one read as long as a large catalogue takes. `entries` reads one bucket.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, and_, bindparam, case, func, or_, select
from sqlalchemy.orm import Session

from domain.catalogue.listing import IS_LISTED, version
from domain.catalogue.retirement import is_listed, last_activity_column
from domain.catalogue.retirement_rules import QUIET_PERIOD
from domain.tables import Category, Product, RetiredPageVisit, ShopItem

# Ids in one file: far below the 50,000 URLs and 50 MB that a sitemap may have, and quickly regenerated.
BUCKET = 5_000
# Ids of one read, some 0.2 s; a multiple of BUCKET is not needed.
PIECE = 100_000


@dataclass(frozen=True)
class SitemapFile:
    """Products `number * BUCKET` to `(number + 1) * BUCKET - 1` of a kind: how many are listed, and the last change."""

    kind: str
    number: int
    count: int
    changed: datetime


@dataclass(frozen=True)
class Summary:
    """The catalogue at a time. `until`: when the next sale begins or ends, or the next retired course is dropped."""

    version: int
    buckets: tuple[SitemapFile, ...]
    # Category slug -> last change of what it lists.
    categories: dict[str, datetime] = field(default_factory=dict)
    until: datetime | None = None

    @property
    def changed(self) -> datetime | None:
        return max((bucket.changed for bucket in self.buckets), default=None)


@dataclass(frozen=True)
class SitemapEntry:
    """One URL of a sitemap; `pictures` are URLs on this site or elsewhere."""

    id: int
    kind: str
    slug: str
    changed: datetime
    pictures: tuple[str, ...]


@dataclass(frozen=True)
class SitemapPart:
    """Some products of a bucket. `next`: when a sale begins or ends, or a course is dropped."""

    kind: str
    number: int
    category_id: int | None
    count: int
    changed: datetime
    next: datetime | None


@dataclass(frozen=True)
class SummaryPiece:
    """Some products, of a catalogue of that `version`. `next_id`: where the next piece begins, None after the last."""

    parts: tuple[SitemapPart, ...]
    next_id: int | None
    version: int
    slugs: Mapping[int, str]


# The first id from one on, and the last of all.
_ENDS = (
    select(func.coalesce(func.min(Product.id), 0)).where(Product.id >= bindparam("first")).scalar_subquery(),
    select(func.coalesce(func.max(Product.id), 0)).scalar_subquery(),
)


def summary(session: Session, at: datetime) -> Summary:
    pieces = [read_piece(session, at)]
    while (next_id := pieces[-1].next_id) is not None:
        pieces.append(read_piece(session, at, next_id))
    return summarise(pieces)


def read_piece(session: Session, at: datetime, first: int = 0) -> SummaryPiece:
    """The published products of PIECE ids, those from `first` on; with the first piece every retired one."""
    number, slugs = version(session), dict(session.execute(select(Category.id, Category.slug)).all())
    start, last = session.execute(select(*_ENDS), {"first": first}).one()
    parts = (*_published(session, at, start, start + PIECE), *(_retired(session, at) if first == 0 else ()))
    return SummaryPiece(parts, start + PIECE if start + PIECE <= last else None, number, slugs)


def summarise(pieces: Sequence[SummaryPiece]) -> Summary:
    """`pieces`: of the whole catalogue. One that changed meanwhile has the version from before."""
    slugs = {id_: slug for piece in pieces for id_, slug in piece.slugs.items()}
    counts: dict[tuple[str, int], int] = {}
    changes: dict[tuple[str, int], datetime] = {}
    categories: dict[str, datetime] = {}
    parts = [part for piece in pieces for part in piece.parts]
    for part in parts:
        place = (part.kind, part.number)
        counts[place] = counts.get(place, 0) + part.count
        changes[place] = max(part.changed, changes.get(place, part.changed))
        if part.category_id is not None:
            slug = slugs[part.category_id]
            categories[slug] = max(part.changed, categories.get(slug, part.changed))
    buckets = tuple(SitemapFile(*place, counts[place], changes[place]) for place in sorted(counts))
    until = min((part.next for part in parts if part.next), default=None)
    return Summary(min(piece.version for piece in pieces), buckets, categories, until)


def _change_times(at: datetime) -> tuple[ColumnElement[datetime], ColumnElement[datetime]]:
    """The last time a sale began or ended up to `at`, as two columns that are NULL where none did."""
    began = case((and_(Product.sale_price.is_not(None), Product.sale_from <= at), Product.sale_from))
    ended = case((and_(Product.sale_price.is_not(None), Product.sale_until <= at), Product.sale_until))
    return began, ended


def _published(session: Session, at: datetime, first: int, end: int) -> Iterator[SitemapPart]:
    began, ended = _change_times(at)
    number = Product.id // BUCKET
    columns = (
        Product.kind,
        number.label("number"),
        Product.category_id,
        func.count().label("listed"),
        func.max(Product.updated_at).label("updated"),
        func.max(began).label("began"),
        func.max(ended).label("ended"),
        func.min(case((Product.sale_from > at, Product.sale_from))).label("begins"),
        func.min(case((Product.sale_until > at, Product.sale_until))).label("ends"),
    )
    rows = select(*columns).where(IS_LISTED, Product.id >= first, Product.id < end)
    for row in session.execute(rows.group_by(Product.kind, number, Product.category_id)):
        changed = _latest(row.updated, row.began, row.ended)
        coming = min((time for time in (row.begins, row.ends) if time), default=None)
        yield SitemapPart(row.kind, int(row.number), row.category_id, row.listed, changed, coming)


def _retired(session: Session, at: datetime) -> Iterator[SitemapPart]:
    """Retired courses stay while people visit them, or as staff decided; dropping one is a change of its bucket."""
    number, active_at, is_landing = Product.id // BUCKET, last_activity_column(), is_listed(at)
    is_by_rule = and_(Product.kind == "course", Product.retirement_choice == "auto")
    columns = (
        Product.kind,
        number.label("number"),
        func.sum(case((is_landing, 1), else_=0)).label("listed"),
        func.max(Product.updated_at).label("updated"),
        func.max(case((and_(is_by_rule, active_at <= at - QUIET_PERIOD), active_at))).label("dropped"),
        func.min(case((and_(is_by_rule, is_landing), active_at))).label("oldest"),
    )
    grouped = select(*columns).outerjoin(RetiredPageVisit, RetiredPageVisit.product_id == Product.id)
    for row in session.execute(grouped.where(Product.status == "retired").group_by(Product.kind, number)):
        changed = _latest(row.updated, row.dropped and row.dropped + QUIET_PERIOD)
        coming = row.oldest and row.oldest + QUIET_PERIOD
        yield SitemapPart(row.kind, int(row.number), None, int(row.listed), changed, coming)


def _latest(*times: datetime | None) -> datetime:
    return max(time for time in times if time)


def entries(
    session: Session, bucket: SitemapFile, at: datetime, after: int = -1, limit: int = 2_000
) -> list[SitemapEntry]:
    """The listed products of a bucket with an id above `after`, in the order of their ids."""
    first, end = max(bucket.number * BUCKET, after + 1), (bucket.number + 1) * BUCKET
    began, ended = _change_times(at)
    is_landing = and_(Product.status == "retired", is_listed(at))
    rows = session.execute(
        select(
            Product.id,
            Product.slug,
            Product.image,
            Product.updated_at,
            began.label("began"),
            ended.label("ended"),
            ShopItem.images,
        )
        .outerjoin(RetiredPageVisit, RetiredPageVisit.product_id == Product.id)
        .outerjoin(ShopItem, ShopItem.id == Product.id)
        .where(Product.kind == bucket.kind, Product.id >= first, Product.id < end)
        .where(or_(Product.status == "published", is_landing))
        .order_by(Product.id)
        .limit(limit)
    )
    return [_entry(row, bucket.kind) for row in rows]


def changed_since(session: Session, since: datetime, at: datetime) -> list[SitemapEntry]:
    """Listed products whose content or price changed since then, a sale that began or ended included."""
    changed: list[SitemapEntry] = []
    for bucket in summary(session, at).buckets:
        after = -1
        while bucket.changed >= since and (batch := entries(session, bucket, at, after)):
            changed += [entry for entry in batch if entry.changed >= since]
            after = batch[-1].id
    return changed


def _entry(row: Any, kind: str) -> SitemapEntry:
    pictures = tuple(image["src"] for image in row.images or ()) or ((row.image,) if row.image else ())
    return SitemapEntry(row.id, kind, row.slug, _latest(row.updated_at, row.began, row.ended), pictures)
