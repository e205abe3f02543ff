"""Visits that the host records: one builder for the browser's call, page fetches of crawlers and referral links."""

import time
from dataclasses import dataclass
from typing import Any, TypedDict, Unpack
from uuid import uuid4

from aiohttp import web

from domain.crawlers.fetches import AnsweredFetch
from domain.visits import batches, visits
from domain.visits.evidence_bits import EvidenceBit
from domain.visits.referrers import cut_referrer, referrer_host
from host.app_keys import SETTINGS
from host.http.client_ip import client_ip
from host.http.privacy import has_privacy_signal
from host.http.user_agents import HUMAN, browser_family, sends_fetch_metadata, visitor_class
from host.messaging.visit_queue import VISIT_QUEUE
from host.rate_limits import policies
from host.visits.crawl_counts import CRAWL_COUNTS
from host.visits.crawler_watch import CRAWLER_WATCH


class VisitFields(TypedDict, total=False):
    """Fields of a visit that cannot be derived from the request. Of the texts that senders choose, the table's length
    is stored, without control characters; the referrer is as it was sent."""

    session_id: str
    learner_id: int | None
    claimed_id: int | None
    coupon_id: str
    student_number: str
    special_coupon: str
    referrer: str
    referral_id: str | None
    partner: str
    source: str
    ip_hash: str
    evidence: int
    attributes: str | None


@dataclass
class UnrecordedVisits:
    """Requests that were served and not stored as visits, because their sender exceeded a limit; of crawlers a row
    counts them."""

    crawls: int = 0
    referral_links: int = 0


UNRECORDED_VISITS = web.AppKey("unrecorded_visits", UnrecordedVisits)
_NETWORK = batches.COLUMNS.index("address")
# For visitors who send a privacy signal. Coupon, student number and campaign stay: they name a link.
_NOBODY: VisitFields = {"session_id": "", "learner_id": None, "claimed_id": None, "referral_id": None, "partner": ""}


def build_row(
    request: web.Request, event_id: str, url: str, *, is_private: bool, **extra: Unpack[VisitFields]
) -> list[Any]:
    """The visit of the page at `url` by the sender of this request, in the order of batches.COLUMNS. `is_private`:
    without session, learner, partner and network, and with the host alone of the referrer."""
    agent, address, ip = request.headers.get("User-Agent", ""), visits.address_of(url), client_ip(request)
    values: dict[str, Any] = {**batches.BLANK, **extra}
    if values["referrer"]:
        cut = referrer_host if is_private else cut_referrer
        values["referrer"] = cut(values["referrer"], request.app[SETTINGS].site_origin)
    if is_private:
        values |= _NOBODY
    else:
        values["address"] = visits.anonymise_ip(ip)
    values["event_id"] = event_id
    values["visited_at"] = time.time_ns() // 1000
    values["url"], values["page"] = address.url, address.page
    values["campaign"] = batches.campaign_text(address.campaign)
    values["visitor_class"], values["agent"] = visitor_class(agent), browser_family(agent)
    if values["visitor_class"] == HUMAN:
        values["evidence"] |= _header_evidence(request, agent)
        if not is_private:
            values["evidence"] |= int(request.app[CRAWLER_WATCH].evidence_of(ip))
    return list(values.values())


def _header_evidence(request: web.Request, agent: str) -> int:
    """Bits of domain/visits/evidence_bits.py. Browsers say where a request comes from to sites by https alone."""
    bits = EvidenceBit(0)
    if "Accept-Language" not in request.headers:
        bits |= EvidenceBit.NO_LANGUAGE
    is_asked = request.app[SETTINGS].is_secure and "Sec-Fetch-Site" not in request.headers
    if is_asked and sends_fetch_metadata(agent):
        bits |= EvidenceBit.NO_FETCH_METADATA
    return int(bits)


def record_crawler(request: web.Request, answer: AnsweredFetch) -> None:
    """Record a fetch by a declared crawler, which runs no script that would log the visit; its answer waits for
    nothing."""
    noted: VisitFields = {"ip_hash": note_crawler(request), "attributes": answer.as_text()}
    row = _row_by_host(request, str(uuid4()), is_private=False, **noted)
    if policies.may_record_crawl(request, row[_NETWORK]):
        request.app[VISIT_QUEUE].enqueue_nowait(row)
    else:
        request.app[UNRECORDED_VISITS].crawls += 1
        request.app[CRAWL_COUNTS].add(dict(zip(batches.COLUMNS, row, strict=True)), answer)


def note_crawler(request: web.Request) -> str:
    """Let somebody look whether the address is that of the crawler; returns the hash of the address."""
    name = browser_family(request.headers.get("User-Agent", ""))
    return request.app[CRAWLER_WATCH].note(name, client_ip(request))


async def record_referral(request: web.Request, **about: Unpack[VisitFields]) -> str | None:
    """Record the visit of a referral link and return its event id for the visit of the target page, which the browser
    records. None past the limit of links, for HEAD, with which programs look whether a link works, and for visitors who
    send a privacy signal: their visits are not connected.

    Waits at most as long as the limiter, which then counts in this process.
    """
    if request.method == "HEAD":
        return None
    if not await policies.may_record_referral(request):
        request.app[UNRECORDED_VISITS].referral_links += 1
        return None
    is_private, event_id = has_privacy_signal(request), str(uuid4())
    request.app[VISIT_QUEUE].enqueue_nowait(_row_by_host(request, event_id, is_private=is_private, **about))
    return None if is_private else event_id


def _row_by_host(request: web.Request, event_id: str, *, is_private: bool, **about: Unpack[VisitFields]) -> list[Any]:
    fields: VisitFields = {"source": "host", "referrer": request.headers.get("Referer", ""), **about}
    return build_row(request, event_id, request.rel_url.raw_path_qs, is_private=is_private, **fields)
