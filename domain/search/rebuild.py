"""Rebuilds the whole index beside a running site, in small transactions; the index is usable after each of them."""

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import InstrumentedAttribute, Session

from domain.search.index import MISSPELLINGS, POSTINGS, WORDS, hold_version, index_products
from domain.search.spelling import deletions_of_word
from domain.tables import Product, SearchPosting, SearchWord

SessionFactory = Callable[[], AbstractContextManager[Session]]
# Called with the number of products done and the number of all.
Progress = Callable[[int, int], None]

PRODUCTS_IN_STEP = 200
WORDS_IN_STEP = 1_000
# Between two steps other processes can write: SQLite's waiting writers retry only from time to time.
PAUSE_S = 0.02


def rebuild(session_factory: SessionFactory, progress: Progress = lambda done, total: None) -> int:
    """Rebuild the index. Returns the number of products whose entries were wrong. Can be stopped and run again."""
    with session_factory() as session:
        total = session.scalar(select(func.count()).select_from(Product)) or 0
    changed = done = 0
    for ids in _steps(session_factory, Product.id, PRODUCTS_IN_STEP):
        with session_factory() as session:
            changed += index_products(session, ids)
        done += len(ids)
        progress(min(done, total), total)
    _delete_orphans(session_factory)
    for ids in _steps(session_factory, SearchWord.id, WORDS_IN_STEP):
        with session_factory() as session:
            _delete_unused_words(session, ids)
    return changed


def _steps(session_factory: SessionFactory, column: InstrumentedAttribute[int], size: int) -> Iterator[list[int]]:
    last = 0
    while True:
        with session_factory() as session:
            ids = list(session.scalars(select(column).where(column > last).order_by(column).limit(size)))
        if not ids:
            return
        yield ids
        last = ids[-1]
        time.sleep(PAUSE_S)


def _delete_orphans(session_factory: SessionFactory) -> None:
    """Delete the postings of deleted products."""
    last = 0
    while True:
        with session_factory() as session:
            ids = session.scalars(
                select(SearchPosting.product_id)
                .where(SearchPosting.product_id > last, SearchPosting.product_id.not_in(select(Product.id)))
                .group_by(SearchPosting.product_id)
                .order_by(SearchPosting.product_id)
                .limit(PRODUCTS_IN_STEP)
            ).all()
            if not ids:
                return
            index_products(session, ids)
        last = ids[-1]


def _delete_unused_words(session: Session, ids: list[int]) -> None:
    """Correct the words' counts of products, and delete words without postings."""
    hold_version(session)
    connection = session.connection()
    posting_count = select(func.count()).where(POSTINGS.c.word_id == WORDS.c.id).scalar_subquery()
    counts = dict(connection.execute(select(WORDS.c.id, posting_count).where(WORDS.c.id.in_(ids))).all())
    words = connection.execute(select(WORDS.c.id, WORDS.c.word, WORDS.c.products).where(WORDS.c.id.in_(ids))).all()
    for id_, word, products in words:
        if counts[id_] == 0:
            connection.execute(delete(WORDS).where(WORDS.c.id == id_))
            is_deletion = MISSPELLINGS.c.deletion.in_(deletions_of_word(word))
            connection.execute(delete(MISSPELLINGS).where(MISSPELLINGS.c.word_id == id_, is_deletion))
        elif counts[id_] != products:
            connection.execute(update(WORDS).where(WORDS.c.id == id_).values(products=counts[id_]))
