"""Keeps the index in step with the catalogue, in the transaction that changes a product.

    search.index_product(session, course_id)
    search.index_products(session, ids_of_a_batch)

What is indexed already and right is left alone, so that a second call writes nothing. Whoever writes holds the row of
the catalogue's version, as every writer of the catalogue does: nobody races for a new word or the count of an old one.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, TypeVar, cast

from sqlalchemy import Table, delete, insert, select, update
from sqlalchemy.orm import Session

from domain.search import impacts
from domain.search.among import apart, together
from domain.search.misspellings import remnants_of_word
from domain.search.texts import Entry, Source, sources
from domain.tables import (
    CatalogueVersion,
    Category,
    CourseInstructor,
    Instructor,
    Product,
    SearchMisspelling,
    SearchPosting,
    SearchWord,
)

POSTINGS = cast(Table, SearchPosting.__table__)
WORDS = cast(Table, SearchWord.__table__)
MISSPELLINGS = cast(Table, SearchMisspelling.__table__)
# Products and words in one statement.
BATCH = 500

T = TypeVar("T")


def index_product(session: Session, product_id: int) -> None:
    """Index one product again; one that is not published leaves the index."""
    index_products(session, [product_id])


def index_products(session: Session, product_ids: Iterable[int]) -> int:
    """The same for many; the number of products whose index changed."""
    session.flush()
    hold_version(session)
    changed = 0
    for batch in batches(sorted(set(product_ids)), BATCH):
        changed += _index(session, batch)
    return changed


def index_products_of(session: Session, owner: Category | Instructor) -> int:
    """Products carry the names of their category and their instructors: another name, and they are indexed again."""
    if isinstance(owner, Category):
        query = select(Product.id).where(Product.category_id == owner.id)
    else:
        query = select(CourseInstructor.course_id).where(CourseInstructor.instructor_id == owner.id)
    return index_products(session, session.scalars(query).all())


def hold_version(session: Session) -> None:
    """Wait for whoever writes the catalogue or its index, and keep the next ones waiting until the commit."""
    session.execute(select(CatalogueVersion.id).where(CatalogueVersion.id == 1).with_for_update())


def batches(values: Iterable[T], size: int) -> Iterator[list[T]]:
    left = iter(values)
    while batch := list(islice(left, size)):
        yield batch


def _index(session: Session, ids: Sequence[int]) -> int:
    found = sources(session, ids)
    entries = {source.id: source.entries() for source in found}
    words = _word_ids(session, entries.values())
    wanted = {source.id: _impacts(source, entries[source.id], words) for source in found}
    present = _present(session, ids)
    gone: dict[int, list[int]] = {}
    new: list[dict[str, int]] = []
    moved: Counter[int] = Counter()
    for product in ids:
        old, now = present.get(product, {}), wanted.get(product, {})
        if old == now:
            continue
        differing = {word for word in old.keys() | now.keys() if old.get(word) != now.get(word)}
        gone[product] = [word for word in differing if word in old]
        new += [{"word_id": word, "product_id": product, "impact": now[word]} for word in differing if word in now]
        moved.update({word: (word in now) - (word in old) for word in differing})
    _write(session, gone, new)
    _count(session, moved)
    return len(gone)


def _impacts(source: Source, entries: dict[str, Entry], words: dict[str, int]) -> dict[int, int]:
    return {
        words[text]: impacts.packed(entry.weight, source.popularity, entry.place, entry.is_last)
        for text, entry in entries.items()
    }


def _word_ids(session: Session, products: Iterable[dict[str, Entry]]) -> dict[str, int]:
    """Every word's id; new words are added, with the remnants that let misspelt ones find them."""
    shown = {text: entry.shown for entries in products for text, entry in entries.items()}
    ids = _known_ids(session, shown)
    if missing := sorted(shown.keys() - ids.keys()):
        connection = session.connection()
        connection.execute(insert(WORDS), [{"word": it, "shown": shown[it], "products": 0} for it in missing])
        added = _known_ids(session, missing)
        remnants = sorted((rest, id_) for word, id_ in added.items() for rest in remnants_of_word(word))
        if remnants:
            rows = [{"remnant": rest, "word_id": id_} for rest, id_ in remnants]
            connection.execute(insert(MISSPELLINGS), rows)
        ids |= added
    return ids


def _known_ids(session: Session, words: Iterable[str]) -> dict[str, int]:
    ids: dict[str, int] = {}
    for batch in batches(sorted(words), BATCH):
        ids.update(session.execute(select(SearchWord.word, SearchWord.id).where(SearchWord.word.in_(batch))).all())
    return ids


def _present(session: Session, ids: Sequence[int]) -> dict[int, dict[int, int]]:
    """Product -> word -> impact, as the index has them."""
    query = select(SearchPosting.product_id, together(SearchPosting.word_id, SearchPosting.impact))
    found = session.execute(query.where(SearchPosting.product_id.in_(ids)).group_by(SearchPosting.product_id))
    return {product: apart(text) for product, text in found}


def _write(session: Session, gone: dict[int, list[int]], new: list[dict[str, int]]) -> None:
    connection = session.connection()
    for product, words in gone.items():
        if words:
            of_product = POSTINGS.c.product_id == product
            connection.execute(delete(POSTINGS).where(of_product, POSTINGS.c.word_id.in_(words)))
    if new:
        # In the order of the table: neighbours share a page.
        connection.execute(insert(POSTINGS), sorted(new, key=lambda row: (row["word_id"], row["product_id"])))


def _count(session: Session, moved: Counter[int]) -> None:
    """In how many products each word stands. Words that moved alike share a statement."""
    alike: dict[int, list[int]] = {}
    for word, by in moved.items():
        if by:
            alike.setdefault(by, []).append(word)
    connection: Any = session.connection()
    for by, words in sorted(alike.items()):
        for batch in batches(sorted(words), BATCH):
            connection.execute(update(WORDS).where(WORDS.c.id.in_(batch)).values(products=WORDS.c.products + by))
