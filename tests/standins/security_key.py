"""A security key in software: what a browser would answer for one."""

import hashlib
import json
from base64 import b64encode
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256

from tests.standins.driver import SITE


def _cbor(value: Any) -> bytes:
    if isinstance(value, int):
        return _head(0, value) if value >= 0 else _head(1, -1 - value)
    if isinstance(value, bytes):
        return _head(2, len(value)) + value
    if isinstance(value, str):
        return _head(3, len(value.encode())) + value.encode()
    return _head(5, len(value)) + b"".join(_cbor(key) + _cbor(field) for key, field in value.items())


def _head(major: int, number: int) -> bytes:
    if number < 24:
        return bytes([major << 5 | number])
    if number < 256:
        return bytes([major << 5 | 24, number])
    return bytes([major << 5 | 25]) + number.to_bytes(2, "big")


class SecurityKey:
    """`host` is what the key believes it was made for; `counter` goes up with every use."""

    def __init__(self, host: str = "localhost", origin: str = SITE):
        self.host, self.origin, self.counter = host, origin, 0
        self.private = ec.generate_private_key(ec.SECP256R1())
        self.id = b"credential-of-this-key"

    def _client(self, kind: str, challenge: str) -> bytes:
        return json.dumps({"type": kind, "challenge": challenge, "origin": self.origin, "crossOrigin": False}).encode()

    def _data(self, flags: int) -> bytes:
        self.counter += 1
        return hashlib.sha256(self.host.encode()).digest() + bytes([flags]) + self.counter.to_bytes(4, "big")

    def create(self, challenge: str) -> dict[str, str]:
        """In plain base64, as the library sends it."""
        numbers = self.private.public_key().public_numbers()
        public = {1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32, "big"), -3: numbers.y.to_bytes(32, "big")}
        data = self._data(0x41) + bytes(16) + len(self.id).to_bytes(2, "big") + self.id + _cbor(public)
        attestation = _cbor({"fmt": "none", "attStmt": {}, "authData": data})
        client = self._client("webauthn.create", challenge)
        return {"clientData": b64encode(client).decode(), "attestation": b64encode(attestation).decode()}

    def get(self, challenge: str) -> dict[str, str]:
        client, data = self._client("webauthn.get", challenge), self._data(0x01)
        signature = self.private.sign(data + hashlib.sha256(client).digest(), ec.ECDSA(SHA256()))
        parts = {"clientData": client, "authenticatorData": data, "signatureData": signature}
        return {name: b64encode(part).decode() for name, part in parts.items()}
