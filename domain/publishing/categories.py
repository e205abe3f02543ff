"""What products stand on: categories, instructors, and the version every change of the catalogue moves."""

from collections.abc import Mapping

from sqlalchemy import func, insert, select, update
from sqlalchemy.orm import Session

from domain import search
from domain.db import upsert_ignoring
from domain.errors import NotFound
from domain.tables import CatalogueVersion, Category, Instructor


def moved(session: Session) -> None:
    """The catalogue has changed: its version moves with the change, in the change's transaction."""
    step = update(CatalogueVersion).where(CatalogueVersion.id == 1).values(number=CatalogueVersion.number + 1)
    if session.connection().execute(step).rowcount == 0:
        upsert_ignoring(session, CatalogueVersion, [{"id": 1, "number": 0}])
        session.connection().execute(step)


def put_category(session: Session, slug: str, name: str, description: str = "", position: int | None = None) -> int:
    """The id of the category, made or brought up to date. A new one without a position goes to the end."""
    category = session.scalar(select(Category).where(Category.slug == slug))
    if category is None:
        category = Category(slug=slug, position=_last_position(session) + 1)
        session.add(category)
    category.name, category.description = name, description
    if position is not None:
        category.position = position
    return _kept(session, category)


def put_instructor(session: Session, slug: str, name: str, title: str = "", bio: str = "") -> int:
    """The id of the instructor, made or brought up to date."""
    instructor = session.scalar(select(Instructor).where(Instructor.slug == slug))
    if instructor is None:
        instructor = Instructor(slug=slug)
        session.add(instructor)
    instructor.name, instructor.title, instructor.bio = name, title, bio
    return _kept(session, instructor)


def add_missing_categories(session: Session, names: Mapping[str, str]) -> None:
    """Slug -> name; categories that are there keep their own names.

    The version is left to the products that come into the new categories: moved here already, it would be locked
    before their rows, in the other order than everywhere else.
    """
    present = set(session.scalars(select(Category.slug).where(Category.slug.in_(names))))
    missing = [slug for slug in names if slug not in present]
    if not missing:
        return
    last = _last_position(session)
    rows = [{"slug": slug, "name": names[slug], "position": last + n} for n, slug in enumerate(missing, start=1)]
    session.execute(insert(Category), rows)


def category_ids(session: Session, slugs: set[str]) -> dict[str, int]:
    """Raises NotFound when one of them is unknown."""
    found = dict(session.execute(select(Category.slug, Category.id).where(Category.slug.in_(slugs))).all())
    if missing := slugs - found.keys():
        raise NotFound(f"There is no category {', '.join(sorted(missing))}.")
    return found


def instructor_ids(session: Session, slugs: set[str]) -> dict[str, int]:
    """Raises NotFound when one of them is unknown."""
    query = select(Instructor.slug, Instructor.id).where(Instructor.slug.in_(slugs))
    found = dict(session.execute(query).all()) if slugs else {}
    if missing := slugs - found.keys():
        raise NotFound(f"There is no instructor {', '.join(sorted(missing))}.")
    return found


def _last_position(session: Session) -> int:
    return session.scalar(select(func.max(Category.position))) or 0


def _kept(session: Session, row: Category | Instructor) -> int:
    # Assigning an equal value is no change: is_modified compares with what was loaded.
    is_new = row in session.new
    if is_new or session.is_modified(row):
        session.flush()
        moved(session)
        if not is_new:
            search.index_products_of(session, row)
    return row.id
