"""The hosted page /c/pay/{id}: summary, card or bank account, challenge; it works without script."""

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from standins.payments import faults
from standins.payments.currencies import display
from standins.payments.objects import store
from standins.payments.page import fields
from standins.payments.paying import attempts
from standins.payments.paying.methods import ACCOUNTS, CARDS
from standins.payments.tables import StoredObject
from standins.payments.work import Call, Response

FOLDER = Path(__file__).parent
_templates = Environment(loader=FileSystemLoader(FOLDER / "templates"), autoescape=True, undefined=StrictUndefined)
GONE = ("This page does not exist", "Go back to the shop and begin again.")
FOREIGN = ("Not from here", "This form was sent from another site.")
FAILED = ("Something went wrong", "Whether you were charged is not known here. Go back to the shop: it will find out.")


def show(call: Call) -> Response:
    session = _session(call)
    if session is None:
        return _message(call, 404, *GONE)
    if session.data["status"] != "open":
        return _ended(call, session)
    if attempts.is_challenged(call, session):
        return _redirect(f"/c/pay/{session.id}/challenge")
    defaults = {"method": session.data["payment_method_types"][0], "country": "US"}
    return _form(call, session, defaults)


def submit(call: Call) -> Response:
    """Pays, or fills the fields with a test card (`fill`)."""
    session = _session(call)
    refusal = _refusal(call, session)
    if refusal is not None or session is None:
        return refusal or _message(call, 404, *GONE)
    if "fill" in call.form:
        return _form(call, session, {**_typed(call, session).values, **fields.filled(call.form["fill"])})
    typed = _typed(call, session)
    if typed.errors:
        return _form(call, session, typed.values, typed.errors)
    pay_by = attempts.pay_by_iban if typed.values["method"] == "sepa_debit" else attempts.pay_by_number
    outcome = pay_by(call, session, typed.number, typed.payer)
    return _next(call, session, outcome, typed.values)


def show_challenge(call: Call) -> Response:
    session = _session(call)
    if session is None:
        return _message(call, 404, *GONE)
    if session.data["status"] != "open":
        return _ended(call, session)
    if not attempts.is_challenged(call, session):
        return _redirect(f"/c/pay/{session.id}")
    card = attempts.challenged_card(call, session)
    return _render(call, session, "challenge", 200, last4=card.number[-4:])


def submit_challenge(call: Call) -> Response:
    session = _session(call)
    refusal = _refusal(call, session)
    if refusal is not None or session is None:
        return refusal or _message(call, 404, *GONE)
    if not attempts.is_challenged(call, session):
        return _redirect(f"/c/pay/{session.id}")
    card, payer = attempts.challenged_card(call, session), attempts.challenged_payer(call, session)
    outcome = attempts.finish_challenge(call, session, call.form.get("answer") == "pass")
    return _next(call, session, outcome, fields.typed_before(card.number, payer))


def submitted(call: Call) -> Response:
    """A post of the page or of the challenge, with the fault of its call."""
    handler = submit_challenge if call.path.endswith("/challenge") else submit
    response = faults.execute(call, handler)
    return response if response.content_type != "application/json" else _message(call, response.status, *FAILED)


def send_styles(_call: Call) -> Response:
    return Response(200, (FOLDER / "page.css").read_bytes(), "text/css; charset=utf-8", {"Cache-Control": "no-cache"})


def send_icon(_call: Call) -> Response:
    return Response(200, (FOLDER / "icon.svg").read_bytes(), "image/svg+xml", {"Cache-Control": "no-cache"})


def _session(call: Call) -> StoredObject | None:
    return store.find(call, store.SESSION, call.path_values["id"])


def _refusal(call: Call, session: StoredObject | None) -> Response | None:
    """Why a post is not carried out: from another site, or to a session that is not open."""
    if call.headers.get("Origin") not in (None, call.config.origin):
        return _message(call, 403, *FOREIGN)
    if session is None:
        return _message(call, 404, *GONE)
    if session.data["status"] == "complete":
        return _redirect(_return_url(session))
    return _ended(call, session) if session.data["status"] != "open" else None


def _typed(call: Call, session: StoredObject) -> fields.Typed:
    return fields.read(call.form, session.data["payment_method_types"], session.data["customer_email"], call.now)


def _next(call: Call, session: StoredObject, outcome: attempts.Outcome, values: dict[str, str]) -> Response:
    if outcome.state == "challenge":
        return _redirect(f"/c/pay/{session.id}/challenge")
    if outcome.failure is not None:
        failure = outcome.failure
        return _form(call, session, values, {failure.field: failure.message}, is_declined=True)
    return _redirect(_return_url(session))


def _return_url(session: StoredObject) -> str:
    return str(session.data["success_url"]).replace("{CHECKOUT_SESSION_ID}", session.id)


def _redirect(address: str) -> Response:
    return Response(303, b"", "text/plain", {"Location": address, "Cache-Control": "no-store"})


def _form(
    call: Call,
    session: StoredObject,
    values: dict[str, str],
    errors: dict[str, str] | None = None,
    is_declined: bool = False,
) -> Response:
    shown = {**dict.fromkeys(fields.NAMES, ""), **values}
    context = {
        "values": shown,
        "errors": errors or {},
        "is_declined": is_declined,
        "countries": fields.COUNTRIES,
        "cards": CARDS,
        "accounts": ACCOUNTS if "sepa_debit" in session.data["payment_method_types"] else (),
    }
    return _render(call, session, "pay", 200, **context)


def _ended(call: Call, session: StoredObject) -> Response:
    return _render(call, session, "ended", 200)


def _message(call: Call, status: int, title: str, text: str) -> Response:
    return _html(call, status, "message", (), title=title, text=text)


def _render(call: Call, session: StoredObject, template: str, status: int, **context: Any) -> Response:
    data = session.data
    items = [
        {
            "name": item["description"],
            "quantity": item["quantity"],
            "total": display(item["amount_total"], data["currency"]),
        }
        for item in session.private["line_items"]
    ]
    addresses = (_return_url(session), data["cancel_url"] or _return_url(session))
    origins = tuple(sorted({"{0.scheme}://{0.netloc}".format(urlsplit(address)) for address in addresses}))
    summary = {"items": items, "total": display(data["amount_total"], data["currency"]), "back": addresses[1]}
    return _html(call, status, template, origins, session=data, **summary, **context)


def _html(call: Call, status: int, template: str, forms_to: tuple[str, ...], **context: Any) -> Response:
    """Chrome checks the redirects of a form's answer too, so the shop's origin is among `form-action`."""
    forms = " ".join(("'self'", *forms_to))
    files = "default-src 'none'; style-src 'self'; img-src 'self'"
    policy = f"{files}; form-action {forms}; frame-ancestors 'none'; base-uri 'none'"
    headers = {
        "Content-Security-Policy": policy,
        "Cache-Control": "no-store",
        "Referrer-Policy": "same-origin",
        "X-Content-Type-Options": "nosniff",
    }
    markup = _templates.get_template(f"{template}.html").render(shop=call.config.shop_name, **context)
    return Response(status, markup.encode(), "text/html; charset=utf-8", headers)
