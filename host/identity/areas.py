"""Where people sign in, and where they may be led afterwards."""

import re
from typing import Literal
from urllib.parse import urlencode

from host.doorways import same_site

Area = Literal["learner", "organisation", "admin"]
PAGES: dict[str, str] = {"learner": "/login", "organisation": "/organization-login", "admin": "/adminlogin"}
LONGEST_RETURN = 512
# Being led back to these would sign out again, or go round in circles.
_NOWHERE = re.compile(r"/(?:login|logincallback|logout|adminlogin|organization-login)(?:[/?#]|$)", re.IGNORECASE)


def return_to(text: str) -> str:
    """A path on this site; for anything else the home page."""
    found = same_site(text) if len(text) <= LONGEST_RETURN else None
    return "/" if found is None or len(found) > LONGEST_RETURN or _NOWHERE.match(found) else found


def failed(area: str, error: str, target: str = "/") -> str:
    """The sign-in page of an area, told what went wrong by its key alone."""
    query = {"error": error, **({} if target == "/" else {"returnTo": target})}
    return f"{PAGES[area]}?{urlencode(query)}"
