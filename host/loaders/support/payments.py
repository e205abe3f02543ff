"""/admin/payments: every attempt to pay; /admin/payment-findings: what differs between the gateway's books and ours."""

from domain.orders.mails import FINDINGS as TEXTS
from domain.payments.staff_lists import FINDINGS, PAYMENTS
from host.loaders.areas.area_list import AreaList, list_page
from host.loaders.support.order_tones import order_link
from host.loaders.ui import table_cells as cells
from host.loaders.ui.table_cells import BadgeTone
from host.loaders.ui.table_spec import TableSpec, choice

STATES: dict[str, tuple[str, BadgeTone]] = {
    "paid": ("Paid", "good"),
    "failed": ("Failed", "bad"),
    "processing": ("On its way", "info"),
    "open": ("Waiting", "info"),
    "expired": ("Not paid in time", "neutral"),
    "void": ("Not used", "neutral"),
    "new": ("Not begun", "neutral"),
}
FINDING_STATES: dict[str, tuple[str, BadgeTone]] = {"open": ("Open", "bad"), "resolved": ("Resolved", "good")}


LIST = AreaList(
    TableSpec(
        caption="Payments",
        source=PAYMENTS,
        columns=(
            cells.link("order", "Order", order_link),
            cells.badge("state", "State", lambda row: STATES[row.state]),
            cells.minor("amount", "Amount", lambda row: row.amount),
            cells.text("method", "Paid with", lambda row: row.method or None),
            cells.text("buyer", "Buyer", lambda row: row.buyer or None),
            cells.text("failure", "Failure", lambda row: row.failure or None),
            cells.time("begun", "Begun", lambda row: row.created_at),
            cells.time("paid", "Paid", lambda row: row.paid_at, hidden=True),
            cells.text("gateway", "At the gateway", lambda row: row.gateway_id, hidden=True),
            cells.text("session", "Page at the gateway", lambda row: row.session_id, hidden=True),
            cells.count("number", "Attempt", lambda row: row.number, hidden=True),
        ),
        filters=(choice("state", "State", {state: text for state, (text, _) in STATES.items()}),),
        empty={
            "title": "No payments yet",
            "text": "Every attempt to pay is listed here, also those that failed, such as a debit that came back.",
            "action": None,
        },
        # Names of buyers.
        names_people=True,
    )
)
list_page("admin-payments", LIST)
FINDING_LIST = AreaList(
    TableSpec(
        caption="Differences to the payment gateway",
        source=FINDINGS,
        columns=(
            cells.text("what", "Difference", lambda row: TEXTS[row.kind].format(row.gateway_id)),
            cells.badge(
                "state", "State", lambda row: FINDING_STATES["open" if row.resolved_at is None else "resolved"]
            ),
            cells.link("order", "Order", order_link),
            cells.time("found", "Found", lambda row: row.detected_at),
            cells.time("resolved", "Resolved", lambda row: row.resolved_at),
            cells.text("gateway", "At the gateway", lambda row: row.gateway_id, hidden=True),
        ),
        filters=(choice("state", "State", {state: text for state, (text, _) in FINDING_STATES.items()}),),
        empty={
            "title": "Nothing differs",
            "text": "The gateway's transactions are compared with ours every day. What differs is listed here until a "
            "later comparison finds that it agrees.",
            "action": None,
        },
    )
)
list_page("admin-payment-findings", FINDING_LIST)
