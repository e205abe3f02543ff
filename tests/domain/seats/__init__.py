"""Seats of contracts."""
