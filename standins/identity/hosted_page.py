"""The hosted sign-in page, for applications without a form of their own. It drives classic authentication."""

import json
from collections.abc import Callable
from dataclasses import replace

from standins.identity import pages, sessions, tickets
from standins.identity.answers import Answer, ApiError, Call, Json
from standins.identity.authn import calls, second
from standins.identity.authorize import PageError, granted
from standins.identity.tables import BrowserSession, Ticket
from standins.identity.users import of_id

AT = "/api/v1/authn"
# What can be answered on a plain page; push and security keys need the application's own form.
PLAIN = {"email": "Code by e-mail", "sms": "Code by text message", "call": "Code by phone call"}
PLAIN |= {"token:software:totp": "Code of the authenticator app", "question": "Security question"}


def _wanted(call: Call, word: str) -> Ticket:
    """What the application asked for. Raises PageError when it took too long."""
    ticket = tickets.look(call, "authorize", word)
    if ticket is None:
        raise PageError("Too late", "This sign-in has ended. Go back to the site and begin again.", 401)
    own = (None, call.provider.origin)
    if call.method == "POST" and call.headers.get("Origin") not in own:
        raise PageError("Not from here", "This form was sent from another site.", 403)
    return ticket


def _page(call: Call, ticket: Ticket, word: str, error: str | None = None, **step: object) -> Answer:
    client = call.provider.clients[ticket.data["client_id"]]
    blank = {
        "status": "",
        "token": "",
        "factors": [],
        "question": "",
        "can_skip": False,
        "name": ticket.data.get("login_hint", ""),
    }
    shown = {**blank, **step, "error": error, "word": word, "client": client.label}
    return pages.page("signin", 200 if error is None else 401, forms_to=client.origins, **shown)


def form(call: Call) -> Answer:
    word = call.query.get("to", "")
    return _page(call, _wanted(call, word), word)


def submit(call: Call) -> Answer:
    """Any step of the page; `step` says which."""
    word, fields = call.form.get("to", ""), call.form
    ticket = _wanted(call, word)
    step = _STEPS.get(fields.get("step", ""))
    if step is None:
        raise PageError("Not understood", "The form does not belong to this page.")
    token = fields.get("token", "")
    try:
        answer = step(call, token, fields)
    except ApiError as error:
        text = error.causes[0].partition(": ")[2] or error.causes[0] if error.causes else error.summary
        return _after_error(call, ticket, word, token, text)
    return _go_on(call, ticket, word, answer)


def _ask(call: Call, handler: Callable[[Call], Answer], path: str, body: Json, **params: str) -> Json:
    """One call of classic authentication, as a program would make it."""
    headers = {"Content-Type": "application/json"}
    made = replace(call, path=AT + path, raw=json.dumps(body).encode(), headers=headers, params=params)
    found: Json = json.loads(handler(made).body)
    return found


def _password(call: Call, _token: str, fields: dict[str, str]) -> Json:
    body = {"username": fields.get("username", ""), "password": fields.get("password", "")}
    return _ask(call, calls.authn, "", body)


def _factor(call: Call, token: str, fields: dict[str, str]) -> Json:
    id_ = fields.get("factor", "")
    return _ask(call, second.verify, f"/factors/{id_}/verify", {"stateToken": token}, id=id_)


def _answer(call: Call, token: str, fields: dict[str, str]) -> Json:
    id_, given = fields.get("factor", ""), fields.get("answer", "")
    body = {"stateToken": token, "passCode": given, "answer": given}
    return _ask(call, second.verify, f"/factors/{id_}/verify", body, id=id_)


def _change(call: Call, token: str, fields: dict[str, str]) -> Json:
    body = {"stateToken": token, "oldPassword": fields.get("old", ""), "newPassword": fields.get("new", "")}
    return _ask(call, calls.change_password, "/credentials/change_password", body)


def _skip(call: Call, token: str, _fields: dict[str, str]) -> Json:
    return _ask(call, calls.skip, "/skip", {"stateToken": token})


_STEPS: dict[str, Callable[[Call, str, dict[str, str]], Json]] = {
    "password": _password,
    "factor": _factor,
    "answer": _answer,
    "change": _change,
    "skip": _skip,
}


def _after_error(call: Call, ticket: Ticket, word: str, token: str, text: str) -> Answer:
    """The same step again, with what was wrong; without a live step, the beginning."""
    if token:
        try:
            answer = _ask(call, calls.resume, "", {"stateToken": token})
        except ApiError:
            return _page(call, ticket, word, text)
        return _step(call, ticket, word, answer, text)
    return _page(call, ticket, word, text, name=call.form.get("username", ""))


def _go_on(call: Call, ticket: Ticket, word: str, answer: Json) -> Answer:
    if answer["status"] == "LOCKED_OUT":
        return _page(call, ticket, word, "This account is locked. Unlock it at the site you came from.")
    if answer["status"] != "SUCCESS":
        return _step(call, ticket, word, answer)
    used = tickets.use(call, "session", answer["sessionToken"])
    ticket.used_at = call.now
    if used is None or used.user_id is None:
        return _page(call, ticket, word, "Sign-in failed. Try again.")
    amr, at = used.data["amr"], used.data["auth_at"]
    user = answer["_embedded"]["user"]["id"]
    cookie = sessions.begin(call, of_id(call.session, user), amr, at)
    return granted(call, ticket.data, BrowserSession(user_id=user, amr=amr, auth_at=at), cookie)


def _step(call: Call, ticket: Ticket, word: str, answer: Json, error: str | None = None) -> Answer:
    embedded = answer.get("_embedded", {})
    held = embedded.get("factors", [])
    factors = [(one["id"], PLAIN[one["factorType"]]) for one in held if one["factorType"] in PLAIN and "id" in one]
    factor = embedded.get("factor", {})
    shown = {
        "status": answer["status"],
        "token": answer["stateToken"],
        "factors": factors or [(factor.get("id", ""), "")],
        "question": factor.get("profile", {}).get("questionText", ""),
        "can_skip": "skip" in answer["_links"],
    }
    return _page(call, ticket, word, error, **shown)
