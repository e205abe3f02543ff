"""Categories, instructors, and the version of the catalogue, which every change increments."""

from collections.abc import Mapping

from sqlalchemy import func, insert, select
from sqlalchemy.orm import Session

from domain.catalogue.changes import bump_version
from domain.errors import NotFound
from domain.search import index as search_index
from domain.tables import Category, Instructor


def put_category(session: Session, slug: str, name: str, description: str = "", position: int | None = None) -> int:
    """Create or update the category and return its id. A new one without a position goes to the end."""
    category = session.scalar(select(Category).where(Category.slug == slug))
    if category is None:
        category = Category(slug=slug, position=_last_position(session) + 1)
        session.add(category)
    category.name, category.description = name, description
    if position is not None:
        category.position = position
    return _save(session, category)


def put_instructor(session: Session, slug: str, name: str, title: str = "", bio: str = "") -> int:
    """Create or update the instructor and return the id."""
    instructor = session.scalar(select(Instructor).where(Instructor.slug == slug))
    if instructor is None:
        instructor = Instructor(slug=slug)
        session.add(instructor)
    instructor.name, instructor.title, instructor.bio = name, title, bio
    return _save(session, instructor)


def add_missing_categories(session: Session, names: Mapping[str, str]) -> None:
    """`names`: slug -> name. Existing categories keep their names.

    The version is left to the products of the new categories: incremented here, its row would be locked before
    theirs, in a different order than everywhere else, and writers could deadlock.
    """
    present = set(session.scalars(select(Category.slug).where(Category.slug.in_(names))))
    missing = [slug for slug in names if slug not in present]
    if not missing:
        return
    last = _last_position(session)
    rows = [{"slug": slug, "name": names[slug], "position": last + n} for n, slug in enumerate(missing, start=1)]
    session.execute(insert(Category), rows)


def category_ids(session: Session, slugs: set[str]) -> dict[str, int]:
    """Slug -> id. Raises NotFound for an unknown slug."""
    ids = known_category_ids(session, slugs)
    if missing := slugs - ids.keys():
        raise NotFound(f"There is no category {', '.join(sorted(missing))}.")
    return ids


def known_category_ids(session: Session, slugs: set[str]) -> dict[str, int]:
    """Slug -> id of those that there are."""
    return dict(session.execute(select(Category.slug, Category.id).where(Category.slug.in_(slugs))).all())


def instructor_ids(session: Session, slugs: set[str]) -> dict[str, int]:
    """Slug -> id. Raises NotFound for an unknown slug."""
    query = select(Instructor.slug, Instructor.id).where(Instructor.slug.in_(slugs))
    ids = dict(session.execute(query).all()) if slugs else {}
    if missing := slugs - ids.keys():
        raise NotFound(f"There is no instructor {', '.join(sorted(missing))}.")
    return ids


def _last_position(session: Session) -> int:
    return session.scalar(select(func.max(Category.position))) or 0


def _save(session: Session, row: Category | Instructor) -> int:
    # is_modified compares with the loaded values: assigning an equal value is no change.
    is_new = row in session.new
    if is_new or session.is_modified(row):
        session.flush()
        bump_version(session)
        if not is_new:
            search_index.index_products_of(session, row)
    return row.id
