"""The provider's database, filled once per run: its key and the hashes of its passwords cost a third of a second."""

import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from sqlalchemy.orm import Session

from standins.identity import opaque_tokens, seed_data
from standins.identity.oauth import signing
from standins.identity.provider import ProviderConfig, ProviderData, open_provider
from tests.support.run_cache import RunCache

# scrypt's smallest cost: the passwords of tests are no secrets.
CHEAP = 2


def filled_provider(cache: RunCache, name: str, data: ProviderData, now: float) -> Path:
    """A folder with the accounts of `data` and a signing key, all created at `now`; to be copied."""

    def make(folder: Path) -> None:
        config = ProviderConfig("http://127.0.0.1:1", "http://127.0.0.1:1", folder)
        with patch.object(seed_data, "_hash_password", _cheap_hash):
            provider = open_provider(config, data, lambda: now)
        with Session(provider.engine) as session, session.begin():
            call: Any = SimpleNamespace(session=session, now=now)
            signing.rotate_key(call)
        provider.engine.dispose()

    return cache.get(f"provider-{name}", make)


def _cheap_hash(password: str) -> str:
    return opaque_tokens.hash_secret(password, CHEAP)


def copy_to(filled: Path, folder: Path) -> None:
    """Copies it, unless the provider was opened there before."""
    if not (folder / "identity.db").exists():
        shutil.copytree(filled, folder, dirs_exist_ok=True)
