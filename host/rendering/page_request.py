"""What a loader is given: one request for a page, free of HTTP."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from aiohttp import web
from multidict import MultiMapping

from config.settings import Settings
from domain.account.current_session import CurrentSession
from domain.catalogue.scope import CatalogueScope
from domain.database.database import Database
from domain.permissions import Actor, Tenant
from domain.routes import Page
from host.rendering.page_result import LoaderResult
from host.site_state import SiteState


# Not frozen: to make one, and to make the next from it, would cost three times as much. Nobody changes one.
@dataclass(eq=False)
class PageRequest:
    """A request for a page: path decoded, `query` canonical (domain.routes), `values` of the placeholders."""

    settings: Settings
    db: Database
    site: SiteState
    path: str
    query: MultiMapping[str]
    values: Mapping[str, str]
    at: datetime
    # What a restricted visitor may see of the catalogue; None, for nearly everyone: all of it.
    scope: CatalogueScope | None = None
    # Whose page it is; None on public pages, and on private ones for visitors who are not signed in.
    session: CurrentSession | None = None
    # What was read together with the session (PageOptions.first_read).
    first_read: Any = None
    # Who opens a page of an area, for what is recorded of them; None on other pages.
    actor: Actor | None = None
    # True: the database did not say whose page it is; the page is that of guests, and says nothing of a session.
    is_session_unknown: bool = False
    # True: a document, whose head may be sent before a private page's own data is read.
    sends_head_first: bool = False
    # Makes the key of a form of a private page, for a purpose of host/auth/form_keys.py.
    form_key: Callable[[str], str] = lambda _purpose: ""
    # Set for a private page with a session: what its loader shares with the calls needs more than the database.
    app: web.Application | None = None
    # The page after paying reads the status of its order, as far as this visitor may know it; raises NotFound. None for
    # whoever may know nothing.
    order_status: Callable[[], Awaitable[Any]] | None = None
    # Counts what this request checks; raises RateLimited. None: the page has no limit.
    limit: Callable[[], Awaitable[None]] | None = None
    # Whether a person's browser shows the page now: no crawler, preview or program, and nothing that is fetched ahead.
    is_persons: Callable[[], bool] = lambda: False
    # The row of routes.json; None: the path is no page.
    route: Page | None = None
    # The URL exactly as the client sent it, which the page cache keeps as an alias of the canonical one.
    raw_path: str = ""
    # For the error page, which names it.
    request_id: str = ""

    @property
    def tenant(self) -> Tenant:
        """The organisation whose page it is: that of the session. Raises LookupError on pages of no organisation."""
        if self.actor is None or self.actor.area != "organisation":
            raise LookupError(f"{self.path} is the page of no organisation")
        return self.actor.tenant


Loader = Callable[[PageRequest], Awaitable[LoaderResult]]
# A private page is loaded for the session of its request, and knows its row.
PrivateLoader = Callable[[PageRequest, Page], Awaitable[LoaderResult]]
