"""Orders: their states and timeline, what a paid order gives, and what goes back.

Only `states.advance` changes the state of an order, in one transaction with its event and its outbox rows.
"""
