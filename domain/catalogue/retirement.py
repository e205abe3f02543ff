"""What becomes of a retired course: a landing page while people still come to it, then the end of its address.

Its last sign of life is the day it was retired or the last visit of a person since. Visits themselves are too many to
be searched for every page, and are thrown away after a while: so each batch of stored visits leaves at most one small
row a day for every retired course in it (`note_visits`), and the rest is a look-up by primary key.
"""

from collections.abc import Iterable, Mapping
from datetime import date, datetime, timedelta
from typing import Any, Literal
from urllib.parse import unquote_plus
from weakref import WeakKeyDictionary

from sqlalchemy import ColumnElement, Engine, case, func, or_, select, update
from sqlalchemy.orm import Session

from domain.db import upsert_ignoring
from domain.tables import Entrance, Product

# A page that nobody came to for this long has lost its place in search engines (SEO contract: 12 months).
QUIET = timedelta(days=365)
SLUG_LENGTH = 191
# A course's row is written again only after this.
NOTED_EVERY = timedelta(days=1)

# landing: shown, in the sitemap. unlisted: shown for its successor's sake, search engines may forget it. gone: 410.
Standing = Literal["landing", "unlisted", "gone"]


def standing(last_life: datetime, has_successor: bool, at: datetime) -> Standing:
    """What a retired course is at a moment; `last_life` is its last sign of life."""
    if at - last_life < QUIET:
        return "landing"
    return "unlisted" if has_successor else "gone"


def last_life(session: Session, product: Any) -> datetime:
    """`product`: a product or its row."""
    visited = session.scalar(select(Entrance.last_at).where(Entrance.product_id == product.id))
    retired: datetime = product.retired_at or product.updated_at
    return retired if visited is None else max(visited, retired)


def life_column() -> ColumnElement[datetime]:
    """The same for a statement that joins Product with Entrance (outer)."""
    retired = func.coalesce(Product.retired_at, Product.updated_at, type_=Product.updated_at.type)
    return case((Entrance.last_at > retired, Entrance.last_at), else_=retired)


# Courses that were asked about, by database and day: a busy worker then asks for each once a day, not in every batch.
_asked: WeakKeyDictionary[Engine, tuple[date, set[str]]] = WeakKeyDictionary()
MOST_ASKED = 50_000


def note_visits(session: Session, visits: Iterable[Mapping[str, Any]]) -> None:
    """Remembers which retired courses people came to. `visits` are columns of that table, `at` aware.

    A course that is gone already does not come back because somebody looked at its error page.
    """
    latest: dict[str, datetime] = {}
    for visit in visits:
        if visit.get("page") == "course-details" and visit.get("visitor_class") == "human":
            slug = _slug_in(visit["url"])
            if 0 < len(slug) <= SLUG_LENGTH:
                latest[slug] = max(visit["at"], latest.get(slug, visit["at"]))
    if latest:
        fresh = _not_asked(session, latest)
        if fresh:
            _note(session, {slug: latest[slug] for slug in fresh})


def _slug_in(url: str) -> str:
    """The value of `course`; addresses that write the name of the parameter in escapes are nobody's."""
    _, found, rest = url.partition("?course=")
    if not found:
        _, found, rest = url.partition("&course=")
    return unquote_plus(rest.partition("&")[0]) if found else ""


def _not_asked(session: Session, latest: Mapping[str, datetime]) -> set[str]:
    engine, day = session.get_bind().engine, max(latest.values()).date()
    known_day, known = _asked.get(engine, (day, set()))
    if known_day != day or len(known) > MOST_ASKED:
        known = set()
    fresh = latest.keys() - known
    _asked[engine] = (day, known | fresh)
    return fresh


def forget_asked() -> None:
    """For tests that fill one database again and again."""
    _asked.clear()


def _note(session: Session, latest: Mapping[str, datetime]) -> None:
    """Asks before it writes: almost no visit is to a retired course, and a write would lock rows for nothing."""
    newest = max(latest.values())
    wanted = (
        select(Product.id, Product.slug)
        .outerjoin(Entrance, Entrance.product_id == Product.id)
        .where(Product.kind == "course", Product.slug.in_(latest), Product.status == "retired")
        .where(or_(Entrance.last_at.is_(None), Entrance.last_at < newest - NOTED_EVERY))
        .where(life_column() > newest - QUIET)
    )
    found = [(row.id, latest[row.slug]) for row in session.execute(wanted)]
    upsert_ignoring(session, Entrance, [{"product_id": key, "last_at": at} for key, at in found])
    for key, at in found:
        session.execute(
            update(Entrance).where(Entrance.product_id == key, Entrance.last_at < at).values(last_at=at),
            execution_options={"synchronize_session": False},
        )
