"""Pages of areas: the checked permission, the page of the area's own loader, and errors inside the area's layout."""

import logging
from contextlib import suppress
from dataclasses import replace
from typing import TypeVar

from typing_extensions import TypedDict

from domain.audit import refusals
from domain.audit.recording import Subject
from domain.errors import NotFound, ServiceUnavailable
from domain.permissions import MissingPermission, Permission, roles_with
from domain.routes import AreaPage, Page
from host.auth import area_guard
from host.http.problems import RateLimited
from host.rendering.area_props import area_props
from host.rendering.page_request import PageRequest, PrivateLoader
from host.rendering.page_result import PageResult, Props
from host.rendering.shell import Head
from host.seo import head_texts

log = logging.getLogger("coursefront.pages")

P = TypeVar("P", bound=Props)


class AreaErrorProps(TypedDict):
    """`title`: that of the page, which its loading view shows. `roles`: those that have the permission."""

    title: str
    heading: str
    message: str
    permission: str | None
    roles: list[str]


async def load(request: PageRequest, route: AreaPage, loader: PrivateLoader | None) -> PageResult:
    """The page, or an error in the layout of its area: 403 without its permission or the one that the
    loader misses, 404 when it raises NotFound,
    503 and 500 as on other pages."""
    session = request.session
    permission = None if session is None else area_guard.missing_permission(route, session)
    if permission is None:
        result = await _own_page(request, route, loader)
    else:
        await _record_refusal(request, route, permission)
        result = _refusal(request, route, permission)
    return replace(result, area=area_props(route.area, session, request.settings.report_time_zone))


def page(request: PageRequest, route: Page, props: P, *, title: str = "") -> PageResult[P]:
    """A page of an area. Its head names no one: it is sent before the sign-in is checked in the browser. `title`: what
    the tab says instead of the page's own title, where one page shows several things; never anybody's name."""
    text = title or route.title
    head = Head(head_texts.title(request.settings, text), text, robots="noindex, nofollow")
    return PageResult(route.id, head, props)


async def _own_page(request: PageRequest, route: AreaPage, loader: PrivateLoader | None) -> PageResult:
    try:
        if loader is None:
            raise LookupError(f"{route.id} has no loader")
        result = await loader(request, route)
        if not isinstance(result, PageResult):
            raise TypeError(f"the loader of {route.id} redirects")
        return result
    except MissingPermission as missing:
        await _record_refusal(request, route, missing.permission)
        return _refusal(request, route, missing.permission)
    except NotFound as error:
        return _error(request, route, 404, "Not found", str(error))
    except RateLimited as error:
        return _too_many(request, route, error)
    except ServiceUnavailable:
        message = "The database does not answer. Please try again in a moment."
        return _error(request, route, 503, "Temporarily unavailable", message)
    except Exception:
        log.exception("the loader of %s failed", request.path)
        message = f"Please try again; if it keeps happening, quote this reference: {request.request_id}."
        return _error(request, route, 500, "Something went wrong on our side", message)


def too_many_requests(request: PageRequest, route: AreaPage, error: RateLimited) -> PageResult:
    """The answer to somebody who opens pages of areas faster than a person reads."""
    result = _too_many(request, route, error)
    return replace(result, area=area_props(route.area, request.session, request.settings.report_time_zone))


def _too_many(request: PageRequest, route: AreaPage, error: RateLimited) -> PageResult:
    result = _error(request, route, 429, "Too many requests", "Please wait a minute, then try again.")
    return replace(result, headers={**result.headers, "Retry-After": str(error.retry_after_s)})


async def _record_refusal(request: PageRequest, route: AreaPage, permission: Permission) -> None:
    if request.actor is not None:
        actor, subject, lack = request.actor, Subject("page", route.id), {"permission": str(permission)}
        with suppress(ServiceUnavailable):
            await request.db.write_as(actor, refusals.record_refusal, "page.refuse", subject, lack, actor)


def _refusal(request: PageRequest, route: AreaPage, permission: Permission) -> PageResult:
    roles = roles_with(route.area.session, permission) if route.area.session else []
    message = f"“{route.title}” needs a permission that your roles do not have."
    result = _error(request, route, 403, "You may not open this page", message)
    return replace(result, props={**result.props, "permission": str(permission), "roles": roles})


def _error(request: PageRequest, route: AreaPage, status: int, heading: str, message: str) -> PageResult:
    props: AreaErrorProps = {
        "title": route.title,
        "heading": heading,
        "message": message,
        "permission": None,
        "roles": [],
    }
    return replace(page(request, route, props), page="area-error", status=status)
