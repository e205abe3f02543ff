"""Calls about the orders of a learner."""
