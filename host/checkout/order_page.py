"""/order/{code}: an order with all that belongs to it, for its owner. Somebody else who is signed in gets the error
page of an unknown address, guests a page that leads to the sign-in, whether there is such an order or not."""

from dataclasses import replace

from typing_extensions import TypedDict

from domain.errors import NotFound
from domain.orders.views import order as order_view
from domain.routes import Page
from host.api.orders.order_json import order_schema
from host.api.orders.order_schemas import Order
from host.loaders import client_rendered, errors
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult

# The address is not for other sites: whoever has it knows that there may be such an order.
HEADERS = {"Referrer-Policy": "same-origin"}


# What the part without script shows of a form that was refused; `refund`: as host/forms/refund.py has it.
NO_SCRIPT = {"message": "", "notice": "", "refund": None}


class OrderPageProps(TypedDict):
    """`order`: of the learner who is signed in."""

    title: str
    html: str
    order: Order


@page("order", loads_for_guests=True, explains_sign_in=True)
async def load(request: PageRequest, route: Page) -> PageResult[OrderPageProps] | PageResult:
    if request.session is None:
        return await sign_in_page(request, route)
    order = await own_order(request)
    if order is None:
        return await not_found(request)
    waiting: PageResult = await client_rendered.load(request, route)
    props = {**waiting.props, "order": order.model_dump(mode="json")}
    return replace(waiting, props=props, headers={**waiting.headers, **HEADERS}, no_script=NO_SCRIPT)


async def own_order(request: PageRequest) -> Order | None:
    """The order of the address if it is the learner's; None for an unknown one and another's alike."""
    if request.session is None:
        return None
    settings, shop = request.settings.orders, request.settings.shop
    learner_id, code = request.session.auth.learner_id, request.values["id"]
    try:
        view = await request.db.read(order_view.order_view, learner_id, code, request.at, settings)
    except NotFound:
        return None
    keys = (request.form_key("payment"), request.form_key("refund"))
    return order_schema(view, *keys, has_withdrawal=shop.follows_union_rules)


async def sign_in_page(request: PageRequest, route: Page) -> PageResult:
    """What guests get for every code: "Sign in to see this order". Nothing is read for it."""
    waiting: PageResult = await client_rendered.load(request, route)
    return replace(waiting, headers={**waiting.headers, **HEADERS})


async def not_found(request: PageRequest) -> PageResult:
    """The error page, the same for everybody who is signed in and every code but for the address in it."""
    result = await errors.not_found(request, offers_sign_in=True)
    return replace(result, headers={**result.headers, **HEADERS})
