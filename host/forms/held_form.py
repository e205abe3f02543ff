"""A form that could not be answered: while its page cannot be read, a page without script holds what was typed."""

from collections.abc import Mapping
from dataclasses import replace

from aiohttp import web
from markupsafe import Markup

from host.loaders import client_rendered
from host.rendering.document import Document, DocumentResponse
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult

_FIELD = Markup('<input type="hidden" name="{}" value="{}">')
_FORM = Markup(
    '<p class="form-error" role="alert">{}</p><form method="post" action="{}">{}'
    '<button class="button" type="submit">Try again</button></form>'
)


class _HeldForm(Document):
    """No state and no script: the browser would show the page instead, which cannot be read."""

    async def _write(self, request: web.Request, response: DocumentResponse, page: PageRequest) -> None:
        await response.prepare(request)
        body = self.shell.fallback_page(self.result.page, self.result.head, self.result.props)
        await response.end(b"".join((self.head(), b'<div id="root">', body, b"</div>", self.shell.tail)))


async def held_form(
    request: web.Request, page: PageRequest, fields: Mapping[str, str], message: str
) -> web.StreamResponse:
    """503 with a button that sends the same fields once more."""
    assert page.route is not None  # noqa: S101 forms are of pages
    waiting: PageResult = await client_rendered.load(page, page.route)
    inputs = Markup("").join(_FIELD.format(name, text) for name, text in fields.items())
    props = {"title": page.route.title, "html": _FORM.format(message, page.path, inputs)}
    headers = {**waiting.headers, "Cache-Control": "private, no-store"}
    result = replace(waiting, status=503, props=props, headers=headers)
    return await _HeldForm(request.app, result, request.rel_url.raw_path_qs).respond(request, page)
