"""The specification's error page: for paths that are no page, and for courses and items that are not there."""

from domain import catalogue
from domain.errors import Unavailable
from host.loaders import Asked, Loaded, Props
from host.loaders.cards import cards
from host.shell import Head


async def not_found(asked: Asked, status: int = 404) -> Loaded:
    """'Page not found: {path}', with courses to go on with; without them when the records are away."""
    try:
        front = await asked.db.read(catalogue.front, asked.only)
        suggestions = cards(front.featured[:4], asked.site.by_id, asked.at)
    except Unavailable:
        suggestions = []
    return error(asked, status, f"Page not found: {asked.path}", suggestions)


async def gone(asked: Asked, message: str) -> Loaded:
    """410: there for good reasons once, and never again; with courses to go on with."""
    return error(asked, 410, message, (await not_found(asked)).props["suggestions"])


def error(asked: Asked, status: int, message: str, suggestions: list[Props]) -> Loaded:
    head = Head(title="Error Page", description=message, robots="noindex, follow")
    props = {"status": status, "message": message, "suggestions": suggestions}
    return Loaded("error", head, props, status=status)


def unavailable(asked: Asked) -> Loaded:
    message = "The catalogue cannot be reached just now. Please try again in a moment."
    return error(asked, 503, message, [])


def broken(asked: Asked, number: str) -> Loaded:
    message = f"Something went wrong on our side. Please try again; if it keeps happening, name this number: {number}."
    return error(asked, 500, message, [])
