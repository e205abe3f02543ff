"""Creates or updates a batch of courses or items, with the same few statements for one record and for five hundred."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, cast

from sqlalchemy import Boolean, ColumnElement, Table, bindparam, case, insert, or_, select, update
from sqlalchemy.orm import Session

from domain.catalogue.changes import bump_version
from domain.crawlers import page_changes
from domain.crawlers.page_changes import ProductChanged
from domain.errors import Refused
from domain.learning import closures
from domain.publishing import lessons, lowest_prices, prices, related_rows, slugs, snippet_store, study_sheets
from domain.publishing.categories import category_ids, known_category_ids
from domain.publishing.importing import Importer, record_changes
from domain.publishing.product_changes import COURSES, ITEMS, PRODUCTS, ProductChange, identity, row_of, stays_retired
from domain.publishing.records import CourseRecord, ItemRecord, Json, ProductRecord
from domain.search import index as search_index
from domain.tables import FormerSlug

# Instead of the id of a category that is not there yet.
NEW_CATEGORY = -1


@dataclass(frozen=True)
class WriteResult:
    """The result of a batch: ids in the order of its records, and how many were new, changed or unchanged."""

    ids: list[int]
    added: int
    changed: int
    unchanged: int
    # Position in the batch -> what the record lacks: it should be published and is a draft.
    kept_as_draft: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    # Position in the batch -> what the import could not change, in words.
    withheld: Mapping[int, tuple[str, ...]] = field(default_factory=dict)


def put_course(session: Session, record: CourseRecord, at: datetime) -> int:
    """Create or update the course and return its id; errors as for `put_courses`."""
    return put_courses(session, [record], at).ids[0]


def put_item(session: Session, record: ItemRecord, at: datetime) -> int:
    """Create or update the shop item and return its id; errors as for `put_items`."""
    return put_items(session, [record], at).ids[0]


def put_courses(
    session: Session, records: Sequence[CourseRecord], at: datetime, importer: Importer | None = None
) -> WriteResult:
    """Create or update courses, found by the source's id, else by slug. Each course may occur once in a batch.

    `importer`: of an import, which is limited and recorded (importing.py); None: whoever calls records the change.
    Raises NotFound for an unknown category, instructor or successor.
    """
    changes = _changes(session, COURSES, records, category_ids(session, _categories(records)), at, importer=importer)
    related_rows.compare_instructors(session, changes, records)
    result = _write(session, COURSES, changes, at, importer)
    related_rows.write_instructors(session, changes)
    has_reviews = related_rows.add_reviews(
        session, dict(zip(result.ids, (record.reviews for record in records), strict=True))
    )
    outlined = _write_outlines(session, changes, records, at)
    has_guides = study_sheets.put_guides(session, result.ids, at) > 0
    if has_reviews or outlined or has_guides:
        bump_version(session)
    _index(session, changes, outlined)
    return result


def put_items(
    session: Session, records: Sequence[ItemRecord], at: datetime, importer: Importer | None = None
) -> WriteResult:
    """Create or update shop items, found and limited as courses are (`put_courses`). Raises NotFound for an unknown
    category or successor, and Refused when a stock number (sku) belongs to another item."""
    changes = _changes(session, ITEMS, records, category_ids(session, _categories(records)), at, importer=importer)
    _refuse_foreign_skus(session, changes)
    result = _write(session, ITEMS, changes, at, importer)
    _index(session, changes, set())
    return result


def compare(
    session: Session, records: Sequence[ProductRecord], at: datetime, importer: Importer | None = None
) -> list[ProductChange]:
    """What putting the records would change, in their order; nothing is written. The records are of one kind, without
    outlines, and may name categories that are not there yet."""
    if not records:
        return []
    is_course = isinstance(records[0], CourseRecord)
    known = known_category_ids(session, _categories(records))
    changes = _changes(session, COURSES if is_course else ITEMS, records, known, at, importer=importer)
    if is_course:
        related_rows.compare_instructors(session, changes, cast("Sequence[CourseRecord]", records))
    return changes


def _write_outlines(
    session: Session, changes: list[ProductChange], records: Sequence[CourseRecord], at: datetime
) -> set[int]:
    """The courses whose outline changed. One that stays retired keeps what its owners were promised (0072)."""
    outlines = {
        change.id: record.outline
        for change, record in zip(changes, records, strict=True)
        if not stays_retired(change.stored, change.row)
    }
    changed = {
        course_id
        for course_id, outline in outlines.items()
        if outline is not None and lessons.write_outline(session, course_id, outline, at)
    }
    stored = [change.id for change in changes if change.stored is not None and not change.differs]
    late = changed.intersection(stored)
    session.execute(update(PRODUCTS).where(PRODUCTS.c.id.in_(late)).values(updated_at=at))
    page_changes.note_content(session, late, at)
    return changed


def _index(session: Session, changes: list[ProductChange], outlined: set[int]) -> None:
    """Index the changed products. Last, because the index also reads their related rows."""
    search_index.index_products(session, [change.id for change in changes if change.differs or change.id in outlined])


def _changes(  # noqa: PLR0913 records, what they name, and who puts them
    session: Session,
    details: Table,
    records: Sequence[ProductRecord],
    categories: Mapping[str, int],
    at: datetime,
    *,
    importer: Importer | None,
) -> list[ProductChange]:
    kind = "course" if details is COURSES else "item"
    stored = _stored(session, kind, details, records)
    new_slugs = _new_slugs(session, kind, [record for record in records if identity(record) not in stored])
    closed = closures.closed_ids(session, [row["id"] for row in stored.values()])
    changes = []
    limits = {} if importer is None else {"hold_back": importer.hold_back}
    for record in records:
        key = identity(record)
        place: Json = {"kind": kind, "category_id": categories.get(record.category, NEW_CATEGORY)}
        row, withheld = row_of(record, place, stored.get(key), new_slugs.get(key, ""), at, closed=closed, **limits)
        changes.append(ProductChange(record, stored.get(key), row, withheld))
    return changes


def _categories(records: Sequence[ProductRecord]) -> set[str]:
    return {record.category for record in records}


def _stored(
    session: Session, kind: str, details: Table, records: Sequence[ProductRecord]
) -> dict[tuple[str, str], Json]:
    keys = [identity(record) for record in records]
    wanted_slugs = [value for field, value in keys if field == "slug"]
    wanted_slugs += [record.slug for record in records if record.finds_by_slug]
    former = _former_owners(session, kind, wanted_slugs)
    detail_columns = [column for column in details.columns if column.name != "id"]
    query = (
        select(*PRODUCTS.columns, *detail_columns)
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
    rows: dict[tuple[str, str], Json] = {}
    for row in session.execute(query).mappings():
        rows["source_id", row["source_id"]] = rows["slug", row["slug"]] = dict(row)
    by_id = {row["id"]: row for row in rows.values()}
    rows |= {("slug", slug): by_id[owner] for slug, owner in former.items()}
    for record in records:
        is_unknown = record.finds_by_slug and identity(record) not in rows
        same = rows.get(("slug", record.slug)) if is_unknown else None
        if same is not None and same["source_id"] is None and same["id"] in by_id:
            # Once only: of two addresses that end alike, the second is another product.
            rows[identity(record)] = by_id.pop(same["id"])
    return rows


def _former_owners(session: Session, kind: str, wanted: Sequence[str]) -> dict[str, int]:
    """Former slug -> product id: the source may still use a slug from before a renaming."""
    query = select(FormerSlug.slug, FormerSlug.product_id)
    return dict(session.execute(query.where(FormerSlug.kind == kind, FormerSlug.slug.in_(wanted))).all())


def _new_slugs(session: Session, kind: str, records: list[ProductRecord]) -> dict[tuple[str, str], str]:
    """The slug of each new product: none that another product has or had.

    Records without a source's id choose first, because their slug is their identity.
    """
    tried = {slug for record in records for slug in slugs.candidates(record.slug, record.source_id)}
    query = select(PRODUCTS.c.slug).where(PRODUCTS.c.kind == kind, PRODUCTS.c.slug.in_(tried))
    taken = {*session.scalars(query), *_former_owners(session, kind, sorted(tried))} if tried else set()
    new_slugs = {}
    for record in sorted(records, key=lambda record: record.source_id is not None):
        slug = slugs.unique_slug(record.slug, record.source_id, taken)
        new_slugs[identity(record)] = slug
        taken.add(slug)
    return new_slugs


def _refuse_foreign_skus(session: Session, changes: list[ProductChange]) -> None:
    query = select(ITEMS.c.sku, ITEMS.c.id).where(ITEMS.c.sku.in_([change.row["sku"] for change in changes]))
    owners = dict(session.execute(query).all())
    for change in changes:
        sku = change.row["sku"]
        if sku in owners and (change.stored is None or change.stored["id"] != owners[sku]):
            raise Refused(f"The stock number {sku} belongs to another item.")


def _write(
    session: Session, details: Table, changes: list[ProductChange], at: datetime, importer: Importer | None
) -> WriteResult:
    new = [change for change in changes if change.stored is None]
    changed = [change for change in changes if change.stored is not None and change.differs]
    _insert(session, details, new, at)
    _update(session, details, changed, at)
    _record_prices(session, changed, at)
    if importer is not None:
        record_changes(session, changed)
    lowest_prices.store(session, [change.id for change in [*new, *changed] if _may_change_lowest(change)])
    has_new_links = related_rows.link_successors(session, changes)
    snippet_store.write(session, [*new, *changed])
    page_changes.note_products(session, [_of_page(change) for change in (*new, *changed)], at)
    if new or changed or has_new_links:
        bump_version(session)
        # The statements bypassed the session, whose objects are now out of date.
        session.expire_all()
    drafts = {place: reasons for place, change in enumerate(changes) if (reasons := change.draft_reasons)}
    withheld = {place: change.withheld for place, change in enumerate(changes) if change.withheld}
    unchanged = len(changes) - len(new) - len(changed)
    return WriteResult([change.id for change in changes], len(new), len(changed), unchanged, drafts, withheld)


def _insert(session: Session, details: Table, changes: list[ProductChange], at: datetime) -> None:
    if not changes:
        return
    for change in changes:
        change.row["updated_at"] = change.record.updated_at or at
    session.execute(insert(PRODUCTS), _rows(changes, PRODUCTS))
    # Ids are read back by slug because MySQL has no RETURNING.
    query = select(PRODUCTS.c.slug, PRODUCTS.c.id).where(
        PRODUCTS.c.kind == changes[0].row["kind"], PRODUCTS.c.slug.in_([change.row["slug"] for change in changes])
    )
    ids = dict(session.execute(query).all())
    for change in changes:
        change.row["id"] = ids[change.row["slug"]]
    session.execute(insert(details), _rows(changes, details))


def _update(session: Session, details: Table, changes: list[ProductChange], at: datetime) -> None:
    for change in changes:
        change.row["updated_at"] = at
    for table in (PRODUCTS, details) if changes else ():
        rows = [row | {"row_id": change.id} for row, change in zip(_rows(changes, table), changes, strict=True)]
        values: Json = {name: bindparam(name) for name in rows[0] if name != "row_id"}
        if table is PRODUCTS:
            values["version"] = PRODUCTS.c.version + 1
        if table is ITEMS:
            values["stock"] = _stock_by_now(rows, changes)
        session.connection().execute(update(table).where(table.c.id == bindparam("row_id")).values(values), rows)


def _of_page(change: ProductChange) -> ProductChanged:
    return ProductChanged(change.id, change.stored, change.row)


def _record_prices(session: Session, changes: list[ProductChange], at: datetime) -> None:
    """The lowest price of 30 days counts prices of imports too. Drafts have none that anybody was asked for."""
    written = [
        prices.WrittenPrice(change.id, change.stored, change.row)
        for change in changes
        if change.stored is not None
        and change.stored["status"] != "draft"
        and prices.PRICE_COLUMNS.intersection(change.changed_columns)
    ]
    prices.record_written(session, written, at)


def _may_change_lowest(change: ProductChange) -> bool:
    stored, columns = change.stored, prices.PRICE_COLUMNS | {"published_at"}
    if stored is None:
        return change.row["sale_price"] is not None
    has_sale = stored["sale_price"] is not None or change.row["sale_price"] is not None
    return has_sale and not columns.isdisjoint(change.changed_columns)


def _stock_by_now(rows: list[Json], changes: list[ProductChange]) -> ColumnElement[Any]:
    """A stock that a record does not change stays what it is by now: orders may have taken pieces since it was read."""
    for row, change in zip(rows, changes, strict=True):
        row["has_new_stock"] = row["stock"] != cast("Json", change.stored)["stock"]
    return case((bindparam("has_new_stock", type_=Boolean), bindparam("stock")), else_=ITEMS.c.stock)


def _rows(changes: list[ProductChange], table: Table) -> list[Json]:
    """The columns of one of the two tables; all changes of a batch have the same ones."""
    names = [column.name for column in table.columns if column.name in changes[0].row]
    return [{name: change.row[name] for name in names} for change in changes]
