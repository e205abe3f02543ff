"""Referrers of visits as they are stored. `contracts/cases/referrers.json` holds browser and host to the same rules."""

import re

from domain.redaction import redact
from domain.visits.visits import URL_LENGTH, clean_text

PATH_LENGTH = 200
# Origin, host and path. Android apps are named like hosts. An address with a user name is not one that browsers send.
_ADDRESS = re.compile(
    r"((?:https?|android-app)://([\w.-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::[0-9]{1,5})?)(/[^?#]*)?(?:[?#].*)?",
    re.IGNORECASE | re.ASCII,
)


def cut_referrer(referrer: str, own_origin: str) -> str:
    """Scheme, host and path without secrets. "" for a page of `own_origin` and for what is not an address."""
    match = _match(referrer, own_origin)
    return "" if match is None else match[1].lower() + _cut_path(redact(match[3] or "/"))


def referrer_host(referrer: str, own_origin: str) -> str:
    """What is stored of a referrer when the visitor sends a privacy signal."""
    match = _match(referrer, own_origin)
    return "" if match is None else match[2].lower()


def _match(referrer: str, own_origin: str) -> re.Match[str] | None:
    match = _ADDRESS.fullmatch(clean_text(referrer, 4 * URL_LENGTH))
    return match if match is not None and match[1].lower() != own_origin else None


def _cut_path(path: str) -> str:
    """At most PATH_LENGTH characters. Half of an email address could not be recognised: its segment is left out."""
    if len(path) <= PATH_LENGTH:
        return path
    cut = path[:PATH_LENGTH]
    return cut[: cut.rindex("/") + 1] if "@" in path or "%40" in path else cut
