"""Half a year of invented orders in every state, so that the pages and reports of a new shop have some."""

from domain.seed.orders.load import add

__all__ = ["add"]
