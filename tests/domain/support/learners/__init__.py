"""Learners as support finds, sees and changes them."""
