"""Inviting people from a CSV file: checked first, then sent, both by a job that shows how far it is."""
