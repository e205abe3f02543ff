"""Money on the shop's bank account: entries of statements, the orders that they pay, and what staff decide."""
