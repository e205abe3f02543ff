"""Search suggestions while a visitor types."""

from typing import Literal
from urllib.parse import quote, urlencode

from aiohttp import web
from pydantic import BaseModel, Field

from domain.catalogue.scope import filter_in_scope
from domain.search import suggestions as search_suggestions
from domain.search import tokenizer
from domain.search.suggestions import MAX_SUGGESTIONS
from host.api.registry import query
from host.app_keys import DATABASE
from host.auth import catalogue_scope
from host.http import request_keys
from host.rate_limits import policies
from host.search_log import SEARCH_LOG
from host.urls import href_of

MAX_AGE_S = 60


class SuggestQuery(BaseModel):
    q: str = Field(max_length=200, description="the text in the search box so far")


class Suggestion(BaseModel):
    """`kind` query leads to a search, the other kinds to a page of the catalogue."""

    text: str
    href: str
    kind: Literal["query", "category", "course", "item"]


class Suggestions(BaseModel):
    suggestions: list[Suggestion] = Field(max_length=MAX_SUGGESTIONS)


@query("search/suggest", SuggestQuery, Suggestions, caller="anyone", max_age_s=MAX_AGE_S, refusals=(429, 503))
async def suggest(request: web.Request, typed: SuggestQuery) -> Suggestions:
    """Suggest searches, categories, courses and items that complete the typed text; at most eight."""
    await policies.limit(request, "suggestions_per_address_minute")
    popular = request.app[SEARCH_LOG].popular()
    scope = await catalogue_scope.scope_of(request)
    db, text = request.app[DATABASE], tokenizer.clean(typed.q)
    if scope is not None:
        # Other visitors' searches could reveal products outside the scope, so none are suggested; and no shared cache
        # may store the response.
        request[request_keys.IS_PRIVATE] = True
        popular = ()
    suggestions = await db.read(search_suggestions.suggest, text, popular)
    if scope is not None:
        suggestions = await db.read(filter_in_scope, scope, [suggestion for suggestion in suggestions if suggestion.id])
    return Suggestions(
        suggestions=[
            Suggestion(text=suggestion.text, href=_href(suggestion), kind=suggestion.kind) for suggestion in suggestions
        ]
    )


def _href(suggestion: search_suggestions.Suggestion) -> str:
    if suggestion.kind == "query":
        return f"/search?{urlencode({'q': suggestion.text})}"
    if suggestion.kind == "category":
        return f"/shop?category={quote(suggestion.slug)}"
    return href_of(suggestion.kind, suggestion.id, suggestion.slug)
