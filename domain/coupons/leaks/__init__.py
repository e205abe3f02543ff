"""Codes that more people know than should: noticed by the hour, and what staff do about it (docs/decisions)."""
