"""/login and /register: the forms are the browser's. The host says what waits behind the sign-in, and what works
without script."""

from contextlib import suppress
from dataclasses import replace
from urllib.parse import parse_qs, urlsplit

from typing_extensions import TypedDict

from domain.errors import ServiceUnavailable
from domain.learning.gifts import claiming
from domain.routes import Page
from domain.text_direction import isolated
from host.http.problems import RateLimited
from host.loaders import client_rendered
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult

GIFT_PATH = "/user-dashboard"
NEXT_STEPS = {
    "login": "Sign in, or create an account, to accept it.",
    "register": "Create your account to accept it.",
}


class LoginProps(TypedDict):
    """`waiting`: what waits at the address to go back to, in words; "" for nothing that the host knows."""

    title: str
    html: str
    waiting: str


@page("login", "register", limits=("learning_codes_per_address_minute",))
async def load(request: PageRequest, route: Page) -> PageResult[LoginProps] | PageResult:
    page: PageResult = await client_rendered.load(request, route)
    return_to = request.query.get("returnTo", "/")
    waiting = "" if request.session is not None else await _waiting_gift(request, route, return_to)
    props: LoginProps = {"title": route.title, "html": "", "waiting": waiting}
    return replace(page, props=props, no_script={"return_to": return_to})


async def _waiting_gift(request: PageRequest, route: Page, return_to: str) -> str:
    """Who gave what, when the address to go back to is the link of a gift that nobody has accepted; else ""."""
    address = urlsplit(return_to)
    token = parse_qs(address.query).get("giftToken", [""])[0]
    if address.path != GIFT_PATH or not token or request.limit is None:
        return ""
    gift = None
    with suppress(RateLimited, ServiceUnavailable):
        await request.limit()
        gift = await request.db.read(claiming.waiting, token, request.at)
    if gift is None:
        return ""
    name = isolated(gift.name)
    given = f"{isolated(gift.giver)} gave you “{name}”." if gift.giver else f"We have a gift for you: “{name}”."
    return f"{given} {NEXT_STEPS[route.id]}"
