"""Words handed out to be brought back: kept as digests, most of them good once."""

from typing import Any

from sqlalchemy import delete

from standins.identity import opaque
from standins.identity.answers import Call
from standins.identity.tables import Ticket

# Used and late ones are kept a while, so that a second use can be told from an invention.
KEPT_S = 86_400
PREFIXES = {"session": "20111"}


def issue(call: Call, kind: str, data: dict[str, Any], seconds: float, user_id: str | None = None) -> str:
    """A new word for `data`."""
    word = opaque.new(PREFIXES.get(kind, ""))
    keep(call, word, Ticket(kind=kind, data=data, expires_at=call.now + seconds, user_id=user_id))
    return word


def keep(call: Call, word: str, ticket: Ticket) -> None:
    """A ticket for a word made elsewhere. Words that ended a day ago are forgotten meanwhile."""
    call.session.execute(delete(Ticket).where(Ticket.expires_at < call.now - KEPT_S))
    ticket.digest, ticket.used_at = opaque.digest(word), None
    call.session.add(ticket)


def look(call: Call, kind: str, word: str | None) -> Ticket | None:
    """The ticket of a word that still counts."""
    found = any_of(call, kind, word)
    return found if found is not None and found.used_at is None and found.expires_at > call.now else None


def any_of(call: Call, kind: str, word: str | None) -> Ticket | None:
    """Also a used or late one."""
    found = call.session.get(Ticket, opaque.digest(word)) if word else None
    return found if found is not None and found.kind == kind else None


def use(call: Call, kind: str, word: str | None) -> Ticket | None:
    """The ticket, which from now on is used; None when it does not count."""
    found = look(call, kind, word)
    if found is not None:
        found.used_at = call.now
    return found
