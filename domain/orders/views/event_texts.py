"""The timeline of an order in words. Events without a text, such as notes for staff, are not shown."""

from collections.abc import Callable, Iterable

from domain import money
from domain.display_text import money_text
from domain.orders import events
from domain.orders.mails import TIMELINE_TEXTS
from domain.orders.views.records import EventView
from domain.tables import Order, OrderEvent
from domain.text_direction import isolated

# Writes an amount in minor units.
Money = Callable[[int], str]
Text = Callable[[OrderEvent, Money], str]


def event_views(order: Order, timeline: Iterable[OrderEvent], locale: str) -> tuple[EventView, ...]:
    """The oldest first. `timeline`: all events of the order. `locale`: in whose form amounts are written."""
    currency = money.currency(order.currency)

    def write(minor: int) -> str:
        return money_text(minor, currency, locale)

    listed = list(timeline)
    by_hand = {event.facts.get("refund") for event in listed if event.kind == "refund_paid_manually"}
    # What was paid by hand is on no way any more.
    shown = (
        event for event in listed if not (event.kind == "refund_accepted" and event.facts.get("refund") in by_hand)
    )
    texts = ((event.occurred_at, event_text(event, write)) for event in shown)
    return tuple(EventView(at, text) for at, text in texts if text)


def event_text(event: OrderEvent, write: Money) -> str:
    """ "" for an event that is not shown."""
    text = TEXTS.get(event.kind)
    return "" if text is None else text if isinstance(text, str) else text(event, write)


def _place(event: OrderEvent, write: Money) -> str:
    total = event.facts.get("total_minor")
    return "Ordered" if total is None else f"Ordered for {write(int(total))}"


def _settle(event: OrderEvent, _write: Money) -> str:
    if event.facts.get("late"):
        return "Paid after its time: everything was still available"
    return "Paid" if event.facts.get("payment") else "Completed: there was nothing to pay"


def _cancel(event: OrderEvent, _write: Money) -> str:
    return "You cancelled the order" if event.actor == events.LEARNER else "We cancelled the order"


def _fail(event: OrderEvent, _write: Money) -> str:
    can_pay = "you can pay in another way" if event.to_state == "placed" else "the order has ended"
    return f"Your bank did not make the payment: {can_pay}"


def _refund(text: str, of_nothing: str) -> Text:
    """`text` with the amount of a refund; without, where the event does not say it. `of_nothing`: where nothing was
    paid."""

    def refund_text(event: OrderEvent, write: Money) -> str:
        if event.facts.get("amount_minor") == 0:
            return of_nothing
        amount = write(int(event.facts["amount_minor"])) if "amount_minor" in event.facts else "money"
        return text.format(amount=amount)

    return refund_text


_on_its_way = _refund("Refund of {amount} on its way", "There was nothing to pay back")


def _accepted(event: OrderEvent, write: Money) -> str:
    """Nothing is on its way of what a bank has taken back: the end of the dispute says that."""
    return "" if event.facts.get("reason") == "dispute" else _on_its_way(event, write)


def _in_part(event: OrderEvent, write: Money) -> str:
    amount, asked = (write(int(event.facts[name])) for name in ("amount_minor", "requested_minor"))
    return f"We decided to give back {amount} of the {asked} that you asked for"


def _shipped(event: OrderEvent, _write: Money) -> str:
    carrier, what = event.facts.get("carrier"), "A part was sent to you" if event.facts.get("left") else "Sent to you"
    return f"{what} with {isolated(carrier)}" if carrier else what


def _corrected(event: OrderEvent, _write: Money) -> str:
    carrier = event.facts.get("carrier")
    return f"It is on its way with {isolated(carrier)}" if carrier else "The number of the parcel was corrected"


def _dispute_closed(event: OrderEvent, write: Money) -> str:
    taken = event.facts.get("taken_minor")
    return f"Your bank took {'the money' if taken is None else write(int(taken))} back"


def _money_back(event: OrderEvent, write: Money) -> str:
    return f"Your bank paid {write(-int(event.facts['amount_minor']))} after all"


def _part_paid(event: OrderEvent, write: Money) -> str:
    amount, due = (write(int(event.facts[name])) for name in ("amount_minor", "due_minor"))
    return f"{amount} of your bank transfer arrived: {due} are still to come"


def _part_returned(event: OrderEvent, write: Money) -> str:
    return f"We sent {write(int(event.facts['amount_minor']))} of your bank transfer back"


def _transfer_reversed(event: OrderEvent, write: Money) -> str:
    return f"Your bank took a transfer of {write(int(event.facts['amount_minor']))} back"


MAILS: dict[str, str] = {kind: f"We emailed you {about}" for kind, about in TIMELINE_TEXTS.items()}
MAILS_TO_BUYER: dict[str, str] = {
    kind: f"Emailed the buyer {about.replace('your', 'their').replace('reach you', 'reach them')}"
    for kind, about in TIMELINE_TEXTS.items()
}


def _mail(event: OrderEvent, _write: Money) -> str:
    return MAILS.get(str(event.facts.get("mail")), "")


def _consent(event: OrderEvent, _write: Money) -> str:
    begun = "You agreed that we begin at once, and that your right of withdrawal for digital content ends with it"
    return f"{begun} (text of {event.facts['text']})"


TEXTS: dict[str, str | Text] = {
    "place": _place,
    "enrol": "You enrolled for free",
    "await_transfer": "You chose to pay by bank transfer",
    "cancel_transfer": _cancel,
    "part_paid": _part_paid,
    "part_returned": _part_returned,
    "transfer_reversed": _transfer_reversed,
    events.CONSENTED: _consent,
    events.WITHDRAWN: "You withdrew from the contract",
    "begin": "Your bank is making the payment",
    "fail": _fail,
    "settle": _settle,
    "expire": "The time to pay ended",
    "cancel": _cancel,
    "supersede": "You placed another order in its place",
    "paid_late": "Paid too late: something was no longer available",
    "paid_twice": "Paid a second time",
    "mismatch": "A payment did not have the amount of the order",
    "refund_requested": _refund("You asked for {amount} back", "You asked to return it"),
    "refund_in_part": _in_part,
    "refund_approved": _refund("Refund of {amount} approved", "Return approved"),
    "refund_declined": _refund("Refund of {amount} declined", "Return declined"),
    "refund_accepted": _accepted,
    "refund_retried": _refund("We try to send the refund of {amount} again", "There was nothing to pay back"),
    "refund_failed": _refund("Refund of {amount} did not reach you", "There was nothing to pay back"),
    "refund_paid_manually": _refund("Refund of {amount} paid in another way", "There was nothing to pay back"),
    "refund_at_gateway": "We paid money back",
    "refund_all": "Everything was taken back",
    "disputed": "Your bank opened a dispute",
    "dispute_appealed": "We asked your bank to look at the dispute again",
    "dispute_won": "The dispute was closed",
    "dispute_closed": _dispute_closed,
    "dispute_lost": "The order ended with the dispute",
    "dispute_money_back": _money_back,
    "dispute_reversed": "The order is paid again",
    "shipped": _shipped,
    "parcel_corrected": _corrected,
    "delivered": "Delivered",
    "voucher_used": "A code was used",
    "mail_sent": _mail,
}
