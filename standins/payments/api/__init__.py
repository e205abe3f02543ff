"""The endpoints below /v1."""
