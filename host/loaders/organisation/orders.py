"""/organization/orders: what was bought for the organisation."""

from domain.orders.views.organisation_list import ORGANISATION_ORDERS, OrganisationOrder
from domain.orders.views.state_texts import STATES
from host.loaders.areas.area_list import AreaList, list_page
from host.loaders.ui import table_cells as cells
from host.loaders.ui.table_cells import BadgeTone
from host.loaders.ui.table_spec import TableSpec, choice

_TONES: dict[str, BadgeTone] = {"placed": "warning", "processing": "info", "paid": "good", "refunded": "info"}


def _invoice(row: OrganisationOrder) -> tuple[str, str] | None:
    """An order has one invoice."""
    return (row.invoices[0], f"/documents/{row.code}/{row.invoices[0]}.pdf") if row.invoices else None


LIST = AreaList(
    TableSpec(
        caption="Orders",
        source=ORGANISATION_ORDERS,
        names_people=True,
        columns=(
            cells.text("code", "Code", lambda row: row.code),
            cells.time("placed", "Placed", lambda row: row.placed_at),
            cells.badge("state", "State", lambda row: (row.state_text, _TONES.get(row.state, "neutral"))),
            cells.text("buyer", "Placed by", lambda row: row.buyer or None),
            cells.text("purchaseOrder", "Purchase order", lambda row: row.purchase_order or None),
            cells.link("invoices", "Invoice", _invoice),
            cells.time("paid", "Paid", lambda row: row.paid_at, hidden=True),
            cells.minor("total", "Total", lambda row: row.total),
            cells.minor("refunded", "Refunded", lambda row: row.refunded or None),
        ),
        filters=(choice("state", "State", {state: text.text for state, text in STATES.items()}),),
        empty={
            "title": "No orders yet",
            "text": "Orders in the name of your organisation are listed here, each with its invoice.",
            "action": None,
        },
    )
)
list_page("organization-orders", LIST)
