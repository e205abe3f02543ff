"""Tokens of a finished sign-in: what stands in them, and which of those presented still count."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from standins.identity import opaque, signing
from standins.identity.answers import BearerError, Call, Json
from standins.identity.clients import Client
from standins.identity.discovery import server_of
from standins.identity.tables import Enrollment, Ticket, User
from standins.identity.users import name_of

if TYPE_CHECKING:
    from standins.identity.held import Held

ID_TOKEN_S = 3600


def access_claims(call: Call, held: "Held", user: User, scopes: list[str]) -> Json:
    server = server_of(call)
    return {
        "ver": 1,
        "jti": opaque.new_id("AT."),
        "iss": call.provider.issuer(server),
        "aud": "api://default" if server else call.provider.origin,
        "iat": int(call.now),
        "exp": int(call.now + call.seconds("accessToken")),
        "cid": held.data["client_id"],
        "uid": user.id,
        "scp": scopes,
        "auth_time": held.get_auth_time(),
        "sub": user.login,
    }


def id_claims(call: Call, client: Client) -> Json:
    """Those that do not depend on the sign-in. The audience is a plain string."""
    return {
        "ver": 1,
        "iss": call.provider.issuer(server_of(call)),
        "aud": client.id,
        "iat": int(call.now),
        "exp": int(call.now + ID_TOKEN_S),
        "jti": opaque.new_id("ID."),
        "idp": "00oself",
    }


def amr_claim(methods: Sequence[str]) -> list[str]:
    """Each method once; `mfa` beside two or more."""
    once = list(dict.fromkeys(methods)) or ["pwd"]
    return [*once, "mfa"] if len(once) > 1 else once


def about(call: Call, user: User, scopes: Sequence[str]) -> Json:
    """The claims that the granted scopes open, without sub."""
    profile, made = user.profile, dict[str, Any]()
    if "profile" in scopes:
        made |= {
            "name": name_of(user),
            "given_name": profile.get("firstName"),
            "family_name": profile.get("lastName"),
            "preferred_username": user.login,
            "locale": profile.get("locale") or "en_US",
            "zoneinfo": profile.get("timezone") or "UTC",
            "updated_at": int(user.updated_at),
        }
    rows = list(call.session.scalars(select(Enrollment).where(Enrollment.user_id == user.id)))
    if "email" in scopes:
        primary = [one for one in rows if one.key == "okta_email" and one.data["email"] == profile["email"]]
        made |= {"email": profile["email"], "email_verified": any(one.is_active for one in primary)}
    phone = next((one for one in rows if one.key == "phone_number" and one.is_active), None)
    if "phone" in scopes and phone is not None:
        made["phone_number"] = phone.data["phoneNumber"]
    return {name: value for name, value in made.items() if value is not None}


def live_access(call: Call, token: str) -> Json | None:
    """The claims of an access token that still counts."""
    claims = signing.read(call, token)
    if claims is None or not str(claims.get("jti", "")).startswith("AT.") or claims["exp"] <= call.now:
        return None
    is_revoked = call.session.get(Ticket, opaque.digest(claims["jti"])) is not None
    return None if is_revoked or call.session.get(User, claims["uid"]) is None else claims


def revoke_access(call: Call, claims: Json) -> None:
    mark = opaque.digest(claims["jti"])
    if call.session.get(Ticket, mark) is None:
        call.session.add(
            Ticket(
                digest=mark,
                kind="revoked",
                user_id=None,
                data={},
                expires_at=float(claims["exp"]),
                used_at=call.now,
            )
        )


def bearer(call: Call) -> Json:
    """The claims of the call's access token. Raises BearerError."""
    scheme, _, token = call.headers.get("Authorization", "").partition(" ")
    claims = live_access(call, token.strip()) if scheme.lower() == "bearer" else None
    if claims is None:
        raise BearerError(401, "invalid_token", "The access token is invalid or has expired.")
    return claims
