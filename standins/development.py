"""Where stand-ins may run: on a developer's machine, reachable from nowhere else."""

from ipaddress import ip_address


class StartupError(Exception):
    """A stand-in must not run here; the message is one sentence."""


def require_development_machine(host: str, environment: str) -> None:
    """Raises StartupError in production and for an address that other machines can reach."""
    if environment == "production":
        raise StartupError("stand-ins do not run in production; set OIDC_ISSUER, SMTP_URL and PAYMENTS_API_BASE")
    if not is_loopback(host):
        raise StartupError(f"stand-ins listen on this machine only, and {host} can be reached from others")


def is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
