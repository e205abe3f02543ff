"""The areas people sign in to, and the paths they may be redirected to afterwards."""

import re
from urllib.parse import urlencode

from domain.permissions import Area
from host.http.local_redirects import safe_local_path

PAGES: dict[Area, str] = {"learner": "/login", "organisation": "/organization-login", "admin": "/adminlogin"}
MAX_RETURN_LENGTH = 512
# A redirect to one of these would sign out again or cause a loop.
_REFUSED = re.compile(r"/(?:login|logincallback|logout|adminlogin|organization-login)(?:[/?#]|$)", re.IGNORECASE)


def return_to(text: str) -> str:
    """`text` as a path on this site, "/" when it is not an allowed one."""
    path = safe_local_path(text) if len(text) <= MAX_RETURN_LENGTH else None
    return "/" if path is None or len(path) > MAX_RETURN_LENGTH or _REFUSED.match(path) else path


def step_up_address(area: Area, target: str, acr_values: str) -> str:
    """The address that asks the provider for a stronger sign-in, which leads to the same target."""
    query = {"returnTo": target, "area": area, "acrValues": acr_values}
    return f"/api/auth/start?{urlencode(query)}"


def details_address(target: str) -> str:
    """The page that asks a new learner for what is missing in their profile, which leads to the same target."""
    return f"/additional?{urlencode({'returnTo': target})}"


def without_account(target: str) -> str:
    """The page that asked for the scopes of the account pages in vain: it does not ask again by itself."""
    return f"{target}{'&' if '?' in target else '?'}{urlencode({'access': 'asked'})}"


def sign_in_failed(area: Area, error: str, target: str = "/") -> str:
    """The address of an area's sign-in page, with the key of the error in its query."""
    query = {"error": error, **({} if target == "/" else {"returnTo": target})}
    return f"{PAGES[area]}?{urlencode(query)}"
