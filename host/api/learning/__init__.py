"""Calls of learners about what they study."""
