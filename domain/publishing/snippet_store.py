"""Keeps each product's title and description, unique over the whole catalogue (domain/page_texts.py has the rules)."""

from collections.abc import Iterable, Iterator, Sequence

from sqlalchemy import Select, bindparam, insert, select, update
from sqlalchemy.orm import Session

from domain.page_texts import Facts, Texts, descriptions, plain, titles
from domain.publishing.lines import PRODUCTS, Line
from domain.publishing.records import Json
from domain.tables import Category, Course, PageText, Product, ShopItem

LEVELS = {"beginner": "Beginner", "intermediate": "Intermediate", "advanced": "Advanced", "all": "All levels"}
ITEM_KINDS = {"book": "Book", "voucher": "Exam voucher", "bundle": "Bundle", "physical": "Equipment"}
_CHUNK = 500


def write(session: Session, lines: Sequence[Line]) -> None:
    """For lines that are new or changed; a text that still suits its product stays what it was."""
    names = dict(session.execute(select(Category.id, Category.name)).all()) if lines else {}
    _write(session, {line.id: _facts(line.row | {"id": line.id}, names) for line in lines})


def complete(session: Session) -> int:
    """Texts for products that have none, written before there were any; returns how many."""
    names = dict(session.execute(select(Category.id, Category.name)).all())
    done = 0
    while rows := session.execute(_without_texts()).mappings().all():
        _write(session, {row["id"]: _facts(dict(row), names) for row in rows})
        done += len(rows)
    return done


def _without_texts() -> Select[*tuple[object, ...]]:
    long_text = Course.description.label("description")
    return (
        select(*PRODUCTS.columns, Course.provider, long_text, ShopItem.description.label("item_description"))
        .outerjoin(Course, Course.id == Product.id)
        .outerjoin(ShopItem, ShopItem.id == Product.id)
        .outerjoin(PageText, PageText.product_id == Product.id)
        .where(PageText.product_id.is_(None))
        .order_by(Product.id)
        .limit(_CHUNK)
    )


def _facts(row: Json, categories: dict[int, str]) -> Facts:
    minutes = row.get("duration_min") or 0
    traits = (
        ITEM_KINDS.get(row.get("item_kind") or "", ""),
        categories.get(row["category_id"], ""),
        LEVELS.get(row.get("level") or "", ""),
        row.get("provider") or "",
        f"{minutes / 60:.1f}".removesuffix(".0") + " hours" if minutes > 60 else "",
        str(row["published_at"].year) if row.get("published_at") else "",
    )
    text = "" if row.get("is_generated") else row.get("description") or row.get("item_description") or ""
    short = tuple(trait for trait in traits if 0 < len(trait) <= 30)
    return Facts(row["name"], row["subtitle"], plain(text), short, str(row["id"]))


def _write(session: Session, wanted: dict[int, Facts]) -> None:
    kept = _kept(session, wanted)
    new_titles = _free(session, PageText.title, {key: titles(facts) for key, facts in wanted.items()}, kept[0])
    told = {key: descriptions(facts, new_titles[key]) for key, facts in wanted.items()}
    new_descriptions = _free(session, PageText.description, told, kept[1])
    made = {key: Texts(new_titles[key], new_descriptions[key]) for key in wanted}
    _store(session, made, present={*kept[0]}, before=kept)


def _kept(session: Session, wanted: Iterable[int]) -> tuple[dict[int, str], dict[int, str]]:
    """Present titles and descriptions by product."""
    rows = session.execute(
        select(PageText.product_id, PageText.title, PageText.description).where(PageText.product_id.in_(wanted))
    ).all()
    return {row.product_id: row.title for row in rows}, {row.product_id: row.description for row in rows}


def _free(session: Session, column: object, tried: dict[int, Iterator[str]], present: dict[int, str]) -> dict[int, str]:
    """For each product the text it has, if that is one of its own, else the first nobody else has.

    Round by round, so that the usual case, nobody has the first, is one query for a whole batch.
    """
    chosen: dict[int, str] = {}
    options = {key: list(texts) for key, texts in tried.items()}
    for key, texts in options.items():
        if present.get(key) in texts:
            chosen[key] = present[key]
    own = set(chosen.values())
    for turn in range(max((len(texts) for texts in options.values()), default=0)):
        asked = {key: texts[turn] for key, texts in options.items() if key not in chosen and turn < len(texts)}
        taken = _taken(session, column, {*asked.values()} - own) if asked else {}
        for key, text in asked.items():
            if text not in own and taken.get(text, key) == key:
                chosen[key] = text
                own.add(text)
    return chosen


def _taken(session: Session, column: object, texts: set[str]) -> dict[str, int]:
    query = select(column, PageText.product_id).where(column.in_(texts))  # type: ignore[attr-defined, call-overload]
    return dict(session.execute(query).all())


def _store(
    session: Session, made: dict[int, Texts], present: set[int], before: tuple[dict[int, str], dict[int, str]]
) -> None:
    fresh = [_row(key, texts) for key, texts in made.items() if key not in present]
    moved = [
        {"row_id": key, "title": texts.title, "description": texts.description}
        for key, texts in made.items()
        if key in present and (before[0][key], before[1][key]) != (texts.title, texts.description)
    ]
    if fresh:
        session.execute(insert(PageText), fresh)
    if moved:
        table = PageText.__table__
        change = update(table).where(table.c.product_id == bindparam("row_id"))  # type: ignore[arg-type]
        values: Json = {"title": bindparam("title"), "description": bindparam("description")}
        session.connection().execute(change.values(values), moved)


def _row(key: int, texts: Texts) -> Json:
    return {"product_id": key, "title": texts.title, "description": texts.description}
