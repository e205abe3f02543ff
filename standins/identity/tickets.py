"""Tickets: data behind random tokens, stored by digest; most can be redeemed once."""

from typing import Any

from sqlalchemy import delete

from standins.identity import opaque_tokens
from standins.identity.responses import IdentityCall
from standins.identity.tables import Ticket

# Redeemed and expired tickets stay for a day, so that a second use differs from an unknown token.
RETENTION_S = 86_400
PREFIXES = {"session": "20111"}


def issue(call: IdentityCall, kind: str, data: dict[str, Any], seconds: float, user_id: str | None = None) -> str:
    """Stores `data` under a new token, which is returned."""
    token = opaque_tokens.new_token(PREFIXES.get(kind, ""))
    store(call, token, Ticket(kind=kind, data=data, expires_at=call.now + seconds, user_id=user_id))
    return token


def store(call: IdentityCall, token: str, ticket: Ticket) -> None:
    """Stores a ticket under a token created elsewhere. Deletes tickets that expired a day ago."""
    call.session.execute(delete(Ticket).where(Ticket.expires_at < call.now - RETENTION_S))
    ticket.digest, ticket.used_at = opaque_tokens.digest(token), None
    call.session.add(ticket)


def find(call: IdentityCall, kind: str, token: str | None) -> Ticket | None:
    """The ticket of a token, None when it is redeemed or expired."""
    ticket = find_any(call, kind, token)
    return ticket if ticket is not None and ticket.used_at is None and ticket.expires_at > call.now else None


def find_any(call: IdentityCall, kind: str, token: str | None) -> Ticket | None:
    """The ticket of a token, also a redeemed or expired one."""
    ticket = call.session.get(Ticket, opaque_tokens.digest(token)) if token else None
    return ticket if ticket is not None and ticket.kind == kind else None


def redeem(call: IdentityCall, kind: str, token: str | None) -> Ticket | None:
    """Marks the ticket as used and returns it; None when it is redeemed or expired."""
    ticket = find(call, kind, token)
    if ticket is not None:
        ticket.used_at = call.now
    return ticket
