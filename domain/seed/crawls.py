"""Six weeks of invented fetches by crawlers, and when the demo shop's pages had changed before: so that reports about
crawlers have data. Every load creates the same ones."""

import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from hashlib import sha256
from random import Random
from typing import Any

from sqlalchemy import insert, select, update
from sqlalchemy.orm import Session

from domain import money
from domain.crawlers.fetches import DIGEST_LENGTH, AnsweredFetch, ServedPage
from domain.crawlers.page_changes import path_of_product
from domain.database.database import insert_ignoring
from domain.money import Currency
from domain.tables import PageChange, Product, SearchSnippet, Visit
from domain.visits.visits import page_of

DAYS = 45
_NAMESPACE = uuid.UUID("0e0a6d5c-93c4-4d0b-8a57-6f2b41d9c3aa")
# How many pages a crawler fetches on a day, how many of the courses and items it knows of, in percent, and since how
# many days it has not come any more.
_CRAWLERS = (
    ("Googlebot", 10, 95, 0),
    ("bingbot", 5, 80, 2),
    ("DuckDuckBot", 2, 40, 5),
    ("Applebot", 2, 50, 0),
    ("YandexBot", 3, 60, 11),
    ("GPTBot", 3, 70, 0),
    ("ChatGPT-User", 3, 60, 0),
    ("AhrefsBot", 3, 90, 1),
    ("Claude-User", 1, 40, 0),
)
_FILES = ("/robots.txt", "/sitemap.xml", "/sitemaps/pages.xml", "/products.jsonl", "/llms.txt")
_OWN_PAGES = ("/", "/shop", "/about", "/terms", "/refund-grievance-policy")
_GONE = ("/course-details?course=fax-machines", "/courses/old-list", "/shop-details/999999")
# Pages that no crawler has found.
_HIDDEN = 3


@dataclass
class _DemoPage:
    """`price_changed_at`: since then it costs `price`, before that `former_price`."""

    path: str
    title: str
    price: int
    former_price: int
    published_at: datetime
    price_changed_at: datetime | None = None
    changed_at: list[datetime] = field(default_factory=list)

    def served(self, at: datetime, currency: Currency) -> ServedPage:
        is_former = self.price_changed_at is not None and at < self.price_changed_at
        price = self.former_price if is_former else self.price
        version = sum(time <= at for time in self.changed_at)
        digest = sha256(f"{self.path} {price} {version}".encode()).hexdigest()[:DIGEST_LENGTH]
        return ServedPage(self.title, price, currency.code, digest)


def add_crawls(session: Session, at: datetime, currency: Currency) -> None:
    """Add the fetches of the six weeks before `at`, unless there are any, and the changes that they read."""
    if session.scalar(select(Visit.id).where(Visit.event_id == _event_id(0))) is not None:
        return
    chance = Random(20261201)  # noqa: S311 not used for secrets
    pages = _pages(session, at, currency, chance)
    _date_changes(session, at, pages)
    rows = sorted(_fetches(chance, pages, at, currency), key=lambda row: (row["visited_at"], row["url"]))
    rows = [row | {"event_id": _event_id(number)} for number, row in enumerate(rows)]
    insert_ignoring(session, Visit, rows)


def _event_id(number: int) -> str:
    return str(uuid.uuid5(_NAMESPACE, f"{number}"))


def _pages(session: Session, at: datetime, currency: Currency, chance: Random) -> list[_DemoPage]:
    """The published courses and items, the popular ones first. Those with a sale price had a higher one some days
    ago, and some were edited meanwhile."""
    query = select(Product, SearchSnippet.title).join(SearchSnippet, SearchSnippet.product_id == Product.id)
    query = query.where(Product.status == "published").order_by(Product.popularity.desc(), Product.slug)
    pages = []
    for product, title in session.execute(query):
        list_price = money.to_minor(product.list_price, currency)
        path = path_of_product(product.kind, product.id, product.slug)
        published_at = min(product.published_at or at, at)
        page = _DemoPage(path, title, list_price, list_price, published_at)
        age = (at - published_at).days
        if product.sale_price is not None:
            page.price = money.to_minor(product.sale_price, currency)
            page.price_changed_at = at - timedelta(days=chance.randrange(1, 14), seconds=chance.randrange(86_400))
            page.price_changed_at = max(page.price_changed_at, published_at)
        if age > 1 and chance.random() < 0.4:
            seconds = chance.randrange(9_000)
            page.changed_at = [at - timedelta(days=chance.randrange(1, min(age, DAYS)), seconds=seconds)]
        pages.append(page)
    return pages


def _date_changes(session: Session, at: datetime, pages: list[_DemoPage]) -> None:
    """The load has published all of them just now; in the demo they are older."""
    rows: list[dict[str, Any]] = []
    published = select(PageChange.path, PageChange.product_id).where(PageChange.kind == "publish")
    ids = dict(session.execute(published).all())
    for page in pages:
        is_loaded = (PageChange.path == page.path, PageChange.kind == "publish", PageChange.changed_at == at)
        session.execute(update(PageChange).where(*is_loaded).values(changed_at=page.published_at))
        shared = {"path": page.path, "product_id": ids.get(page.path)}
        rows += [{**shared, "kind": "change", "changed_at": time} for time in page.changed_at]
        if page.price_changed_at is not None:
            rows.append({**shared, "kind": "price", "changed_at": page.price_changed_at})
    if rows:
        session.execute(insert(PageChange), rows)


def _fetches(chance: Random, pages: list[_DemoPage], at: datetime, currency: Currency) -> Iterator[dict[str, Any]]:
    found = pages[: max(0, len(pages) - _HIDDEN)]
    midnight = at.replace(hour=0, minute=0, second=0, microsecond=0)
    for crawler, per_day, known, absent in _CRAWLERS:
        own = found[: max(1, len(found) * known // 100)] if found else []
        for day in range(DAYS):
            if day < absent:
                continue
            start = midnight - timedelta(days=day)
            for fetch in _day(chance, own, per_day, start, currency):
                if fetch["visited_at"] <= at:
                    yield {**fetch, "agent": crawler}


def _day(
    chance: Random, pages: list[_DemoPage], per_day: int, midnight: datetime, currency: Currency
) -> Iterator[dict[str, Any]]:
    """robots.txt first, then pages, now and then a file for programs or a page that is not there."""
    for number in range(per_day + 1):
        at = midnight + timedelta(seconds=chance.randrange(86_400))
        choice = chance.random()
        if number == 0 or choice < 0.06:
            url = _FILES[0] if number == 0 else chance.choice(_FILES)
            yield _fetch(at, url, AnsweredFetch(200, chance.randrange(400, 9_000), chance.randrange(1, 9)))
        elif choice < 0.12:
            yield _fetch(at, chance.choice(_GONE), AnsweredFetch(404, 6_200, chance.randrange(3, 12)))
        elif choice < 0.3 or not pages:
            url = chance.choice(_OWN_PAGES)
            yield _fetch(at, url, AnsweredFetch(200, chance.randrange(7_000, 16_000), chance.randrange(1, 30)))
        else:
            page = pages[int(len(pages) * chance.random())]
            if page.published_at > at:
                continue
            status, size = (304, 0) if chance.random() < 0.15 else (200, chance.randrange(9_000, 15_000))
            answer = AnsweredFetch(status, size, chance.randrange(1, 40), served=page.served(at, currency))
            yield _fetch(at, page.path, answer)


def _fetch(at: datetime, url: str, answer: AnsweredFetch) -> dict[str, Any]:
    return {
        "visited_at": at,
        "url": url,
        "page": page_of(url),
        "visitor_class": "crawler",
        "source": "host",
        "address": "203.0.113.0/24",
        "attributes": answer.as_text(),
    }
