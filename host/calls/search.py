"""Suggestions while somebody types into the search box."""

from typing import Literal
from urllib.parse import quote, urlencode

from aiohttp import web
from pydantic import BaseModel, Field

from domain import catalogue, search
from host import keys, viewers
from host.addresses import visitor_address
from host.calls import query
from host.limits import Budget
from host.loaders.cards import href_of

FRESH_S = 60


class Typed(BaseModel):
    q: str = Field(max_length=200, description="what is in the search box so far")


class Suggestion(BaseModel):
    """`kind` query: another search; the others lead to a page of the catalogue."""

    text: str
    href: str
    kind: Literal["query", "category", "course", "item"]


class Suggestions(BaseModel):
    suggestions: list[Suggestion] = Field(max_length=search.MOST_SUGGESTIONS)


@query("search/suggest", Typed, Suggestions, fresh_s=FRESH_S, refusals=(429, 503))
async def suggest(request: web.Request, typed: Typed) -> Suggestions:
    """Searches, categories, courses and items that what is typed may become; at most eight."""
    most = request.app[keys.SETTINGS].suggestions_per_address_minute
    await request.app[keys.LIMITER].take(Budget(f"suggest:a:{visitor_address(request)}", most, 60))
    popular = request.app[keys.SEARCHES].popular()
    only = await viewers.narrowed(request)
    db, text = request.app[keys.DATABASE], search.cleaned(typed.q)
    if only is not None:
        # Of what somebody restricted does not see, not even the words are suggested; and nobody keeps the answer.
        request[keys.IS_PRIVATE] = True
        popular = ()
    found = await db.read(search.suggest, text, popular)
    if only is not None:
        found = await db.read(catalogue.keep, only, [one for one in found if one.id])
    return Suggestions(suggestions=[Suggestion(text=one.text, href=_href(one), kind=one.kind) for one in found])


def _href(one: search.Suggestion) -> str:
    if one.kind == "query":
        return f"/search?{urlencode({'q': one.text})}"
    if one.kind == "category":
        return f"/shop?category={quote(one.slug)}"
    return href_of(one.kind, one.id, one.slug)
