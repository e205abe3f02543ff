"""Four months of invented visits, so that reports of a new shop have data. Every load creates the same ones."""

import uuid
from collections.abc import Iterator
from datetime import datetime, timedelta
from random import Random
from typing import Any, NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from domain.database.database import insert_ignoring
from domain.identity.learners import normalised_student_number
from domain.tables import Learner, Order, OrderLine, Product, Visit
from domain.visits.visits import campaign_of, page_of

Row = dict[str, Any]

DAYS = 120
# The share of people who look at a shop item.
ITEM_SHARE = 0.2
# Any fixed value: it gives a visit the same event id in every load.
_NAMESPACE = uuid.UUID("5f0c9f2e-6a53-4c1d-9b1c-3a1f2b7d8e90")
# Weights of the hours from 0 to 23: before work, at lunch, and most in the evening.
_HOURLY_SHARE = (2, 1, 1, 1, 1, 2, 5, 10, 14, 13, 12, 13, 16, 14, 12, 11, 11, 12, 14, 18, 22, 20, 13, 6)
# Query of the landing page, referrer, and weight.
_ORIGINS = (
    ("", "https://www.google.com/", 26),
    ("", "https://www.bing.com/", 7),
    ("", "https://duckduckgo.com/", 4),
    ("", "", 28),
    ("", "https://chatgpt.com/", 4),
    ("", "https://www.linkedin.com/", 4),
    ("", "https://accounting-weekly.example/", 3),
    ("utm_source=newsletter&utm_medium=email&utm_campaign=spring-close", "", 10),
    ("utm_source=google&utm_medium=cpc&utm_campaign=vat-basics", "https://www.google.com/", 7),
    ("utm_source=linkedin&utm_medium=post&utm_campaign=year-end", "https://www.linkedin.com/", 4),
    ("utm_source=partner&utm_medium=referral&utm_campaign=chamber", "https://chamber.example/members", 3),
)
# Links that organisations, students and coupons spread: path, values of the visits after it, and weight. Most
# visitors follow none.
_NO_VALUES: Row = {"coupon_id": "", "student_number": "", "partner": ""}
_LINKS: tuple[tuple[str, Row, int], ...] = (
    ("", {}, 176),
    ("", {"coupon_id": "WELCOME10"}, 7),
    ("/d?coupon=SPRING15", {"coupon_id": "SPRING15"}, 8),
    ("/d?coupon=BOOKS20", {"coupon_id": "BOOKS20"}, 2),
    ("/d?k=northwind-foods&coupon=NORTHWIND25", {"partner": "northwind-foods", "coupon_id": "NORTHWIND25"}, 3),
    ("/d?k=harbour-trust", {"partner": "harbour-trust"}, 5),
    ("/s?n=S-RSA2-KQ73&c=SPRING15", {"student_number": "S-RSA2-KQ73", "coupon_id": "SPRING15"}, 4),
    ("/s?n=S-NDP4-9HTW", {"student_number": "S-NDP4-9HTW"}, 3),
    ("/s?n=S-MTN6-Z4KW&c=TAX25", {"student_number": "S-MTN6-Z4KW", "coupon_id": "TAX25"}, 2),
)
# Whoever has this number buys by the own link.
_OWN_LINK = normalised_student_number("S-CLB4-K3MW")
# What brought the buyers of one order after the other: a link of _LINKS, by its place, or nothing.
_BUYERS_LINKS = (6, 0, 5, 7, 0, 0, 8, 4, 0, 6, 5, 0, 7)
# How many sessions a buyer had in the weeks before, one order after the other, and within how many days.
_EARLIER_SESSIONS = (2, 0, 3, 1, 0, 2, 1, 4, 0, 2, 1)
_EARLIER_DAYS = 24
_BROWSERS = ("Chrome", "Chrome", "Chrome", "Safari", "Safari", "Edge", "Firefox", "Mobile Safari", "Chrome Mobile")
_WORDS = ("vat", "excel", "ethics", "negotiation", "ifrs", "cash+flow", "spanish", "leadership", "sql", "close")


def add_visits(session: Session, at: datetime) -> None:
    """Add the visits of the four months before `at`, unless yesterday's exist."""
    if session.scalar(select(Visit.id).where(Visit.event_id == _event_id(1, 0))) is not None:
        return
    courses = select(Product.slug).where(Product.kind == "course", Product.status == "published")
    popular_first = session.scalars(courses.order_by(Product.popularity.desc(), Product.slug))
    items = session.scalars(
        select(Product.id).where(Product.kind == "item", Product.status == "published").order_by(Product.slug)
    )
    chance = Random(20260301)  # noqa: S311 not used for secrets
    generator = _SessionGenerator(chance, list(popular_first), list(items))
    today = at.replace(hour=0, minute=0, second=0, microsecond=0)
    rows: list[Row] = []
    for day in range(DAYS):
        visits = generator.of_day(today - timedelta(days=day), day)
        rows += [row | {"event_id": _event_id(day, number)} for number, row in enumerate(visits)]
    since = today - timedelta(days=DAYS - 1)
    for order, buyer in enumerate(_buyers(session, since)):
        visits = generator.of_buyer(buyer, _BUYERS_LINKS[order % len(_BUYERS_LINKS)])
        earlier = generator.before_order(buyer, _EARLIER_SESSIONS[order % len(_EARLIER_SESSIONS)])
        rows += [row | {"event_id": _event_id(DAYS + order, number)} for number, row in enumerate((*visits, *earlier))]
    rows.sort(key=lambda row: row["visited_at"])
    insert_ignoring(session, Visit, [row for row in rows if since <= row["visited_at"] <= at])


class _Buyer(NamedTuple):
    """Whoever placed an order; `code`: one that lowered it, or ""."""

    learner_id: int
    placed_at: datetime
    number: str
    code: str


def _buyers(session: Session, since: datetime) -> list[_Buyer]:
    code = func.max(func.coalesce(func.nullif(OrderLine.line_code, ""), OrderLine.cart_code))
    columns = (Order.learner_id, Order.placed_at, Learner.student_number, code)
    query = select(*columns).join(Learner, Learner.id == Order.learner_id)
    query = query.join(OrderLine, OrderLine.order_id == Order.id).where(Order.placed_at >= since)
    query = query.group_by(Order.id, Learner.student_number).order_by(Order.placed_at, Order.code)
    return [_Buyer(*row) for row in session.execute(query)]


def _event_id(day: int, number: int) -> str:
    return str(uuid.uuid5(_NAMESPACE, f"{day}/{number}"))


class _SessionGenerator:
    """Generates the visits of a day."""

    def __init__(self, chance: Random, courses: list[str], items: list[int]):
        self._chance = chance
        # Drawn apart, so that other links leave everything else as it is.
        self._links = Random(20260302)  # noqa: S311 not used for secrets
        self._earlier = Random(20260303)  # noqa: S311 not used for secrets
        self._courses = courses
        self._items = items

    def of_day(self, midnight: datetime, days_ago: int) -> Iterator[Row]:
        """People in growing numbers and fewer at weekends, and a few suspected programs. Crawlers: crawls.py."""
        is_weekend = midnight.weekday() >= 5
        people = (8 if is_weekend else 16) + self._chance.randrange(6) + (DAYS - days_ago) // 20
        for _ in range(people):
            yield from self._person(midnight)
        for _ in range(self._chance.randrange(3)):
            yield self._fetch(midnight, "HeadlessChrome")

    def of_buyer(self, buyer: _Buyer, place: int) -> Iterator[Row]:
        """The session that ends with an order: from a course to the cart and the checkout; `place`: of the link that
        brought it. Its code is that of the order."""
        link, values, _ = _LINKS[place]
        if buyer.number == _OWN_LINK:
            link, values = f"/s?n={buyer.number}", {"student_number": buyer.number}
        values = {**values, "coupon_id": buyer.code}
        query, referrer, _ = self._chance.choices(_ORIGINS, [weight for *_, weight in _ORIGINS])[0]
        shared = {
            "session_id": str(uuid.UUID(int=self._chance.getrandbits(128), version=4)),
            "agent": self._chance.choice(_BROWSERS),
            "address": f"198.51.{self._chance.randrange(256)}.0/24",
            "learner_id": buyer.learner_id,
        }
        way = (_with_query(self._course(), query), self._course(), "/cart", "/checkout")
        urls = (link, *way) if link else way
        pace = self._chance.randrange(40, 90)
        for number, url in enumerate(urls):
            at = buyer.placed_at - timedelta(seconds=(len(urls) - number) * pace)
            yield visit_row(at, url) | shared | values | {"referrer": "" if number or link else referrer}

    def before_order(self, buyer: _Buyer, sessions: int) -> Iterator[Row]:
        """Sessions of a buyer who was signed in and looked around, each from an origin of its own."""
        chance = self._earlier
        origins = [origin for origin in _ORIGINS if origin[:2] != ("", "")]
        for query, origin, _ in chance.choices(origins, [weight for *_, weight in origins], k=sessions):
            at = buyer.placed_at - timedelta(days=chance.randrange(1, _EARLIER_DAYS), minutes=chance.randrange(600))
            shared = {
                "session_id": str(uuid.UUID(int=chance.getrandbits(128), version=4)),
                "agent": chance.choice(_BROWSERS),
                "address": f"198.51.{chance.randrange(256)}.0/24",
                "learner_id": buyer.learner_id,
            }
            landing, next_page = _with_query(self._course(chance), query), self._course(chance)
            yield visit_row(at, landing) | shared | {"referrer": origin}
            at += timedelta(seconds=chance.randrange(40, 300))
            yield visit_row(at, next_page) | shared

    def _person(self, midnight: datetime) -> Iterator[Row]:
        hour = self._chance.choices(range(24), _HOURLY_SHARE)[0]
        at = midnight + timedelta(hours=hour, seconds=self._chance.randrange(3600))
        query, referrer, _ = self._chance.choices(_ORIGINS, [weight for *_, weight in _ORIGINS])[0]
        shared = {
            "session_id": str(uuid.UUID(int=self._chance.getrandbits(128), version=4)),
            "agent": self._chance.choice(_BROWSERS),
            "address": f"198.51.{self._chance.randrange(256)}.0/24",
        }
        link, values, _ = self._links.choices(_LINKS, [weight for *_, weight in _LINKS])[0]
        referrer = "" if link else referrer
        way = self._path(query)
        if self._items and self._links.random() < ITEM_SHARE:
            way.insert(1, f"/shop-details/{self._links.choice(self._items)}")
        for url in [*([link] if link else []), *way]:
            yield visit_row(at, url) | shared | values | {"referrer": referrer}
            at += timedelta(seconds=self._chance.randrange(8, 240))
            # Only the landing page has a referrer.
            referrer = ""

    def _path(self, query: str) -> list[str]:
        """URLs in their order, the landing page first; most visitors see one or two more pages, few reach the
        cart, and fewer the checkout."""
        landing = self._chance.choice(("/", "/shop", self._course(), self._course()))
        next_pages = ("/shop", self._course(), self._course(), "/contact", "/about")
        steps = self._chance.choices(next_pages, k=self._chance.choice((0, 0, 1, 1, 2, 3, 5)))
        end = ["/cart"] if len(steps) > 1 and self._chance.random() < 0.3 else []
        end += ["/checkout"] if end and self._chance.random() < 0.4 else []
        return [_with_query(landing, query), *steps, *end]

    def _fetch(self, midnight: datetime, agent: str) -> Row:
        at = midnight + timedelta(seconds=self._chance.randrange(86_400))
        url = self._chance.choice(("/", "/shop", self._course(), self._course(), self._course()))
        session_id = str(uuid.UUID(int=self._chance.getrandbits(128), version=4))
        shared = {"session_id": session_id, "agent": agent, "address": f"203.0.{self._chance.randrange(113, 120)}.0/24"}
        return visit_row(at, url) | shared | {"visitor_class": "suspected"}

    def _course(self, chance: Random | None = None) -> str:
        # Squaring the random number prefers the popular courses, which come first.
        place = int(len(self._courses) * (chance or self._chance).random() ** 2)
        return f"/course-details?course={self._courses[place]}" if self._courses else "/shop"


def _with_query(url: str, query: str) -> str:
    return f"{url}{'&' if '?' in url else '?'}{query}" if query else url


def visit_row(at: datetime, url: str) -> Row:
    # Every row has every column, because the first row decides the columns of the INSERT.
    return {
        "visited_at": at,
        "url": url,
        "page": page_of(url),
        "campaign": campaign_of(url),
        "referrer": "",
        "visitor_class": "human",
        "source": "browser",
        "learner_id": None,
        **_NO_VALUES,
    }
