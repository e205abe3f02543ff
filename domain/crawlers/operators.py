"""Crawlers that operators.json knows, by the names that their headers hold."""

import json
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

OTHER = "other"
# The agent of every name that operators.json does not have.
UNKNOWN_AGENT = "(unknown agent)"


class Crawler(NamedTuple):
    """`kind`: search | assistant | seo | other. `lists`: names of lists of ranges. `suffixes`: of names by DNS.
    `assistant`: the one that it fetches for, "" for none."""

    name: str
    operator: str
    kind: str
    lists: tuple[str, ...]
    suffixes: tuple[str, ...]
    assistant: str


@lru_cache(1)
def _file() -> Mapping[str, Any]:
    contents: Mapping[str, Any] = json.loads((Path(__file__).parent / "operators.json").read_text(encoding="utf-8"))
    return contents


@lru_cache(1)
def crawlers() -> Mapping[str, Crawler]:
    """All crawlers by their names."""
    return {crawler.name: crawler for operator in _file()["operators"] for crawler in _crawlers_of(operator)}


def _crawlers_of(operator: Mapping[str, Any]) -> Iterable[Crawler]:
    for row in operator["crawlers"]:
        ways = tuple(row["lists"]), tuple(row["suffixes"])
        for agent in row["agents"]:
            yield Crawler(agent, operator["name"], row["kind"], *ways, row.get("assistant", ""))


@lru_cache(1)
def published_lists() -> Mapping[str, str]:
    """Name of a list of ranges -> its address: those of crawlers, and of hosting providers."""
    return {**_file()["lists"], **_file()["hosting"]}


@lru_cache(1)
def hosting_lists() -> frozenset[str]:
    """Names of the lists of providers whose machines anybody rents."""
    return frozenset(_file()["hosting"])


@lru_cache(1)
def lists_without_people() -> frozenset[str]:
    """Names of the lists whose addresses no person uses. Assistants have browsers that people watch at work."""
    of_assistants = {name for crawler in crawlers().values() if crawler.assistant for name in crawler.lists}
    return frozenset({name for crawler in crawlers().values() for name in crawler.lists} - of_assistants)


def kind_of(name: str) -> str:
    crawler = crawlers().get(name)
    return OTHER if crawler is None else crawler.kind


@lru_cache(1)
def assistant_agents() -> Mapping[str, str]:
    """The names under which assistants fetch a page for somebody who asks them -> the assistant."""
    return {name: crawler.assistant for name, crawler in crawlers().items() if crawler.assistant}


def agent_of(name: str) -> str:
    """The agent that a name in a header belongs to: the assistant that it fetches for, else itself."""
    crawler = crawlers().get(name)
    return UNKNOWN_AGENT if crawler is None else crawler.assistant or name


def name_in(agent: str) -> str:
    """The name of the first known crawler in a header, as operators.json writes it; "" for none.

    A name is a word of its own: evilgooglebot.com is none. Letters may be capitals or not, as in robots.txt.
    """
    match = names_pattern().search(agent)
    return _by_small_letters()[match[0].lower()] if match else ""


@lru_cache(1)
def _by_small_letters() -> Mapping[str, str]:
    return {name.lower(): name for name in crawlers()}


@lru_cache(1)
def names_pattern() -> re.Pattern[str]:
    """What `name_in` looks for."""
    # The longest first: an expression takes the first one that fits.
    names = "|".join(re.escape(name) for name in sorted(crawlers(), key=lambda name: (-len(name), name)))
    return re.compile(rf"(?<![\w-])(?:{names})(?![\w-])", re.IGNORECASE)
