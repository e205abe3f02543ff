"""Secrets that settings name, else files that are created once in VAR_DIR, such as the one behind form keys."""

import contextlib
import os
import secrets
from collections.abc import Callable
from pathlib import Path


def secret_key(setting: str, var_dir: Path) -> str:
    """`setting`: SECRET_KEY; in development, where it may be absent, what the file secret.key holds."""
    return setting or stored_secret(var_dir / "secret.key", lambda: secrets.token_urlsafe(32))


def stored_secret(path: Path, make: Callable[[], str]) -> str:
    """The secret in the file, which only its owner may read. Several processes may start at once: the link makes the
    first one's valid for all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        draft = path.with_suffix(f".{secrets.token_hex(8)}")
        with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            file.write(make())
        with contextlib.suppress(FileExistsError):
            os.link(draft, path)
        draft.unlink()
    return path.read_text("utf-8").strip()
