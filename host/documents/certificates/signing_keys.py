"""The key that signs credentials: CERTIFICATE_KEY, in development a file that is created once in VAR_DIR."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from aiohttp import web
from joserfc import jwt
from joserfc.jwk import RSAKey

from config.secret_key import stored_secret
from config.settings import Settings
from domain.database.database import Database
from domain.learning.certificates import keys
from host.documents.certificates.key_setting import MIN_BITS, import_key
from host.http.problems import Problem

ALGORITHM = "RS256"
# The address of each key ends with its thumbprint.
KEY_PATH = "/.well-known/certificate-keys/"


WITHDRAWN = "The key that signs certificates was withdrawn. Another one has to be set first."


@dataclass(frozen=True)
class SigningKey:
    """`thumbprint`: RFC 7638. `kid`: an address of this site that answers `public_jwk`, as Open Badges 3.0 asks for."""

    key: RSAKey
    thumbprint: str
    kid: str
    public_jwk: Mapping[str, Any]

    def sign(self, claims: Mapping[str, Any]) -> str:
        """The claims as a compact JWT, whose header holds the public key and its address. Takes 0.5 ms."""
        header = {"alg": ALGORITHM, "typ": "JWT", "kid": self.kid, "jwk": dict(self.public_jwk)}
        return jwt.encode(header, dict(claims), self.key, algorithms=[ALGORITHM])


class SigningKeys:
    """Loads the key on first use, and publishes it before it signs anything."""

    def __init__(self, settings: Settings, db: Database):
        self._settings, self._db = settings, db
        self._key: SigningKey | None = None
        self._lock = asyncio.Lock()

    async def current(self) -> SigningKey:
        """Raises ServiceUnavailable while the key cannot be published, and Problem once others know it."""
        if self._key is None:
            async with self._lock:
                if self._key is None:
                    self._key = await self._load()
        row = await self._db.read(keys.find, self._key.thumbprint)
        if row is not None and row.distrusted_since is not None:
            raise Problem(503, WITHDRAWN)
        return self._key

    async def published(self) -> list[dict[str, Any]]:
        """Every public key that ever signed, the present one first. Members of one that nobody should trust any more
        say so, as those of OpenID Federation's historical keys do."""
        if self._key is None:
            await self.current()
        return [{**self.jwk(row), **_trust(row)} for row in await self._db.read(keys.published)]

    def jwk(self, row: keys.PublishedKey) -> dict[str, Any]:
        """The public key as its address answers it."""
        return {**row.public_jwk, "kid": address(self._settings, row.thumbprint)}

    async def _load(self) -> SigningKey:
        # Reading a key takes 0.1 s of arithmetic, making one more.
        key = await asyncio.to_thread(signing_key, self._settings)
        await self._db.write(keys.register, key.thumbprint, key.public_jwk, datetime.now(UTC))
        return key


def signing_key(settings: Settings) -> SigningKey:
    """Raises SettingError for what is no key."""
    key = import_key(settings.certificate_key or stored_secret(settings.var_dir / "certificate.key", _new_key))
    thumbprint = key.thumbprint()
    kid = address(settings, thumbprint)
    public = {"kty": "RSA", "kid": kid, "use": "sig", "alg": ALGORITHM}
    return SigningKey(key, thumbprint, kid, {**key.as_dict(private=False), **public})


def address(settings: Settings, thumbprint: str) -> str:
    return f"{settings.site_origin}{KEY_PATH}{thumbprint}"


def _trust(row: keys.PublishedKey) -> dict[str, Any]:
    if row.distrusted_since is None:
        return {}
    return {"revoked": {"revoked_at": int(row.distrusted_since.timestamp()), "reason": row.distrust_reason}}


def _new_key() -> str:
    return RSAKey.generate_key(MIN_BITS).as_pem(private=True).decode()


SIGNING_KEYS = web.AppKey("signing_keys", SigningKeys)
