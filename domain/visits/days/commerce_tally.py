"""Which session each order of a day began in, collected session by session."""

from collections.abc import Mapping, Sequence

from domain.visits.days.orders import PlacedOrder
from domain.visits.days.session_rows import SessionRow
from domain.visits.stored_days.commerce_keys import OrderSessionRow


class CommerceTally:
    """`placed`: event id of a visit to the checkout -> the orders that came of it."""

    def __init__(self, placed: Mapping[str, Sequence[PlacedOrder]]) -> None:
        self._placed = placed
        self._order_sessions: list[OrderSessionRow] = []

    def add_session(self, row: SessionRow) -> None:
        if not row.orders:
            return
        began_at = row.visits[0].at
        for visit in row.visits:
            for order in self._placed.get(visit.event_id, ()):
                self._order_sessions.append(OrderSessionRow(order.order_id, began_at))

    def order_sessions(self) -> list[OrderSessionRow]:
        return sorted(self._order_sessions)
