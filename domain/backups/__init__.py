"""Copies of a shop on SQLite: its database and its files, written while it runs and restored elsewhere.

MariaDB has `scripts/backup` and `scripts/restore`, which need its client programs and no Python. Both write the same
folder: copies of the database, `files/` and `deleted-files/`.
"""
