"""Calls of /dev that only read or change the database. They need no key; bodies are JSON, so that no page of another
site can post them from a browser without asking first."""

import json
from collections import Counter
from collections.abc import Callable
from typing import Any

from sqlalchemy import select

from standins.payments import due, faults
from standins.payments.errors import PaymentApiError
from standins.payments.objects import store
from standins.payments.paying import attempts, disputes
from standins.payments.tables import Delivery, Fault, MoneyEntry, StoredObject
from standins.payments.work import Call, Json, Response, json_response

# What ends a dispute -> its status then.
ENDS = {"win": "won", "lose": "lost", "prevent": "prevented"}


def read_body(call: Call, *required: str, **optional: Any) -> Json:
    """The JSON body with defaults. Raises ApiError for other forms, a missing or an unknown field."""
    if call.headers.get("Content-Type", "").partition(";")[0] != "application/json":
        raise PaymentApiError(415, "The body must be application/json.")
    try:
        body = json.loads(call.body or b"{}")
    except ValueError:
        raise PaymentApiError(400, "The body is no JSON.") from None
    if not isinstance(body, dict):
        raise PaymentApiError(400, "The body must be a JSON object.")
    for name in required:
        if name not in body:
            raise PaymentApiError(400, f"Missing: {name}", param=name)
    for name in body:
        if name not in (*required, *optional):
            raise PaymentApiError(400, f"Unknown: {name}", param=name)
    return {**optional, **body}


def show_money(call: Call) -> Response:
    """The lines of ledger.jsonl and their sums by currency."""
    rows = call.session.scalars(select(MoneyEntry).order_by(MoneyEntry.number)).all()
    entries = [{"number": row.number, **row.data} for row in rows]
    totals: Counter[str] = Counter()
    for entry in entries:
        totals[str(entry["currency"])] += int(str(entry["amount"]))
    return json_response({"entries": entries, "totals": totals})


def pay(call: Call) -> Response:
    """Pays a session as its page would. `card`: of a card or an IBAN; `challenge`: what a card that asks for it gets,
    pass or fail."""
    body = read_body(call, "session", "card", challenge="pass", email=None, name=None)
    session = store.require(call, store.SESSION, str(body["session"]))
    if session.data["status"] != "open":
        raise PaymentApiError(409, f"The session is {session.data['status']}.", param="session")
    payer = attempts.Payer(email=body["email"], name=body["name"])
    number = str(body["card"])
    pay_by = attempts.pay_by_iban if number[:2].isalpha() else attempts.pay_by_number
    outcome = pay_by(call, session, number, payer)
    if outcome.state == "challenge":
        outcome = attempts.finish_challenge(call, session, body["challenge"] == "pass")
    failure = None if outcome.failure is None else vars(outcome.failure)
    return json_response({"state": outcome.state, "failure": failure, "session": session.data})


def order_dispute(call: Call) -> Response:
    """What a buyer's bank does. `charge` and `amount`: it disputes that much; `dispute` and `do`: win, lose or prevent
    ends it, of which `returned` is given back; appeal asks for another decision about a lost one."""
    body = read_body(call, charge=None, dispute=None, do=None, amount=None, returned=None)
    amounts = {name: None if body[name] is None else int(_number(body[name], name)) for name in ("amount", "returned")}
    if body["dispute"] is None:
        charge = store.require(call, store.CHARGE, str(body["charge"]), "charge")
        made = disputes.dispute(call, charge, charge.data["amount"] if amounts["amount"] is None else amounts["amount"])
        return json_response(made.data)
    stored = store.require(call, store.DISPUTE, str(body["dispute"]), "dispute")
    if body["do"] == "appeal":
        disputes.appeal(call, stored)
    elif body["do"] in ENDS:
        disputes.require_open(stored)
        disputes.close(call, stored, ENDS[body["do"]], amounts["returned"])
    else:
        raise PaymentApiError(400, f"`do` must be one of appeal, {', '.join(ENDS)}", param="do")
    return json_response(stored.data)


def advance(call: Call) -> Response:
    """Whatever waits for a time comes `seconds` earlier, and what is due then happens."""
    seconds = _number(read_body(call, "seconds")["seconds"], "seconds")
    return json_response({"changes": due.bring_forward(call, seconds)})


def show_deliveries(call: Call) -> Response:
    """Every delivery in its order, of one event with ?event=."""
    query = select(Delivery).order_by(Delivery.number)
    if "event" in call.form:
        query = query.where(Delivery.event_id == call.form["event"])
    names = ("number", "event_id", "type", "state", "next_at", "attempts")
    rows = [{name: getattr(row, name) for name in names} for row in call.session.scalars(query)]
    return json_response({"deliveries": rows})


def event_of(call: Call, event_id: str) -> StoredObject:
    return store.require(call, store.EVENT, event_id, "event")


def show_faults(call: Call) -> Response:
    rows = call.session.scalars(select(Fault).order_by(Fault.number))
    names = ("match", "do", "times", "seconds")
    return json_response({"faults": [{name: getattr(row, name) for name in names} for row in rows]})


def order_fault(call: Call) -> Response:
    """`match`: a pattern of `METHOD /path` for requests, of an event's type for deliveries; `do`: the fault."""
    body = read_body(call, "match", "do", times=1, seconds=2.0)
    match, allowed = str(body["match"]), faults.OF_REQUESTS if "/" in str(body["match"]) else faults.OF_DELIVERIES
    if body["do"] not in allowed:
        raise PaymentApiError(400, f"`do` must be one of {', '.join(allowed)} for {match}", param="do")
    times = int(_number(body["times"], "times"))
    faults.add(call.session, match, str(body["do"]), times, _number(body["seconds"], "seconds"))
    call.session.flush()
    return show_faults(call)


def clear_faults(call: Call) -> Response:
    faults.clear(call.session)
    return show_faults(call)


def _number(value: Any, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
        raise PaymentApiError(400, f"{name} must be a number, at least 0.", param=name)
    return float(value)


ROUTES: tuple[tuple[str, str, Callable[[Call], Response]], ...] = (
    ("GET", "/dev/ledger", show_money),
    ("POST", "/dev/pay", pay),
    ("POST", "/dev/disputes", order_dispute),
    ("POST", "/dev/advance", advance),
    ("GET", "/dev/deliveries", show_deliveries),
    ("GET", "/dev/faults", show_faults),
    ("POST", "/dev/faults", order_fault),
    ("DELETE", "/dev/faults", clear_faults),
)
