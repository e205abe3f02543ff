"""Who is a declared crawler. They run no script, so the host records their page fetches itself."""

from datetime import UTC, datetime
from functools import lru_cache
from uuid import uuid4

import crawleruseragents
from aiohttp import web
from ua_parser import parse_user_agent

from domain import visits
from domain.pages import redacted
from host import keys
from host.addresses import visitor_address

# Programs that fetch pages without being a browser or a declared crawler.
_SUSPECTED = (
    "curl",
    "wget",
    "python",
    "httpx",
    "aiohttp",
    "go-http",
    "java/",
    "okhttp",
    "libwww",
    "headless",
    "phantom",
)
AGENT_LENGTH = 512


def is_declared(request: web.Request) -> bool:
    """Whether a page is fetched by a crawler that says so: it gets the page whole, and the fetch is a visit."""
    return visitor_class(request.headers.get("User-Agent", "")) == "crawler"


def visitor_class(agent: str) -> str:
    """human | crawler (declares itself) | suspected (a program, or silent about what it is)."""
    return _visitor_class(agent[:AGENT_LENGTH])


@lru_cache(4096)
def _visitor_class(agent: str) -> str:
    lowered = agent.lower()
    # Libraries such as curl stand in the crawlers' list too, yet declare no crawler.
    if not lowered or any(word in lowered for word in _SUSPECTED):
        return "suspected"
    return "crawler" if crawleruseragents.is_crawler(agent) else "human"


@lru_cache(4096)
def _family(agent: str) -> str:
    parsed = parse_user_agent(agent)
    return "" if parsed is None else parsed.family[:64]


def agent_family(agent: str) -> str:
    """A user agent reduced to its family: "Chrome Mobile", never the whole string."""
    return _family(agent[:AGENT_LENGTH])


def warm() -> None:
    """The first agent compiles hundreds of expressions, some 0.1 s: in a thread, or all would wait."""
    visitor_class("Mozilla/5.0 (nobody yet)")
    agent_family("Mozilla/5.0 (nobody yet)")


def record(request: web.Request) -> None:
    """Log a crawler's page fetch through the same pipe as everyone's visits; it is not waited for."""
    if not is_declared(request):
        return
    agent = request.headers["User-Agent"]
    url = visits.kept_url(request.rel_url.raw_path_qs)
    row = visits.Row(
        event_id=str(uuid4()),
        at=datetime.now(UTC).isoformat(),
        page=visits.page_of(url),
        url=url,
        campaign=visits.campaign_of(url),
        referrer=visits.plain(redacted(request.headers.get("Referer", "")), visits.REFERRER_LENGTH),
        visitor_class="crawler",
        source="host",
        agent=agent_family(agent),
        address=visits.cut_address(visitor_address(request)),
    )
    request.app[keys.DISPATCH].tell_later(row.as_dict())
