"""What staff do with an order beside its money: the forms on its page."""

from collections.abc import Collection

from domain.orders.views.records import LineView
from domain.orders.views.staff_order import StaffOrder
from domain.text_direction import isolated
from host.api.admin.actions import Action, FormOptions, StaffAction
from host.api.admin.people.order_changes import cancel_order, correct_parcel, note_arrival, send_parcel, use_voucher


def waiting(found: StaffOrder) -> list[Action]:
    """What somebody has to do."""
    if not found.to_send:
        return []
    return [_parcel_form(send_parcel, found, found.to_send, {"id": "send", "values": {"carrier": found.last_carrier}})]


def others(found: StaffOrder) -> list[Action]:
    code, forms = found.order.code, list[Action]()
    if found.on_the_way:
        sent = next(line for line in found.order.lines if line.number in found.on_the_way)
        values = {"carrier": sent.carrier, "tracking": sent.tracking}
        forms += [
            note_arrival.form(code, id="arrived"),
            _parcel_form(correct_parcel, found, found.on_the_way, {"id": "correct-parcel", "values": values}),
        ]
    if found.has_unused_codes:
        forms.append(use_voucher.form(code, id="use-voucher"))
    if found.order.can_cancel:
        forms.append(cancel_order.form(code, id="cancel"))
    return forms


def _parcel_form(declared: StaffAction, found: StaffOrder, numbers: Collection[int], options: FormOptions) -> Action:
    """With a choice among the lines, where there are several."""
    lines = {str(line.number): _line_text(line) for line in found.order.lines if line.number in numbers}
    if len(lines) == 1:
        options["without"] = ["lines"]
        options["text"] = f"{', '.join(lines.values())}. {declared.options.get('text', '')}"
    else:
        options["values"] = {**options.get("values", {}), "lines": list(lines)}
        options["options"] = {"lines": lines}
    return declared.form(found.order.code, **options)


def _line_text(line: LineView) -> str:
    return f"{line.quantity - line.refunded_quantity} \N{MULTIPLICATION SIGN} {isolated(line.name)}"
