"""What staff decide about refunds on the page of an order: requests of its buyer, and refunds that failed."""

from collections.abc import Iterable

from config.settings import Settings
from domain.display_text import day_text, money_text
from domain.orders.refunds.decisions import OpenRequest
from domain.orders.refunds.failed_refunds import FailedRefund
from domain.text_direction import isolated
from host.api.admin.actions import Action, FormEntry
from host.api.admin.people.refunds import approve, approve_part, decline, retry, settle


def actions(code: str, requests: Iterable[OpenRequest], settings: Settings) -> list[Action]:
    """Three for each request: all of it, a part, nothing; one that can only be declined has one."""
    return [entry for request in requests for entry in _of_request(code, request, settings)]


def failed_actions(code: str, failed: Iterable[FailedRefund], settings: Settings) -> list[Action]:
    """For each refund that did not arrive: the gateway tries again, or it was paid another way."""
    return [entry for refund in failed for entry in _of_failed(code, refund, settings)]


def _of_failed(code: str, refund: FailedRefund, settings: Settings) -> list[Action]:
    amount = money_text(refund.amount_minor, settings.shop.currency, settings.locale)
    said = f" The gateway said: {refund.failure}" if refund.failure else ""
    about = f"{amount} did not arrive on {day_text(refund.failed_at)}.{said}"
    if refund.is_by_hand:
        about = f"{amount} came by bank transfer and has to be transferred back: no gateway does it."
    label = f"Refund {refund.number}"
    again = retry.form(code, refund.number, id=f"retry-{refund.number}", title=f"{label}: try again", text=about)
    by_hand = settle.form(code, refund.number, id=f"settle-{refund.number}", title=f"{label}: paid by hand", text=about)
    return [again, by_hand] if refund.can_retry else [by_hand]


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
    matters = {"access": request.ends, "goods": request.can_restock, "rules": request.objections}
    approving = approve.form(
        code,
        number,
        id=f"approve-{number}",
        title=f"Approve request {number}",
        text=about,
        values={"amountMinor": request.amount_minor},
        without=[name for name, found in matters.items() if not found],
    )
    return [approving, *_in_part(code, request, settings, about), declining]


def _in_part(code: str, request: OpenRequest, settings: Settings, about: str) -> list[Action]:
    """With fields for each line. What is worth nothing can only be given back as a whole."""
    if not request.amount_minor:
        return []
    names = {number: name for (number, _, _), (name, _, _) in zip(request.products, request.lines, strict=False)}
    units, amounts = {}, {}
    for number, count, minor in request.products:
        asked = money_text(minor, settings.shop.currency, settings.locale)
        units[str(number)] = FormEntry(isolated(names[number]), f"They asked for {count}: {asked}.", maximum=count)
        amounts[str(number)] = FormEntry(isolated(names[number]), "What they bought stays valid then.", maximum=minor)
    matters = {"access": request.ends, "goods": request.can_restock, "rules": request.objections}
    return [
        approve_part.form(
            code,
            request.number,
            id=f"approve-part-{request.number}",
            title=f"Approve a part of request {request.number}",
            text=about,
            entries={"units": units, "amounts": amounts},
            without=[name for name, found in matters.items() if not found],
        )
    ]


def _about(request: OpenRequest, settings: Settings) -> str:
    lines = ", ".join(
        f"{units} of {isolated(name)} ({money_text(minor, settings.shop.currency, settings.locale)})"
        for name, units, minor in request.lines
    )
    note = f" “{request.note}”" if request.note else ""
    return f"Asked for on {day_text(request.requested_at)}{f': {lines}' if lines else ''}.{note}"
