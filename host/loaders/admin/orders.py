"""/admin/orders: all orders, the newest first."""

from domain.orders.views.staff_list import ORDERS, OrderRow
from domain.orders.views.state_texts import STATES
from host.loaders.areas.area_list import AreaList, list_page
from host.loaders.support.order_tones import PATH, TONES
from host.loaders.ui import table_cells as cells
from host.loaders.ui.table_cells import BadgeTone
from host.loaders.ui.table_spec import TableSpec, choice, day, search


def _state(row: OrderRow) -> tuple[str, BadgeTone]:
    return row.state_text, "bad" if row.disputed_at and row.state == "paid" else TONES[row.state]


LIST = AreaList(
    TableSpec(
        caption="Orders",
        source=ORDERS,
        columns=(
            cells.link("code", "Code", lambda row: (row.code, f"{PATH}/{row.code}")),
            cells.time("placed", "Placed", lambda row: row.placed_at, sortable=True),
            cells.badge("state", "State", _state),
            cells.text("buyer", "Buyer", lambda row: row.name or None),
            cells.text("email", "Email", lambda row: row.email or None, hidden=True),
            cells.text("student", "Student number", lambda row: row.student_number.upper(), hidden=True),
            cells.text("purchaseOrder", "Purchase order", lambda row: row.purchase_order or None),
            cells.time("paid", "Paid", lambda row: row.paid_at, hidden=True),
            cells.minor("total", "Total", lambda row: row.total),
            cells.minor("refunded", "Refunded", lambda row: row.refunded or None),
        ),
        filters=(
            search("q", "Code, email, name, student or purchase order number"),
            choice("state", "State", {state: text.text for state, text in STATES.items()}),
            day("since", "Placed since"),
            day("until", "Placed until"),
        ),
        default_sort="-placed",
        empty={
            "title": "No orders yet",
            "text": "Every order is listed here from the moment that it is placed.",
            "action": None,
        },
        # Names and addresses of buyers.
        names_people=True,
    )
)
list_page("admin-orders", LIST)
