"""Which application calls, and whether it proved to be the one."""

import hashlib
from base64 import b64decode
from secrets import compare_digest

from standins.identity import opaque
from standins.identity.answers import Call, OAuthError
from standins.identity.provider import Client


def _basic(call: Call) -> tuple[str, str] | None:
    """id and secret of a Basic header. Public clients of one library send their id alone, without a colon."""
    scheme, _, value = call.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "basic":
        return None
    try:
        name, _, secret = b64decode(value.strip(), validate=True).decode().partition(":")
    except ValueError:
        return None
    return name, secret


def authenticated(call: Call) -> Client:
    """The client of a form call. Raises OAuthError invalid_client."""
    name, secret = _basic(call) or (call.form.get("client_id", ""), call.form.get("client_secret", ""))
    client = call.provider.clients.get(name)
    if client is None:
        raise OAuthError("invalid_client", "The client is not known here.", 401)
    if client.secret is not None and not compare_digest(client.secret, secret):
        raise OAuthError("invalid_client", "The client secret supplied for a confidential client is invalid.", 401)
    return client


def granted_scopes(client: Client, asked: str) -> tuple[str, ...]:
    """The scopes, each once, in the order asked. Raises OAuthError invalid_scope."""
    scopes = tuple(dict.fromkeys(asked.split()))
    unknown = [scope for scope in scopes if scope not in client.scopes]
    if unknown or not scopes:
        raise OAuthError("invalid_scope", "One or more scopes are not configured for the client application.")
    return scopes


def challenge_of(verifier: str) -> str:
    """PKCE, method S256."""
    return opaque.encoded(hashlib.sha256(verifier.encode()).digest())


def check_verifier(challenge: str, verifier: str) -> None:
    """Raises OAuthError invalid_grant when the verifier is not the challenge's."""
    is_well_formed = 43 <= len(verifier) <= 128 and verifier.isascii()
    if not is_well_formed or not compare_digest(challenge_of(verifier), challenge):
        raise OAuthError("invalid_grant", "PKCE verification failed.")
