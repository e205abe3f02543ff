"""Encryption of sign-in state and provider tokens."""

import hashlib
from collections.abc import Collection
from dataclasses import replace

from aiohttp import web
from joserfc import jwe
from joserfc.errors import JoseError
from joserfc.jwk import OctKey

from config.settings import Settings
from domain.identity.sessions import ProviderTokens
from host.auth.secret_key import secret_key

_HEADER = {"alg": "dir", "enc": "A256GCM"}


class TokenCipher:
    """Authenticated encryption of texts (JWE, direct encryption, AES-256-GCM)."""

    def __init__(self, secret_key: str):
        self._key = OctKey.import_key(hashlib.sha256(secret_key.encode()).digest())

    def encrypt(self, text: str) -> str:
        return jwe.encrypt_compact(_HEADER, text.encode(), self._key)

    def decrypt(self, encrypted: str) -> str | None:
        """The text, None when it was not encrypted with this key."""
        try:
            plaintext = jwe.decrypt_compact(encrypted, self._key, algorithms=["dir", "A256GCM"]).plaintext
        except (JoseError, ValueError):
            return None
        return None if plaintext is None else plaintext.decode()


TOKEN_CIPHER = web.AppKey("secret", TokenCipher)


def token_cipher(settings: Settings) -> TokenCipher:
    return TokenCipher(secret_key(settings))


def encrypt_access_token(cipher: TokenCipher, token: str, scopes: Collection[str]) -> str:
    """An access token and the scopes that it was granted, which `decrypt_tokens` reads."""
    return cipher.encrypt(" ".join([token, *scopes]))


def decrypt_tokens(app: web.Application, encrypted: ProviderTokens) -> ProviderTokens:
    """The provider's tokens of a session in plain text; "" for tokens that are missing or encrypted with an old key."""
    cipher = app[TOKEN_CIPHER]
    id_token, access = (cipher.decrypt(token) or "" for token in (encrypted.id_token, encrypted.access_token))
    access_token, *scopes = access.split(" ")
    return replace(encrypted, id_token=id_token, access_token=access_token, scopes=tuple(scopes))
