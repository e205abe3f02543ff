"""Records what declared crawlers fetch, once it is answered: pages, robots.txt, sitemaps and feeds, whatever the
status; and what a search engine learns from the page."""

from functools import lru_cache
from hashlib import sha256
from typing import Any

import orjson
from aiohttp import web

from domain import money
from domain.crawlers.fetches import (
    DIGEST_LENGTH,
    MACHINE_FILES,
    NOT_NOTED,
    SITEMAPS,
    AnsweredFetch,
    ServedPage,
)
from domain.money import Currency
from domain.text_direction import FIRST_STRONG_ISOLATE, POP_ISOLATE, isolated
from host.app_keys import SETTINGS
from host.http import user_agents
from host.http.middlewares import AnswerObserver
from host.http.request_keys import SERVED_HEAD
from host.rendering.document import DocumentResponse
from host.visits.server_side import record_crawler

_HUNG_UP = 499


def record_answer(request: web.Request, response: web.StreamResponse | None, status: int, elapsed_s: float) -> None:
    """For answered requests of crawlers' pages, and of files for programs, which are recorded where a crawler asks.
    `response` None: it failed unexpectedly."""
    if request.method != "GET":
        return
    head = request.get(SERVED_HEAD)
    if head is None and not user_agents.is_crawler(request):
        return
    noted = NOT_NOTED if status == _HUNG_UP else status
    sent = 0 if response is None else _sent_bytes(response)
    settings = request.app[SETTINGS]
    served = _served(head, settings.shop.currency, settings.site_name) if head and status in (200, 304) else None
    record_crawler(request, AnsweredFetch(noted, sent, round(elapsed_s * 1000), served=served))


def _sent_bytes(response: web.StreamResponse) -> int:
    """The length of the body as it is sent; of the few streams that are no documents with their heads."""
    if isinstance(response, DocumentResponse):
        return response.body_bytes
    if isinstance(response, web.Response):
        return len(response.body) if isinstance(response.body, bytes | bytearray) else 0
    return response.content_length or (response.body_length if response.prepared else 0)


@lru_cache(1_000)
def _served(head: bytes, currency: Currency, site_name: str) -> ServedPage | None:
    """`head`: a page's `Head` as JSON. Of its title without the shop's name."""
    values: dict[str, Any] | None = orjson.loads(head)
    if values is None:
        return None
    digest = sha256(head).hexdigest()[:DIGEST_LENGTH]
    price = _price(values["jsonLd"], currency)
    code = "" if price is None else currency.code
    title = values["title"].removesuffix(f" | {isolated(site_name)}")
    title = title.removeprefix(FIRST_STRONG_ISOLATE).removesuffix(POP_ISOLATE)
    return ServedPage(title, price, code, digest, is_indexable="noindex" not in values["robots"])


def _price(blocks: list[dict[str, Any]], currency: Currency) -> int | None:
    """In minor units, as the structured data says it."""
    for block in blocks:
        offer = block.get("offers")
        if isinstance(offer, dict) and offer.get("priceCurrency") == currency.code:
            return money.to_minor(money.parse(offer["price"], currency), currency)
    return None


OBSERVER = AnswerObserver(record_answer, MACHINE_FILES, SITEMAPS)
