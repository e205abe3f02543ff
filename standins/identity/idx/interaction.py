"""interact and introspect: the beginning of a transaction, and where it stands."""

import hashlib

from sqlalchemy import select

from standins.identity import opaque, tickets, transactions
from standins.identity.answers import Answer, Call, OAuthError, reply, text_of
from standins.identity.discovery import server_of
from standins.identity.idx import flow
from standins.identity.idx.calls import BEGINNING, expired
from standins.identity.idx.transaction import Tx
from standins.identity.server import authenticated
from standins.identity.tables import Enrollment, Ticket, Transaction


def interact(call: Call) -> Answer:
    """An interaction handle for what the application asks, which introspect turns into a transaction."""
    client, asked = authenticated(call), call.form
    if "interaction_code" not in client.grants or not call.provider.policies["features"]["interactionCode"]:
        raise OAuthError("access_denied", "The interaction code grant is not switched on for the client.")
    if asked.get("redirect_uri") not in client.redirects:
        raise OAuthError("invalid_request", "The redirect URI is not registered for the client.")
    if asked.get("code_challenge_method") != "S256" or len(asked.get("code_challenge", "")) != 43:
        raise OAuthError("invalid_request", "PKCE with the code challenge method S256 is required.")
    if not asked.get("state"):
        raise OAuthError("invalid_request", "The state parameter is required.")
    scope = client.get_allowed_scope(asked.get("scope"))
    if scope is None:
        raise OAuthError("invalid_scope", "One or more scopes are not configured for the client application.")
    data = {name: asked[name] for name in ("redirect_uri", "state", "nonce", "code_challenge") if asked.get(name)}
    data |= {"client_id": client.id, "scope": scope, "server": server_of(call)}
    invited = _invited(call, asked)
    seconds = call.seconds("interaction")
    user_id = invited.user_id if invited is not None else None
    if invited is not None:
        data["invited"] = invited.kind
    return reply({"interaction_handle": tickets.issue(call, "interaction", data, seconds, user_id)})


def _invited(call: Call, asked: dict[str, str]) -> Ticket | None:
    """The person named by a token from a mail. Raises OAuthError for one that does not count."""
    for name, kind in (("activation_token", "activation"), ("recovery_token", "recovery")):
        if asked.get(name):
            found = tickets.use(call, kind, asked[name])
            if found is None:
                raise OAuthError("invalid_request", f"The {name.replace('_', ' ')} is invalid or has expired.")
            return found
    return None


def introspect(call: Call) -> Answer:
    """Where the transaction stands; asked twice, the answer is the same."""
    handle = text_of(call.json, "interactionHandle")
    word = _state_handle(handle) if handle else text_of(call.json, "stateToken") or text_of(call.json, "stateHandle")
    row = transactions.find(call, "idx", word)
    if row is None and handle:
        row = _begun(call, handle, word)
    return expired() if row is None else flow.show(Tx(call, word, row))


def _state_handle(handle: str) -> str:
    """Made from the interaction handle, so that introspecting again needs no secret kept."""
    return "02" + opaque.encoded(hashlib.sha256(b"state of " + handle.encode()).digest())


def _begun(call: Call, handle: str, word: str) -> Transaction | None:
    ticket = tickets.use(call, "interaction", handle)
    if ticket is None:
        return None
    row = Transaction(
        digest=opaque.digest(word),
        kind="idx",
        user_id=ticket.user_id,
        data={**ticket.data, **BEGINNING},
        expires_at=call.now + call.seconds("interaction"),
    )
    call.session.add(row)
    call.session.flush()
    _welcome(Tx(call, word, row))
    return row


def _welcome(tx: Tx) -> None:
    """Who comes by a link from a mail has proved the address by it."""
    invited = tx.data.get("invited")
    if invited is None:
        return
    tx.go("identify", verified=["okta_email"], amr=["otp"])
    if invited == "recovery":
        tx.go("identify", flow="recover")
    else:
        rows = tx.call.session.scalars(select(Enrollment).where(Enrollment.user_id == tx.row.user_id))
        for one in rows:
            one.is_active = one.is_active or one.key == "okta_email"
        tx.go("identify", flow="register")
    flow.advance(tx)
