"""Security keys: options for the browser, and what has to hold of its answers (WebAuthn level 2, §7.1 and §7.2).

Attestation is not asked for, so none is judged: a key is trusted because its owner, signed in, enrolled it.
"""

import hashlib
import json
from dataclasses import dataclass
from secrets import compare_digest
from typing import Any
from urllib.parse import urlsplit

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.hashes import SHA256

from standins.identity import cbor, opaque

PRESENT, VERIFIED, HAS_KEY = 0x01, 0x04, 0x40
ES256, RS256 = -7, -257


class Refused(Exception):
    """What does not hold, for the log and the tests; people are told one text for all."""


@dataclass(frozen=True)
class Credential:
    """`id` is base64url; `key` the COSE key as JSON with whole numbers and base64url bytes."""

    id: str
    key: dict[str, Any]
    counter: int


def relying_party(origin: str) -> str:
    """What browsers call the RP id: the host alone."""
    return urlsplit(origin).hostname or ""


def registered(client_data: str, attestation: str, challenge: str, origins: tuple[str, ...]) -> Credential:
    """The credential of a creation. Raises Refused."""
    origin = _client_data(client_data, "webauthn.create", challenge, origins)[1]
    try:
        outer, _ = cbor.first(opaque.decoded(attestation))
        data = outer["authData"]
        counter = _authenticator_data(data, origin, HAS_KEY)
        length = int.from_bytes(data[53:55], "big")
        name = data[55 : 55 + length]
        key, _ = cbor.first(data[55 + length :])
        kept = {str(k): opaque.encoded(v) if isinstance(v, bytes) else v for k, v in key.items()}
        _public(kept)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise Refused("the attestation cannot be read") from error
    if not name or len(name) != length:
        raise Refused("the credential has no id")
    return Credential(opaque.encoded(name), kept, counter)


@dataclass(frozen=True)
class Proof:
    """What the browser answers to a challenge, each part in base64 of either kind."""

    client_data: str
    data: str
    signature: str


def asserted(credential: Credential, proof: Proof, challenge: str, origins: tuple[str, ...]) -> int:
    """The credential's new counter. Raises Refused."""
    raw_client, origin = _client_data(proof.client_data, "webauthn.get", challenge, origins)
    try:
        raw, signed = opaque.decoded(proof.data), opaque.decoded(proof.signature)
        counter = _authenticator_data(raw, origin, 0)
        _verify(credential.key, signed, raw + hashlib.sha256(raw_client).digest())
    except (ValueError, KeyError) as error:
        raise Refused("the assertion cannot be read") from error
    except InvalidSignature:
        raise Refused("the signature is wrong") from None
    if (counter or credential.counter) and counter <= credential.counter:
        raise Refused("the counter went back: the key may have been copied")
    return counter


def _client_data(text: str, kind: str, challenge: str, origins: tuple[str, ...]) -> tuple[bytes, str]:
    try:
        raw = opaque.decoded(text)
        found = json.loads(raw)
        given = opaque.decoded(found["challenge"])
        origin = str(found["origin"])
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise Refused("the client data cannot be read") from error
    if found.get("type") != kind:
        raise Refused("the client data is for something else")
    if not compare_digest(given, opaque.decoded(challenge)):
        raise Refused("the challenge is another one")
    if origin not in origins or found.get("crossOrigin") is True:
        raise Refused("the origin is not registered")
    return raw, origin


def _authenticator_data(data: bytes, origin: str, needed: int) -> int:
    """The counter."""
    if len(data) < 37:
        raise ValueError("too short")
    if not compare_digest(data[:32], hashlib.sha256(relying_party(origin).encode()).digest()):
        raise Refused("the key was made for another site")
    if not data[32] & PRESENT:
        raise Refused("nobody touched the key")
    if data[32] & needed != needed:
        raise Refused("the key itself is missing")
    return int.from_bytes(data[33:37], "big")


def _public(key: dict[str, Any]) -> ec.EllipticCurvePublicKey | rsa.RSAPublicKey:
    """Raises ValueError or KeyError for another kind of key."""
    if key["3"] == ES256 and key["1"] == 2 and key["-1"] == 1:
        x, y = (int.from_bytes(opaque.decoded(key[part]), "big") for part in ("-2", "-3"))
        return ec.EllipticCurvePublicNumbers(x, y, ec.SECP256R1()).public_key()
    if key["3"] == RS256 and key["1"] == 3:
        n, e = (int.from_bytes(opaque.decoded(key[part]), "big") for part in ("-1", "-2"))
        return rsa.RSAPublicNumbers(e, n).public_key()
    raise ValueError("keys of this kind were not asked for")


def _verify(key: dict[str, Any], signature: bytes, signed: bytes) -> None:
    public = _public(key)
    if isinstance(public, rsa.RSAPublicKey):
        public.verify(signature, signed, padding.PKCS1v15(), SHA256())
    else:
        public.verify(signature, signed, ec.ECDSA(SHA256()))
