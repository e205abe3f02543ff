"""The setting CERTIFICATE_KEY as a key. Commands that start hosts check it, so that a wrong one is
found before somebody asks for a credential."""

import warnings
from typing import TYPE_CHECKING

from config.settings import SettingError, Settings

if TYPE_CHECKING:
    from joserfc.jwk import RSAKey

MIN_BITS = 2048
REFUSAL = f"CERTIFICATE_KEY is not a private RSA key of at least {MIN_BITS} bits in PEM, or its base64 text"
_KIND = "PRIVATE KEY"


def check(settings: Settings) -> None:
    """Takes 0.2 s where there is such a key, else nothing. Raises SettingError."""
    if settings.certificate_key:
        import_key(settings.certificate_key)


def import_key(text: str) -> "RSAKey":
    """Raises SettingError for what is no key, no private one, or too short."""
    # Imported here: the supervisor reads no key in development.
    from joserfc.errors import JoseError
    from joserfc.jwk import RSAKey

    if "-----BEGIN" not in text:
        text = f"-----BEGIN {_KIND}-----\n{text}\n-----END {_KIND}-----\n"
    try:
        with warnings.catch_warnings():
            # It warns of keys that are refused below.
            warnings.simplefilter("ignore")
            key = RSAKey.import_key(text)
    except (JoseError, ValueError) as error:
        raise SettingError(REFUSAL) from error
    if not key.is_private or key.raw_value.key_size < MIN_BITS:
        raise SettingError(REFUSAL)
    return key
