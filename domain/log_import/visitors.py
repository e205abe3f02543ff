"""Who asked for a page: only a keyed hash of it is stored."""

import hmac
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import NamedTuple

from domain.log_import.forms.line_fields import EMPTY

# Bytes of a hash: those of one visitor are told from those of others among billions.
_LENGTH = 16
CRAWLER = "crawler"


class Agents(NamedTuple):
    """`class_of`: human, crawler or suspected; `family_of`: the browser."""

    class_of: Callable[[str], str]
    family_of: Callable[[str], str]


@dataclass(slots=True)
class Visitor:
    """`session_id`: "" for a declared crawler. `signs`: those that a LogReader has of the last hour with any, in hours
    since 1970."""

    session_id: str
    visitor_class: str
    agent: str
    hour: int = -1
    signs: int = 0


class Visitors:
    """`key`: without it nobody can find out whose address and agent a hash is of."""

    def __init__(self, site: str, key: bytes, agents: Agents):
        self._site = site
        self._key = key
        self._agents = agents
        # Session id -> the visitor as the log says; None unless names are asked for.
        self.names: dict[str, str] | None = None
        self.crawlers: set[str] = set()

    def read(self, address: str, visitor: str, agent: str | None) -> Visitor:
        shown = "" if agent in EMPTY else agent
        # A form without agents says nothing about programs.
        visitor_class = "human" if shown is None else self._agents.class_of(shown)
        name = name_of(address, visitor, agent)
        session_id = "" if visitor_class == CRAWLER else self.session_id_of(name)
        if self.names is not None and session_id:
            self.names[session_id] = name
        elif self.names is not None:
            self.crawlers.add(name)
        return Visitor(session_id, visitor_class, self._agents.family_of(shown) if shown else "")

    def session_id_of(self, name: str) -> str:
        text = f"{self._site}\0{name}".encode("utf-8", "surrogatepass")
        return hmac.digest(self._key, text, sha256)[:_LENGTH].hex()


def name_of(address: str, visitor: str, agent: str | None) -> str:
    """A visitor as the log calls it: the value of the cookie, or else address and agent."""
    return visitor if visitor not in EMPTY else f"{address} {agent or ''}".rstrip()
