"""Encryption of sign-in state and provider tokens. The key comes from the settings, else from a file that is created
once in VAR_DIR."""

import contextlib
import hashlib
import os
import secrets
from pathlib import Path

from aiohttp import web
from joserfc import jwe
from joserfc.errors import JoseError
from joserfc.jwk import OctKey

from config.settings import Settings

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
    return TokenCipher(settings.secret_key or _stored_key(settings.var_dir / "secret.key"))


def _stored_key(path: Path) -> str:
    """The key in the file. Several processes may start at once: the link makes the first one's key valid for all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        draft = path.with_suffix(f".{os.getpid()}")
        with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            file.write(secrets.token_urlsafe(32))
        with contextlib.suppress(FileExistsError):
            os.link(draft, path)
        draft.unlink()
    return path.read_text("utf-8").strip()
