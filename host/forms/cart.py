"""The cart as plain HTML forms, for visitors without JavaScript (docs/decisions/0038)."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from aiohttp import web

from contracts.payloads import ApplyToCart, ApplyToLine
from domain.cart import codes as cart_codes
from domain.cart import lines as cart_lines
from domain.cart.lines import MAX_QUANTITY, Change
from domain.cart.owners import Owner, RequestedLine
from domain.checkout import cart_links, gift_lines
from domain.errors import Refused, ServiceUnavailable
from domain.identity.sessions import AuthSession
from domain.learning.addresses import begin_href
from domain.typed_codes import plain_code
from domain.typed_values import is_number
from host import page_handler
from host.api.body import read_form
from host.api.coupons import check_code
from host.app_keys import DATABASE, SETTINGS
from host.auth import guest_lines, private_pages
from host.auth.form_keys import FORM_KEYS, InvalidFormKey
from host.checkout import enrolling
from host.http import csrf
from host.http.problems import RateLimited
from host.rate_limits import policies
from host.rendering.page_result import PageResult

STALE_FORM = "This page was open for more than a day, or belongs to another sign-in. Look at your cart and try again."
UNKNOWN_ACTION = "This form is not known here. Look at your cart and try again."
NO_QUANTITY = f"Enter a quantity from 1 to {MAX_QUANTITY}."
EXPIRED_LINK = "This link has expired: it was good for a day."
MAX_CODE_LENGTH = 64

Fields = Mapping[str, str]
# None when it is done, else the refusal.
Action = Callable[[web.Request, AuthSession, Fields], Awaitable[str | None]]


async def form(request: web.Request) -> web.StreamResponse:
    """POST /cart: do what the form says, then redirect to the cart; or the cart again, with what was refused."""
    csrf.require_same_origin(request, required=True)
    fields = _with_action(await read_form(request))
    try:
        session = await private_pages.document_session(request)
        if session is None:
            raise _to_sign_in(request, fields)
        if fields.get("do") == "clear" and fields.get("confirm") != "yes":
            return await _cart_page(request, fields, 200, "")
        refusal = await _carry_out(request, session.auth, fields)
    except RateLimited as error:
        headers = {"Retry-After": str(error.retry_after_s)}
        return await _cart_page(request, fields, 429, str(error), headers)
    except ServiceUnavailable as error:
        return await _cart_page(request, fields, 503, f"{error} Nothing was changed.")
    if refusal is not None:
        return await _cart_page(request, fields, 422, refusal)
    raise web.HTTPSeeOther("/cart")


def _with_action(fields: Fields) -> Fields:
    """The fields as each form has them. A list is one form, which adds to the cart: the button of a free course in it
    says by its name that it enrols."""
    return {**fields, "do": "enrol", "id": fields["enrol"]} if "enrol" in fields else fields


def _to_sign_in(request: web.Request, fields: Fields) -> web.HTTPSeeOther:
    """Redirect a guest to the cart, where they are asked to sign in. What they add waits for that in a cookie; a gift,
    which no line of a guest can be, in the address alone."""
    product_id = fields.get("id", "")
    if fields.get("do") == "enrol" and is_number(product_id):
        # The page of the course, by its id: the button is there again.
        back = quote(f"/course-details?id={product_id}", safe="")
        return web.HTTPSeeOther(f"/login?returnTo={back}")
    if fields.get("do") not in ("add", "buy") or not is_number(product_id):
        return web.HTTPSeeOther("/cart")
    if fields.get("gift") == "1":
        return web.HTTPSeeOther(f"/cart?add={product_id}&gift=1")
    added = RequestedLine(int(product_id), _quantity(fields) or 1)
    lines = [line for line in guest_lines.plain_lines(request) if line.id != added.id]
    lines = [*lines, added][-guest_lines.MAX_PLAIN_LINES :]
    target = guest_lines.address(lines) if fields["do"] == "add" else "/login?returnTo=%2Fcheckout"
    redirect = web.HTTPSeeOther(target)
    for name, (value, attributes) in guest_lines.plain_cookie(request, lines).items():
        redirect.set_cookie(name, value, **attributes)
    return redirect


async def _cart_page(
    request: web.Request, fields: Fields, status: int, message: str, headers: Mapping[str, str] | None = None
) -> web.StreamResponse:
    page, result = await page_handler.load_with_session(request, page_handler.page_request(request, "/cart"))
    if isinstance(result, PageResult):
        typed = {name: fields.get(name, "") for name in ("do", "id", "quantity", "code")}
        field = _field(fields, result.props.get("cart")) if status == 422 and message != STALE_FORM else ""
        title = f"Error: {result.head.title}" if message else result.head.title
        result = replace(
            result,
            status=max(status, result.status),
            head=replace(result.head, title=title),
            no_script={**result.no_script, "refused": {"message": message, "field": field, **typed}},
            headers={**result.headers, **(headers or {})},
        )
    return await page_handler.private_document(request, page, result)


def _field(fields: Fields, shown: Mapping[str, Any] | None) -> str:
    """The id of the field at fault in templates/no_script/cart.html; "" if the page does not have it."""
    do, product_id = fields.get("do", ""), fields.get("id", "")
    if do == "coupon" and shown and shown["coupon"] is None:
        return "coupon"
    is_shown = shown is not None and product_id in (str(line["id"]) for line in shown["lines"])
    return f"{do}-{product_id}" if do in ("code", "quantity") and is_shown else ""


async def _carry_out(request: web.Request, auth: AuthSession, fields: Fields) -> str | None:
    do = fields.get("do", "")
    action = ACTIONS.get(do)
    if action is None:
        return UNKNOWN_ACTION
    if do not in KEYLESS_ACTIONS and not _is_own_form(request, auth, fields):
        return STALE_FORM
    if do not in CODE_ACTIONS or not _code(fields):
        await policies.limit_cart_call(request, auth)
    return await action(request, auth, fields)


def _is_own_form(request: web.Request, auth: AuthSession, fields: Fields) -> bool:
    try:
        learner_id = request.app[FORM_KEYS].learner_of("cart", fields.get("key", ""), datetime.now(UTC))
    except InvalidFormKey:
        return False
    return learner_id == auth.learner_id


async def _add(request: web.Request, auth: AuthSession, fields: Fields) -> str | None:
    now, quantity = datetime.now(UTC), _quantity(fields) or 1
    if fields.get("gift") == "1":
        return await request.app[DATABASE].write(gift_lines.add, auth.learner_id, _id(fields), now)
    line = RequestedLine(_id(fields), quantity)
    (result,) = await request.app[DATABASE].write(cart_lines.add_all, auth.learner_id, [line], now)
    return result.refusal


async def _buy(request: web.Request, auth: AuthSession, fields: Fields) -> str | None:
    """Raises HTTPSeeOther to the checkout."""
    refusal = await _add(request, auth, fields)
    if refusal is None:
        raise web.HTTPSeeOther("/checkout")
    return refusal


async def _enrol(request: web.Request, auth: AuthSession, fields: Fields) -> str | None:
    """Raises HTTPSeeOther to the lesson with which the learner begins."""
    try:
        enrolled = await enrolling.enrol_learner(request, auth, _id(fields))
    except Refused as refusal:
        return str(refusal)
    raise web.HTTPSeeOther(begin_href([enrolled.slug]))


async def _remove(request: web.Request, auth: AuthSession, fields: Fields) -> str | None:
    await request.app[DATABASE].write(cart_lines.remove, auth.learner_id, _id(fields))
    return None


async def _change_quantity(request: web.Request, auth: AuthSession, fields: Fields) -> str | None:
    quantity = _quantity(fields)
    if quantity is None:
        return NO_QUANTITY
    return await _change(request, auth, fields, Change(quantity=quantity))


async def _save_for_later(request: web.Request, auth: AuthSession, fields: Fields) -> str | None:
    return await _change(request, auth, fields, Change(is_saved=True))


async def _change(request: web.Request, auth: AuthSession, fields: Fields, change: Change) -> str | None:
    now = datetime.now(UTC)
    return await request.app[DATABASE].write(cart_lines.change, auth.learner_id, _id(fields), change, now)


async def _set_line_code(request: web.Request, auth: AuthSession, fields: Fields) -> str | None:
    now = datetime.now(UTC).isoformat()
    call = ApplyToLine(learner_id=auth.learner_id, product_id=_id(fields), code=_code(fields), at=now)
    result = await check_code(request, auth, call)
    return result["message"] if result["reason"] else None


async def _set_coupon(request: web.Request, auth: AuthSession, fields: Fields) -> str | None:
    now, owner = datetime.now(UTC), Owner(auth.learner_id)
    if not _code(fields):
        await request.app[DATABASE].write(cart_codes.set_on_cart, owner, "", (), now, request.app[SETTINGS].shop)
        return None
    owner_ids = {"learner_id": auth.learner_id, "guest": None}
    result = await check_code(
        request, auth, ApplyToCart(owner=owner_ids, code=_code(fields), lines=[], at=now.isoformat())
    )
    return result["message"] if result["reason"] else None


async def _clear(request: web.Request, auth: AuthSession, _fields: Fields) -> str | None:
    await request.app[DATABASE].write(cart_lines.clear, auth.learner_id)
    return None


async def _take_over(request: web.Request, auth: AuthSession, fields: Fields) -> str | None:
    secret, now = fields.get("cartToken", ""), datetime.now(UTC)
    merged = await request.app[DATABASE].write(cart_links.take_over, auth.learner_id, secret, now)
    if merged is None:
        return EXPIRED_LINK
    return " ".join(line.message for line in merged if line.message) or None


# Their forms stand on cached pages, which have no keys.
KEYLESS_ACTIONS = {"add", "buy", "enrol"}
CODE_ACTIONS = {"code", "coupon"}
ACTIONS: dict[str, Action] = {
    "add": _add,
    "buy": _buy,
    "enrol": _enrol,
    "remove": _remove,
    "quantity": _change_quantity,
    "code": _set_line_code,
    "coupon": _set_coupon,
    "later": _save_for_later,
    "clear": _clear,
    "link": _take_over,
}


def _id(fields: Fields) -> int:
    """0, which no product has, for what is no id."""
    text = fields.get("id", "")
    return int(text) if is_number(text) else 0


def _quantity(fields: Fields) -> int | None:
    text = fields.get("quantity", "").strip()
    quantity = int(text) if is_number(text) else 0
    return quantity if 1 <= quantity <= MAX_QUANTITY else None


def _code(fields: Fields) -> str:
    return plain_code(fields.get("code", ""))[:MAX_CODE_LENGTH]
