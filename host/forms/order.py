"""Orders as plain HTML forms, for visitors without JavaScript (docs/decisions/0038): go on paying, give up,
ask for a refund, send the mail of a gift again."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from aiohttp import web

from domain.errors import InvalidInput, NotFound, Refused, ServiceUnavailable
from domain.identity.sessions import AuthSession
from host import page_handler
from host.api.body import read_form
from host.api.orders import gift_mail
from host.auth import private_pages
from host.auth.form_keys import FORM_KEYS, InvalidFormKey
from host.checkout.order_calls import STALE_FORM, cancel_order
from host.checkout.paying import CannotPay, pay_again
from host.checkout.refunding import StaleRefundForm
from host.forms import refund
from host.http import csrf
from host.http.problems import RateLimited
from host.rate_limits import policies
from host.rendering.page_result import PageResult

# `do` of the form that sends the mail of a gift again.
GIFT_MAIL = "gift-mail"
UNKNOWN_ACTION = "This form is not known here. Look at your order and try again."

Fields = Mapping[str, str]


class _Refused(Exception):
    """What the form asked for was not done; the text says why."""


# Where the browser goes then. Raises _Refused.
Action = Callable[[web.Request, int, str], Awaitable[str]]


async def form(request: web.Request) -> web.StreamResponse:
    """POST /completed/{code} and /order/{code}: do what the form says and redirect; or the page again, with what was
    refused. For everybody but the owner of the order it is an unknown address."""
    csrf.require_same_origin(request, required=True)
    fields = await read_form(request)
    try:
        session = await private_pages.document_session(request)
        if session is None:
            raise web.HTTPSeeOther(f"/login?returnTo={quote(request.path)}")
        if fields.get("do") == GIFT_MAIL:
            return await _send_gift_mail(request, session.auth, fields)
        address = await _carry_out(request, session.auth, fields)
    except NotFound:
        return await _page(request, 404, {})
    except InvalidInput as error:
        return await _page(request, 422, refund.refused(fields, refund.WRONG_FIELDS, error.errors))
    except (_Refused, Refused, StaleRefundForm) as error:
        return await _page(request, 422, _refused(fields, str(error)))
    except RateLimited as error:
        return await _page(request, 429, _refused(fields, str(error)), {"Retry-After": str(error.retry_after_s)})
    except ServiceUnavailable as error:
        return await _page(request, 503, _refused(fields, str(error)))
    raise web.HTTPSeeOther(address)


def _refused(fields: Fields, message: str) -> Mapping[str, Any]:
    """Shown in the form that was sent, with what was typed, or above the order's buttons."""
    return refund.refused(fields, message, {}) if fields.get("do") == refund.DO else {"message": message}


async def _page(
    request: web.Request, status: int, shown: Mapping[str, Any], headers: Mapping[str, str] | None = None
) -> web.StreamResponse:
    page, result = await page_handler.load_with_session(request, page_handler.page_request(request, request.path))
    if isinstance(result, PageResult):
        no_script, all_headers = {**result.no_script, **shown}, {**result.headers, **(headers or {})}
        result = replace(result, status=max(status, result.status), no_script=no_script, headers=all_headers)
    return await page_handler.private_document(request, page, result)


async def _carry_out(request: web.Request, auth: AuthSession, fields: Fields) -> str:
    learner_id, code = auth.learner_id, request.match_info["code"].upper()
    if fields.get("do") == refund.DO:
        return await refund.send(request, auth, code, fields)
    action = ACTIONS.get(fields.get("do", ""))
    if action is None:
        raise _Refused(UNKNOWN_ACTION)
    if not _is_own_form(request, learner_id, fields):
        raise _Refused(STALE_FORM)
    await policies.limit_order_status(request, f"{learner_id}:{code}")
    return await action(request, learner_id, code)


async def _send_gift_mail(request: web.Request, auth: AuthSession, fields: Fields) -> web.StreamResponse:
    if not _is_own_form(request, auth.learner_id, fields):
        raise _Refused(STALE_FORM)
    to = await gift_mail.send_again(request, auth, request.match_info["code"], fields.get("line", ""))
    return await _page(request, 200, {"notice": gift_mail.sent_text(to)})


def _is_own_form(request: web.Request, learner_id: int, fields: Fields) -> bool:
    try:
        return request.app[FORM_KEYS].learner_of("payment", fields.get("key", ""), datetime.now(UTC)) == learner_id
    except InvalidFormKey:
        return False


async def _pay(request: web.Request, learner_id: int, code: str) -> str:
    try:
        return await pay_again(request.app, learner_id, code)
    except CannotPay as error:
        raise _Refused(str(error)) from error


async def _cancel(request: web.Request, learner_id: int, code: str) -> str:
    refusal = await cancel_order(request.app, learner_id, code)
    if refusal is not None:
        raise _Refused(refusal)
    return "/cart"


ACTIONS: dict[str, Action] = {"pay": _pay, "cancel": _cancel}
