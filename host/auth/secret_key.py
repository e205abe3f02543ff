"""The secret behind encryption and form keys: the setting, else a file that is created once in VAR_DIR."""

import contextlib
import os
import secrets
from pathlib import Path

from config.settings import Settings


def secret_key(settings: Settings) -> str:
    """SECRET_KEY; in development, where it may be absent, what the file secret.key holds."""
    return settings.secret_key or _stored_key(settings.var_dir / "secret.key")


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
