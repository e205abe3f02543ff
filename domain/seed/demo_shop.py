"""The demo shop "Meridian Learning": its catalogue, from the files in this folder, and some months of visits.

    with database.write_session() as session: demo_shop.load(session, at, currency)

Loading adds what is missing and changes nothing else: a changed price or a retired course survives the next start of
the site. The category of a course is the name of its file.
"""

import json
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from domain.money import Currency
from domain.publishing.categories import put_category, put_instructor
from domain.publishing.records import CourseRecord, ItemRecord, LessonRecord, ReviewRecord, SectionRecord
from domain.publishing.writer import put_courses, put_items
from domain.seed import (
    agents,
    crawls,
    item_files,
    looked_for,
    organisations,
    people_and_coupons,
    search_queries,
    seats,
    served,
    tax_and_delivery,
    visits,
    written_pages,
)
from domain.seed.lessons import bodies, lesson_files
from domain.seed.orders import load as seed_orders_load
from domain.seed.prices import price
from domain.seed.progress import load as seed_progress_load
from domain.tables import Category, Instructor, Lesson, Product

FOLDER = Path(__file__).parent
PROVIDER = "Meridian Learning"
SALE_DAYS = 30

Row = dict[str, Any]


def load(session: Session, at: datetime, currency: Currency) -> None:
    """Load the demo shop, with all dates relative to `at`. A second load, at any later time, changes nothing."""
    load_catalogue(session, at, currency)
    item_files.add(session, at)
    lesson_files.add(session, at)
    people_and_coupons.add(session, at, currency)
    organisations.add(session, at)
    tax_and_delivery.add(session, currency)
    seed_orders_load.add(session, at, currency)
    seed_progress_load.add(session, at)
    seats.add(session, at, currency)
    written_pages.add(session, at)
    visits.add_visits(session, at)
    crawls.add_crawls(session, at, currency)
    agents.add_agents(session, at)
    search_queries.add_queries(session, at)
    looked_for.add(session, at)
    # After all visits.
    served.add_served(session, at)


def load_catalogue(session: Session, at: datetime, currency: Currency) -> None:
    """Load categories, instructors, courses and items, as `load` does.

    Prices in the files are in dollars; in a currency without decimals they are a hundred times as high.
    """
    for position, row in enumerate(_read("categories.json"), start=1):
        if session.scalar(select(Category.id).where(Category.slug == row["slug"])) is None:
            put_category(session, row["slug"], row["name"], row["description"], position)
    for row in _read("instructors.json"):
        if session.scalar(select(Instructor.id).where(Instructor.slug == row["slug"])) is None:
            put_instructor(session, row["slug"], row["name"], row["title"], row["bio"])
    courses = [
        row | {"category": path.stem}
        for path in sorted((FOLDER / "courses").glob("*.json"))
        for row in _read(f"courses/{path.name}")
    ]
    courses = [_priced(row, currency) for row in _missing(session, "course", courses)]
    put_courses(session, [_course(row, at) for row in courses], at)
    _date_lessons(session, [row["slug"] for row in courses])
    items = [_priced(row, currency) for row in _missing(session, "item", _read("items.json"))]
    put_items(session, [_item(row, at) for row in items], at)


def _read(name: str) -> list[Row]:
    rows: list[Row] = json.loads((FOLDER / name).read_text("utf-8"))
    return rows


def _missing(session: Session, kind: str, rows: list[Row]) -> list[Row]:
    query = select(Product.slug).where(Product.kind == kind, Product.slug.in_([row["slug"] for row in rows]))
    present = set(session.scalars(query))
    return [row for row in rows if row["slug"] not in present]


def _priced(row: Row, currency: Currency) -> Row:
    prices = {name: row[name] for name in ("list_price", "sale_price")}
    return {**row, **{name: None if text is None else price(text, currency) for name, text in prices.items()}}


def _course(row: Row, at: datetime) -> CourseRecord:
    return CourseRecord(
        **_shared_fields(row, at),
        outcomes=row["outcomes"],
        prerequisites=row["prerequisites"],
        audience=row["audience"],
        level=row["level"],
        language=row["language"],
        instructors=tuple(row["instructors"]),
        outline=tuple(_section(row["slug"], section) for section in row["sections"]),
        credits=row["credits"],
        featured=row["featured"],
        enrolled=row["enrolled"],
        successor=row["successor"],
        faq=row["faq"],
        reviews=tuple(_review(review, at) for review in row["reviews"]),
        provider=PROVIDER,
    )


def _section(course: str, row: Row) -> SectionRecord:
    return SectionRecord(row["title"], tuple(_lesson(course, lesson) for lesson in row["lessons"]))


def _lesson(course: str, row: Row) -> LessonRecord:
    """`preview`: true, or a text where the lesson has no other."""
    preview = row.get("preview")
    sample = {"text": preview} if isinstance(preview, str) else None
    kind, body = bodies.body_of(course, row["title"]) or ("text", sample)
    return LessonRecord(row["title"], row["minutes"], kind=kind, is_preview=bool(preview), body=body)


def _date_lessons(session: Session, slugs: list[str]) -> None:
    """Lessons are as old as their course, else learners would read that all of them are new."""
    published = select(Product.published_at).where(Product.id == Lesson.course_id).scalar_subquery()
    ids = list(session.scalars(select(Product.id).where(Product.kind == "course", Product.slug.in_(slugs))))
    session.execute(update(Lesson).where(Lesson.course_id.in_(ids)).values(updated_at=published, added_at=published))


def _review(row: Row, at: datetime) -> ReviewRecord:
    return ReviewRecord(
        author=row["author"],
        rating=row["rating"],
        title=row["title"],
        body=row["body"],
        at=at - timedelta(days=row["days_ago"]),
    )


def _item(row: Row, at: datetime) -> ItemRecord:
    return ItemRecord(
        **_shared_fields(row, at),
        item_kind=row["kind"],
        sku=row["sku"],
        stock=row["stock"],
        delivery=row["delivery"],
        picture_count=row["picture_count"],
        weight_g=row.get("weight_g", 0),
    )


def _shared_fields(row: Row, at: datetime) -> Row:
    updated_at = at - timedelta(days=row["updated_days_ago"])
    fields = {name: row[name] for name in ("slug", "name", "subtitle", "description", "category", "status")}
    return fields | {
        "list_price": Decimal(row["list_price"]),
        "sale_price": None if row["sale_price"] is None else Decimal(row["sale_price"]),
        "sale_until": _sale_end(row, at),
        "published_at": at - timedelta(days=row["published_days_ago"]),
        "updated_at": updated_at,
        "retired_at": updated_at if row["status"] == "retired" else None,
    }


def _sale_end(row: Row, at: datetime) -> datetime | None:
    """About half of the sales end, at midnight. The slug decides which, so that every load gives the same result."""
    if row["sale_price"] is None or sum(row["slug"].encode()) % 2:
        return None
    return (at + timedelta(days=SALE_DAYS)).replace(hour=0, minute=0, second=0, microsecond=0)
