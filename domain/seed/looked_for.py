"""Sessions of invented people who searched, and of others who found a page missing, retired or not what they expected:
so that the reports on searches and on content gaps of a new shop show something of every kind."""

import uuid
from collections.abc import Iterable
from datetime import datetime, timedelta
from random import Random
from typing import Any
from urllib.parse import urlencode

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.catalogue.listing import ShopQuery
from domain.database.database import insert_ignoring
from domain.search import query_log
from domain.search import search as search_search
from domain.search.search import RELEVANCE
from domain.seed.visits import visit_row
from domain.tables import Order, Product, SearchQuery, Visit

Row = dict[str, Any]
# Any fixed value: it gives a visit the same event id in every load.
_NAMESPACE = uuid.UUID("0b6f3f53-0c0e-4a0e-8d0f-2f6d1b8f5a11")
DAYS = 28
# What its results are called does not say what people look for.
_NOBODY_FOLLOWS = "data"
# What buyers had searched for, in turn.
_OF_BUYERS = ("vat", "excel")
# Address, referrer, and every how many days somebody comes there.
_NOWHERE = (
    ("/course-details?course=vat-basics-2024", "https://accounting-weekly.example/best-vat-courses", 3),
    ("/training-calendar", "https://chamber.example/members", 5),
    ("/courses/excel.html", "", 7),
)
_CAMPAIGN = "utm_source=linkedin&utm_medium=post&utm_campaign=year-end"


def add(session: Session, at: datetime) -> None:
    """Add the sessions, unless a load before has."""
    if session.scalar(select(Visit.id).where(Visit.event_id == _event_id(0))) is not None:
        return
    sessions = _Sessions(Random(20260307), _courses(session))  # noqa: S311 not used for secrets
    searches = session.execute(select(SearchQuery.query, SearchQuery.results, SearchQuery.searched_at)).all()
    for query, results, searched_at in searches:
        sessions.search(query, results, searched_at)
    _add_buyers(session, sessions, at)
    today = at.replace(hour=0, minute=0, second=0, microsecond=0)
    retired = session.scalar(select(Product.id).where(Product.kind == "item", Product.status == "retired"))
    for number in range(DAYS):
        noon = today - timedelta(days=number, hours=-12)
        sessions.disappointed(noon, number, retired)
    rows = [row | {"event_id": _event_id(number)} for number, row in enumerate(sessions.rows)]
    insert_ignoring(session, Visit, [row for row in rows if row["visited_at"] <= at])


def _event_id(number: int) -> str:
    return str(uuid.uuid5(_NAMESPACE, str(number)))


def _courses(session: Session) -> list[str]:
    courses = select(Product.slug).where(Product.kind == "course", Product.status == "published")
    return list(session.scalars(courses.order_by(Product.popularity.desc(), Product.slug)))


def _add_buyers(session: Session, sessions: "_Sessions", at: datetime) -> None:
    """Some hours before they bought; signed in."""
    placed = session.execute(select(Order.learner_id, Order.placed_at).order_by(Order.placed_at, Order.code)).all()
    results = {
        query: search_search.search(session, query, ShopQuery(sort=RELEVANCE), at).everything for query in _OF_BUYERS
    }
    for number, (learner_id, placed_at) in enumerate(placed):
        query = _OF_BUYERS[number % len(_OF_BUYERS)]
        searched_at = placed_at - timedelta(minutes=50)
        if placed_at > at - timedelta(days=DAYS):
            query_log.log_query(session, query, results[query], "exact", searched_at)
            sessions.search(query, results[query], searched_at, learner_id)


class _Sessions:
    """Collects the visits of sessions, each with its own chance."""

    def __init__(self, chance: Random, courses: list[str]):
        self._chance, self._courses = chance, courses
        self.rows: list[Row] = []

    def search(self, query: str, results: int, at: datetime, learner_id: int | None = None) -> None:
        """A search in the middle of a session."""
        address = f"/search?{urlencode({'q': query})}"
        self._add(["/", address, *self._after(query, results)], at - timedelta(seconds=30), learner_id=learner_id)

    def _after(self, query: str, results: int) -> list[str]:
        if query == _NOBODY_FOLLOWS or not results:
            return self._chance.choice(([], [], ["/shop"]))
        course = f"/course-details?course={self._chance.choice(self._courses[:20])}" if self._courses else "/shop"
        return self._chance.choice(([], ["/shop", course], [course], [course, "/cart"]))

    def disappointed(self, noon: datetime, number: int, retired: int | None) -> None:
        """Sessions of a day that found an address without a page, a retired item, or a course that is not what the
        campaign had said."""
        for address, referrer, every in _NOWHERE:
            if number % every == 0:
                self._add([address], noon + timedelta(minutes=7 * every), referrer)
        if number % 4 == 0:
            self._add(["/about", "/training-calendar"], noon + timedelta(hours=2))
        if retired is not None and number % 6 == 0:
            self._add([f"/shop-details/{retired}"], noon + timedelta(hours=3), "https://www.google.com/")
        for visitor in range(3 if self._courses else 0):
            landing = f"/course-details?course={self._courses[-1]}&{_CAMPAIGN}"
            more = ["/shop"] if (number + visitor) % 9 == 0 else []
            self._add([landing, *more], noon + timedelta(hours=4, minutes=visitor), "https://www.linkedin.com/")

    def _add(
        self, addresses: Iterable[str], at: datetime, referrer: str = "", *, learner_id: int | None = None
    ) -> None:
        shared = {
            "session_id": str(uuid.UUID(int=self._chance.getrandbits(128), version=4)),
            "agent": self._chance.choice(("Chrome", "Safari", "Firefox", "Chrome Mobile")),
            "address": f"198.51.{self._chance.randrange(256)}.0/24",
            "learner_id": learner_id,
        }
        self.rows += [
            visit_row(at + timedelta(seconds=40 * number), address) | shared | {"referrer": "" if number else referrer}
            for number, address in enumerate(addresses)
        ]
