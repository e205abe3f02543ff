"""Puts a batch of courses or items with few statements, whether it is one record or five hundred."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import Table, bindparam, insert, or_, select, update
from sqlalchemy.orm import Session

from domain import search
from domain.errors import Refused
from domain.publishing import belongings, slugs, texts
from domain.publishing.lines import COURSES, ITEMS, PRODUCTS, Line, identity, row_of
from domain.publishing.records import CourseRecord, ItemRecord, Json, ProductRecord
from domain.publishing.shelves import category_ids, moved
from domain.tables import FormerSlug


@dataclass(frozen=True)
class Written:
    """What a batch did: ids in the order of its records, and how many were new, changed or as they were before."""

    ids: list[int]
    added: int
    changed: int
    same: int
    # Place in the batch -> what it lacks: these should be published and are drafts.
    held_back: Mapping[int, tuple[str, ...]] = field(default_factory=dict)


def put_course(session: Session, record: CourseRecord, at: datetime) -> int:
    """The id of the course, made or brought up to date; raises what put_courses raises."""
    return put_courses(session, [record], at).ids[0]


def put_item(session: Session, record: ItemRecord, at: datetime) -> int:
    """The id of the shop item, made or brought up to date; raises what put_items raises."""
    return put_items(session, [record], at).ids[0]


def put_courses(session: Session, records: Sequence[CourseRecord], at: datetime) -> Written:
    """Courses are found by the source's id, else by slug; no two records of a batch may be the same course.

    Raises NotFound for an unknown category, instructor or successor.
    """
    lines = _lines(session, "course", COURSES, records, at)
    belongings.compare_instructors(session, lines, records)
    written = _write(session, COURSES, lines, at)
    belongings.write_instructors(session, lines)
    if belongings.add_reviews(session, dict(zip(written.ids, (record.reviews for record in records), strict=True))):
        moved(session)
    _index(session, lines)
    return written


def put_items(session: Session, records: Sequence[ItemRecord], at: datetime) -> Written:
    """The same for shop items. Raises also Refused when a stock number (sku) belongs to another item."""
    lines = _lines(session, "item", ITEMS, records, at)
    _refuse_foreign_skus(session, lines)
    written = _write(session, ITEMS, lines, at)
    _index(session, lines)
    return written


def _index(session: Session, lines: list[Line]) -> None:
    """Last, when all that hangs on the products is written; what did not change is in the index as it is."""
    search.index_products(session, [line.id for line in lines if line.differs])


def _lines(session: Session, kind: str, details: Table, records: Sequence[ProductRecord], at: datetime) -> list[Line]:
    shelves = category_ids(session, {record.category for record in records})
    stored = _stored(session, kind, details, records)
    addresses = _addresses(session, kind, [record for record in records if identity(record) not in stored])
    lines = []
    for record in records:
        key = identity(record)
        place: Json = {"kind": kind, "category_id": shelves[record.category]}
        row = row_of(record, place, stored.get(key), addresses.get(key, ""), at)
        lines.append(Line(record, stored.get(key), row))
    return lines


def _stored(
    session: Session, kind: str, details: Table, records: Sequence[ProductRecord]
) -> dict[tuple[str, str], Json]:
    keys = [identity(record) for record in records]
    wanted_slugs = [value for field, value in keys if field == "slug"]
    former = _former(session, kind, wanted_slugs)
    long_part = [column for column in details.columns if column.name != "id"]
    query = (
        select(*PRODUCTS.columns, *long_part)
        .join_from(PRODUCTS, details, PRODUCTS.c.id == details.c.id)
        .where(PRODUCTS.c.kind == kind)
        .where(
            or_(
                PRODUCTS.c.source_id.in_([value for field, value in keys if field == "source_id"]),
                PRODUCTS.c.slug.in_(wanted_slugs),
                PRODUCTS.c.id.in_(former.values()),
            )
        )
    )
    found: dict[tuple[str, str], Json] = {}
    for row in session.execute(query).mappings():
        found["source_id", row["source_id"]] = found["slug", row["slug"]] = dict(row)
    by_id = {row["id"]: row for row in found.values()}
    return found | {("slug", slug): by_id[owner] for slug, owner in former.items()}


def _former(session: Session, kind: str, wanted: Sequence[str]) -> dict[str, int]:
    """Slugs that products once had, before somebody renamed them: their source still calls them so."""
    query = select(FormerSlug.slug, FormerSlug.product_id)
    return dict(session.execute(query.where(FormerSlug.kind == kind, FormerSlug.slug.in_(wanted))).all())


def _addresses(session: Session, kind: str, fresh: list[ProductRecord]) -> dict[tuple[str, str], str]:
    """The slug of each new product, never one that leads to another already.

    Those without a source's id come first: nothing but their slug names them.
    """
    tried = {slug for record in fresh for slug in slugs.candidates(record.slug, record.source_id)}
    query = select(PRODUCTS.c.slug).where(PRODUCTS.c.kind == kind, PRODUCTS.c.slug.in_(tried))
    taken = {*session.scalars(query), *_former(session, kind, sorted(tried))} if tried else set()
    addresses = {}
    for record in sorted(fresh, key=lambda record: record.source_id is not None):
        slug = slugs.free(record.slug, record.source_id, taken)
        addresses[identity(record)] = slug
        taken.add(slug)
    return addresses


def _refuse_foreign_skus(session: Session, lines: list[Line]) -> None:
    query = select(ITEMS.c.sku, ITEMS.c.id).where(ITEMS.c.sku.in_([line.row["sku"] for line in lines]))
    owners = dict(session.execute(query).all())
    for line in lines:
        sku = line.row["sku"]
        if sku in owners and (line.stored is None or line.stored["id"] != owners[sku]):
            raise Refused(f"The stock number {sku} belongs to another item.")


def _write(session: Session, details: Table, lines: list[Line], at: datetime) -> Written:
    new = [line for line in lines if line.stored is None]
    changed = [line for line in lines if line.stored is not None and line.differs]
    _insert(session, details, new, at)
    _update(session, details, changed, at)
    has_followed = belongings.link_successors(session, lines)
    texts.write(session, [*new, *changed])
    if new or changed or has_followed:
        moved(session)
        # Written past the session's own objects: those it holds are out of date now.
        session.expire_all()
    held_back = {place: reasons for place, line in enumerate(lines) if (reasons := line.held_back)}
    same = len(lines) - len(new) - len(changed)
    return Written([line.id for line in lines], len(new), len(changed), same, held_back)


def _insert(session: Session, details: Table, lines: list[Line], at: datetime) -> None:
    if not lines:
        return
    for line in lines:
        line.row["updated_at"] = line.record.updated_at or at
    session.execute(insert(PRODUCTS), _rows(lines, PRODUCTS))
    # Asked back by slug: MySQL has no RETURNING, and a second way for it would be one more to test.
    query = select(PRODUCTS.c.slug, PRODUCTS.c.id).where(
        PRODUCTS.c.kind == lines[0].row["kind"], PRODUCTS.c.slug.in_([line.row["slug"] for line in lines])
    )
    ids = dict(session.execute(query).all())
    for line in lines:
        line.row["id"] = ids[line.row["slug"]]
    session.execute(insert(details), _rows(lines, details))


def _update(session: Session, details: Table, lines: list[Line], at: datetime) -> None:
    for line in lines:
        line.row["updated_at"] = at
    for table in (PRODUCTS, details) if lines else ():
        rows = [row | {"row_id": line.id} for row, line in zip(_rows(lines, table), lines, strict=True)]
        values: Json = {name: bindparam(name) for name in rows[0] if name != "row_id"}
        session.connection().execute(update(table).where(table.c.id == bindparam("row_id")).values(values), rows)


def _rows(lines: list[Line], table: Table) -> list[Json]:
    """The columns of one of the two tables; all lines of a batch carry the same ones."""
    names = [column.name for column in table.columns if column.name in lines[0].row]
    return [{name: line.row[name] for name in names} for line in lines]
