"""Quotes for organisations."""
