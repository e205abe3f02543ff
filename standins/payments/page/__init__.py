"""The hosted page."""
