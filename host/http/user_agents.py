"""Classification of User-Agent headers: browser family, declared crawler or suspected program."""

from functools import lru_cache

import crawleruseragents
from aiohttp import web
from ua_parser import parse_user_agent

from domain.visits.visits import clean_text

# Marks of programs that are neither a browser nor a declared crawler.
_SUSPECTED_CRAWLERS = (
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
MAX_AGENT_LENGTH = 512


def is_crawler(request: web.Request) -> bool:
    """Whether a declared crawler sent the request: it gets the complete page, and its fetch is recorded as a visit."""
    return visitor_class(request.headers.get("User-Agent", "")) == "crawler"


def visitor_class(agent: str) -> str:
    """human | crawler (declared) | suspected (another program, or no User-Agent)."""
    return _visitor_class(agent[:MAX_AGENT_LENGTH])


@lru_cache(4096)
def _visitor_class(agent: str) -> str:
    lowered = agent.lower()
    # Checked first: the list of crawlers also has libraries such as curl.
    if not lowered or any(word in lowered for word in _SUSPECTED_CRAWLERS):
        return "suspected"
    return "crawler" if crawleruseragents.is_crawler(agent) else "human"


@lru_cache(4096)
def _family(agent: str) -> str:
    parsed = parse_user_agent(agent)
    # Of a program that nobody knows, the family is a part of the header, which may hold any bytes.
    return "" if parsed is None else clean_text(parsed.family, 64)


def browser_family(agent: str) -> str:
    """The family of a user agent, such as "Chrome Mobile"; "" when unknown."""
    return _family(agent[:MAX_AGENT_LENGTH])


def warm() -> None:
    """Compile the expressions, which takes about 0.1 s; for a thread, because it would block the event loop."""
    visitor_class("Mozilla/5.0 (warm)")
    browser_family("Mozilla/5.0 (warm)")
