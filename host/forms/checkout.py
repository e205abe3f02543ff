"""The checkout as a plain HTML form, also for those whose sign-in ended while they typed (docs/decisions/0038)."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode

from aiohttp import web
from markupsafe import Markup

from domain.account.current_session import CurrentSession
from domain.checkout import differences, drafts
from domain.checkout.cart_contents import SERVICE
from domain.checkout.differences import Seen
from domain.checkout.form_fields import CONSENT, OTHER_BILLING
from domain.errors import InvalidInput, ServiceUnavailable
from host import page_handler
from host.api.body import read_form
from host.api.checkout.checkout_schemas import CheckoutChanged, CheckoutFailed, CheckoutPlaced
from host.app_keys import DATABASE
from host.auth import private_pages
from host.auth.form_keys import FORM_KEYS, InvalidFormKey
from host.checkout import placing, return_cookie
from host.checkout.placing import KeyReused, PlaceForm, StaleForm
from host.checkout.view import PURPOSE
from host.http import csrf
from host.http.problems import RateLimited
from host.loaders import client_rendered
from host.rate_limits import policies
from host.rendering.document import Document, DocumentResponse
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult

_FIELD = Markup('<input type="hidden" name="{}" value="{}">')
_FORM = Markup(
    '<p class="form-error" role="alert">{}</p><form method="post" action="{}">{}'
    '<button class="button" type="submit">Try again</button></form>'
)


class _HeldForm(Document):
    """No state and no script: the browser would show the page instead, which cannot be read."""

    async def _write(self, request: web.Request, response: DocumentResponse, page: PageRequest) -> None:
        await response.prepare(request)
        body = self.shell.fallback_page(self.result.page, self.result.head, self.result.props)
        await response.end(b"".join((self.head(), b'<div id="root">', body, b"</div>", self.shell.tail)))


async def held_form(
    request: web.Request, page: PageRequest, fields: Mapping[str, str], message: str
) -> web.StreamResponse:
    """503 with a button that sends the same fields once more."""
    assert page.route is not None  # noqa: S101 forms are of pages
    waiting: PageResult = await client_rendered.load(page, page.route)
    inputs = Markup("").join(_FIELD.format(name, text) for name, text in fields.items())
    props = {"title": page.route.title, "html": _FORM.format(message, page.path, inputs)}
    headers = {**waiting.headers, "Cache-Control": "private, no-store"}
    result = replace(waiting, status=503, props=props, headers=headers)
    return await _HeldForm(request.app, result, request.rel_url.raw_path_qs).respond(request, page)


PATH = "/checkout"
SIGN_IN = f"/api/auth/start?{urlencode({'returnTo': PATH, 'area': 'learner'})}"
SERVICE_UNAVAILABLE = 503
UNAVAILABLE = "The site is temporarily unavailable. Nothing that you typed is lost."
UNKNOWN_ACTION = "This form is not known here. Check it and try again."
# Fields of the form itself; all others are what was typed.
OWN_FIELDS = {"do", "key", "seen", "terms", SERVICE}

Fields = Mapping[str, str]


@dataclass(frozen=True)
class RefusedForm:
    """What the page says of a form that placed no order."""

    status: int
    message: str = ""
    errors: Mapping[str, str] = field(default_factory=dict)
    result: CheckoutChanged | CheckoutFailed | None = None
    headers: Mapping[str, str] = field(default_factory=dict)

    def props(self) -> dict[str, Any]:
        """CheckoutRefused as JSON."""
        changed = self.result.differences if isinstance(self.result, CheckoutChanged) else []
        rows = [row.model_dump(mode="json") for row in changed]
        return {"message": self.message, "errors": dict(self.errors), "differences": rows}


async def form(request: web.Request) -> web.StreamResponse:
    """POST /checkout: redirect to the form for what was typed, to the page of the payment, or to the placed order; or
    the form again with what was refused."""
    csrf.require_same_origin(request, required=True)
    fields = await read_form(request)
    try:
        session = await private_pages.document_session(request)
        if session is None:
            await _store_for_owner(request, fields)
            raise web.HTTPSeeOther(SIGN_IN)
        refusal = await _carry_out(request, session, fields)
    except RateLimited as error:
        refusal = RefusedForm(429, str(error), headers={"Retry-After": str(error.retry_after_s)})
    except ServiceUnavailable as error:
        refusal = RefusedForm(503, f"{error} Nothing was ordered, and nothing that you typed is lost.")
    return await _page(request, fields, refusal)


async def _store_for_owner(request: web.Request, fields: Fields) -> None:
    """The sign-in has ended: what was typed is stored for the learner for whom the form was rendered, and for nobody
    else who signs in."""
    now = datetime.now(UTC)
    try:
        owner: int | None = request.app[FORM_KEYS].learner_of(PURPOSE, fields.get("key", ""), now)
    except InvalidFormKey as error:
        owner = error.learner_id
    await policies.limit_cart_call(request, None)
    if owner is not None:
        # Nobody is there to correct what no form of ours sends.
        with suppress(InvalidInput):
            await _store(request, owner, fields, now)


async def _carry_out(request: web.Request, session: CurrentSession, fields: Fields) -> RefusedForm:
    """Raises HTTPSeeOther when nothing is refused."""
    try:
        if fields.get("do") == "update":
            await _update(request, session, fields)
            raise web.HTTPSeeOther(PATH)
        if fields.get("do") != "pay":
            return RefusedForm(422, UNKNOWN_ACTION)
        _require_own_form(request, session, fields)
        result = await placing.place_order(request, session.auth, _place_form(fields))
    except KeyReused as error:
        return RefusedForm(409, str(error))
    except InvalidInput as error:
        return RefusedForm(422, errors=error.errors)
    if isinstance(result, CheckoutPlaced):
        raise _redirect(request, session, result)
    if isinstance(result, CheckoutChanged):
        return RefusedForm(409, result=result)
    return RefusedForm(422, " ".join(line.message for line in result.lines), result=result)


def _redirect(request: web.Request, session: CurrentSession, placed: CheckoutPlaced) -> web.HTTPSeeOther:
    """To the page of the payment. Whoever comes back after the end of their sign-in is shown the order's state."""
    response, learner_id = web.HTTPSeeOther(placed.redirect), session.auth.learner_id
    return_cookie.add(request, response, placed.code, learner_id, datetime.now(UTC))
    return response


def _require_own_form(request: web.Request, session: CurrentSession, fields: Fields) -> None:
    """Raises StaleForm before anything of somebody else's form is stored. An expired one is the learner's own."""
    try:
        owner: int | None = request.app[FORM_KEYS].learner_of(PURPOSE, fields.get("key", ""), datetime.now(UTC))
    except InvalidFormKey as error:
        owner = error.learner_id
    if owner != session.auth.learner_id:
        raise StaleForm


async def _update(request: web.Request, session: CurrentSession, fields: Fields) -> None:
    """Store what was typed. Texts of fields that this form did not show stay: another country may bring them back."""
    now, learner_id = datetime.now(UTC), session.auth.learner_id
    _require_own_form(request, session, fields)
    await policies.limit_cart_call(request, session.auth)
    before = await request.app[DATABASE].read(drafts.read_values, learner_id, now)
    hidden = {name: text for name, text in before.items() if not _is_box(name)}
    await _store(request, learner_id, {**hidden, **fields}, now)


def _is_box(name: str) -> bool:
    """Whether a field is a box: a form says nothing of one that is not ticked."""
    return name == OTHER_BILLING or name.endswith(".chosen")


async def _store(request: web.Request, learner_id: int, fields: Fields, at: datetime) -> None:
    await placing.store_typed(request.app, learner_id, _values(fields), fields.get(SERVICE, ""), at)


def _values(fields: Fields) -> dict[str, str]:
    return {name: text for name, text in fields.items() if name not in OWN_FIELDS}


def _place_form(fields: Fields) -> PlaceForm:
    """Raises InvalidInput for prices that cannot be read."""
    seen: Seen = differences.parse_seen(fields.get("seen", ""))
    return PlaceForm(fields.get("key", ""), seen, _values(fields), fields.get(SERVICE, ""), fields.get("terms", ""))


async def _page(request: web.Request, fields: Fields, refusal: RefusedForm) -> web.StreamResponse:
    page, result = await page_handler.load_with_session(request, page_handler.page_request(request, PATH))
    if isinstance(result, PageResult) and result.status == SERVICE_UNAVAILABLE:
        return await held_form(request, page, fields, refusal.message or UNAVAILABLE)
    if isinstance(result, PageResult):
        props = {**result.props, "refused": refusal.props()}
        headers = {**result.headers, **refusal.headers}
        no_script = {**result.no_script, "ticked": fields.get(CONSENT)}
        status = max(refusal.status, result.status)
        result = replace(result, status=status, props=props, headers=headers, no_script=no_script)
    return await page_handler.private_document(request, page, result)
