"""Entries of the bank account and the orders that they pay."""
