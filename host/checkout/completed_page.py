"""/completed/{code}: the page after paying. Its owner sees the order; whoever only has the return cookie, because the
sign-in ended while they paid, sees its state and nothing else; everybody else gets what /order/{code} says."""

import re
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

from aiohttp import web
from typing_extensions import TypedDict

from domain.account.current_session import CurrentSession
from domain.errors import NotFound
from domain.payments import attempts
from domain.payments.attempts import Busy, OpenPage
from domain.routes import Page
from domain.typed_values import is_number
from host.api.orders.order_schemas import Order, OrderStatus
from host.checkout import paying
from host.checkout.order_calls import status_of
from host.checkout.order_page import HEADERS, not_found, own_order, sign_in_page
from host.checkout.return_cookie import entry_of
from host.loaders import client_rendered
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import LoaderResult, PageResult, Redirect

# An order's code, in any case.
_CODE = re.compile(r"[0-9A-Za-z]{20}", re.ASCII)
# Without script the page loads itself again as often, every REFRESH_S: for a minute.
MAX_REFRESHES, REFRESH_S = 12, 5
# While the page to pay on is being opened: every second, for as long as the gateway may take.
MAX_LOOKS = 20
OPENING = (
    "Opening the page to pay on",
    "Our payment provider takes a little longer than usual. This page goes on by itself as soon as it can: there is no "
    "need to press anything. Nothing is charged yet, and your order is kept.",
)
WAITING = (
    "Checking your payment",
    "This takes a few seconds as a rule. The page looks again by itself: there is no need to pay again.",
)
STILL_WAITING = (
    "Your payment is not confirmed yet",
    "It takes longer than usual. You may close this page: we will email you as soon as your order is paid, or if it is "
    "not.",
)
NO_PAGE = (
    "Your order is placed, but you cannot pay it yet",
    "Our payment provider is slow or does not answer just now, so the page to pay on has not opened. Nothing is "
    "charged, and your order is kept. Go on to payment in a moment: you will not order twice. Or change the order, or "
    "cancel it.",
)
NOT_PAID = (
    "Your order is not paid yet",
    "No payment has reached us so far, and nothing is charged twice: if you have just paid, there is no need to do it "
    "again. Otherwise go on to payment, change the order, or cancel it.",
)
TITLES = {
    "placed": "Your order is not paid yet",
    "processing": "Your payment is on its way",
    "paid": "Thank you: your order is paid",
    "expired": "This order has expired",
    "cancelled": "This order was cancelled",
    "refunded": "This order was refunded",
}
# State in words -> those of a state that has no more to say than its title.
PLAIN_TEXTS = {
    "processing": "Payment on its way",
    "paid": "Paid",
    "expired": "Expired",
    "cancelled": "Cancelled",
    "refunded": "Refunded",
}


class CompletedOrder(TypedDict):
    """`status`: null when nothing may be shown. `order`: of the learner who is signed in; null with the return cookie
    alone. `next`: while the page to pay on is being opened, the address that leads there once it is open. `isBack`:
    the buyer comes back from the page to pay on by its way back, or from the shop, and says that nothing was paid."""

    status: OrderStatus | None
    order: Order | None
    next: str | None
    isBack: bool


class CompletedProps(TypedDict):
    title: str
    html: str
    completed: CompletedOrder


def status_reader(
    request: web.Request, page: PageRequest, session: CurrentSession | None
) -> Callable[[], Awaitable[OrderStatus]]:
    """A function that reads the status for this visitor, and raises NotFound: of whoever is signed in, else of the
    return cookie. A sign-in of somebody else counts more than the cookie."""
    code = page.values["id"]

    async def read() -> OrderStatus:
        entry = None if session is not None else entry_of(request, code, page.at)
        learner_id = session.auth.learner_id if session is not None else None if entry is None else entry.learner_id
        if learner_id is None:
            raise NotFound
        return await status_of(request.app, learner_id, code, 0)

    return read


@page("completed", loads_for_guests=True, explains_sign_in=True, order_status=status_reader)
async def load(request: PageRequest, route: Page) -> LoaderResult[CompletedProps]:
    """Also without a session. A document of the address that waits for a page to pay on leads there once it is open."""
    try:
        status = None if request.order_status is None else await request.order_status()
    except NotFound:
        status = None
    if status is None:
        return await (sign_in_page(request, route) if request.session is None else not_found(request))
    page = await _page_to_pay_on(request, status)
    # Data are for the page that is shown already: it loads a document.
    if isinstance(page, OpenPage) and request.sends_head_first:
        return Redirect(page.url)
    order = await own_order(request)
    waiting: PageResult = await client_rendered.load(request, route)
    next_look = None if page is None else paying.waiting_page(status.code, _look(request) + 1)
    completed = {
        "status": status.model_dump(mode="json"),
        "order": None if order is None else order.model_dump(mode="json"),
        "next": next_look,
        "isBack": _is_back(request),
    }
    words = _words(request, status) if next_look is None else _words_of_opening(next_look)
    head = replace(waiting.head, refresh=words.pop("refresh"))
    props = {**waiting.props, "completed": completed}
    headers = {**waiting.headers, **HEADERS}
    no_script = {"is_for_guests": True, "message": "", "again": paying.order_page(status.code), **words}
    return replace(waiting, head=head, props=props, headers=headers, no_script=no_script)


async def _page_to_pay_on(request: PageRequest, status: OrderStatus) -> OpenPage | Busy | None:
    """For the owner at the address that waits for it; None: nobody waits any longer, or it could not be opened."""
    if request.session is None or not 0 < _look(request) <= MAX_LOOKS or status.state != "placed" or not status.canPay:
        return None
    learner_id = request.session.auth.learner_id
    return await request.db.read(attempts.page_of, learner_id, status.code, request.at)


def _is_back(request: PageRequest) -> bool:
    return request.query.get("back", "") == "1"


def _look(request: PageRequest) -> int:
    return _number(request.query.get("open", ""))


def _words_of_opening(next_look: str) -> dict[str, Any]:
    title, text = OPENING
    return {"title": title, "text": text, "is_waiting": True, "again": next_look, "refresh": f"1; url={next_look}"}


def _words(request: PageRequest, status: OrderStatus) -> dict[str, Any]:
    """What the part without script says. `refresh`: where the page goes by itself, "" nowhere."""
    if status.state == "placed" and status.canPay and not status.hasPage:
        return {"title": NO_PAGE[0], "text": NO_PAGE[1], "is_waiting": False, "refresh": ""}
    if status.state == "placed" and status.retryMs is not None:
        number = _number(request.query.get("n", ""))
        is_over = number >= MAX_REFRESHES
        is_first = number == 0 and not _is_back(request)
        title, text = STILL_WAITING if is_over else WAITING if is_first or not status.canPay else NOT_PAID
        refresh = "" if is_over else f"{REFRESH_S}; url=/completed/{status.code}?n={number + 1}"
        return {"title": title, "text": text, "is_waiting": is_first, "refresh": refresh}
    has_more_to_say = PLAIN_TEXTS.get(status.state, status.stateText) != status.stateText
    title = status.stateText if has_more_to_say else TITLES[status.state]
    return {"title": title, "text": status.nextStep, "is_waiting": False, "refresh": ""}


def _number(text: str) -> int:
    return int(text) if is_number(text, 3) else 0


async def completed_old(request: web.Request) -> web.Response:
    """GET /completed_old, the former address: 301 to the order's page when `id` has the form of a code, else 302 to the
    learner's own page."""
    code = request.query.get("id", "")
    if _CODE.fullmatch(code):
        raise web.HTTPMovedPermanently(f"/completed/{code.upper()}", headers={"Cache-Control": "private, max-age=3600"})
    raise web.HTTPFound("/user-dashboard", headers={"Cache-Control": "no-store"})
