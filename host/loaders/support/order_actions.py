"""What staff do with an order beside its money: the forms on its page."""

from domain.orders.views.staff_order import SentParcel, StaffOrder
from domain.text_direction import isolated
from host.api.admin.actions import Action, FormEntry, FormOptions
from host.api.admin.people.order_changes import cancel_order, correct_parcel, note_arrival, send_parcel, use_voucher


def waiting(found: StaffOrder) -> list[Action]:
    """What somebody has to do."""
    return [_send_form(found)] if found.to_send else []


def _send_form(found: StaffOrder) -> Action:
    """With the units of each line; a single piece needs no choice."""
    names = {line.number: isolated(line.name) for line in found.order.lines if line.number in found.to_send}
    units = {
        str(number): FormEntry(names[number], f"{left} left to send.", left, left)
        for number, left in found.to_send.items()
    }
    options: FormOptions = {"id": "send", "values": {"carrier": found.last_carrier}, "entries": {"units": units}}
    if sum(found.to_send.values()) == 1:
        options["without"] = ["units"]
        options["text"] = (
            f"1 \N{MULTIPLICATION SIGN} {', '.join(names.values())}. {send_parcel.options.get('text', '')}"
        )
    return send_parcel.form(found.order.code, **options)


def others(found: StaffOrder) -> list[Action]:
    code, forms = found.order.code, list[Action]()
    for row in found.on_the_way:
        forms += _of_parcel(code, row, is_only=len(found.on_the_way) == 1)
    if found.has_unused_codes:
        forms.append(use_voucher.form(code, id="use-voucher"))
    if found.order.can_cancel:
        forms.append(cancel_order.form(code, id="cancel"))
    return forms


def _of_parcel(code: str, row: SentParcel, *, is_only: bool) -> list[Action]:
    """It has arrived, or its carrier or number is another. `is_only`: no other parcel of the order is on its way."""
    about, way = {"parcel": row.number}, {"carrier": row.carrier, "tracking": row.tracking}
    titles, ends = ("It has arrived", "Correct a parcel"), ""
    if not is_only:
        titles, ends = (f"Parcel {row.number} has arrived", f"Correct parcel {row.number}"), f"-{row.number}"
    return [
        note_arrival.form(code, id=f"arrived{ends}", title=titles[0], values=about),
        correct_parcel.form(code, id=f"correct-parcel{ends}", title=titles[1], values={**about, **way}),
    ]
