"""Tokens of a finished sign-in: what stands in them, and which of those presented still count."""

import hashlib
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select

from standins.identity import opaque, signing, tickets
from standins.identity.answers import BearerError, Call
from standins.identity.provider import Client
from standins.identity.tables import Enrollment, Ticket, User
from standins.identity.users import name_of

Json = dict[str, Any]
ID_TOKEN_S = 3600


@dataclass(frozen=True)
class Grant:
    """A sign-in that a client may turn into tokens. `server`: "" for the org issuer."""

    client: Client
    user: User
    server: str
    scopes: tuple[str, ...]
    nonce: str | None
    auth_at: float
    amr: tuple[str, ...]


def issue(call: Call, grant: Grant, refresh_token: str | None = None) -> Json:
    """The answer of the token endpoint. `refresh_token`: one made already, instead of a new one."""
    access = signing.signed(call, _access_claims(call, grant))
    answer: Json = {
        "token_type": "Bearer",
        "expires_in": int(call.seconds("accessToken")),
        "access_token": access,
        "scope": " ".join(grant.scopes),
    }
    if "openid" in grant.scopes:
        answer["id_token"] = signing.signed(call, _id_claims(call, grant, access))
    if "offline_access" in grant.scopes:
        answer["refresh_token"] = refresh_token or new_refresh_token(call, grant)
    return answer


def new_refresh_token(call: Call, grant: Grant) -> str:
    data = {
        "client": grant.client.id,
        "server": grant.server,
        "scopes": list(grant.scopes),
        "auth_at": grant.auth_at,
        "amr": list(grant.amr),
    }
    return tickets.issue(call, "refresh", data, call.seconds("refreshToken"), grant.user.id)


def _access_claims(call: Call, grant: Grant) -> Json:
    return {
        "ver": 1,
        "jti": opaque.new_id("AT."),
        "iss": call.provider.issuer(grant.server),
        "aud": "api://default" if grant.server else call.provider.origin,
        "iat": int(call.now),
        "exp": int(call.now + call.seconds("accessToken")),
        "cid": grant.client.id,
        "uid": grant.user.id,
        "scp": list(grant.scopes),
        "auth_time": int(grant.auth_at),
        "sub": grant.user.login,
    }


def _id_claims(call: Call, grant: Grant, access_token: str) -> Json:
    half = hashlib.sha256(access_token.encode()).digest()[:16]
    fixed = {
        "sub": grant.user.id,
        "ver": 1,
        "iss": call.provider.issuer(grant.server),
        "aud": grant.client.id,
        "iat": int(call.now),
        "exp": int(call.now + ID_TOKEN_S),
        "jti": opaque.new_id("ID."),
        "amr": amr_claim(grant.amr),
        "idp": "00oself",
        "auth_time": int(grant.auth_at),
        "at_hash": opaque.encoded(half),
    }
    nonce = {"nonce": grant.nonce} if grant.nonce else {}
    return {**about(call, grant.user, grant.scopes), **fixed, **nonce}


def amr_claim(methods: tuple[str, ...]) -> list[str]:
    """Each method once; `mfa` beside two or more."""
    once = list(dict.fromkeys(methods)) or ["pwd"]
    return [*once, "mfa"] if len(once) > 1 else once


def about(call: Call, user: User, scopes: tuple[str, ...]) -> Json:
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
