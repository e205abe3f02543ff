"""Makes the whole index anew beside a running site: some products to a transaction, right after every one of them."""

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import InstrumentedAttribute, Session

from domain.search.indexing import MISSPELLINGS, POSTINGS, WORDS, hold_version, index_products
from domain.search.misspellings import remnants_of_word
from domain.tables import Product, SearchPosting, SearchWord

SessionFactory = Callable[[], AbstractContextManager[Session]]
# Hears what is done and the whole.
Progress = Callable[[int, int], None]

PRODUCTS_IN_STEP = 200
WORDS_IN_STEP = 1_000
# Between two steps others get to write: SQLite's waiting writers only try now and then.
PAUSE_S = 0.02


def is_missing(session: Session) -> bool:
    """Whether there is something to find and no index, as after the migration that brought search."""
    if session.scalar(select(SearchWord.id).limit(1)) is not None:
        return False
    return session.scalar(select(Product.id).where(Product.status == "published").limit(1)) is not None


def rebuild(session_factory: SessionFactory, progress: Progress = lambda done, total: None) -> int:
    """The number of products whose index was not right. Stopped half-way, a repeat does the rest."""
    with session_factory() as session:
        total = session.scalar(select(func.count()).select_from(Product)) or 0
    changed = done = 0
    for ids in _steps(session_factory, Product.id, PRODUCTS_IN_STEP):
        with session_factory() as session:
            changed += index_products(session, ids)
        done += len(ids)
        progress(min(done, total), total)
    _drop_orphans(session_factory)
    for ids in _steps(session_factory, SearchWord.id, WORDS_IN_STEP):
        with session_factory() as session:
            _tidy_words(session, ids)
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


def _drop_orphans(session_factory: SessionFactory) -> None:
    """Postings of products that are no longer there."""
    last = 0
    while True:
        with session_factory() as session:
            found = session.scalars(
                select(SearchPosting.product_id)
                .where(SearchPosting.product_id > last, SearchPosting.product_id.not_in(select(Product.id)))
                .group_by(SearchPosting.product_id)
                .order_by(SearchPosting.product_id)
                .limit(PRODUCTS_IN_STEP)
            ).all()
            if not found:
                return
            index_products(session, found)
        last = found[-1]


def _tidy_words(session: Session, ids: list[int]) -> None:
    """Their counts as the postings have them; words that stand nowhere go."""
    hold_version(session)
    connection = session.connection()
    stands_in = select(func.count()).where(POSTINGS.c.word_id == WORDS.c.id).scalar_subquery()
    counts = dict(connection.execute(select(WORDS.c.id, stands_in).where(WORDS.c.id.in_(ids))).all())
    words = connection.execute(select(WORDS.c.id, WORDS.c.word, WORDS.c.products).where(WORDS.c.id.in_(ids))).all()
    for id_, word, products in words:
        if counts[id_] == 0:
            connection.execute(delete(WORDS).where(WORDS.c.id == id_))
            remnants = MISSPELLINGS.c.remnant.in_(remnants_of_word(word))
            connection.execute(delete(MISSPELLINGS).where(MISSPELLINGS.c.word_id == id_, remnants))
        elif counts[id_] != products:
            connection.execute(update(WORDS).where(WORDS.c.id == id_).values(products=counts[id_]))
