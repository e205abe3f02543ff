"""Whether an id token holds: RS256 by a key of the provider, for us, now, and for this very sign-in."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from authlib.oidc.core import CodeIDToken
from joserfc import jwt
from joserfc.errors import InvalidKeyIdError, JoseError
from joserfc.jwk import KeySet
from joserfc.jws import JWSRegistry

from host.identity.errors import TokenRefused

# Clocks may differ by this much, either way (specification §9).
SKEW_S = 300
ALGORITHM = "RS256"
LONGEST_TOKEN = 64 * 1024
_REGISTRY = JWSRegistry(algorithms=[ALGORITHM], strict_check_header=False)


class UnknownKey(Exception):
    """Signed with a key that is not in the set: the provider may have changed its keys."""


@dataclass(frozen=True)
class Expected:
    """What the token must say. `nonce` was sent when the sign-in began, `access_token` came with the token."""

    issuer: str
    client_id: str
    nonce: str
    access_token: str


def key_set(document: Any) -> KeySet:
    """The signing keys of a JWKS document. Raises ValueError when there are none."""
    rows = document.get("keys") if isinstance(document, dict) else None
    usable = [row for row in rows or [] if isinstance(row, dict) and row.get("kty") == "RSA" and _signs(row)]
    if not usable:
        raise ValueError("the provider publishes no key we could use")
    return KeySet.import_key_set({"keys": usable})


def _signs(row: Mapping[str, Any]) -> bool:
    return (row.get("use", "sig"), row.get("alg", ALGORITHM)) == ("sig", ALGORITHM)


def read(token: str, keys: KeySet, expected: Expected, now: float) -> Mapping[str, Any]:
    """The claims. Raises TokenRefused, and UnknownKey when newer keys may help."""
    if not isinstance(token, str) or len(token) > LONGEST_TOKEN:
        raise TokenRefused("there is no id token")
    try:
        found = jwt.decode(token, keys, registry=_REGISTRY)
    except InvalidKeyIdError:
        raise UnknownKey from None
    except (JoseError, ValueError, TypeError, KeyError) as error:
        raise TokenRefused(f"{type(error).__name__}: {error}") from None
    _check(found.claims, found.header, expected, now)
    return found.claims


def _check(claims: dict[str, Any], header: dict[str, Any], expected: Expected, now: float) -> None:
    options = {
        "iss": {"essential": True, "values": [expected.issuer]},
        "aud": {"essential": True, "values": [expected.client_id]},
        "sub": {"essential": True},
    }
    given = {"nonce": expected.nonce, "client_id": expected.client_id, "access_token": expected.access_token}
    try:
        CodeIDToken(claims, header, options, given).validate(now=int(now), leeway=SKEW_S)
    except (JoseError, ValueError, TypeError, KeyError) as error:
        raise TokenRefused(f"{type(error).__name__}: {error}") from None
    # Absent, the library would let it pass: it was sent, so it must come back.
    if claims.get("nonce") != expected.nonce or not isinstance(claims.get("sub"), str) or not claims["sub"]:
        raise TokenRefused("nonce or subject is missing")
    azp = claims.get("azp", expected.client_id)
    if azp != expected.client_id:
        raise TokenRefused("the token was made for another party")
