"""Rates of tax and delivery as staff and commands enter them."""
