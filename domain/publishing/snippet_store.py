"""Keeps each product's title and description, unique over the whole catalogue.

The rules are in domain/catalogue/search_snippets.py.
"""

from collections.abc import Iterable, Iterator, Sequence

from sqlalchemy import Select, bindparam, insert, select, update
from sqlalchemy.orm import InstrumentedAttribute, Session

from domain.catalogue.search_snippets import Snippet, SnippetSource, descriptions, plain_text, titles
from domain.display_text import short_text
from domain.publishing.product_changes import PRODUCTS, ProductChange
from domain.publishing.records import Json
from domain.tables import Category, Course, Product, SearchSnippet, ShopItem

LEVELS = {"beginner": "Beginner", "intermediate": "Intermediate", "advanced": "Advanced", "all": "All levels"}
ITEM_KINDS = {"book": "Book", "voucher": "Exam voucher", "bundle": "Bundle", "physical": "Equipment"}
_CHUNK = 500


def write(session: Session, changes: Sequence[ProductChange]) -> None:
    """Store the snippets of new and changed products. A stored text that is still a candidate stays."""
    names = dict(session.execute(select(Category.id, Category.name)).all()) if changes else {}
    _write(session, {change.id: _source(change.row | {"id": change.id}, names) for change in changes})


def fill_missing_snippets(session: Session) -> int:
    """Create snippets for products without one and return how many."""
    names = dict(session.execute(select(Category.id, Category.name)).all())
    count = 0
    while rows := session.execute(_products_without_snippets()).mappings().all():
        _write(session, {row["id"]: _source(dict(row), names) for row in rows})
        count += len(rows)
    return count


def _products_without_snippets() -> Select[*tuple[object, ...]]:
    long_text = Course.description.label("description")
    return (
        select(*PRODUCTS.columns, Course.provider, long_text, ShopItem.description.label("item_description"))
        .outerjoin(Course, Course.id == Product.id)
        .outerjoin(ShopItem, ShopItem.id == Product.id)
        .outerjoin(SearchSnippet, SearchSnippet.product_id == Product.id)
        .where(SearchSnippet.product_id.is_(None))
        .order_by(Product.id)
        .limit(_CHUNK)
    )


def _source(row: Json, categories: dict[int, str]) -> SnippetSource:
    minutes = row.get("duration_min") or 0
    traits = (
        ITEM_KINDS.get(row.get("item_kind") or "", ""),
        categories.get(row["category_id"], ""),
        LEVELS.get(row.get("level") or "", ""),
        row.get("provider") or "",
        f"{short_text(round(minutes / 60, 1))} hours" if minutes > 60 else "",
        str(row["published_at"].year) if row.get("published_at") else "",
    )
    text = "" if row.get("is_generated") else row.get("description") or row.get("item_description") or ""
    short = tuple(trait for trait in traits if 0 < len(trait) <= 30)
    return SnippetSource(row["name"], row["subtitle"], plain_text(text), short, str(row["id"]))


def _write(session: Session, wanted: dict[int, SnippetSource]) -> None:
    stored = _stored_snippets(session, wanted)
    stored_titles = {key: snippet.title for key, snippet in stored.items()}
    stored_descriptions = {key: snippet.description for key, snippet in stored.items()}
    candidates = {key: titles(source) for key, source in wanted.items()}
    new_titles = _choose_unique(session, SearchSnippet.title, candidates, stored_titles)
    candidates = {key: descriptions(source, new_titles[key]) for key, source in wanted.items()}
    new_descriptions = _choose_unique(session, SearchSnippet.description, candidates, stored_descriptions)
    _store(session, {key: Snippet(new_titles[key], new_descriptions[key]) for key in wanted}, stored)


def _stored_snippets(session: Session, product_ids: Iterable[int]) -> dict[int, Snippet]:
    columns = select(SearchSnippet.product_id, SearchSnippet.title, SearchSnippet.description)
    rows = session.execute(columns.where(SearchSnippet.product_id.in_(product_ids)))
    return {row.product_id: Snippet(row.title, row.description) for row in rows}


def _choose_unique(
    session: Session, column: InstrumentedAttribute[str], candidates: dict[int, Iterator[str]], present: dict[int, str]
) -> dict[int, str]:
    """Product id -> its present text, when that is a candidate, else the first candidate that no other product has.

    All products are tried in rounds: usually every first candidate is free, and the whole batch needs one query.
    """
    chosen: dict[int, str] = {}
    options = {key: list(texts) for key, texts in candidates.items()}
    for key, texts in options.items():
        if present.get(key) in texts:
            chosen[key] = present[key]
    own = set(chosen.values())
    for turn in range(max((len(texts) for texts in options.values()), default=0)):
        tried = {key: texts[turn] for key, texts in options.items() if key not in chosen and turn < len(texts)}
        taken = _owners(session, column, {*tried.values()} - own) if tried else {}
        for key, text in tried.items():
            if text not in own and taken.get(text, key) == key:
                chosen[key] = text
                own.add(text)
    return chosen


def _owners(session: Session, column: InstrumentedAttribute[str], texts: set[str]) -> dict[str, int]:
    """Text -> the product that has it."""
    query = select(column, SearchSnippet.product_id).where(column.in_(texts))
    return dict(session.execute(query).all())


def _store(session: Session, snippets: dict[int, Snippet], stored: dict[int, Snippet]) -> None:
    new = [_row(key, snippet) for key, snippet in snippets.items() if key not in stored]
    changed = [
        {"row_id": key, "title": snippet.title, "description": snippet.description}
        for key, snippet in snippets.items()
        if key in stored and stored[key] != snippet
    ]
    if new:
        session.execute(insert(SearchSnippet), new)
    if changed:
        table = SearchSnippet.metadata.tables[SearchSnippet.__tablename__]
        statement = update(table).where(table.c.product_id == bindparam("row_id"))
        values: Json = {"title": bindparam("title"), "description": bindparam("description")}
        session.connection().execute(statement.values(values), changed)


def _row(product_id: int, snippet: Snippet) -> Json:
    return {"product_id": product_id, "title": snippet.title, "description": snippet.description}
