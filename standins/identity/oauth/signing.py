"""The provider's RSA keys and their rotation: the previous key stays published while its tokens are valid."""

import json
from functools import lru_cache
from typing import Any

from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet, RSAKey
from joserfc.jws import JWSRegistry
from sqlalchemy import select

from standins.identity import opaque_tokens
from standins.identity.responses import IdentityCall
from standins.identity.tables import SigningKey

MAX_PUBLISHED_KEYS = 2
_RS256 = JWSRegistry(algorithms=["RS256"], strict_check_header=False)


def rotate_key(call: IdentityCall) -> str:
    """Creates a key, which signs from now on. Returns its kid."""
    kid = opaque_tokens.new_id("k")
    key = RSAKey.generate_key(2048, {"kid": kid, "use": "sig", "alg": "RS256"}, private=True)
    call.session.add(SigningKey(kid=kid, private=dict(key.as_dict(private=True)), created_at=call.now))
    call.session.flush()
    return kid


def _rows(call: IdentityCall) -> list[SigningKey]:
    """The published keys, newest first. Creates one when there is none or the newest is too old."""
    newest_first = select(SigningKey).order_by(SigningKey.created_at.desc(), SigningKey.kid).limit(MAX_PUBLISHED_KEYS)
    rows = list(call.session.scalars(newest_first))
    if not rows or rows[0].created_at + call.seconds("key") < call.now:
        rotate_key(call)
        rows = list(call.session.scalars(newest_first))
    return rows


@lru_cache(maxsize=16)
def _imported(private: str) -> RSAKey:
    """Checking the numbers of a private key takes 40 ms, so each key is read once."""
    return RSAKey.import_key(json.loads(private))


def _key(row: SigningKey) -> RSAKey:
    return _imported(json.dumps(row.private, sort_keys=True))


def public_keys(call: IdentityCall) -> dict[str, Any]:
    return {"keys": [_key(row).as_dict(private=False) for row in _rows(call)]}


def signing_key(call: IdentityCall) -> RSAKey:
    """The newest key, with which tokens are signed."""
    return _key(_rows(call)[0])


def jws_header(call: IdentityCall) -> dict[str, str]:
    return {"alg": "RS256", "kid": _rows(call)[0].kid}


def sign(call: IdentityCall, claims: dict[str, Any]) -> str:
    return jwt.encode(dict(jws_header(call)), claims, signing_key(call), registry=_RS256)


def read_claims(call: IdentityCall, token: str) -> dict[str, Any] | None:
    """The claims of a token signed here, even an expired one; None for any other text."""
    keys = KeySet([_key(row) for row in _rows(call)])
    try:
        return dict(jwt.decode(token, keys, registry=_RS256).claims)
    except (JoseError, ValueError):
        return None
