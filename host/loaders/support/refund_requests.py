"""Requests of buyers for refunds on the page of their order: what each is about, and the decisions."""

from collections.abc import Iterable

from config.settings import Settings
from domain.display_text import day_text, money_text
from domain.orders.refunds.decisions import OpenRequest
from domain.text_direction import isolated
from host.api.admin.actions import Action
from host.api.admin.people.refunds import approve, decline


def actions(code: str, requests: Iterable[OpenRequest], settings: Settings) -> list[Action]:
    """Two for each request; one that can only be declined has one."""
    return [entry for request in requests for entry in _of_request(code, request, settings)]


def _of_request(code: str, request: OpenRequest, settings: Settings) -> list[Action]:
    number, about = request.number, _about(request, settings)
    if request.amount_minor is None:
        about = f"{about} Part of it was refunded meanwhile, so that it can only be declined."
    elif request.objections:
        about = f"{about} The rules say: {' '.join(request.objections)}"
    declining = decline.form(code, number, id=f"decline-{number}", title=f"Decline request {number}", text=about)
    if request.amount_minor is None:
        return [declining]
    # A field is left out where it cannot matter.
    matters = {"access": request.ends, "goods": request.has_goods, "rules": request.objections}
    approving = approve.form(
        code,
        number,
        id=f"approve-{number}",
        title=f"Approve request {number}",
        text=about,
        values={"amountMinor": request.amount_minor},
        without=[name for name, found in matters.items() if not found],
    )
    return [approving, declining]


def _about(request: OpenRequest, settings: Settings) -> str:
    lines = ", ".join(
        f"{units} of {isolated(name)} ({money_text(minor, settings.shop.currency, settings.locale)})"
        for name, units, minor in request.lines
    )
    note = f" “{request.note}”" if request.note else ""
    return f"Asked for on {day_text(request.requested_at)}{f': {lines}' if lines else ''}.{note}"
