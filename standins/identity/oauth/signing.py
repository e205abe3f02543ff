"""The provider's RSA keys: a new one now and then, the one before published as long as its tokens live."""

from typing import Any

from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet, RSAKey
from joserfc.jws import JWSRegistry
from sqlalchemy import select

from standins.identity import opaque
from standins.identity.answers import Call
from standins.identity.tables import SigningKey

PUBLISHED = 2
_RS256 = JWSRegistry(algorithms=["RS256"], strict_check_header=False)


def rotate(call: Call) -> str:
    """Makes a new key, which signs from now on. Answers its kid."""
    kid = opaque.new_id("k")
    made = RSAKey.generate_key(2048, {"kid": kid, "use": "sig", "alg": "RS256"}, private=True)
    call.session.add(SigningKey(kid=kid, private=dict(made.as_dict(private=True)), created_at=call.now))
    call.session.flush()
    return kid


def _rows(call: Call) -> list[SigningKey]:
    """The newest first; one is made when there is none, or the newest is too old."""
    newest_first = select(SigningKey).order_by(SigningKey.created_at.desc(), SigningKey.kid).limit(PUBLISHED)
    rows = list(call.session.scalars(newest_first))
    if not rows or rows[0].created_at + call.seconds("key") < call.now:
        rotate(call)
        rows = list(call.session.scalars(newest_first))
    return rows


def published(call: Call) -> dict[str, Any]:
    return {"keys": [RSAKey.import_key(row.private).as_dict(private=False) for row in _rows(call)]}


def newest(call: Call) -> RSAKey:
    """The key that signs."""
    return RSAKey.import_key(_rows(call)[0].private)


def header(call: Call) -> dict[str, str]:
    return {"alg": "RS256", "kid": _rows(call)[0].kid}


def signed(call: Call, claims: dict[str, Any]) -> str:
    return jwt.encode(dict(header(call)), claims, newest(call), registry=_RS256)


def read(call: Call, token: str) -> dict[str, Any] | None:
    """The claims of a token of ours, whatever its age; None for anything else."""
    keys = KeySet([RSAKey.import_key(row.private) for row in _rows(call)])
    try:
        return dict(jwt.decode(token, keys, registry=_RS256).claims)
    except (JoseError, ValueError):
        return None
