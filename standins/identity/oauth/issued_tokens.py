"""What a client brings back: codes and refresh tokens, kept as tickets, and access tokens, which say all themselves."""

from dataclasses import dataclass, field
from typing import Any

from authlib.oauth2.rfc6749 import TokenMixin
from authlib.oidc.core import AuthorizationCodeMixin

from standins.identity import tickets, tokens
from standins.identity.answers import Call, Json
from standins.identity.clients import Client
from standins.identity.tables import Ticket
from standins.identity.users import of_id


@dataclass
class Held(AuthorizationCodeMixin, TokenMixin):
    """A code or refresh token that counts: a sign-in that its client may turn into tokens."""

    ticket: Ticket
    # "" wherever any address, or none, may be named.
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
        """Not told."""

    def get_amr(self) -> list[str]:
        return tokens.amr_claim(self.data["amr"])

    def is_expired(self) -> bool:
        return False

    def is_revoked(self) -> bool:
        return self.ticket.used_at is not None

    def revoke(self, call: Call) -> None:
        self.ticket.used_at = call.now

    def told(self, call: Call) -> Json:
        """What introspection tells."""
        user = of_id(call.session, self.ticket.user_id)
        who = {"sub": user.login, "username": user.login, "uid": user.id}
        return {
            "client_id": self.data["client_id"],
            "scope": self.get_scope(),
            "exp": int(self.ticket.expires_at),
            **who,
        }


@dataclass
class Access(TokenMixin):
    """An access token that counts."""

    claims: Json

    def check_client(self, client: Client) -> bool:
        return bool(self.claims["cid"] == client.id)

    def is_expired(self) -> bool:
        return False

    def is_revoked(self) -> bool:
        return False

    def revoke(self, call: Call) -> None:
        tokens.revoke_access(call, self.claims)

    def told(self, _call: Call) -> Json:
        """What introspection tells."""
        claims = self.claims
        about = {name: claims[name] for name in ("iss", "aud", "iat", "exp", "sub", "uid", "jti")}
        known = {"token_type": "Bearer", "client_id": claims["cid"], "username": claims["sub"]}
        return {**known, "scope": " ".join(claims["scp"]), **about}


def found(call: Call, word: str) -> Access | Held | None:
    """The token of a word that counts, whatever the hint says it is."""
    claims = tokens.live_access(call, word)
    if claims is not None:
        return Access(claims)
    ticket = tickets.look(call, "refresh", word)
    return Held(ticket) if ticket is not None else None
