"""Buying seats in the name of an organisation: the call and its page."""
