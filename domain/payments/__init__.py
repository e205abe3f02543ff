"""Payments: the port to the gateway, hosted pages, events, polling and reconciliation."""
