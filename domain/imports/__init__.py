"""Courses and shop items from CSV or JSON files.

    plan = imports.check(path, "courses", {"theirs": "name"})         # reads it all, changes nothing
    result = imports.carry_out(plan, database.session, at, progress)  # 500 rows to a transaction

A file that cannot be read at all raises ImportRefused with one sentence; a bad row is named with its line and reason
and left out. The way of a row: files -> tables -> columns -> fields -> courses or items -> checking -> importing.
"""

from domain.imports.checking import Plan, Progress, check
from domain.imports.columns import FIELDS, Kind
from domain.imports.files import ImportRefused
from domain.imports.findings import Finding, Findings
from domain.imports.importing import Result, carry_out

__all__ = ["FIELDS", "Finding", "Findings", "ImportRefused", "Kind", "Plan", "Progress", "Result", "carry_out", "check"]
