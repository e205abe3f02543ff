"""Figures about people, shown so that nobody finds one person in them."""
