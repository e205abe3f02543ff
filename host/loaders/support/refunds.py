"""/admin/refunds: requests that wait for a decision, refunds that failed, and all others."""

from domain.orders.views.refund_list import IN_PART, REFUNDS
from host.loaders.areas.area_list import AreaList, list_page
from host.loaders.support.order_tones import order_link
from host.loaders.ui import table_cells as cells
from host.loaders.ui.table_cells import BadgeTone
from host.loaders.ui.table_spec import TableSpec, choice

STATES: dict[str, tuple[str, BadgeTone]] = {
    "requested": ("To decide", "warning"),
    "approved": ("Approved", "info"),
    "sent": ("Sent", "info"),
    "pending": ("Under way", "info"),
    "succeeded": ("Paid back", "good"),
    "manual": ("Paid back by hand", "good"),
    "failed": ("Failed", "bad"),
    "declined": ("Declined", "neutral"),
}


def state_badge(state: str, *, is_in_part: bool) -> tuple[str, BadgeTone]:
    text, tone = STATES[state]
    return (f"{text}, in part", tone) if is_in_part else (text, tone)


LIST = AreaList(
    TableSpec(
        caption="Refunds",
        source=REFUNDS,
        columns=(
            cells.link("order", "Order", order_link),
            cells.badge("state", "State", lambda row: state_badge(row.state, is_in_part=row.declined is not None)),
            cells.minor("amount", "Amount", lambda row: row.amount),
            cells.minor("declined", "Not given back", lambda row: row.declined),
            cells.text("buyer", "Buyer", lambda row: row.buyer or None),
            cells.text("reason", "Reason", lambda row: row.reason.capitalize()),
            cells.text("note", "Note", lambda row: row.note or row.failure or None),
            cells.text("answer", "Words to the buyer", lambda row: row.answer or None, hidden=True),
            cells.time("requested", "Requested", lambda row: row.requested_at),
            cells.time("changed", "Changed", lambda row: row.changed_at, hidden=True),
            cells.count("number", "Number in its order", lambda row: row.number, hidden=True),
        ),
        filters=(
            choice(
                "state", "State", {**{state: text for state, (text, _) in STATES.items()}, IN_PART: "Approved in part"}
            ),
        ),
        empty={
            "title": "No refunds yet",
            "text": "What buyers ask to get back, and what was refunded, is listed here.",
            "action": None,
        },
        # Names and addresses of buyers.
        names_people=True,
    )
)
list_page("admin-refunds", LIST)
