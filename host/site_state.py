"""What every page shows and no visitor changes: the shop's settings and its categories, refreshed when they move."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from typing import Any
from urllib.parse import quote

import orjson
from sqlalchemy.orm import Session

from domain import catalogue
from domain.db import Database
from domain.errors import Unavailable
from host.counts import CountsCache
from host.settings import Settings

# A change of the catalogue must be on the page within 1 s.
POLL_S = 0.25
# A single category is a page of its own for search engines only with enough on it (SEO contract: at least three).
INDEXABLE_HITS = 3


def is_kept(category: catalogue.CategoryCount) -> bool:
    return category.count >= INDEXABLE_HITS


def shelf_link(category: catalogue.CategoryCount) -> dict[str, Any]:
    """A CategoryRef of components/api/pageProps.ts; search engines are not led to a list they may not keep."""
    link = {"slug": category.slug, "name": category.name, "href": f"/shop?category={quote(category.slug)}"}
    return link if is_kept(category) else {**link, "nofollow": True}


@dataclass(frozen=True)
class SiteState:
    """The catalogue's version, its categories and the ready JSON of `Site` (components/api/pageProps.ts).

    A change of the catalogue, or of a price by the clock, makes a new one: `counts` and `cards` end with their state.
    """

    version: int
    categories: tuple[catalogue.CategoryCount, ...]
    props: dict[str, Any]
    json: bytes
    counts: CountsCache
    cards: dict[int, dict[str, Any]] = field(default_factory=dict)

    @cached_property
    def by_id(self) -> dict[int, catalogue.CategoryCount]:
        return {one.id: one for one in self.categories}

    @cached_property
    def by_slug(self) -> dict[str, catalogue.CategoryCount]:
        return {one.slug: one for one in self.categories}


class SiteCache:
    """The site as it was at most POLL_S ago. Nobody waits for it; with the records away the last state goes on."""

    def __init__(self, settings: Settings, db: Database, build: str):
        self._settings, self._db, self._build = settings, db, build
        self._state: SiteState | None = None
        self._changes_at: datetime | None = None
        # Moves with the catalogue and when a sale begins or ends: pages of another edition are out of date.
        self.edition = 0
        # False while the records cannot be asked whether anything has moved.
        self.is_fresh = False

    @property
    def state(self) -> SiteState:
        """Without categories only while the records have not been reached since the start."""
        if self._state is None:
            return self._made(0, ())
        return self._state

    async def lifetime(self, _app: object) -> AsyncIterator[None]:
        await self.refresh()
        polling = asyncio.create_task(self._poll())
        yield
        polling.cancel()

    async def _poll(self) -> None:
        while True:
            await asyncio.sleep(POLL_S)
            await self.refresh()

    async def refresh(self) -> None:
        now = datetime.now(UTC)
        has_changed = self._state is None or (self._changes_at is not None and now >= self._changes_at)
        known = -1 if has_changed or self._state is None else self._state.version
        try:
            found = await self._db.read(_moved, known, now)
        except Unavailable:
            self.is_fresh = False
            return
        self.is_fresh = True
        if found is not None:
            version, categories, self._changes_at = found
            self._state = self._made(version, categories)
            self.edition += 1

    def _made(self, version: int, categories: tuple[catalogue.CategoryCount, ...]) -> SiteState:
        settings = self._settings
        shown = [one for one in categories if one.count][:12]
        props = {
            "name": settings.site_name,
            "tagline": settings.site_tagline,
            "origin": settings.site_origin,
            "currency": settings.currency,
            "locale": settings.locale,
            "logo": settings.site_logo,
            "email": settings.site_email,
            "year": datetime.now(UTC).year,
            "build": self._build,
            "api": settings.api_base,
            "categories": [shelf_link(one) for one in shown],
        }
        return SiteState(version, categories, props, orjson.dumps(props), CountsCache())


def _moved(
    session: Session, known: int, at: datetime
) -> tuple[int, tuple[catalogue.CategoryCount, ...], datetime | None] | None:
    """None while the catalogue is of the known version; else its version, categories and the next change of a price."""
    version = catalogue.version(session)
    if version == known:
        return None
    return version, tuple(catalogue.categories(session)), catalogue.next_price_change(session, at)
