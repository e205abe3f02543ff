"""The secret behind encryption and form keys."""

from config import secret_key as stored
from config.settings import Settings


def secret_key(settings: Settings) -> str:
    """SECRET_KEY; in development, where it may be absent, what the file secret.key holds."""
    return stored.secret_key(settings.secret_key, settings.var_dir)
