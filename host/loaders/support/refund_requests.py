"""Requests of buyers for refunds on the page of their order: what each is about, and the decisions."""

from collections.abc import Iterable

from config.settings import Settings
from domain.display_text import day_text, money_text
from domain.orders.refunds.decisions import MAX_WORDS, OpenRequest
from host.loaders.ui.action_props import Action, action, field

_ACCESS = {"ends": "Access, codes and gifts end", "stays": "Everything stays valid"}
_RULES = {"hold": "Hold: it is not refunded", "overruled": "It is refunded against them"}
_GOODS = {"gone": "No goods came back", "back": "Goods came back and are for sale again"}


def actions(code: str, requests: Iterable[OpenRequest], settings: Settings) -> list[Action]:
    """Two for each request; one that can only be declined has one."""
    return [entry for request in requests for entry in _of_request(code, request, settings)]


def _of_request(code: str, request: OpenRequest, settings: Settings) -> list[Action]:
    path = f"/admin/orders/{code}/refunds/{request.number}"
    words = field("words", "Words to the buyer", kind="text", hint="They are sent by mail.", max_length=MAX_WORDS)
    about = _about(request, settings)
    if request.amount_minor is None:
        text = f"{about} Part of it was refunded meanwhile, so that it can only be declined."
        return [
            _named(
                request,
                action(f"Decline request {request.number}", f"{path}/decline", "Decline", text=text, fields=[words]),
            )
        ]
    amount = money_text(request.amount_minor, settings.shop.currency, settings.locale)
    fields = [
        field("amountMinor", "Amount", kind="fixed", value=str(request.amount_minor)),
        field("access", "What they bought", kind="choice", options=_ACCESS),
        field("goods", "Goods", kind="choice", options=_GOODS),
        field("reason", "Reason", hint="For the record. Name nobody in it.", is_required=False),
    ]
    if request.objections:
        fields.insert(3, field("rules", "The rules of refunds", kind="choice", options=_RULES))
        about = f"{about} The rules say: {' '.join(request.objections)}"
    ends = f" It ends: {'; '.join(request.ends)}." if request.ends else ""
    approve = action(
        f"Approve request {request.number}",
        f"{path}/approve",
        f"Refund {amount}",
        text=f"{about}{ends}",
        fields=fields,
        question=f"{amount} go back to the buyer.{ends}",
    )
    decline = action(f"Decline request {request.number}", f"{path}/decline", "Decline", text=about, fields=[words])
    return [_named(request, approve), _named(request, decline)]


def _named(request: OpenRequest, entry: Action) -> Action:
    """Several requests of one order have the same calls."""
    return {**entry, "id": f"{entry['id']}-{request.number}"}


def _about(request: OpenRequest, settings: Settings) -> str:
    lines = ", ".join(
        f"{units} of {name} ({money_text(minor, settings.shop.currency, settings.locale)})"
        for name, units, minor in request.lines
    )
    note = f" “{request.note}”" if request.note else ""
    return f"Asked for on {day_text(request.requested_at)}{f': {lines}' if lines else ''}.{note}"
