"""Generated courses to search in; some words occur in the same number of courses at any size."""

import random
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from itertools import accumulate
from typing import Any

from sqlalchemy import func, insert, select

from domain import tables
from domain.database.database import Database
from domain.migrations import runner
from domain.money import currency
from domain.search import index as search_index
from domain.search.index import batches
from domain.seed import demo_shop

# Columns of a product, of its details, and of its instructor.
Course = tuple[dict[str, Any], dict[str, Any], dict[str, Any]]

AT = datetime(2026, 3, 1, 12, tzinfo=UTC)
BATCH = 500
PEOPLE = 200
SUBJECTS = ("accounting", "tax", "ethics", "data", "leadership", "languages", "finance", "technology")
COMMON = str.split(
    "python excel audit budget reporting forecast negotiation compliance spreadsheet analysis management planning "
    "strategy payroll valuation treasury consolidation dashboard statistics automation security design writing "
    "presentation interview delegation bookkeeping controlling procurement logistics marketing pricing"
)
LEVELS = ("beginner", "intermediate", "advanced", "all")
LANGUAGES = ("en", "en", "en", "de", "es", "fr", "ja")
# The number of courses with the word Zebrafish, in every catalogue.
FIXED = 40


def courses(count: int) -> Iterator[Course]:
    """Generates courses, equal for equal numbers. Rare words follow Zipf's law, as in real texts."""
    chance = random.Random(count)
    vocabulary = [_invented(chance) for _ in range(30_000)]
    weights = list(accumulate(1 / (rank + 20) for rank in range(len(vocabulary))))
    fixed = set(random.Random(7).sample(range(count), min(FIXED, count)))
    for number in range(count):
        words = iter(chance.choices(vocabulary, cum_weights=weights, k=70))
        yield _course(number, chance, words, number in fixed)


def _invented(chance: random.Random) -> str:
    return "".join(chance.choice("bcdfglmnprstv") + chance.choice("aeiou") for _ in range(chance.randrange(2, 6)))


def _course(number: int, chance: random.Random, words: Iterator[str], is_fixed: bool) -> Course:
    first, second, third = chance.sample(COMMON, 3)
    name = f"{first.title()} and {second.title()} for {next(words).title()} {next(words).title()}"
    learners = int(chance.paretovariate(0.7))
    product = {
        "id": number + 1,
        "kind": "course",
        "slug": f"course-{number}",
        "name": f"Zebrafish {name}" if is_fixed else name,
        "subtitle": f"{third} {_some(words, 9)}",
        "category_id": chance.randrange(len(SUBJECTS)) + 1,
        "level": chance.choice(LEVELS),
        "language": chance.choice(LANGUAGES),
        "duration_min": chance.randrange(20, 900),
        "list_price": Decimal(chance.randrange(0, 400)),
        "enrolled": learners,
        "popularity": learners,
        "status": "published",
        "published_at": AT - timedelta(days=chance.randrange(1, 3000)),
        "updated_at": AT,
    }
    lessons = [{"title": next(words), "minutes": 20, "preview": False}]
    details = {
        "id": number + 1,
        "description": _some(words, 30),
        "outcomes": [_some(words, 5) for _ in range(3)],
        "sections": [{"title": _some(words, 3), "lessons": lessons} for _ in range(3)],
    }
    return product, details, {"course_id": number + 1, "instructor_id": chance.randrange(PEOPLE) + 1}


def _some(words: Iterator[str], count: int) -> str:
    return " ".join(next(words) for _ in range(count))


def fill(db: Database, count: int) -> float:
    """Adds `count` generated courses, and the demo shop with its known answers. Returns the seconds spent indexing
    the generated ones, 0 when they exist already."""
    runner.upgrade(db.engine)
    with db.write_session() as session:
        if (session.scalar(select(func.count()).select_from(tables.Product)) or 0) >= count:
            return 0.0
        for number, subject in enumerate(SUBJECTS, start=1):
            session.add(tables.Category(id=number, slug=subject, name=subject.title()))
        for number in range(1, PEOPLE + 1):
            session.add(tables.Instructor(id=number, slug=f"instructor-{number}", name=f"Instructor {number}"))
    indexing = 0.0
    for batch in batches(courses(count), BATCH):
        with db.write_session() as session:
            for at, table in enumerate((tables.Product, tables.Course, tables.CourseInstructor)):
                session.execute(insert(table), [course[at] for course in batch])
            began = time.perf_counter()
            search_index.index_products(session, [product["id"] for product, _, _ in batch])
        indexing += time.perf_counter() - began
    with db.write_session() as session:
        demo_shop.load(session, AT, currency("USD"))
    return indexing
