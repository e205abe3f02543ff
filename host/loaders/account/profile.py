"""/profile: what our own records say about the learner; the provider's data is asked for by the page."""

from dataclasses import replace
from typing import cast

from typing_extensions import TypedDict

from config.settings import Settings
from domain.account.current_session import CurrentSession
from domain.checkout import known_addresses
from domain.identity import sessions
from domain.identity.sessions import ActiveSession
from domain.permissions import Area
from domain.routes import Page
from host.loaders import client_rendered
from host.loaders.account import account_access
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import LoaderResult, PageResult, Redirect


class SignInProps(TypedDict):
    """An active sign-in. `browser`: its name, such as Firefox; "" when unknown."""

    id: str
    isThis: bool
    area: Area
    browser: str
    createdAt: str
    expiresAt: str


class ProviderAccountProps(TypedDict):
    """What the provider said of the person at sign-in; "" for what it did not say. `url`: its page for changes."""

    name: str
    email: str
    url: str | None


class ProfileProps(TypedDict):
    """`title`: the heading until the browser shows the page, as on every client-rendered page. `account`: of a provider
    whose accounts cannot be changed here; null: the page asks the provider's MyAccount API. `access`: where the learner
    allows that at the provider; null: this sign-in may. `studentNumber`: what staff and organisations ask for.
    `hasKnownAddress`: the next checkout begins with the addresses of the last order."""

    title: str
    studentNumber: str
    account: ProviderAccountProps | None
    access: str | None
    sessions: list[SignInProps]
    hasKnownAddress: bool


@page("profile")
async def load(request: PageRequest, route: Page) -> LoaderResult[ProfileProps]:
    """Raises ServiceUnavailable while the database does not answer in time."""
    access = await account_access.missing_access(request)
    if isinstance(access, Redirect):
        return access
    waiting: PageResult = await client_rendered.load(request, route)
    assert request.session is not None  # noqa: S101 page_handler.load calls the loader of a private page with one
    auth = request.session.auth
    active = await request.db.read(sessions.active, auth.learner_id, request.at)
    props: ProfileProps = {
        "title": route.title,
        "studentNumber": request.session.student_number,
        "account": None if request.settings.oidc_extensions else _provider_account(request.session, request.settings),
        "access": access,
        "sessions": [_sign_in(row, auth.session_id) for row in active],
        "hasKnownAddress": bool(await request.db.read(known_addresses.read, auth.learner_id)),
    }
    return replace(waiting, props=props)


def _provider_account(session: CurrentSession, settings: Settings) -> ProviderAccountProps:
    """Name and address follow the provider's claims at each sign-in (domain/identity/sign_in.py)."""
    return {"name": session.name, "email": session.email, "url": settings.oidc_account_url or None}


def _sign_in(row: ActiveSession, current_id: int) -> SignInProps:
    return {
        "id": str(row.id),
        "isThis": row.id == current_id,
        "area": cast("Area", row.area),
        "browser": row.browser,
        "createdAt": row.created_at.isoformat(),
        "expiresAt": row.expires_at.isoformat(),
    }
