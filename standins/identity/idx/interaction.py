"""interact and introspect: the start of a transaction, and its current step."""

import hashlib

from sqlalchemy import select

from standins.identity import opaque_tokens, tickets, transactions
from standins.identity.idx import flow
from standins.identity.idx.form_handlers import INITIAL_DATA, session_expired
from standins.identity.idx.transaction import Tx
from standins.identity.oauth.discovery import server_name
from standins.identity.oauth.server import authenticate_client
from standins.identity.responses import IdentityCall, IdentityResponse, OAuthError, json_response, text_of
from standins.identity.tables import Enrollment, Ticket, Transaction


def interact(call: IdentityCall) -> IdentityResponse:
    """Returns an interaction handle for the client's request; introspect starts its transaction."""
    client, params = authenticate_client(call), call.form
    if "interaction_code" not in client.grants or not call.provider.policies["features"]["interactionCode"]:
        raise OAuthError("access_denied", "The interaction code grant is not switched on for the client.")
    if params.get("redirect_uri") not in client.redirects:
        raise OAuthError("invalid_request", "The redirect URI is not registered for the client.")
    if params.get("code_challenge_method") != "S256" or len(params.get("code_challenge", "")) != 43:
        raise OAuthError("invalid_request", "PKCE with the code challenge method S256 is required.")
    if not params.get("state"):
        raise OAuthError("invalid_request", "The state parameter is required.")
    scope = client.get_allowed_scope(params.get("scope"))
    if scope is None:
        raise OAuthError("invalid_scope", "One or more scopes are not configured for the client application.")
    data = {name: params[name] for name in ("redirect_uri", "state", "nonce", "code_challenge") if params.get(name)}
    data |= {"client_id": client.id, "scope": scope, "server": server_name(call)}
    mail_ticket = _redeem_mail_token(call, params)
    seconds = call.seconds("interaction")
    user_id = mail_ticket.user_id if mail_ticket is not None else None
    if mail_ticket is not None:
        data["invited"] = mail_ticket.kind
    return json_response({"interaction_handle": tickets.issue(call, "interaction", data, seconds, user_id)})


def _redeem_mail_token(call: IdentityCall, params: dict[str, str]) -> Ticket | None:
    """Redeems an activation or recovery token from a mail. Raises OAuthError when it is invalid."""
    for name, kind in (("activation_token", "activation"), ("recovery_token", "recovery")):
        if params.get(name):
            ticket = tickets.redeem(call, kind, params[name])
            if ticket is None:
                raise OAuthError("invalid_request", f"The {name.replace('_', ' ')} is invalid or has expired.")
            return ticket
    return None


def introspect(call: IdentityCall) -> IdentityResponse:
    """The current step of a transaction; repeated calls return the same."""
    handle = text_of(call.json, "interactionHandle")
    state_handle = (
        _state_handle(handle) if handle else text_of(call.json, "stateToken") or text_of(call.json, "stateHandle")
    )
    row = transactions.find(call, "idx", state_handle)
    if row is None and handle:
        row = _create_transaction(call, handle, state_handle)
    return session_expired() if row is None else flow.step_response(Tx(call, state_handle, row))


def _state_handle(handle: str) -> str:
    """The state handle, derived from the interaction handle so that it need not be stored in clear."""
    return "02" + opaque_tokens.encode_base64url(hashlib.sha256(b"state of " + handle.encode()).digest())


def _create_transaction(call: IdentityCall, handle: str, state_handle: str) -> Transaction | None:
    ticket = tickets.redeem(call, "interaction", handle)
    if ticket is None:
        return None
    row = Transaction(
        digest=opaque_tokens.digest(state_handle),
        kind="idx",
        user_id=ticket.user_id,
        data={**ticket.data, **INITIAL_DATA},
        expires_at=call.now + call.seconds("interaction"),
    )
    call.session.add(row)
    call.session.flush()
    _apply_mail_token(Tx(call, state_handle, row))
    return row


def _apply_mail_token(tx: Tx) -> None:
    """Continues after a link from a mail, which verifies the email address."""
    invited = tx.data.get("invited")
    if invited is None:
        return
    tx.go_to("identify", verified=["okta_email"], amr=["otp"])
    if invited == "recovery":
        tx.go_to("identify", flow="recover")
    else:
        rows = tx.call.session.scalars(select(Enrollment).where(Enrollment.user_id == tx.row.user_id))
        for enrollment in rows:
            enrollment.is_active = enrollment.is_active or enrollment.key == "okta_email"
        tx.go_to("identify", flow="register")
    flow.advance(tx)
