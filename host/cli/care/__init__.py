"""Commands with which operators look after a shop: copies, and what waits to be done again."""
