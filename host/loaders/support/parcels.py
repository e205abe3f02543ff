"""/admin/parcels: goods of paid orders that are to pack, on their way, or have arrived."""

from domain.orders.views.parcel_list import PARCELS
from host.loaders.areas.area_list import AreaList, list_page
from host.loaders.support.order_tones import order_link
from host.loaders.ui import table_cells as cells
from host.loaders.ui.table_cells import BadgeTone
from host.loaders.ui.table_spec import TableSpec, choice

PATH = "/admin/parcels"
STATES: dict[str, tuple[str, BadgeTone]] = {
    "to_send": ("To pack", "warning"),
    "sent": ("On its way", "info"),
    "arrived": ("Arrived", "good"),
    "cancelled": ("Cancelled", "neutral"),
}


LIST = AreaList(
    TableSpec(
        caption="Parcels",
        source=PARCELS,
        columns=(
            cells.link("order", "Order", order_link),
            cells.badge("state", "State", lambda row: STATES[row.state]),
            cells.count("quantity", "Units", lambda row: row.quantity),
            cells.count(
                "already", "Sent already", lambda row: row.sent if row.state == "to_send" and row.sent else None
            ),
            cells.text("product", "Product", lambda row: row.name),
            cells.text("to", "To", lambda row: ", ".join(row.address) or None),
            cells.time("paid", "Paid", lambda row: row.paid_at),
            cells.time("sent", "Sent", lambda row: row.shipped_at, hidden=True),
            cells.time("arrived", "Arrived", lambda row: row.delivered_at, hidden=True),
            cells.text("carrier", "Carrier", lambda row: row.carriers or None),
            cells.text("tracking", "Number", lambda row: row.numbers or None),
            cells.text("sku", "Stock number", lambda row: row.sku or None, hidden=True),
            cells.text("buyer", "Buyer", lambda row: row.buyer or None, hidden=True),
        ),
        filters=(choice("state", "State", {state: text for state, (text, _) in STATES.items()}),),
        empty={
            "title": "Nothing to send",
            "text": "Goods of every paid order are listed here, until they have arrived and after.",
            "action": None,
        },
        # Names and addresses of buyers.
        names_people=True,
    )
)
list_page("admin-parcels", LIST)
