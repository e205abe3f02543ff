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
from host.http.user_agents import HUMAN, AgentReading, browser_family, read_agent
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
# As numbers: the operators of an enumeration take longer than all else about them.
_NO_LANGUAGE, _NO_FETCH_METADATA = int(EvidenceBit.NO_LANGUAGE), int(EvidenceBit.NO_FETCH_METADATA)
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
    reading = read_agent(agent)
    values["visitor_class"], values["agent"] = reading.visitor_class, reading.family
    if reading.visitor_class == HUMAN:
        values["evidence"] |= _header_evidence(request, reading)
        if not is_private:
            values["evidence"] |= int(request.app[CRAWLER_WATCH].evidence_of(ip))
    return list(values.values())


def _header_evidence(request: web.Request, reading: AgentReading) -> int:
    """Bits of domain/visits/evidence_bits.py. Browsers say where a request comes from to sites by https alone."""
    bits = 0 if "Accept-Language" in request.headers else _NO_LANGUAGE
    if reading.sends_fetch_metadata and request.app[SETTINGS].is_secure and "Sec-Fetch-Site" not in request.headers:
        bits |= _NO_FETCH_METADATA
    return bits


def record_crawler(request: web.Request, answer: AnsweredFetch) -> None:
    """Record a fetch by a declared crawler, which runs no script that would log the visit; its answer waits for
    nothing. Beyond the limit no visit is built: others would wait for that."""
    ip_hash, network = note_crawler(request), visits.anonymise_ip(client_ip(request))
    if policies.may_record_crawl(request, network):
        noted: VisitFields = {"ip_hash": ip_hash, "attributes": answer.as_text()}
        request.app[VISIT_QUEUE].enqueue_nowait(_row_by_host(request, str(uuid4()), is_private=False, **noted))
        return
    request.app[UNRECORDED_VISITS].crawls += 1
    crawler = browser_family(request.headers.get("User-Agent", ""))
    request.app[CRAWL_COUNTS].add(crawler, network, request.rel_url.raw_path, answer)


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
