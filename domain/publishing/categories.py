"""Categories, instructors, and the version of the catalogue, which every change increments."""

from collections.abc import Mapping

from sqlalchemy import func, insert, select
from sqlalchemy.orm import Session

from domain.catalogue.changes import bump_version
from domain.errors import NotFound
from domain.publishing.slugs import slug_from
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


def find_or_add_categories(session: Session, names: Mapping[str, str]) -> dict[str, str]:
    """Slug of the category for each slug that a name gave. `names`: slug -> name.

    A category that there is keeps its name, and is found by its name as well where its slug is another. The version is
    left to the products of the new categories: incremented here, its row would be locked before theirs, in a different
    order than everywhere else, and writers could deadlock.
    """
    present = set(session.scalars(select(Category.slug).where(Category.slug.in_(names))))
    found = {slug: slug for slug in names if slug in present}
    if len(found) == len(names):
        return found
    # The first of two of one name counts.
    last_first = select(Category.slug, Category.name).order_by(Category.position.desc(), Category.id.desc())
    by_name = {slug_from(name): slug for slug, name in session.execute(last_first)}
    found |= {slug: by_name[slug] for slug in names if slug not in found and slug in by_name}
    if missing := [slug for slug in names if slug not in found]:
        last = _last_position(session)
        rows = [{"slug": slug, "name": names[slug], "position": last + n} for n, slug in enumerate(missing, start=1)]
        session.execute(insert(Category), rows)
    return {slug: found.get(slug, slug) for slug in names}


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
