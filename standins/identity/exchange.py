"""POST token: codes, interaction codes and refresh tokens become tokens."""

from standins.identity import tickets, tokens
from standins.identity.answers import Answer, Call, OAuthError, reply
from standins.identity.clients import authenticated, check_verifier, granted_scopes
from standins.identity.discovery import server_of
from standins.identity.provider import Client
from standins.identity.tables import Ticket
from standins.identity.tokens import Grant
from standins.identity.users import of_id

# Clients keep a dead token on any other text.
DEAD_REFRESH_TOKEN = "The refresh token is invalid or expired."  # noqa: S105 a sentence


def token(call: Call) -> Answer:
    client = authenticated(call)
    kind = call.form.get("grant_type", "")
    if kind not in _GRANTS:
        raise OAuthError("unsupported_grant_type", "The authorization grant type is not supported.")
    if kind not in client.grants:
        raise OAuthError("unauthorized_client", "The client is not authorized to use the provided grant type.")
    return reply(_GRANTS[kind](call, client), headers={"Cache-Control": "no-store", "Pragma": "no-cache"})


def _code(call: Call, client: Client) -> tokens.Json:
    return _exchanged(call, client, tickets.use(call, "code", _needed(call, "code")))


def _interaction_code(call: Call, client: Client) -> tokens.Json:
    return _exchanged(call, client, tickets.use(call, "interaction_code", _needed(call, "interaction_code")))


def _needed(call: Call, name: str) -> str:
    value = call.form.get(name, "")
    if not value:
        raise OAuthError("invalid_request", f"The token request must specify {name}.")
    return value


def _exchanged(call: Call, client: Client, ticket: Ticket | None) -> tokens.Json:
    """The code is spent, also when something else is wrong: who tries verifiers gets one try."""
    dead = OAuthError("invalid_grant", "The code is invalid or has expired.")
    if ticket is None or ticket.data["client_id"] != client.id or ticket.data["server"] != server_of(call):
        raise dead
    given = call.form.get("redirect_uri", "")
    # With an interaction code the library leaves the address out now and then; a wrong one is refused all the same.
    if given != ticket.data["redirect_uri"] and (given or ticket.kind == "code"):
        raise OAuthError("invalid_grant", "The redirect URI differs from the one of the sign-in.")
    check_verifier(ticket.data["code_challenge"], call.form.get("code_verifier", ""))
    return tokens.issue(call, _grant(call, client, ticket, tuple(ticket.data["scope"].split())))


def _grant(call: Call, client: Client, ticket: Ticket, scopes: tuple[str, ...]) -> Grant:
    data = ticket.data
    user = of_id(call.session, ticket.user_id)
    return Grant(client, user, data["server"], scopes, data.get("nonce"), data["auth_at"], tuple(data["amr"]))


def _refresh_token(call: Call, client: Client) -> tokens.Json:
    """A new refresh token replaces the one shown."""
    word = _needed(call, "refresh_token")
    ticket = tickets.look(call, "refresh", word)
    if ticket is None or ticket.data["client"] != client.id or ticket.data["server"] != server_of(call):
        raise OAuthError("invalid_grant", DEAD_REFRESH_TOKEN)
    held = tuple(ticket.data["scopes"])
    scopes = granted_scopes(client, call.form["scope"]) if call.form.get("scope") else held
    if set(scopes) - set(held):
        raise OAuthError("invalid_scope", "The scopes were not granted to the refresh token.")
    ticket.used_at = call.now
    whole = _grant(call, client, ticket, held)
    return tokens.issue(call, _grant(call, client, ticket, scopes), tokens.new_refresh_token(call, whole))


_GRANTS = {"authorization_code": _code, "interaction_code": _interaction_code, "refresh_token": _refresh_token}
