"""Seats of contracts: who has one, who waits for one, and when one goes back.

Every change locks the contract first, then its seats by number, then enrolments. What happens to a seat is an event
that its manager and its holder can see.
"""
