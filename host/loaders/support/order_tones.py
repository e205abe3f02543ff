"""Where the pages of orders are, and the tones of their states."""

from typing import Protocol

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


class WithOrder(Protocol):
    """A row of a list, of an order or of none."""

    @property
    def order_code(self) -> str | None: ...


def order_link(row: WithOrder) -> tuple[str, str] | None:
    """The text and the address of the row's order."""
    return None if row.order_code is None else (row.order_code, f"{PATH}/{row.order_code}")
