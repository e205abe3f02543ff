"""/organization-register: the form of an application, for whoever has signed in with a verified email address."""

from dataclasses import replace

from typing_extensions import TypedDict

from domain.organisations.applications import thread as application_thread
from domain.routes import Page
from host.loaders import client_rendered
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult


class OwnApplication(TypedDict):
    name: str
    href: str


class OrganisationRegisterProps(TypedDict):
    """`open`: an application of the person that is not approved; null without one."""

    title: str
    email: str
    isVerified: bool
    open: OwnApplication | None


@page("organization-register", explains_sign_in=True)
async def load(request: PageRequest, route: Page) -> PageResult[OrganisationRegisterProps] | PageResult:
    """Raises ServiceUnavailable while the database does not answer in time."""
    waiting: PageResult = await client_rendered.load(request, route)
    assert request.session is not None  # noqa: S101 page_handler.load calls the loader of a private page with one
    own = await request.db.read(application_thread.registration, request.session.auth.learner_id)
    shown: OwnApplication | None = None
    if own.undecided is not None:
        key, name = own.undecided
        shown = {"name": name, "href": f"/organization/application?application={key}"}
    props: OrganisationRegisterProps = {
        "title": route.title,
        "email": own.email,
        "isVerified": own.is_verified,
        "open": shown,
    }
    return replace(waiting, props=dict(props))
