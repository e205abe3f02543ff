"""Classification of User-Agent headers: person's browser, declared crawler or program, and the browser's family.

What decides is what the header says: contracts/cases/user_agents.json holds headers that were sent, with their
sources (docs/decisions/0116).
"""

import json
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import crawleruseragents
from aiohttp import web
from ua_parser import parse_user_agent

from domain.crawlers.operators import name_in
from domain.visits import served_documents
from domain.visits.visits import clean_text

MAX_AGENT_LENGTH = 512
# The first is of today's Chrome, Edge, Firefox and Safari; the others of older ones and of browsers in apps.
_PURPOSES = ("Sec-Purpose", "Purpose", "X-Purpose", "X-Moz")
_AHEAD = ("prefetch", "prerender", "preview")
_LISTS: dict[str, Any] = json.loads((Path(__file__).parent / "agents.json").read_text(encoding="utf-8"))
# Family -> the first version, as two numbers, that says with each request where it comes from.
_FETCH_METADATA: dict[str, list[int]] = _LISTS["first_with_fetch_metadata"]
# Alone, these kinds of the list say which program asks, and not what for.
_TOOLS = {"http-library", "browser-automation"}
HUMAN = "human"
# As many patterns in one expression as the list's own code has.
_CHUNK = 25


def _any_of(names: Iterable[str]) -> str:
    """The longest first: an expression takes the first one that fits."""
    return "|".join(re.escape(name) for name in sorted(names, key=lambda name: (-len(name), name)))


# A manufacturer calls a telephone or its system as it likes: Cubot, Fever, Butterfly, AP3A.240617.008. Whoever asks
# stands elsewhere in the header.
_DEVICE = re.compile(
    r"(Android[^;()]*;(?: ?U;)?(?: ?[a-z]{2}(?:[-_][a-z]{2})?;)?)[^;()]*(?:\([^()]*\)[^;()]*)?(?=[;)])"
    r"|(?<=Android )\([^()]*\)|\((?!Linux|compatible)[^()]*; Android [^()]*\)|\[FB[^\]]*\]",
    re.IGNORECASE,
)
# Apps with a browser in them whose names the list of crawlers has: also for what fetches their previews of links.
_APP = re.compile(rf"(?<![\w-])(?:{_any_of(_LISTS['apps_with_a_browser'])})(?![\w-])(?:/[\w.%-]+)?|(?<=\d)coccoc\b")
_ENGINE = re.compile(r"ozilla/.*(?:AppleWebKit|Gecko|Trident|Presto)")
# Signs by which a program tells of itself: where to read about it, whom to write to, a name such as FooBot.
_DECLARED = re.compile(
    r"\+ ?(?:https?:|mailto:)(?!//github\.com)|mailto:|[\w.-]@[\w-]+\.[a-z]{2,}|KHTML, like Gecko; "
    r"|(?:bot|crawler|spider|scraper)(?![a-z])",
    re.IGNORECASE,
)
_PROGRAM = re.compile(
    rf"(?<![\w-])(?:{_any_of(_LISTS['programs'])})(?![a-z-])|headless|(?<!\w)java/?\d|winhttp\.|\+ ?https?://github\.com",
    re.IGNORECASE,
)
# "compatible" is what Internet Explorer wrote in 1996, and what robots write since.
_ROBOT = re.compile(
    rf"compatible ?(?:;|\))(?! ?(?:{_any_of(_LISTS['browsers_that_are_compatible'])})(?![a-z]))", re.IGNORECASE
)
_BROWSER = re.compile(
    rf"ozilla/.*(?:\(|AppleWebKit|Gecko|Presto)|AppleWebKit|MIDP|\[FB|^(?:{_any_of(_LISTS['browsers_without_mozilla'])})"
)


def is_ahead_of_click(request: web.Request) -> bool:
    """Whether a browser prefetches or prerenders: nobody has asked for it yet, and perhaps nobody will."""
    purposes = " ".join(request.headers.get(name, "") for name in _PURPOSES).lower()
    return any(word in purposes for word in _AHEAD)


def is_crawler(request: web.Request) -> bool:
    """Whether a declared crawler sent the request: it gets the complete page, and its fetch is recorded as a visit."""
    return visitor_class(request.headers.get("User-Agent", "")) == "crawler"


def is_browser(request: web.Request) -> bool:
    """Whether the request looks like a person's: neither a crawler nor another program sent it."""
    return visitor_class(request.headers.get("User-Agent", "")) == "human"


def agent_class(request: web.Request) -> str:
    """One of AGENT_CLASSES (domain/visits/served_documents.py): what kind of agent sent the request."""
    return _agent_class(request.headers.get("User-Agent", "")[:MAX_AGENT_LENGTH])


@lru_cache(4096)
def _agent_class(agent: str) -> str:
    of_visitor = _visitor_class(agent)
    return served_documents.agent_class(of_visitor, _family(agent) if of_visitor == "crawler" else "")


def visitor_class(agent: str) -> str:
    """human | crawler (declared, also a preview of a link and an assistant's fetch) | suspected (another program, or no
    User-Agent)."""
    return _visitor_class(agent[:MAX_AGENT_LENGTH])


@lru_cache(4096)
def _visitor_class(agent: str) -> str:
    plain = _without_free_names(agent)
    tools, crawlers = _patterns()
    if name_in(plain) or _fits(crawlers, plain):
        return "crawler"
    if _PROGRAM.search(plain) or _fits(tools, plain):
        return "suspected"
    if _DECLARED.search(plain):
        return "crawler"
    return HUMAN if _BROWSER.search(plain) and not _ROBOT.search(plain) else "suspected"


def _without_free_names(agent: str) -> str:
    """A browser's header without the names of the device and of the app that it is built into."""
    plain = _DEVICE.sub(r"\1", agent)
    is_browser = _ENGINE.search(plain) and not _DECLARED.search(plain) and not _ROBOT.search(plain)
    return _APP.sub("", plain) if is_browser else plain


@lru_cache(1)
def _patterns() -> tuple[Sequence[re.Pattern[str]], Sequence[re.Pattern[str]]]:
    """Expressions for the names in the public list: of libraries and driven browsers, and of crawlers."""
    tools: list[str] = []
    crawlers: list[str] = []
    rows: list[dict[str, Any]] = crawleruseragents.CRAWLER_USER_AGENTS_DATA
    for row in rows:
        tags = set(row.get("tags", ()))
        (tools if tags and tags <= _TOOLS else crawlers).append(row["pattern"])
    return _compiled(tools), _compiled(crawlers)


def _compiled(patterns: Sequence[str]) -> list[re.Pattern[str]]:
    return [re.compile("|".join(patterns[start : start + _CHUNK])) for start in range(0, len(patterns), _CHUNK)]


def _fits(patterns: Iterable[re.Pattern[str]], agent: str) -> bool:
    return any(pattern.search(agent) for pattern in patterns)


@lru_cache(4096)
def _family(agent: str) -> str:
    if crawler := name_in(_without_free_names(agent)):
        return crawler
    parsed = parse_user_agent(agent)
    # The family of a program that nobody knows is a part of the header, which may hold any bytes.
    return "" if parsed is None else clean_text(parsed.family, 64)


def browser_family(agent: str) -> str:
    """The family of a user agent, such as "Chrome Mobile"; of a known crawler its own name, such as "Googlebot"; ""
    when unknown."""
    return _family(agent[:MAX_AGENT_LENGTH])


def sends_fetch_metadata(agent: str) -> bool:
    """Whether a browser of this version sends Sec-Fetch-Site with each request by https."""
    return _sends_fetch_metadata(agent[:MAX_AGENT_LENGTH])


@lru_cache(4096)
def _sends_fetch_metadata(agent: str) -> bool:
    parsed = parse_user_agent(agent)
    first = None if parsed is None else _FETCH_METADATA.get(parsed.family)
    if parsed is None or first is None:
        return False
    return [_number(parsed.major), _number(parsed.minor)] >= first


def _number(text: str | None) -> int:
    return int(text) if text is not None and text.isascii() and text.isdecimal() else 0


def warm() -> None:
    """Compile the expressions, which takes about 0.1 s; for a thread, because it would block the event loop."""
    visitor_class("Mozilla/5.0 (warm)")
    browser_family("Mozilla/5.0 (warm)")
