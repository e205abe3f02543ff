"""Where a session came from, by its first visit: channel, source, campaign and referrer. Lists: sources.json."""

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from domain.visits.campaigns import PAID_CLICKS
from domain.visits.days.paths import LINK_OF_PARTNER, LINK_OF_STUDENT, MAX_LENGTH

NONE = "(none)"
NO_CAMPAIGN = "- / - / -"
UNKNOWN_DEVICE = "(unknown)"
PART_LENGTH = 100
_HOST = re.compile(r"[a-z][a-z0-9+.-]*://(?:[^/@]*@)?(\[[^\]]*\]|[^/:?#]+)|([^/:?#]+)$", re.IGNORECASE)
_SECOND_LEVELS = ("co", "com")


class VisitSource(NamedTuple):
    """`engine`, `assistant`: the name of the search engine or assistant that led here."""

    channel: str
    source: str
    campaign: str
    referrer: str
    engine: str
    assistant: str


@lru_cache(1)
def lists() -> Mapping[str, Any]:
    contents: Mapping[str, Any] = json.loads((Path(__file__).parent / "sources.json").read_text(encoding="utf-8"))
    return contents


def source_of(page: str, campaign: Mapping[str, str], referrer: str, *, is_partner: bool) -> VisitSource:
    """The source of a session, from its first visit; `page`: its page; `is_partner`: it names an approved
    organisation."""
    link = page if page == LINK_OF_STUDENT or (page == LINK_OF_PARTNER and is_partner) else ""
    return _source_of(link, tuple(sorted(campaign.items())) if campaign else (), referrer)


@lru_cache(20_000)
def _source_of(link: str, campaign: tuple[tuple[str, str], ...], referrer: str) -> VisitSource:
    given = dict(campaign)
    source, medium, name = (normalised(given.get(f"utm_{part}", "")) for part in ("source", "medium", "campaign"))
    host = host_of(referrer)
    assistant = _listed("assistants", source) or _listed("assistants", host)
    engine, social = _listed("search", host), _listed("social", host)
    network = next((of for click, of in PAID_CLICKS.items() if given.get(click)), "")
    found = {
        "paid": network or medium in lists()["paid_media"],
        "partner": link == LINK_OF_PARTNER,
        "student": link == LINK_OF_STUDENT,
        "email": medium in lists()["email_media"],
        "assistant": assistant,
        "campaign": source or name,
        "search": engine,
        "social": social or given.get("fbclid"),
        "referral": host,
        "direct": True,
    }
    channel = next(channel for channel, is_so in found.items() if is_so)
    parts = " / ".join(part or "-" for part in (source, medium, name))
    return VisitSource(
        channel=channel,
        source=source or network or _listed("assistants", host) or engine or social or host or NONE,
        campaign=parts[:MAX_LENGTH].rstrip(),
        referrer=host or NONE,
        engine=engine if channel == "search" else NONE,
        assistant=assistant if channel == "assistant" else NONE,
    )


def source_of_fetch(assistant: str) -> VisitSource:
    """The source of a page that an assistant has fetched for somebody who may never see the site."""
    return VisitSource("assistant", assistant, NO_CAMPAIGN, NONE, NONE, assistant)


def normalised(text: str) -> str:
    """A visitor's text as a key: one with an opening bracket could be taken for one of ours, such as "(other)"."""
    return " ".join(text.lower().split()).lstrip("( ")[:PART_LENGTH].rstrip()


def host_of(referrer: str) -> str:
    """In lower case without www.; "" when there is none."""
    match = _HOST.match(referrer.strip())
    host = (match[1] or match[2] or "").lower() if match else ""
    return normalised(host.removeprefix("www."))


def _listed(name: str, text: str) -> str:
    """The name that a list has for a host or a part of one, or for its own name; else ""."""
    labels, known = text.split("."), _by_host(name)
    for start in range(len(labels)):
        rest = labels[start:]
        if (
            found := known.get(".".join(rest)) or (known.get(f"{rest[0]}.*") if _is_suffix(rest[1:]) else None)
        ) is not None:
            return found
    return ""


def _is_suffix(labels: list[str]) -> bool:
    """Whether a domain of any country may end so: com, de, co.uk, com.br."""
    return len(labels) == 1 or (len(labels) == 2 and labels[0] in _SECOND_LEVELS and len(labels[1]) == 2)


@lru_cache(3)
def _by_host(name: str) -> dict[str, str]:
    rows: Mapping[str, list[str]] = lists()[name]
    return {key: label for label, hosts in rows.items() for key in (label.lower(), *hosts)}


@lru_cache(1_000)
def device_of(agent: str) -> str:
    """mobile | desktop, as far as the browser's family says."""
    if agent in lists()["mobile_agents"]:
        return "mobile"
    return "desktop" if agent in lists()["desktop_agents"] else UNKNOWN_DEVICE
