"""Where the pages of orders are, and the tones of their states."""

from host.loaders.ui.table_cells import BadgeTone

PATH = "/admin/orders"
# As components/orders/orderTones.ts.
TONES: dict[str, BadgeTone] = {
    "placed": "warning",
    "processing": "info",
    "paid": "good",
    "expired": "neutral",
    "cancelled": "neutral",
    "refunded": "info",
}
