"""Claims of the tokens of a finished sign-in, and the checks of tokens that clients present."""

from collections.abc import Sequence
from typing import Any, Protocol

from sqlalchemy import select

from standins.identity import opaque_tokens
from standins.identity.clients import Client
from standins.identity.oauth import signing
from standins.identity.oauth.discovery import server_name
from standins.identity.responses import BearerError, IdentityCall, Json
from standins.identity.tables import Enrollment, Ticket, User
from standins.identity.users import full_name

ID_TOKEN_S = 3600


class SignIn(Protocol):
    """A finished sign-in for which tokens are issued (standins/identity/oauth/issued_tokens.py)."""

    @property
    def data(self) -> Json: ...

    def get_auth_time(self) -> int: ...


def access_claims(call: IdentityCall, sign_in: SignIn, user: User, scopes: list[str]) -> Json:
    server = server_name(call)
    return {
        "ver": 1,
        "jti": opaque_tokens.new_id("AT."),
        "iss": call.provider.issuer(server),
        "aud": "api://default" if server else call.provider.origin,
        "iat": int(call.now),
        "exp": int(call.now + call.seconds("accessToken")),
        "cid": sign_in.data["client_id"],
        "uid": user.id,
        "scp": scopes,
        "auth_time": sign_in.get_auth_time(),
        "sub": user.login,
    }


def id_claims(call: IdentityCall, client: Client) -> Json:
    """The id token's claims that do not depend on the sign-in. The audience is a plain string."""
    return {
        "ver": 1,
        "iss": call.provider.issuer(server_name(call)),
        "aud": client.id,
        "iat": int(call.now),
        "exp": int(call.now + ID_TOKEN_S),
        "jti": opaque_tokens.new_id("ID."),
        "idp": "00oself",
    }


def amr_claim(methods: Sequence[str]) -> list[str]:
    """The methods without duplicates, with `mfa` added to two or more."""
    once = list(dict.fromkeys(methods)) or ["pwd"]
    return [*once, "mfa"] if len(once) > 1 else once


def profile_claims(call: IdentityCall, user: User, scopes: Sequence[str]) -> Json:
    """The user's claims for the granted scopes, without sub."""
    profile, claims = user.profile, dict[str, Any]()
    if "profile" in scopes:
        claims |= {
            "name": full_name(user),
            "given_name": profile.get("firstName"),
            "family_name": profile.get("lastName"),
            "preferred_username": user.login,
            "locale": profile.get("locale") or "en_US",
            "zoneinfo": profile.get("timezone") or "UTC",
            "updated_at": int(user.updated_at),
        }
    rows = list(call.session.scalars(select(Enrollment).where(Enrollment.user_id == user.id)))
    if "email" in scopes:
        primary = [
            enrollment
            for enrollment in rows
            if enrollment.key == "okta_email" and enrollment.data["email"] == profile["email"]
        ]
        claims |= {"email": profile["email"], "email_verified": any(enrollment.is_active for enrollment in primary)}
    phone = next((enrollment for enrollment in rows if enrollment.key == "phone_number" and enrollment.is_active), None)
    if "phone" in scopes and phone is not None:
        claims["phone_number"] = phone.data["phoneNumber"]
    return {name: value for name, value in claims.items() if value is not None}


def valid_access_claims(call: IdentityCall, token: str) -> Json | None:
    """The claims of a valid access token, else None."""
    claims = signing.read_claims(call, token)
    if claims is None or not str(claims.get("jti", "")).startswith("AT.") or claims["exp"] <= call.now:
        return None
    is_revoked = call.session.get(Ticket, opaque_tokens.digest(claims["jti"])) is not None
    return None if is_revoked or call.session.get(User, claims["uid"]) is None else claims


def revoke_access(call: IdentityCall, claims: Json) -> None:
    digest = opaque_tokens.digest(claims["jti"])
    if call.session.get(Ticket, digest) is None:
        call.session.add(
            Ticket(
                digest=digest,
                kind="revoked",
                user_id=None,
                data={},
                expires_at=float(claims["exp"]),
                used_at=call.now,
            )
        )


def bearer_claims(call: IdentityCall) -> Json:
    """The claims of the call's access token. Raises BearerError."""
    scheme, _, token = call.headers.get("Authorization", "").partition(" ")
    claims = valid_access_claims(call, token.strip()) if scheme.lower() == "bearer" else None
    if claims is None:
        raise BearerError(401, "invalid_token", "The access token is invalid or has expired.")
    return claims
