"""The contact form as a plain HTML form, for visitors without JavaScript."""

from collections.abc import Mapping
from dataclasses import replace

from aiohttp import web

from domain import contact
from domain.errors import InvalidInput, ServiceUnavailable
from host import page_handler
from host.api.body import read_form
from host.api.contact import store_message
from host.http import csrf
from host.http.problems import RateLimited
from host.loaders.content import ContactValues
from host.loaders.content import contact as contact_page


async def form(request: web.Request) -> web.StreamResponse:
    """POST /contact: redirect to the thanks, or render the page again with the values and their errors."""
    csrf.require_same_origin(request, required=True)
    fields = await read_form(request)
    values = {name: fields.get(name, "") for name in (*contact.LENGTHS, "website")}
    try:
        await store_message(request, values)
    except InvalidInput as error:
        return await _render_again(request, values, 422, error.errors)
    except RateLimited as error:
        text = contact.limit_exceeded(error.retry_after_s)
        return await _render_again(request, values, 429, {"form": text}, {"Retry-After": str(error.retry_after_s)})
    except ServiceUnavailable as error:
        return await _render_again(request, values, 503, {"form": f"{error} Nothing you typed is lost."})
    raise web.HTTPSeeOther("/contact?sent=1")


async def _render_again(
    request: web.Request,
    values: Mapping[str, str],
    status: int,
    errors: Mapping[str, str],
    headers: Mapping[str, str] | None = None,
) -> web.StreamResponse:
    page = page_handler.page_request(request, "/contact")
    fields: ContactValues = {
        "name": values["name"],
        "email": values["email"],
        "subject": values["subject"],
        "message": values["message"],
    }
    result = contact_page(page, fields, errors, sent=False, status=status)
    return await page_handler.document(request, page, replace(result, headers=headers or {}))
