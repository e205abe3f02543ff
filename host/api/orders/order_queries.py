"""GET /api/orders and GET /api/orders/{code}: a learner's own orders."""

from datetime import UTC, datetime
from typing import Annotated

from aiohttp import web
from pydantic import Field

from domain.orders.views import listing as order_listing
from domain.orders.views import order as order_view
from host.api.fields import EmptyRequest, Strict
from host.api.orders.order_json import list_schema, order_schema
from host.api.orders.order_schemas import Order, OrderList
from host.api.registry import query
from host.app_keys import DATABASE, SETTINGS
from host.auth.form_keys import FORM_KEYS
from host.http import request_keys
from host.rate_limits import policies

MAX_PAGE = 100_000


class OrdersQuery(Strict):
    """`page` counts from 1."""

    page: Annotated[int, Field(ge=1, le=MAX_PAGE)] = 1


@query("orders", OrdersQuery, OrderList, caller="learner", refusals=(429,))
async def read_orders(request: web.Request, body: OrdersQuery) -> OrderList:
    """Return a page of the learner's orders, the newest first."""
    await policies.limit(request, "account_calls_per_learner_minute")
    learner_id = request[request_keys.AUTH_SESSION].learner_id
    return list_schema(await request.app[DATABASE].read(order_listing.page_of_orders, learner_id, body.page))


@query("orders/{code}", EmptyRequest, Order, caller="learner", refusals=(429,), has_text_ids=True)
async def read_order(request: web.Request, _body: EmptyRequest) -> Order:
    """Return one of the learner's orders with everything that belongs to it; 404 for every other code."""
    await policies.limit(request, "account_calls_per_learner_minute")
    return await order_of(request.app, request[request_keys.AUTH_SESSION].learner_id, _code(request), datetime.now(UTC))


async def order_of(app: web.Application, learner_id: int, code: str, at: datetime) -> Order:
    """The order as the call and the pages show it. Raises NotFound for an unknown order and another's alike."""
    settings = app[SETTINGS]
    view = await app[DATABASE].read(order_view.order_view, learner_id, code, at, settings.orders)
    payment_key, refund_key = (app[FORM_KEYS].create(purpose, learner_id, at) for purpose in ("payment", "refund"))
    return order_schema(view, payment_key, refund_key, has_withdrawal=settings.shop.follows_union_rules)


def _code(request: web.Request) -> str:
    return request[request_keys.PATH_IDS]["code"]
