"""Verification of id tokens: RS256 with a key of the provider, issued to this client, valid now, for this attempt."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from authlib.oidc.core import CodeIDToken
from joserfc import jwt
from joserfc.errors import InvalidKeyIdError, JoseError
from joserfc.jwk import KeySet
from joserfc.jws import JWSRegistry

from host.identity.errors import TokenRefused

# The accepted clock difference in both directions (specification §9).
SKEW_S = 300
ALGORITHM = "RS256"
MAX_TOKEN_LENGTH = 64 * 1024
_REGISTRY = JWSRegistry(algorithms=[ALGORITHM], strict_check_header=False)


class UnknownKey(Exception):
    """The token is signed with a key outside the set: the provider may have rotated its keys."""


@dataclass(frozen=True)
class Expected:
    """The expected claims. `nonce` was sent when the sign-in began, `access_token` was issued with the token."""

    issuer: str
    client_id: str
    nonce: str
    access_token: str


def key_set(document: Any) -> KeySet:
    """The signing keys of a JWKS document. Raises ValueError when there are none."""
    rows = document.get("keys") if isinstance(document, dict) else None
    usable = [row for row in rows or [] if isinstance(row, dict) and row.get("kty") == "RSA" and _is_signing_key(row)]
    if not usable:
        raise ValueError("the provider publishes no usable key")
    return KeySet.import_key_set({"keys": usable})


def _is_signing_key(row: Mapping[str, Any]) -> bool:
    return (row.get("use", "sig"), row.get("alg", ALGORITHM)) == ("sig", ALGORITHM)


def read(token: str, keys: KeySet, expected: Expected, now: float) -> Mapping[str, Any]:
    """The claims of a valid token. Raises TokenRefused, and UnknownKey when newer keys may help."""
    if not isinstance(token, str) or len(token) > MAX_TOKEN_LENGTH:
        raise TokenRefused("there is no id token")
    try:
        decoded = jwt.decode(token, keys, registry=_REGISTRY)
    except InvalidKeyIdError:
        raise UnknownKey from None
    except (JoseError, ValueError, TypeError, KeyError) as error:
        raise TokenRefused(f"{type(error).__name__}: {error}") from None
    _check(decoded.claims, decoded.header, expected, now)
    return decoded.claims


def _check(claims: dict[str, Any], header: dict[str, Any], expected: Expected, now: float) -> None:
    options = {
        "iss": {"essential": True, "values": [expected.issuer]},
        "aud": {"essential": True, "values": [expected.client_id]},
        "sub": {"essential": True},
    }
    params = {"nonce": expected.nonce, "client_id": expected.client_id, "access_token": expected.access_token}
    try:
        CodeIDToken(claims, header, options, params).validate(now=int(now), leeway=SKEW_S)
    except (JoseError, ValueError, TypeError, KeyError) as error:
        raise TokenRefused(f"{type(error).__name__}: {error}") from None
    # The library accepts a token without a nonce; we always send one, so it is required.
    if claims.get("nonce") != expected.nonce or not isinstance(claims.get("sub"), str) or not claims["sub"]:
        raise TokenRefused("nonce or subject is missing")
    azp = claims.get("azp", expected.client_id)
    if azp != expected.client_id:
        raise TokenRefused("the token was issued to another party")
