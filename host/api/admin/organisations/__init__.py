"""Calls of staff about organisations: a file for each kind. host/api/admin/__init__.py imports them."""
