"""Payments: the gateway's adapter, and what is done with it: pages opened and ended, events, refunds, polling."""
