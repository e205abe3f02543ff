"""The key under which sign-ins and the provider's tokens are kept: of the settings, else made once in VAR_DIR."""

import contextlib
import hashlib
import os
import secrets
from pathlib import Path

from joserfc import jwe
from joserfc.errors import JoseError
from joserfc.jwk import OctKey

from host.settings import Settings

_HEADER = {"alg": "dir", "enc": "A256GCM"}


class Secret:
    """Text in, text out: nobody reads or changes it on the way (JWE, direct encryption, AES-256-GCM)."""

    def __init__(self, word: str):
        self._key = OctKey.import_key(hashlib.sha256(word.encode()).digest())

    def sealed(self, text: str) -> str:
        return jwe.encrypt_compact(_HEADER, text.encode(), self._key)

    def opened(self, sealed: str) -> str | None:
        """None for what was not sealed with this key."""
        try:
            found = jwe.decrypt_compact(sealed, self._key, algorithms=["dir", "A256GCM"]).plaintext
        except (JoseError, ValueError):
            return None
        return None if found is None else found.decode()


def of(settings: Settings) -> Secret:
    return Secret(settings.secret_key or _kept(settings.var_dir / "secret.key"))


def _kept(path: Path) -> str:
    """Several processes may start at once: the first one's word is everybody's."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        fresh = path.with_suffix(f".{os.getpid()}")
        with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            file.write(secrets.token_urlsafe(32))
        with contextlib.suppress(FileExistsError):
            os.link(fresh, path)
        fresh.unlink()
    return path.read_text("utf-8").strip()
