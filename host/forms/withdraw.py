"""POST /withdraw: first the form again to be confirmed, then the withdrawal. Whether an order has this code and this
address, the answer does not tell: not by its bytes, and not by its time."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from aiohttp import web

from contracts.tasks import Topic
from domain import email_addresses
from domain.errors import ServiceUnavailable
from domain.orders.refunds import withdrawal
from domain.orders.settings import Context
from host import page_handler
from host.api.body import read_form
from host.app_keys import DATABASE, SETTINGS
from host.http import csrf
from host.http.problems import RateLimited
from host.loaders import withdraw
from host.loaders.withdraw import Step, WithdrawValues
from host.messaging.outbox_wake import OUTBOX_WAKER
from host.rate_limits import policies

PATH = "/withdraw"
NO_ORDER = "Enter the code of your order. It is in the mails about it."
NO_EMAIL = "Enter the email address of the order, in the form name@example.com."
# Longer than a withdrawal takes: every answer comes after this time.
ANSWER_S = 1.0
MAX_LENGTH = 254


@dataclass(frozen=True)
class _Answer:
    """The page again, at this step."""

    step: Step
    status: int = 200
    errors: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)


async def form(request: web.Request) -> web.StreamResponse:
    csrf.require_same_origin(request, required=True)
    fields = await read_form(request)
    order, email = (fields.get(name, "").strip()[:MAX_LENGTH] for name in ("order", "email"))
    values: WithdrawValues = {"order": order, "email": email}
    errors = {} if values["order"] else {"order": NO_ORDER}
    errors |= {} if email_addresses.is_valid(values["email"]) else {"email": NO_EMAIL}
    if errors:
        return await _page(request, values, _Answer("enter", 422, errors))
    is_known = request.app[SETTINGS].shop.follows_union_rules
    if fields.get("do") != "confirm" or not is_known:
        return await _page(request, values, _Answer("confirm"))
    try:
        await policies.limit(request, "withdrawals_per_address_hour")
        await _withdraw(request.app, values)
    except RateLimited as error:
        headers = {"Retry-After": str(error.retry_after_s)}
        return await _page(request, values, _Answer("confirm", 429, {"form": str(error)}, headers))
    except ServiceUnavailable as error:
        return await _page(request, values, _Answer("confirm", 503, {"form": f"{error} Nothing was sent. Try again."}))
    raise web.HTTPSeeOther(f"{PATH}?sent=1")


async def _withdraw(app: web.Application, values: WithdrawValues) -> None:
    """Raises ServiceUnavailable, after the same time."""
    at = datetime.now(UTC)
    done, _ = await asyncio.gather(_declare(app, values, at), asyncio.sleep(ANSWER_S), return_exceptions=True)
    if isinstance(done, BaseException):
        raise done


async def _declare(app: web.Application, values: WithdrawValues, at: datetime) -> None:
    ref = await app[DATABASE].read(withdrawal.find, values["order"], values["email"])
    if ref is not None:
        await app[DATABASE].write(withdrawal.declare, ref, Context(at, app[SETTINGS].orders))
        for topic in (Topic.MAIL, Topic.PAYMENTS):
            app[OUTBOX_WAKER].wake(topic)


async def _page(request: web.Request, values: WithdrawValues, answer: _Answer) -> web.StreamResponse:
    page = page_handler.page_request(request, PATH)
    result = await withdraw.page(page, answer.step, values, answer.errors, answer.status)
    return await page_handler.document(request, page, replace(result, headers={**result.headers, **answer.headers}))
