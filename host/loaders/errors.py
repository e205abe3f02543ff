"""The specification's error page: for unknown paths, courses and items."""

from dataclasses import replace
from typing import NotRequired
from urllib.parse import quote

from typing_extensions import TypedDict

from domain.catalogue import details as catalogue_details
from domain.errors import ServiceUnavailable
from host.loaders.cards import Card, cards
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult
from host.rendering.shell import Head


class ErrorProps(TypedDict):
    """`signIn`: where whoever owns the address signs in and comes back here."""

    status: int
    message: str
    suggestions: list[Card]
    signIn: NotRequired[str]


async def not_found(request: PageRequest, *, offers_sign_in: bool = False) -> PageResult:
    """'Page not found: {path}', with suggested courses. `offers_sign_in`: of an address that may be somebody's own."""
    result = error(request, 404, f"Page not found: {request.path}", await _suggestions(request))
    if not offers_sign_in:
        return result
    return replace(result, props={**result.props, "signIn": f"/login?returnTo={quote(request.path)}"})


async def _suggestions(request: PageRequest) -> list[Card]:
    """Suggested courses; none while the database is unavailable."""
    try:
        home = await request.db.read(catalogue_details.home_data, request.scope)
    except ServiceUnavailable:
        return []
    return cards(home.featured[:4], request.site, request.at)


async def gone(request: PageRequest, message: str) -> PageResult:
    """410, for a page that existed once and will not return; with suggested courses."""
    return error(request, 410, message, await _suggestions(request))


def error(request: PageRequest, status: int, message: str, suggestions: list[Card]) -> PageResult:
    head = Head(title="Error Page", description=message, robots="noindex, follow")
    props: ErrorProps = {"status": status, "message": message, "suggestions": suggestions}
    return PageResult("error", head, props, status=status)


def unavailable(request: PageRequest) -> PageResult:
    message = "The catalogue is temporarily unavailable. Please try again in a moment."
    return error(request, 503, message, [])


def broken(request: PageRequest, request_id: str) -> PageResult:
    advice = f"Please try again; if it keeps happening, quote this reference: {request_id}."
    return error(request, 500, f"Something went wrong on our side. {advice}", [])
