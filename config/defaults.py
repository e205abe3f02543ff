"""Defaults of settings that both the host and the workers read."""

SITE_NAME = "Meridian Learning"
SITE_EMAIL = "hello@meridian-learning.example"
LOCALE = "en-US"
REDIS_URL = "redis://127.0.0.1:6379/0"
VAR_DIR = "var"
HOST = "127.0.0.1"
# A message whose worker was killed is delivered again after this many seconds; every task ends well before.
VISIBILITY_TIMEOUT_S = 60
# People behind a figure of a report, in which nobody may be recognised; fewer than MIN_REPORT_K are never shown.
REPORT_K, MIN_REPORT_K = 5, 3
OUTBOX_KEEP_DAYS = 7
DEAD_LETTERS_KEEP_DAYS = 30
LOG_LEVEL = "WARNING"

# Specification §6.
OIDC_SCOPES = "openid profile email phone"
# What the account pages read and change with the provider's MyAccount API.
_ACCOUNT_PARTS = ("profile", "email", "phone", "password")


def account_scopes(*, has_account_api: bool) -> str:
    """The scopes of the account pages, separated by spaces; "" for a provider without the MyAccount API."""
    scopes = [f"okta.myAccount.{part}.{right}" for part in _ACCOUNT_PARTS for right in ("read", "manage")]
    return " ".join(scopes) if has_account_api else ""


def log_format(app_env: str) -> str:
    """JSON for the collectors of production, text for people."""
    return "json" if app_env == "production" else "text"


def crawler_dns(app_env: str) -> str:
    """Whether DNS is asked about crawlers: not by tests and demos."""
    return "on" if app_env == "production" else "off"


def celery_broker_url(redis_url: str) -> str:
    """The address of Redis for Celery: kombu and redis-py write Unix sockets differently."""
    return redis_url.replace("unix://", "redis+socket://", 1)
