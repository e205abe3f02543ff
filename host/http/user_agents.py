"""Classification of User-Agent headers: person's browser, declared crawler or program, and the browser's family.

What decides is what the header says: contracts/cases/user_agents.json holds headers that were sent, with their
sources (docs/decisions/0116).
"""

import json
import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import crawleruseragents
from aiohttp import web
from ua_parser import UserAgent, load_lazy_builtins

from domain.crawlers.operators import name_in, names_pattern
from domain.visits import served_documents
from domain.visits.visits import clean_text
from host.http.pattern_index import PatternIndex, numbers_of, small_letters

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
# What nearly every header has: the words that tell expressions apart are others.
_USUAL = (
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv) (Macintosh; Intel Mac OS X) (X11; Linux x86_64) (Linux; Android; K)"
    " (iPhone; iPad; CPU iPhone OS like Mac OS X) AppleWebKit/537.36 (KHTML, like Gecko) Gecko/20100101 Firefox/140.0"
    " Version/18.0 Mobile/15E148 Chrome/140.0.0.0 Mobile Safari/537.36"
)
# Bits of _AgentPatterns.may_fit for the expressions that it begins with.
_NAME, _PROGRAM_BIT, _APP_BIT = 1, 2, 4


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
_DEVICE_PARTS = ("android", "[fb")
# Apps with a browser in them whose names the list of crawlers has: also for what fetches their previews of links.
_APP = re.compile(rf"(?<![\w-])(?:{_any_of(_LISTS['apps_with_a_browser'])})(?![\w-])(?:/[\w.%-]+)?|(?<=\d)coccoc\b")
_ENGINE = re.compile(r"ozilla/.*(?:AppleWebKit|Gecko|Trident|Presto)")
# Signs by which a program tells of itself: where to read about it, whom to write to, a name such as FooBot.
_DECLARED = re.compile(
    r"\+ ?(?:https?:|mailto:)(?!//github\.com)|mailto:|[\w.-]@[\w-]+\.[a-z]{2,}|KHTML, like Gecko; "
    r"|(?:bot|crawler|spider|scraper)(?![a-z])",
    re.IGNORECASE,
)
_DECLARED_PARTS = ("+", "mailto:", "@", "gecko; ", "bot", "crawler", "spider", "scraper")
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


class AgentReading(NamedTuple):
    """What a User-Agent says. `family`: of a browser, such as "Chrome Mobile"; of a known crawler its own name, such as
    "Googlebot"; "" when unknown. `sends_fetch_metadata`: a browser of this version sends Sec-Fetch-Site with each
    request by https; of crawlers it is not looked for."""

    visitor_class: str
    family: str
    sends_fetch_metadata: bool


def agent_class(request: web.Request) -> str:
    """One of AGENT_CLASSES (domain/visits/served_documents.py): what kind of agent sent the request."""
    return _agent_class(request.headers.get("User-Agent", "")[:MAX_AGENT_LENGTH])


@lru_cache(4096)
def _agent_class(agent: str) -> str:
    reading = read_agent(agent)
    return served_documents.agent_class(reading.visitor_class, reading.family)


def visitor_class(agent: str) -> str:
    """human | crawler (declared, also a preview of a link and an assistant's fetch) | suspected (another program, or no
    User-Agent)."""
    return read_agent(agent).visitor_class


def browser_family(agent: str) -> str:
    """As of AgentReading."""
    return read_agent(agent).family


def sends_fetch_metadata(agent: str) -> bool:
    """As of AgentReading."""
    return read_agent(agent).sends_fetch_metadata


def read_agent(agent: str) -> AgentReading:
    """Most visitors have one of few agents, which are read once."""
    return _read(agent[:MAX_AGENT_LENGTH])


@lru_cache(4096)
def _read(agent: str) -> AgentReading:
    patterns = _patterns()
    plain, may_fit = _without_free_names(agent, patterns)
    if may_fit & _NAME and (name := name_in(plain)):
        return AgentReading("crawler", name, sends_fetch_metadata=False)
    parsed = patterns.browser_of(agent, may_fit if plain == agent else patterns.may_fit(agent))
    # The family of a program that nobody knows is a part of the header, which may hold any bytes.
    family = "" if parsed is None else clean_text(parsed.family, 64)
    return AgentReading(_class_of(plain, may_fit, patterns), family, _is_new_enough(parsed))


def _class_of(plain: str, may_fit: int, patterns: "_AgentPatterns") -> str:
    """The class of an agent whose name is none of operators.json."""
    if patterns.fits_crawler(plain, may_fit):
        return "crawler"
    if (may_fit & _PROGRAM_BIT and _PROGRAM.search(plain)) or patterns.fits_tool(plain, may_fit):
        return "suspected"
    if _is_declared(plain):
        return "crawler"
    return HUMAN if _BROWSER.search(plain) and not _ROBOT.search(plain) else "suspected"


def _without_free_names(agent: str, patterns: "_AgentPatterns") -> tuple[str, int]:
    """A browser's header without the names of the device and of the app that it is built into, and what may fit it."""
    plain = _DEVICE.sub(r"\1", agent) if _may_have(agent, _DEVICE_PARTS) else agent
    may_fit = patterns.may_fit(plain)
    if may_fit & _APP_BIT and _ENGINE.search(plain) and not _is_declared(plain) and not _ROBOT.search(plain):
        plain = _APP.sub("", plain)
        may_fit = patterns.may_fit(plain)
    return plain, may_fit


def _is_declared(plain: str) -> bool:
    return _may_have(plain, _DECLARED_PARTS) and _DECLARED.search(plain) is not None


def _may_have(agent: str, parts: tuple[str, ...]) -> bool:
    """Whether an expression can fit each of whose alternatives has one of these parts, in small letters."""
    lowered = small_letters(agent)
    for part in parts:  # noqa: SIM110 a generator takes longer than the search
        if part in lowered:
            return True
    return False


class _AgentPatterns:
    """The names of the public list, of libraries and driven browsers first and then of crawlers, and the expressions of
    browsers. They are compiled when they may fit for the first time: most never do."""

    def __init__(self) -> None:
        tools: list[str] = []
        crawlers: list[str] = []
        rows: list[dict[str, Any]] = crawleruseragents.CRAWLER_USER_AGENTS_DATA
        for row in rows:
            tags = set(row.get("tags", ()))
            (tools if tags and tags <= _TOOLS else crawlers).append(row["pattern"])
        self._browsers = load_lazy_builtins()[0]
        own = [names_pattern().pattern, _PROGRAM.pattern, _APP.pattern]
        self._patterns = [*own, *tools, *crawlers, *(matcher.regex for matcher in self._browsers)]
        self._tools = _bits_between(len(own), len(own) + len(tools))
        self._first_browser = len(own) + len(tools) + len(crawlers)
        self._crawlers = _bits_between(len(own) + len(tools), self._first_browser)
        self._compiled: dict[int, re.Pattern[str]] = {}
        self.may_fit = PatternIndex(self._patterns, _USUAL).may_fit

    def fits_tool(self, plain: str, may_fit: int) -> bool:
        """`may_fit`: of this text, here and below."""
        return self._fits(plain, may_fit & self._tools)

    def fits_crawler(self, plain: str, may_fit: int) -> bool:
        return self._fits(plain, may_fit & self._crawlers)

    def _fits(self, plain: str, among: int) -> bool:
        for number in numbers_of(among):  # noqa: SIM110 as in _may_have
            if self._expression(number).search(plain):
                return True
        return False

    def _expression(self, number: int) -> re.Pattern[str]:
        compiled = self._compiled.get(number)
        if compiled is None:
            compiled = self._compiled[number] = re.compile(self._patterns[number])
        return compiled

    def browser_of(self, agent: str, may_fit: int) -> UserAgent | None:
        """What the first of the browsers' expressions that fits says."""
        for number in numbers_of(may_fit >> self._first_browser):
            if found := self._browsers[number](agent):
                return found
        return None


def _bits_between(first: int, end: int) -> int:
    return (1 << end) - (1 << first)


@lru_cache(1)
def _patterns() -> _AgentPatterns:
    return _AgentPatterns()


def _is_new_enough(parsed: UserAgent | None) -> bool:
    first = None if parsed is None else _FETCH_METADATA.get(parsed.family)
    if parsed is None or first is None:
        return False
    return [_number(parsed.major), _number(parsed.minor)] >= first


def _number(text: str | None) -> int:
    return int(text) if text is not None and text.isascii() and text.isdecimal() else 0


def warm() -> None:
    """Read the expressions, which takes about 0.1 s; for a thread, because it would block the event loop."""
    read_agent("Mozilla/5.0 (warm)")
