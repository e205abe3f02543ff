"""Days of visits of every kind. Each is a row of the table, and what it is of in words that the oracle reads."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from random import Random
from typing import Any, NamedTuple

from sqlalchemy.orm import Session

from domain.tables import FormerSlug
from tests.domain.visits.days import worlds
from tests.support import factories, order_rows

Known = dict[str, Any]
AGENTS = {"Chrome": "desktop", "Mobile Safari": "mobile", "Lynx": "(unknown)"}
# url -> page, path, named product, step, area, whether a probe
URLS: dict[str, tuple[str, str, str, str, str, bool]] = {
    "/": ("home", "/", "", "visit", "", False),
    "/shop?page=2": ("shop", "/shop", "", "visit", "", False),
    "/Shop/": ("shop", "/shop", "", "visit", "", False),
    "/course-details?course=vat-basics&x=1": (
        *("course-details", "/course-details?course=vat-basics", "course", "product", "", False),
    ),
    "/course-details?course=VAT": ("course-details", "/course-details?course=vat", "course", "product", "", False),
    "/course-details?course=gone": ("course-details", "/course-details?course=gone", "", "visit", "", False),
    "/cart": ("cart", "/cart", "", "cart", "", False),
    "/checkout": ("checkout", "/checkout", "", "checkout", "", False),
    "/no-such-page": ("(unknown)", "/no-such-page", "", "visit", "", False),
    "(other)": ("(unknown)", "/(other)", "", "visit", "", False),
    "/.env": ("(unknown)", "/.env", "", "visit", "", True),
    "/admin/orders": ("", "", "", "visit", "admin", False),
    "/organization": ("", "", "", "visit", "organization", False),
}
# Query, referrer -> channel, source, campaign, referrer, engine, assistant
ORIGINS = {
    ("", ""): ("direct", "(none)", "- / - / -", "(none)", "(none)", "(none)"),
    ("", "https://www.google.co.uk/"): ("search", "Google", "- / - / -", "google.co.uk", "Google", "(none)"),
    ("", "https://google.evil.example/"): (
        *("referral", "google.evil.example", "- / - / -", "google.evil.example", "(none)", "(none)"),
    ),
    ("", "https://chatgpt.com/c"): ("assistant", "ChatGPT", "- / - / -", "chatgpt.com", "(none)", "ChatGPT"),
    ("", "https://t.co/x"): ("social", "X", "- / - / -", "t.co", "(none)", "(none)"),
    ("utm_source=News%20 Letter&utm_medium=E-Mail&utm_campaign=%C3%84rger&utm_term=VAT%20(new)&utm_content=b", ""): (
        *("email", "news letter", "news letter / e-mail / ärger", "(none)", "(none)", "(none)"),
    ),
    ("utm_source=(other)", "https://www.bing.com/"): (
        *("campaign", "other)", "other) / - / -", "bing.com", "(none)", "(none)"),
    ),
    ("gclid=1&utm_medium=email", "https://www.bing.com/"): (
        *("paid", "Google", "- / email / -", "bing.com", "(none)", "(none)"),
    ),
}


class Shop(NamedTuple):
    """What visits name."""

    learners: tuple[int, ...]
    student: str
    course: str


def shop(session: Session) -> Shop:
    category = factories.category(session)
    course = factories.course(session, category.id, "vat-basics")
    session.add(FormerSlug(kind="course", slug="vat", product_id=course.id, replaced_at=worlds.NOON))
    factories.coupon(session, "SPRING")
    factories.organisation(session, "northwind")
    people = [factories.learner(session, f"Learner {number}") for number in range(6)]
    session.flush()
    return Shop(tuple(row.id for row in people), people[0].student_number, str(course.id))


class Month:
    """`rows`: of the table; `known`: what the oracle reads; `orders`: learner, placed, whether paid."""

    def __init__(self, shop: Shop, start: datetime, days: int):
        self._chance = Random(7)
        self._shop = shop
        self.rows: list[dict[str, Any]] = []
        self.known: list[Known] = []
        self.orders: list[tuple[int, datetime, bool]] = []
        for day in range(-1, days + 1):
            for _ in range(22):
                self._person(start + timedelta(days=day, seconds=self._chance.randrange(86_400)))
            for _ in range(4):
                self.add_visit(start + timedelta(days=day, seconds=self._chance.randrange(86_400)), "", kind="crawler")
        # Some that certainly go on over midnight, of people.
        for night in range(3):
            for minutes in (-5, -3, 5, 7):
                self.add_visit(start + timedelta(days=1, minutes=minutes), f"night {night}", agent="Chrome")

    def _person(self, at: datetime) -> None:
        name, kind = f"s{len(self.known)}", "suspected" if self._chance.random() < 0.15 else "human"
        if self._chance.random() < 0.1:
            name = ""
        count = self._chance.choice((1, 1, 2, 3, 12, 70 if self._chance.random() < 0.05 else 4))
        pace = self._chance.choice((1, 60, 900, 1800.000001))
        about: Known = {"kind": kind, "agent": self._chance.choice(list(AGENTS))}
        if self._chance.random() < 0.2:
            about["learner"] = self._chance.choice(self._shop.learners)
        origin = self._chance.choice(list(ORIGINS))
        if name and self._chance.random() < 0.15:
            self._link(at, name, about)
            at += timedelta(seconds=2)
        for number in range(count):
            self.add_visit(at, name, origin=origin if number == 0 else ("", ""), **about)
            at += timedelta(seconds=pace * self._chance.choice((1, 1, 1, 0.5)))

    def _link(self, at: datetime, name: str, about: Known) -> None:
        is_partner, slug = self._chance.random() < 0.5, self._chance.choice(("northwind", "nobody"))
        number = self._shop.student if self._chance.random() < 0.7 else "S-0"
        known = self.add_visit(
            at, name, link=True, partner=slug if is_partner else "", student="" if is_partner else number, **about
        )
        if not is_partner or slug == "northwind":
            known["channel"] = "partner" if is_partner else "student"
        self._refers_to = known["event_id"]

    _refers_to: str | None = None

    def add_visit(
        self, at: datetime, name: str, *, link: bool = False, origin: tuple[str, str] = ("", ""), **about: Any
    ) -> Known:
        kind, agent = about.get("kind", "human"), about.get("agent", "Lynx")
        url, place = self._url(link, about.get("partner", ""), origin[0])
        page, path, product, step, area, is_probe = place
        coupon = self._chance.choice(("", "", "", "spring", " Spring", "guess"))
        learner = None if link else about.get("learner")
        number = len(self.known) + 1
        host = link or kind == "crawler"
        row = worlds.visit(number, at, url, "" if link else name, learner_id=learner, visitor_class=kind, agent=agent)
        row |= {"source": "host" if host else "browser", "coupon_id": coupon, "referrer": origin[1]}
        row |= {"partner": about.get("partner", ""), "student_number": about.get("student", "")}
        if not link:
            row["referral_id"], self._refers_to = self._refers_to, None
        self.rows.append(row)
        keys = dict(
            zip(("channel", "source", "campaign", "referrer", "engine", "assistant"), ORIGINS[origin], strict=True)
        )
        known: Known = {
            **{"event_id": row["event_id"], "at": at, "session": name, "kind": kind, "script": not host, "link": link},
            **{"agent": agent, "device": AGENTS[agent], "learner": learner, "order": "", "step": step, "area": area},
            **dict(zip(("term", "content"), ("vat (new)", "b") if "utm_term" in origin[0] else ("", ""), strict=True)),
            **{"page": page, "path": path, "product": self._shop.course if product else "", "probe": is_probe},
            **{"coupon": {"": "", "guess": "(unknown)"}.get(coupon, "spring"), "special": "", **keys},
            "student": {"": "", "S-0": "(unknown)"}.get(about.get("student", ""), about.get("student", "")),
            "partner": {"": "", "nobody": "(unknown)"}.get(about.get("partner", ""), about.get("partner", "")),
        }
        self.known.append(known)
        if page == "checkout" and learner and self._chance.random() < 0.6:
            self.orders.append(
                (learner, at + timedelta(hours=self._chance.choice((0, 1, 23, 25))), self._chance.random() < 0.5)
            )
        return known

    def _url(self, link: bool, partner: str, query: str) -> tuple[str, tuple[str, str, str, str, str, bool]]:
        if link:
            path = "/d" if partner else "/s"
            return path, ("doorway" if partner else "share-link", path, "", "visit", "", False)
        url = self._chance.choice(list(URLS))
        if URLS[url][4]:
            return url, URLS[url]
        return f"{url}{'&' if '?' in url else '?'}{query}" if query else url, URLS[url]

    def add_to(self, session: Session) -> None:
        """All rows, the order of which says nothing."""
        mixed = Random(1).sample(self.rows, len(self.rows))
        worlds.add(session, *mixed)
        for number, (learner, placed_at, is_paid) in enumerate(self._orders()):
            about = {"placed_at": placed_at, "changed_at": placed_at, "paid_at": placed_at if is_paid else None}
            state = "paid" if is_paid else "expired"
            order_rows.order(session, learner, f"CODE{number:016}", state=state, open_learner_id=None, **about)

    def _orders(self) -> Iterator[tuple[int, datetime, bool]]:
        """Each also told to the oracle, at the last visit to the checkout within a day before it."""
        for learner, placed_at, is_paid in self.orders:
            earlier = [
                known
                for known in self.known
                if (known["page"], known["learner"]) == ("checkout", learner)
                and timedelta() <= placed_at - known["at"] <= timedelta(hours=24)
            ]
            if earlier:
                last = max(earlier, key=lambda known: (known["at"], known["event_id"]))
                last["order"] = "payment" if is_paid or last["order"] == "payment" else "order"
            yield learner, placed_at, is_paid
