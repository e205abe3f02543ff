"""A catalogue of many courses and items, each with texts of its own: 20 lessons and 10 reviews a course."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote

from sqlalchemy import select
from sqlalchemy.orm import Session

from bench.measured_database import database_of, database_settings
from domain.catalogue import changes
from domain.database.database import Database
from domain.migrations import runner
from domain.publishing import categories as publishing_categories
from domain.publishing import writer as publishing_writer
from domain.publishing.records import CourseRecord, ItemRecord, LessonRecord, ReviewRecord, SectionRecord
from domain.tables import Product
from host.loaders.search import PATH as SEARCH_PATH
from host.urls import COURSE_PATH, ITEM_PATH

SECTIONS, LESSONS_EACH, REVIEWS = 5, 4, 10
CATEGORIES, TEACHERS = 8, 40
SEARCHES = 400
AT = datetime(2026, 3, 1, 12, tzinfo=UTC)
WORDS = [
    "balance",
    "budget",
    "cash",
    "clear",
    "close",
    "compare",
    "cost",
    "draft",
    "entry",
    "evidence",
    "figure",
    "forecast",
    "invoice",
    "ledger",
    "margin",
    "measure",
    "month",
    "owner",
    "payment",
    "plan",
    "proof",
    "question",
    "rate",
    "reason",
    "report",
    "result",
    "review",
    "risk",
    "sample",
    "season",
    "share",
    "source",
    "stock",
    "summary",
    "table",
    "team",
    "total",
    "value",
    "week",
    "year",
]


@dataclass(frozen=True)
class WalkedShop:
    """A catalogue before its site starts. `settings`: of the database, for the site."""

    folder: Path
    settings: dict[str, str]
    db: Database

    def course_addresses(self) -> list[str]:
        return [COURSE_PATH + quote(slug) for _id, slug in self._products("course")]

    def item_addresses(self) -> list[str]:
        return [f"{ITEM_PATH}{id_}" for id_, _slug in self._products("item")]

    def search_addresses(self) -> list[str]:
        """A search for each two of the words of which the texts are made."""
        chance = random.Random(SEARCHES)
        pairs = [(first, second) for first in WORDS for second in WORDS if first < second]
        return [f"{SEARCH_PATH}?q={first}+{second}" for first, second in chance.sample(pairs, SEARCHES)]

    def change_catalogue(self) -> None:
        """What every change does: nothing that is cached of the catalogue is valid any more."""
        with self.db.write_session() as session:
            changes.bump_version(session)

    def _products(self, kind: str) -> list[tuple[int, str]]:
        with self.db.read_session() as session:
            rows = session.execute(select(Product.id, Product.slug).where(Product.kind == kind).order_by(Product.id))
            return [(id_, slug) for id_, slug in rows]


@contextmanager
def walked_shop(size: int) -> Iterator[WalkedShop]:
    """With so many courses, and as many items."""
    with (
        TemporaryDirectory(prefix="cf-bench-") as name,
        database_settings() as settings,
        database_of(settings, Path(name)) as db,
    ):
        runner.upgrade(db.engine)
        with db.write_session() as session:
            _write(session, random.Random(size), size)
        yield WalkedShop(Path(name), settings, db)


def _write(session: Session, chance: random.Random, size: int) -> None:
    for number in range(CATEGORIES):
        publishing_categories.put_category(session, f"subject-{number}", f"Subject {number}", _words(chance, 12))
    for number in range(TEACHERS):
        bio = _words(chance, 25)
        publishing_categories.put_instructor(session, f"teacher-{number}", f"Teacher {number}", "Controller", bio)
    publishing_writer.put_courses(session, [_course(number, chance) for number in range(size)], AT)
    publishing_writer.put_items(session, [_item(number, chance) for number in range(size)], AT)


def _words(chance: random.Random, count: int) -> str:
    return " ".join(chance.choices(WORDS, k=count)).capitalize() + "."


def _texts(chance: random.Random, count: int, words: int) -> list[str]:
    return [_words(chance, words) for _ in range(count)]


def _shared_fields(name: str, number: int, chance: random.Random) -> dict[str, Any]:
    return {
        "slug": f"{name}-{number}",
        "name": f"{_words(chance, 3)[:-1]}, {name} {number}",
        "subtitle": _words(chance, 10),
        "description": "\n\n".join(("## What it is", *_texts(chance, 4, 35))),
        "category": f"subject-{number % CATEGORIES}",
        "list_price": Decimal(10 + number % 90),
        "sale_price": Decimal(9) if number % 3 == 0 else None,
        "published_at": AT - timedelta(days=number % 700),
    }


def _course(number: int, chance: random.Random) -> CourseRecord:
    return CourseRecord(
        **_shared_fields("course", number, chance),
        level="beginner",
        language="en",
        outcomes=_texts(chance, 6, 8),
        prerequisites=_texts(chance, 2, 6),
        audience=_texts(chance, 3, 6),
        outline=tuple(_section(place, chance) for place in range(SECTIONS)),
        faq=[{"question": _words(chance, 6), "answer": _words(chance, 20)} for _ in range(3)],
        instructors=(f"teacher-{number % TEACHERS}",),
        enrolled=number,
        reviews=tuple(_review(place, chance) for place in range(REVIEWS)),
    )


def _section(place: int, chance: random.Random) -> SectionRecord:
    lessons = [LessonRecord(_words(chance, 5), chance.randrange(4, 20)) for _ in range(LESSONS_EACH)]
    if place == 0:
        lessons[0] = LessonRecord(_words(chance, 5), 6, is_preview=True, body={"text": _words(chance, 40)})
    return SectionRecord(_words(chance, 3), tuple(lessons))


def _review(place: int, chance: random.Random) -> ReviewRecord:
    at = AT - timedelta(days=chance.randrange(1, 900))
    return ReviewRecord(f"Learner {place}", chance.randrange(3, 6), at, _words(chance, 4), _words(chance, 25))


def _item(number: int, chance: random.Random) -> ItemRecord:
    return ItemRecord(**_shared_fields("item", number, chance), sku=f"SKU-{number}", item_kind="book")
