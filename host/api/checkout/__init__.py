"""Calls of the way from the cart to an order."""
