"""Courses written row by row into SQLite: a million in a few minutes, with the index of the search.

An import of as many would take an hour. The columns of lists are as varied as those of a large shop; texts are short,
and the search index has eight words of each course.
"""

import random
import sqlite3
from array import array
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bench.search.courses import COMMON, FIXED, LANGUAGES, LEVELS, SUBJECTS
from bench.selling.order_floor import text_of
from domain.search import posting_weights
from domain.search.spelling import deletions_of_word
from tests.support.databases import FILE

# Ids of generated rows begin here, above those of the demo shop.
FIRST = 10_000
RARE_WORDS = 30_000
# Equally many courses have this word, whatever the size.
FIXED_WORD = "zebrafish"
# The time of the newest; the oldest is eight years older.
AT = datetime(2026, 3, 1, 12, tzinfo=UTC)
_YEARS_S = 8 * 365 * 86_400
FAR = text_of(datetime(2099, 1, 1, tzinfo=UTC))
_PRODUCT_COLUMNS = str.split(
    "id kind slug source_id name subtitle category_id level language duration_min lesson_count list_price sale_price "
    "sale_until image image_width image_height image_alt rating rating_count enrolled popularity featured status "
    "published_at updated_at"
)
_COURSE_COLUMNS = str.split(
    "id description is_generated outcomes prerequisites audience sections faq provider base_rating_count"
)


def connect(folder: Path) -> sqlite3.Connection:
    """A connection that writes as fast as SQLite can, and loses everything in a power cut."""
    connection = sqlite3.connect(folder / FILE, timeout=60, isolation_level=None)
    for pragma in ("synchronous=OFF", "cache_size=-1000000", "temp_store=MEMORY"):
        connection.execute(f"PRAGMA {pragma}")
    return connection


def fill(folder: Path, count: int) -> None:
    """Adds `count` published courses of eight new categories to a migrated database."""
    chance = random.Random(count)
    words = [*COMMON, *(f"{_invented(number)}" for number in range(RARE_WORDS)), FIXED_WORD]
    postings: list[array[int]] = [array("q") for _ in words]
    with closing(connect(folder)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        [first_category] = connection.execute("SELECT max(id) + 1 FROM categories").fetchone()
        _insert(
            connection,
            "categories",
            ("id", "slug", "name", "description", "position"),
            ((first_category + at, f"growth-{at}", name.title(), "", 100 + at) for at, name in enumerate(SUBJECTS)),
        )
        _insert(connection, "products", _PRODUCT_COLUMNS, _products(count, chance, words, postings, first_category))
        _insert(connection, "courses", _COURSE_COLUMNS, _courses(count))
        _insert(connection, "search_snippets", ("product_id", "title", "description"), _snippets(count))
        _index(connection, words, postings)
        connection.execute("UPDATE catalogue_version SET number = number + 1")
        connection.execute("COMMIT")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        # As SQLite's planner knows the tables of a site that has run for a day.
        connection.execute("PRAGMA optimize")


def _insert(connection: sqlite3.Connection, table: str, columns: Any, rows: Iterator[tuple[Any, ...]]) -> None:
    places = ", ".join("?" * len(columns))
    connection.executemany(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({places})", rows)


def _invented(number: int) -> str:
    """Another word for each number, of letters that are spoken."""
    syllables = ""
    number += 10_000
    while number:
        number, at = divmod(number, 60)
        syllables += "bcdfglmnprst"[at // 5] + "aeiou"[at % 5]
    return syllables


def _products(
    count: int, chance: random.Random, words: list[str], postings: list["array[int]"], first_category: int
) -> Iterator[tuple[Any, ...]]:
    now, common = text_of(datetime.now(UTC)), len(COMMON)
    fixed = set(random.Random(7).sample(range(count), min(FIXED, count)))
    random_ = chance.random
    for number in range(count):
        product_id, learners = FIRST + number, int(chance.paretovariate(0.7)) % 1_000_000
        two = chance.sample(range(common), 2)
        # Few words are in many courses, as in real texts.
        rare = [common + int(RARE_WORDS * random_() ** 3) for _ in range(5)]
        in_name = [*two, rare[0], *([len(words) - 1] if number in fixed else [])]
        name = " ".join(words[at].title() for at in in_name) + f", Part {number}"
        price = int(random_() * 400) * 1000
        is_reduced = number % 20 == 0 and price > 0
        is_rated = number % 3 > 0
        for place, at in enumerate(in_name, start=1):
            weight = posting_weights.pack(posting_weights.NAME, learners, place, False)
            postings[at].append(product_id << 24 | weight)
        text_weight = posting_weights.pack(posting_weights.SUBTITLE, learners, 0, False)
        for at in set(rare[1:]) - {rare[0]}:
            postings[at].append(product_id << 24 | text_weight)
        yield (
            *(product_id, "course", f"growth-{number}", f"growth-{number}", name),
            " ".join(words[at] for at in rare[1:]),
            first_category + int(random_() * len(SUBJECTS)),
            LEVELS[int(random_() * len(LEVELS))],
            LANGUAGES[int(random_() * len(LANGUAGES))],
            *(20 + int(random_() * 880), 3 + int(random_() * 60)),
            *(price, price // 2 if is_reduced else None, FAR if is_reduced else None),
            *("", 800, 450, ""),
            *((round(3 + random_() * 2, 2), 1 + int(random_() * 900)) if is_rated else (None, 0)),
            *(learners, learners, 0, "published"),
            text_of(AT - timedelta(seconds=int(random_() * _YEARS_S))),
            now,
        )


def _courses(count: int) -> Iterator[tuple[Any, ...]]:
    text = "What is taught here, in a few sentences, as an import brings it. " * 5
    for number in range(count):
        yield FIRST + number, text, 1, "[]", "[]", "[]", "[]", "[]", "", 0


def _snippets(count: int) -> Iterator[tuple[Any, ...]]:
    for number in range(count):
        yield FIRST + number, f"Growth, Part {number}", f"What Part {number} of Growth is about."


def _index(connection: sqlite3.Connection, words: list[str], postings: list["array[int]"]) -> None:
    known = dict(connection.execute("SELECT word, id FROM search_words"))
    [last] = connection.execute("SELECT coalesce(max(id), 0) FROM search_words").fetchone()
    for word, packed in zip(words, postings, strict=True):
        if not packed:
            continue
        word_id = known.get(word)
        if word_id is None:
            last += 1
            word_id = last
            connection.execute("INSERT INTO search_words VALUES (?, ?, ?, 0)", (word_id, word, word))
            deletions = [(deletion, word_id) for deletion in sorted(deletions_of_word(word))]
            connection.executemany("INSERT INTO search_misspellings VALUES (?, ?)", deletions)
        connection.execute("UPDATE search_words SET products = products + ? WHERE id = ?", (len(packed), word_id))
        rows = ((word_id, value >> 24, value & 0xFFFFFF) for value in packed)
        connection.executemany("INSERT INTO search_postings (word_id, product_id, weight) VALUES (?, ?, ?)", rows)
