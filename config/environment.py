"""Environment variables: an empty one counts as absent, and NAME_FILE names a file that holds the value of NAME."""

from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

# Settings that are or contain a secret. Container engines mount such values as files.
SECRETS = frozenset(
    {
        *("DATABASE_URL", "REDIS_URL", "OIDC_CLIENT_SECRET", "SECRET_KEY", "SMTP_URL"),
        *("PAYMENTS_KEY", "PAYMENTS_WEBHOOK_SECRETS", "CERTIFICATE_KEY"),
    }
)
MAX_SECRET_BYTES = 65_536


class SettingError(ValueError):
    """An invalid or contradictory setting; the text names the variable and what is accepted."""


def read_variable(environment: Mapping[str, str], name: str) -> str:
    """The value without white space around it; "" when absent. Raises SettingError for a file that cannot be read."""
    value = environment.get(name, "").strip()
    path = environment.get(f"{name}_FILE", "").strip() if name in SECRETS else ""
    if not path:
        return value
    if value:
        raise SettingError(f"{name} and {name}_FILE are both set; set one of them")
    return _read_secret(name, path)


def parse_variable(name: str, text: str, parse: Callable[[str], Any]) -> Any:
    """Raises SettingError, which says what is accepted and does not show a secret."""
    try:
        return parse(text)
    except ValueError as error:
        value = "" if name in SECRETS else f"={text[:60]!r}"
        raise SettingError(f"{name}{value} is not {error}") from None


def require_telemetry(endpoint: str) -> None:
    """Raises SettingError when traces are to be sent and OpenTelemetry is not installed."""
    if endpoint and not (find_spec("opentelemetry") and find_spec("opentelemetry.sdk")):
        raise SettingError(
            "OTEL_EXPORTER_OTLP_ENDPOINT is set, but OpenTelemetry is not installed: "
            "pip install --require-hashes -r requirements-otel.lock"
        )


def _read_secret(name: str, path: str) -> str:
    """Errors name the file, never its content."""
    try:
        with Path(path).open("rb") as file:
            content = file.read(MAX_SECRET_BYTES + 1)
    except OSError as error:
        raise SettingError(f"{name}_FILE={path} cannot be read: {error.strerror}") from None
    if len(content) > MAX_SECRET_BYTES:
        raise SettingError(f"{name}_FILE={path} is larger than {MAX_SECRET_BYTES} bytes")
    try:
        value = content.decode("utf-8").strip()
    except UnicodeDecodeError:
        raise SettingError(f"{name}_FILE={path} is not UTF-8 text") from None
    if not value:
        raise SettingError(f"{name}_FILE={path} is empty")
    return value
