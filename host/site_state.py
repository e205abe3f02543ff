"""What every page shows, the same for all visitors: the shop's settings and categories, refreshed when they change."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from typing import Any, Literal, NamedTuple, NotRequired, cast
from urllib.parse import quote

import orjson
from aiohttp import web
from sqlalchemy.orm import Session
from typing_extensions import TypedDict

from config.settings import Settings
from domain.catalogue import details as catalogue_details
from domain.catalogue import listing as catalogue_listing
from domain.catalogue.listing import CategoryCount
from domain.database.database import Database
from domain.errors import ServiceUnavailable
from domain.money import Currency, to_minor
from host import content
from host.content import Content
from host.facet_counts import FacetCountsCache
from host.locale_forms import LocaleForms, locale_forms
from host.resilience.background_loop import BackgroundLoop
from host.resilience.bounded_cache import BoundedCache

# A change of the catalogue must be on the page within 1 s.
POLL_S = 0.25
# A single category is a page of its own for search engines only with enough on it (SEO contract: at least three).
INDEXABLE_HITS = 3
MAX_LINKED_CATEGORIES = 12
# About 1,000 course pages.
MAX_COMPOSED_BYTES = 16 * 2**20
# About 400 pages of searches. Apart from the others, as anybody can search for any words.
MAX_SEARCH_BYTES = 8 * 2**20


class CategoryRef(TypedDict):
    """The link to a category's list. `nofollow`: the list is too short to be indexed."""

    slug: str
    name: str
    href: str
    nofollow: NotRequired[bool]


class CurrencyProps(TypedDict):
    """`exponent`: decimals of an amount; `quantum`: the smallest difference of prices, in minor units (10 where there
    are three decimals)."""

    code: str
    exponent: Literal[0, 2, 3]
    quantum: Literal[1, 10]


class SiteLink(TypedDict):
    href: str
    text: str


WITHDRAW: SiteLink = {"href": "/withdraw", "text": "Withdraw from contract"}


class SiteScope(TypedDict):
    """Whose courses a restricted visitor sees, in words; the organisation's `logo`, "" for none."""

    text: str
    logo: str


class SiteProps(TypedDict):
    """What pages show of the site, for every visitor alike but `scope`. `forms`: how `locale` writes numbers and days.
    `api`: base address of the calls (setting API_BASE). `cookieMinutes`: how long cookies live that scripts set.
    `legal`: the pages of `content.LEGAL` that the shop has written, and in the Union the way to withdraw."""

    name: str
    tagline: str
    origin: str
    currency: CurrencyProps
    locale: str
    forms: LocaleForms
    logo: str
    email: str
    year: int
    build: str
    api: str
    cookieMinutes: int
    categories: list[CategoryRef]
    legal: list[SiteLink]
    scope: NotRequired[SiteScope]


def currency_props(currency: Currency) -> CurrencyProps:
    exponent, quantum = currency.exponent, to_minor(currency.quantum, currency)
    return {
        "code": currency.code,
        "exponent": cast("Literal[0, 2, 3]", exponent),
        "quantum": cast("Literal[1, 10]", quantum),
    }


def is_indexable_category(category: CategoryCount) -> bool:
    return category.count >= INDEXABLE_HITS


def _legal_links(settings: Settings, published: Mapping[str, Content]) -> list[SiteLink]:
    links: list[SiteLink] = [
        {"href": f"/{slug}", "text": published[slug].title} for slug in content.LEGAL if slug in published
    ]
    return [*links, WITHDRAW] if settings.shop.follows_union_rules else links


def category_link(category: CategoryCount) -> CategoryRef:
    """The link, with `nofollow` for a list that search engines may not index."""
    link: CategoryRef = {"slug": category.slug, "name": category.name, "href": f"/shop?category={quote(category.slug)}"}
    return link if is_indexable_category(category) else {**link, "nofollow": True}


def linked_categories(categories: Iterable[CategoryCount]) -> list[CategoryRef]:
    """Links to the first categories that have something."""
    return [category_link(category) for category in categories if category.count][:MAX_LINKED_CATEGORIES]


@dataclass(frozen=True)
class SiteState:
    """The catalogue's version, its categories and the ready JSON of its props; `area_json` has the short forms of days
    and numbers as well. `edits`: as of `listing.edits`.

    A change of the catalogue, or a sale that begins or ends, makes a new one, in which nothing is cached yet.
    """

    version: int
    categories: tuple[CategoryCount, ...]
    props: SiteProps
    json: bytes
    area_json: bytes
    currency: Currency
    counts: FacetCountsCache
    # Whether reductions are shown with the lowest price before (setting UNION_RULES).
    union_rules: bool = False
    edits: int = 0
    # The written pages of which staff have published a version.
    published: Mapping[str, Content] = field(default_factory=dict)
    # A `Card` (host/loaders/cards.py) of each product that was shown.
    cards: dict[int, Any] = field(default_factory=dict)
    # By category and kind: the ids of `catalogue.most_popular`.
    most_popular: dict[tuple[int, str], list[int]] = field(default_factory=dict)
    # The data of pages (host/page_cache/page_data.py).
    composed: BoundedCache[Any] = field(default_factory=lambda: BoundedCache(MAX_COMPOSED_BYTES))
    composed_searches: BoundedCache[Any] = field(default_factory=lambda: BoundedCache(MAX_SEARCH_BYTES))

    def has_page(self, page: str) -> bool:
        """Whether the shop has this page: those of `content.LEGAL` once staff have written them."""
        return page not in content.LEGAL or page in self.published

    def content(self, page: str) -> Content:
        """A written page: what staff have published, else the shop's file."""
        return self.published.get(page) or content.read(page)

    @cached_property
    def by_id(self) -> dict[int, CategoryCount]:
        return {category.id: category for category in self.categories}

    @cached_property
    def by_slug(self) -> dict[str, CategoryCount]:
        return {category.slug: category for category in self.categories}


class SiteCache:
    """The site state, at most POLL_S old; the last one while the database is unavailable. No request waits for it."""

    def __init__(self, settings: Settings, db: Database, build: str):
        self._settings, self._db, self._build = settings, db, build
        self._state: SiteState | None = None
        self._changes_at: datetime | None = None
        # Counts changes of the catalogue and begins and ends of sales: pages of another generation are outdated.
        self.generation = 0
        # False while the database is unavailable or the poll fails, so that nothing is known of changes.
        self.is_fresh = False
        self.loop = BackgroundLoop("catalogue poll", self._poll)

    @property
    def state(self) -> SiteState:
        """Without categories only if the database has been unavailable since the start."""
        if self._state is None:
            return self._new_state(CatalogueChanges(0, 0, (), {}, None), FacetCountsCache())
        return self._state

    async def lifespan(self, _app: object) -> AsyncIterator[None]:
        await self.refresh()
        self.loop.start()
        yield
        await self.loop.stop()

    async def _poll(self) -> None:
        await asyncio.sleep(POLL_S)
        await self.refresh()

    async def refresh(self) -> None:
        """Read what has changed. Without the database, and after an unexpected error, the state is not fresh."""
        try:
            await self._read_changes()
            self.is_fresh = True
        except ServiceUnavailable:
            self.is_fresh = False
        except Exception:
            self.is_fresh = False
            raise

    async def _read_changes(self) -> None:
        """Raises ServiceUnavailable."""
        now = datetime.now(UTC)
        is_due = self._state is None or (self._changes_at is not None and now >= self._changes_at)
        known_version = -1 if is_due or self._state is None else self._state.version
        changed = await self._db.read(_read_if_changed, known_version, now)
        # The poll and the page cache may refresh at the same time: the slower one must not count the change again.
        is_known = (
            not is_due and self._state is not None and changed is not None and changed.version == self._state.version
        )
        if changed is not None and not is_known:
            self._changes_at = changed.next_price_change
            # A purchase that changes the stock leaves all counts as they are.
            are_counted = not is_due and self._state is not None and self._state.edits == changed.edits
            counts = self._state.counts if are_counted and self._state is not None else FacetCountsCache()
            self._state = self._new_state(changed, counts)
            self.generation += 1

    def _new_state(self, changed: "CatalogueChanges", counts: FacetCountsCache) -> SiteState:
        settings = self._settings
        props: SiteProps = {
            "name": settings.site_name,
            "tagline": settings.site_tagline,
            "origin": settings.site_origin,
            "currency": currency_props(settings.shop.currency),
            "locale": settings.locale,
            "forms": locale_forms(settings.locale, settings.shop.currency),
            "logo": settings.site_logo,
            "email": settings.site_email,
            "year": datetime.now(UTC).year,
            "build": self._build,
            "api": settings.api_base,
            "cookieMinutes": settings.cookie_minutes,
            "categories": linked_categories(changed.categories),
            "legal": _legal_links(settings, changed.published),
        }
        currency = settings.shop.currency
        in_areas: SiteProps = {**props, "forms": locale_forms(settings.locale, currency, is_area=True)}
        texts = (orjson.dumps(props), orjson.dumps(in_areas))
        rules = settings.shop.follows_union_rules
        return SiteState(
            changed.version,
            changed.categories,
            props,
            *texts,
            currency,
            counts,
            union_rules=rules,
            edits=changed.edits,
            published=changed.published,
        )


SITE = web.AppKey("site", SiteCache)


class CatalogueChanges(NamedTuple):
    """What is read when the catalogue has changed, and when the next price does so by itself."""

    version: int
    edits: int
    categories: tuple[CategoryCount, ...]
    published: Mapping[str, Content]
    next_price_change: datetime | None


def _read_if_changed(session: Session, known_version: int, at: datetime) -> CatalogueChanges | None:
    """The catalogue as it is now; None if it still has the known version."""
    version = catalogue_listing.version(session)
    if version == known_version:
        return None
    edits, categories = catalogue_listing.edits(session), tuple(catalogue_listing.categories(session))
    return CatalogueChanges(
        version, edits, categories, content.published(session), catalogue_details.next_price_change(session, at)
    )
