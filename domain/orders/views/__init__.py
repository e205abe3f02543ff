"""Orders as their learner sees them: everything that a page shows, and their states in words."""

from domain.orders.views.listing import OrderPage, OrderSummary, page_of_orders
from domain.orders.views.order import order_view
from domain.orders.views.records import OrderView, Returned, StateText, StatusView
from domain.orders.views.state_texts import state_text
from domain.orders.views.status import payable, status_view

__all__ = [
    "OrderPage",
    "OrderSummary",
    "OrderView",
    "Returned",
    "StateText",
    "StatusView",
    "order_view",
    "page_of_orders",
    "payable",
    "state_text",
    "status_view",
]
