"""Who may open a page of an area: checked for documents and page data alike, before its loader is called."""

from urllib.parse import urlencode

from domain.account.current_session import CurrentSession
from domain.permissions import APPLICANT, Permission, permissions_of
from domain.routes import AreaPage

CHOICE_PATH = "/organization/choose"
APPLICATION_PATH = "/organization/application"


def needs_sign_in(page: AreaPage, session: CurrentSession | None) -> bool:
    """Whether nobody is signed in, or to another area; a page for any session takes each."""
    return session is None or (session.auth.area != page.area.session and not page.any_session)


def needs_choice(page: AreaPage, session: CurrentSession | None) -> bool:
    """Whether the page is one organisation's, and the session has chosen none that its person still belongs to."""
    is_shared = page.area.session != "organisation" or page.any_session or page.before_choice
    return not is_shared and session is not None and session.organisation is None


def choice_address(address: str, session: CurrentSession | None = None) -> str:
    """The page on which one chooses an organisation, which leads back to `address` (path and query); that of their
    application for whoever can choose none yet."""
    if session is not None and APPLICANT in session.area_roles:
        return APPLICATION_PATH
    return f"{CHOICE_PATH}?{urlencode({'returnTo': address})}"


def sign_in_address(sign_in: str, address: str) -> str:
    """A sign-in page that leads back to `address` (path and query)."""
    return f"{sign_in}?{urlencode({'returnTo': address})}"


def missing_permission(page: AreaPage, session: CurrentSession) -> Permission | None:
    """The permission that the page needs and no role of the person has; None: the page may be opened."""
    needed, area = page.permission, page.area.session
    if needed is None or area is None or needed in permissions_of(area, session.area_roles):
        return None
    return needed
