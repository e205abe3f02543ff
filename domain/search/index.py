"""Keeps the index in step with the catalogue, in the transaction that changes a product.

    search.index_product(session, course_id)
    search.index_products(session, ids_of_a_batch)

Correct entries are left unchanged, so that a second call writes nothing. Every write to the catalogue or its index
locks the row of the catalogue's version: new words and counts of words cannot be written concurrently.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, TypeVar, cast

from sqlalchemy import Table, delete, insert, select, update
from sqlalchemy.orm import Session

from domain.search import posting_weights
from domain.search.id_sets import pack_hits, unpack_hits
from domain.search.sources import SearchedProduct, SourceText, sources
from domain.search.spelling import deletions_of_word
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
# Maximum of products or words in one statement.
BATCH = 500

T = TypeVar("T")


def index_product(session: Session, product_id: int) -> None:
    """Index a product, or remove it from the index if it is not published."""
    index_products(session, [product_id])


def index_products(session: Session, product_ids: Iterable[int]) -> int:
    """Index many products. Returns the number of those whose entries changed."""
    session.flush()
    hold_version(session)
    changed = 0
    for batch in batches(sorted(set(product_ids)), BATCH):
        changed += _index(session, batch)
    return changed


def index_products_of(session: Session, owner: Category | Instructor) -> int:
    """Index the products of a renamed category or instructor: these names are searched too."""
    if isinstance(owner, Category):
        query = select(Product.id).where(Product.category_id == owner.id)
    else:
        query = select(CourseInstructor.course_id).where(CourseInstructor.instructor_id == owner.id)
    return index_products(session, session.scalars(query).all())


def hold_version(session: Session) -> None:
    """Lock the catalogue and its index for writing until the end of the transaction."""
    session.execute(select(CatalogueVersion.id).where(CatalogueVersion.id == CatalogueVersion.EDITS).with_for_update())


def batches(values: Iterable[T], size: int) -> Iterator[list[T]]:
    left = iter(values)
    while batch := list(islice(left, size)):
        yield batch


def _index(session: Session, ids: Sequence[int]) -> int:
    published = sources(session, ids)
    entries = {source.id: source.entries() for source in published}
    words = _word_ids(session, entries.values())
    expected = {source.id: _weights(source, entries[source.id], words) for source in published}
    present = _present(session, ids)
    removed: dict[int, list[int]] = {}
    new: list[dict[str, int]] = []
    changes: Counter[int] = Counter()
    for product in ids:
        old, now = present.get(product, {}), expected.get(product, {})
        if old == now:
            continue
        differing = {word for word in old.keys() | now.keys() if old.get(word) != now.get(word)}
        removed[product] = [word for word in differing if word in old]
        new += [{"word_id": word, "product_id": product, "weight": now[word]} for word in differing if word in now]
        changes.update({word: (word in now) - (word in old) for word in differing})
    _write(session, removed, new)
    _count(session, changes)
    return len(removed)


def _weights(source: SearchedProduct, entries: dict[str, SourceText], words: dict[str, int]) -> dict[int, int]:
    return {
        words[text]: posting_weights.pack(entry.weight, source.popularity, entry.place, entry.is_last)
        for text, entry in entries.items()
    }


def _word_ids(session: Session, products: Iterable[dict[str, SourceText]]) -> dict[str, int]:
    """Every word's id; new words are added, with their deletions, by which misspelled queries find them."""
    shown = {text: entry.shown for entries in products for text, entry in entries.items()}
    ids = _known_ids(session, shown)
    if missing := sorted(shown.keys() - ids.keys()):
        connection = session.connection()
        connection.execute(insert(WORDS), [{"word": word, "shown": shown[word], "products": 0} for word in missing])
        added = _known_ids(session, missing)
        pairs = sorted((deletion, id_) for word, id_ in added.items() for deletion in deletions_of_word(word))
        if pairs:
            rows = [{"deletion": deletion, "word_id": id_} for deletion, id_ in pairs]
            connection.execute(insert(MISSPELLINGS), rows)
        ids |= added
    return ids


def _known_ids(session: Session, words: Iterable[str]) -> dict[str, int]:
    ids: dict[str, int] = {}
    for batch in batches(sorted(words), BATCH):
        ids.update(session.execute(select(SearchWord.word, SearchWord.id).where(SearchWord.word.in_(batch))).all())
    return ids


def _present(session: Session, ids: Sequence[int]) -> dict[int, dict[int, int]]:
    """Product -> word id -> weight, as stored in the index."""
    query = select(SearchPosting.product_id, pack_hits(SearchPosting.word_id, SearchPosting.weight))
    rows = session.execute(query.where(SearchPosting.product_id.in_(ids)).group_by(SearchPosting.product_id))
    return {product: unpack_hits(text) for product, text in rows}


def _write(session: Session, removed: dict[int, list[int]], new: list[dict[str, int]]) -> None:
    connection = session.connection()
    for product, words in removed.items():
        if words:
            of_product = POSTINGS.c.product_id == product
            connection.execute(delete(POSTINGS).where(of_product, POSTINGS.c.word_id.in_(words)))
    if new:
        # In the order of the primary key, so that neighbouring rows share a database page.
        connection.execute(insert(POSTINGS), sorted(new, key=lambda row: (row["word_id"], row["product_id"])))


def _count(session: Session, changes: Counter[int]) -> None:
    """Update the number of products of each word. Words with the same change share a statement."""
    words_by_change: dict[int, list[int]] = {}
    for word, change in changes.items():
        if change:
            words_by_change.setdefault(change, []).append(word)
    connection: Any = session.connection()
    for change, words in sorted(words_by_change.items()):
        for batch in batches(sorted(words), BATCH):
            connection.execute(update(WORDS).where(WORDS.c.id.in_(batch)).values(products=WORDS.c.products + change))
