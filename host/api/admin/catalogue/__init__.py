"""Calls about what the shop shows: a file a noun, imported by the folder above."""
