"""Tokens that clients present: codes and refresh tokens, stored as tickets, and self-contained access tokens."""

from dataclasses import dataclass, field
from typing import Any

from authlib.oauth2.rfc6749 import TokenMixin
from authlib.oidc.core import AuthorizationCodeMixin

from standins.identity import tickets
from standins.identity.clients import Client
from standins.identity.oauth import tokens
from standins.identity.responses import IdentityCall, Json
from standins.identity.tables import Ticket
from standins.identity.users import user_by_id


@dataclass
class StoredGrant(AuthorizationCodeMixin, TokenMixin):
    """A valid code or refresh token, which its client may exchange for tokens."""

    ticket: Ticket
    # "" where the request may name any redirect URI, or none.
    redirect_uri: str = ""
    code_challenge_method: str = field(default="S256", init=False)

    @property
    def data(self) -> dict[str, Any]:
        return self.ticket.data

    @property
    def scopes(self) -> list[str]:
        return self.get_scope().split()

    @property
    def code_challenge(self) -> str:
        return str(self.data["code_challenge"])

    def check_client(self, client: Client) -> bool:
        return bool(self.data["client_id"] == client.id)

    def get_redirect_uri(self) -> str:
        return self.redirect_uri

    def get_scope(self) -> str:
        return str(self.data["scope"])

    def get_nonce(self) -> str | None:
        return self.data.get("nonce")

    def get_auth_time(self) -> int:
        return int(self.data["auth_at"])

    def get_acr(self) -> None:
        """None: the provider issues no acr claim."""

    def get_amr(self) -> list[str]:
        return tokens.amr_claim(self.data["amr"])

    def is_expired(self) -> bool:
        return False

    def is_revoked(self) -> bool:
        return self.ticket.used_at is not None

    def revoke(self, call: IdentityCall) -> None:
        self.ticket.used_at = call.now

    def introspection_claims(self, call: IdentityCall) -> Json:
        user = user_by_id(call.session, self.ticket.user_id)
        user_claims = {"sub": user.login, "username": user.login, "uid": user.id}
        return {
            "client_id": self.data["client_id"],
            "scope": self.get_scope(),
            "exp": int(self.ticket.expires_at),
            **user_claims,
        }


@dataclass
class AccessToken(TokenMixin):
    """A valid access token."""

    claims: Json

    def check_client(self, client: Client) -> bool:
        return bool(self.claims["cid"] == client.id)

    def is_expired(self) -> bool:
        return False

    def is_revoked(self) -> bool:
        return False

    def revoke(self, call: IdentityCall) -> None:
        tokens.revoke_access(call, self.claims)

    def introspection_claims(self, _call: IdentityCall) -> Json:
        claims = self.claims
        about = {name: claims[name] for name in ("iss", "aud", "iat", "exp", "sub", "uid", "jti")}
        known = {"token_type": "Bearer", "client_id": claims["cid"], "username": claims["sub"]}
        return {**known, "scope": " ".join(claims["scp"]), **about}


def find_token(call: IdentityCall, token: str) -> AccessToken | StoredGrant | None:
    """The valid token with this text, whatever the token type hint says."""
    claims = tokens.valid_access_claims(call, token)
    if claims is not None:
        return AccessToken(claims)
    ticket = tickets.find(call, "refresh", token)
    return StoredGrant(ticket) if ticket is not None else None
