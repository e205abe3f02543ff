"""Inviting people from a CSV file: checked first, then sent, both by a job that shows how far it is."""

from domain.organisations.people_file.job import KIND, UNKNOWN, PeopleInput, own_job, steps
from domain.organisations.people_file.parse import MAX_ROWS, FileRow, read_rows

__all__ = ["KIND", "MAX_ROWS", "UNKNOWN", "FileRow", "PeopleInput", "own_job", "read_rows", "steps"]
