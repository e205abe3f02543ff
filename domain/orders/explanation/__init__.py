"""Explains an order: its prices are computed again from the stored inputs, by the engine of its time, and compared with
everything that was stored of them."""

from domain.orders.explanation.explain import Explanation, explain
from domain.orders.explanation.fields import Difference

__all__ = ["Difference", "Explanation", "explain"]
