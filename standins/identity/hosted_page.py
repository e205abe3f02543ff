"""The hosted sign-in page for applications without their own form. It calls classic authentication."""

import json
from collections.abc import Callable
from dataclasses import replace

from standins.identity import pages, sessions, tickets
from standins.identity.authn import password_sign_in, second_factors
from standins.identity.oauth.authorize import PageError, asks_for_two_factors, grant_code
from standins.identity.responses import IdentityApiError, IdentityCall, IdentityResponse, Json
from standins.identity.tables import BrowserSession, Ticket
from standins.identity.users import user_by_id

AUTHN_PATH = "/api/v1/authn"
# The factors that work on a plain page; push and security keys need the application's own form.
FACTOR_LABELS = {"email": "Code by email", "sms": "Code by text message", "call": "Code by phone call"}
FACTOR_LABELS |= {"token:software:totp": "Code of the authenticator app", "question": "Security question"}


def _sign_in_request(call: IdentityCall, ticket_token: str) -> Ticket:
    """The ticket of the authorization request. Raises PageError when it has expired or the origin is foreign."""
    ticket = tickets.find(call, "authorize", ticket_token)
    if ticket is None:
        raise PageError("Too late", "This sign-in has ended. Go back to the site and begin again.", 401)
    allowed_origins = (None, call.provider.origin)
    if call.method == "POST" and call.headers.get("Origin") not in allowed_origins:
        raise PageError("Not from here", "This form was sent from another site.", 403)
    return ticket


def _render(
    call: IdentityCall, ticket: Ticket, ticket_token: str, error: str | None = None, **step: object
) -> IdentityResponse:
    client = call.provider.clients[ticket.data["client_id"]]
    defaults = {
        "status": "",
        "token": "",
        "factors": [],
        "question": "",
        "can_skip": False,
        "name": ticket.data.get("login_hint", ""),
    }
    values = {**defaults, **step, "error": error, "word": ticket_token, "client": client.label}
    return pages.render_page("signin", 200 if error is None else 401, forms_to=client.origins, **values)


def show(call: IdentityCall) -> IdentityResponse:
    ticket_token = call.query.get("to", "")
    return _render(call, _sign_in_request(call, ticket_token), ticket_token)


def submit(call: IdentityCall) -> IdentityResponse:
    """Handles a submitted step; the field `step` names it."""
    ticket_token, fields = call.form.get("to", ""), call.form
    ticket = _sign_in_request(call, ticket_token)
    step = _STEPS.get(fields.get("step", ""))
    if step is None:
        raise PageError("Not understood", "The form does not belong to this page.")
    token = fields.get("token", "")
    try:
        state = step(call, token, {**fields, "two": "two" if asks_for_two_factors(ticket.data) else ""})
    except IdentityApiError as error:
        text = error.causes[0].partition(": ")[2] or error.causes[0] if error.causes else error.summary
        return _render_error(call, ticket, ticket_token, token, text)
    return _continue(call, ticket, ticket_token, state)


def _call_authn(
    call: IdentityCall, handler: Callable[[IdentityCall], IdentityResponse], path: str, body: Json, **params: str
) -> Json:
    """Calls a handler of classic authentication; returns its JSON."""
    headers = {"Content-Type": "application/json"}
    authn_call = replace(call, path=AUTHN_PATH + path, body=json.dumps(body).encode(), headers=headers, params=params)
    result: Json = json.loads(handler(authn_call).body)
    return result


def _submit_password(call: IdentityCall, _token: str, fields: dict[str, str]) -> Json:
    body = {"username": fields.get("username", ""), "password": fields.get("password", "")}
    return _call_authn(call, password_sign_in.sign_in, "", body, two=fields["two"])


def _choose_factor(call: IdentityCall, token: str, fields: dict[str, str]) -> Json:
    id_ = fields.get("factor", "")
    return _call_authn(call, second_factors.verify, f"/factors/{id_}/verify", {"stateToken": token}, id=id_)


def _submit_answer(call: IdentityCall, token: str, fields: dict[str, str]) -> Json:
    id_, answer = fields.get("factor", ""), fields.get("answer", "")
    body = {"stateToken": token, "passCode": answer, "answer": answer}
    return _call_authn(call, second_factors.verify, f"/factors/{id_}/verify", body, id=id_)


def _change_password(call: IdentityCall, token: str, fields: dict[str, str]) -> Json:
    body = {"stateToken": token, "oldPassword": fields.get("old", ""), "newPassword": fields.get("new", "")}
    return _call_authn(call, password_sign_in.change_password, "/credentials/change_password", body)


def _skip(call: IdentityCall, token: str, _fields: dict[str, str]) -> Json:
    return _call_authn(call, password_sign_in.skip, "/skip", {"stateToken": token})


_STEPS: dict[str, Callable[[IdentityCall, str, dict[str, str]], Json]] = {
    "password": _submit_password,
    "factor": _choose_factor,
    "answer": _submit_answer,
    "change": _change_password,
    "skip": _skip,
}


def _render_error(call: IdentityCall, ticket: Ticket, ticket_token: str, token: str, text: str) -> IdentityResponse:
    """The current step again with the error; the first step when the state token is invalid."""
    if token:
        try:
            state = _call_authn(call, password_sign_in.show_state, "", {"stateToken": token})
        except IdentityApiError:
            return _render(call, ticket, ticket_token, text)
        return _render_step(call, ticket, ticket_token, state, text)
    return _render(call, ticket, ticket_token, text, name=call.form.get("username", ""))


def _continue(call: IdentityCall, ticket: Ticket, ticket_token: str, state: Json) -> IdentityResponse:
    if state["status"] == "LOCKED_OUT":
        return _render(call, ticket, ticket_token, "This account is locked. Unlock it at the site you came from.")
    if state["status"] != "SUCCESS":
        return _render_step(call, ticket, ticket_token, state)
    session_ticket = tickets.redeem(call, "session", state["sessionToken"])
    ticket.used_at = call.now
    if session_ticket is None or session_ticket.user_id is None:
        return _render(call, ticket, ticket_token, "Sign-in failed. Try again.")
    amr, auth_at = session_ticket.data["amr"], session_ticket.data["auth_at"]
    user = state["_embedded"]["user"]["id"]
    cookie = sessions.create(call, user_by_id(call.session, user), amr, auth_at)
    return grant_code(call, ticket.data, BrowserSession(user_id=user, amr=amr, auth_at=auth_at), cookie)


def _render_step(
    call: IdentityCall, ticket: Ticket, ticket_token: str, state: Json, error: str | None = None
) -> IdentityResponse:
    embedded = state.get("_embedded", {})
    listed = embedded.get("factors", [])
    factors = [
        (choice["id"], FACTOR_LABELS[choice["factorType"]])
        for choice in listed
        if choice["factorType"] in FACTOR_LABELS and "id" in choice
    ]
    factor = embedded.get("factor", {})
    values = {
        "status": state["status"],
        "token": state["stateToken"],
        "factors": factors or [(factor.get("id", ""), "")],
        "question": factor.get("profile", {}).get("questionText", ""),
        "can_skip": "skip" in state["_links"],
    }
    return _render(call, ticket, ticket_token, error, **values)
