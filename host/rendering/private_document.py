"""Documents of private pages: markup that is the same for everyone, and beside it one person's data.

Node renders the layout with the loading view, without any personal data, and the result is kept for the generation of
the catalogue. The browser shows the page from the state once it has hydrated that markup.
"""

import asyncio
from dataclasses import dataclass, replace

from aiohttp import web

from domain.routes import AreaPage, Page
from host.rendering.area_props import area_props
from host.rendering.deferred import load_deferred
from host.rendering.document import Document, DocumentResponse
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult
from host.rendering.shell import escape
from host.rendering.ssr_client import SSR_CLIENT
from host.resilience.single_flight import SingleFlight
from host.site_state import SITE


@dataclass(frozen=True)
class LoadingView:
    generation: int
    markup: bytes


class LoadingViews:
    """The markup of private pages, rendered once for each page and generation of the catalogue in this process."""

    def __init__(self) -> None:
        self._views: dict[str, LoadingView] = {}
        self._renders: SingleFlight[bytes | None] = SingleFlight()

    async def markup(self, app: web.Application, page: Page, shared: PageResult) -> bytes | None:
        """The markup; None when no SSR worker rendered it in time (`SsrClient.render`), and then nothing is kept."""
        generation = app[SITE].generation
        view = self._views.get(page.id)
        if view is None or view.generation != generation:
            markup = await self._renders.run(f"{page.id} {generation}", lambda: _render(app, page, shared))
            if markup is None:
                return None
            self._views[page.id] = view = LoadingView(generation, markup)
        return view.markup


LOADING_VIEWS = web.AppKey("loading_views", LoadingViews)


async def _render(app: web.Application, page: Page, shared: PageResult) -> bytes | None:
    # The address is that of the row: a value or a query of the person's own address stays in the host.
    document = Document(app, shared, page.path)
    job, markup = await app[SSR_CLIENT].render(document.payload("whole", document.state([], shared.props)), page.path)
    if job is not None:
        job.cancel()
    return markup


class PrivateDocument(Document):
    """A private page for the person of `session` (JSON; null: nobody is signed in)."""

    def __init__(self, app: web.Application, result: PageResult, url: str, session: bytes):
        super().__init__(app, result, url)
        self._session = escape(session)

    async def _write(self, request: web.Request, response: DocumentResponse, page: PageRequest) -> None:
        await response.prepare(request)
        await response.write_html(self.head())
        if self.result.deferred:
            # The loop sends what was written when it turns, and reading the database may not let it.
            await asyncio.sleep(0)
            parts = await load_deferred(page, self.result.deferred)
            self.result = replace(self.result, props={**self.result.props, **parts}, deferred={})
        await response.end(await self._body(page))

    async def _body(self, page: PageRequest) -> bytes:
        """What follows the head."""
        route = page.route
        assert route is not None  # noqa: S101 only rows of routes.json are private
        route_area = route.area if isinstance(route, AreaPage) else None
        # The loading view of an area's error is that of its page.
        area = None if route_area is None else area_props(route_area, None, page.settings.report_time_zone)
        shared = replace(self.result, page=route.id, props={"title": route.title, "html": ""}, status=200, area=area)
        markup = await self.app[LOADING_VIEWS].markup(self.app, route, shared)
        content = self.shell.no_script_content(
            {
                "address": self.url,
                "page": self.result.page,
                "props": self.result.props,
                "session": page.session,
                "area": self.result.area,
                "is_for_guests": route.for_guests,
                **self.result.no_script,
            }
        )
        state = self.state([], self.result.props)[:-1] + b',"session":' + self._session + b"}"
        return b"".join(
            (
                *self.root(markup, shared.props, is_signed_in=page.session is not None),
                content,
                self.entry(state),
                self.shell.tail,
            )
        )
