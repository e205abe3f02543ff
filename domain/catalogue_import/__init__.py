"""Courses and shop items from CSV or JSON files.

    # Reads all and changes nothing.
    plan = catalogue_import.check(path, "courses", currency, ColumnRules({"their_column": "name"}))
    result = catalogue_import.write_plan(plan, database.write_session, at, progress)   # 500 rows per transaction

A file that cannot be read raises ImportRefused with one sentence; a bad row is skipped and reported with its line and
reason. The modules in the order of the data: read_lines, parse, columns, values, shared_fields, courses or items,
validate, write. presets, words, durations, times, identity and html_text hold what they know of files and people.
"""

from domain.catalogue_import.columns import FIELDS, REQUIRED, ColumnRules
from domain.catalogue_import.presets import PRESETS, Kind
from domain.catalogue_import.read_lines import ImportRefused
from domain.catalogue_import.report import Finding, ImportReport
from domain.catalogue_import.validate import ImportPlan, Progress, check
from domain.catalogue_import.write import ImportResult, write_plan

__all__ = [
    "FIELDS",
    "PRESETS",
    "REQUIRED",
    "ColumnRules",
    "Finding",
    "ImportPlan",
    "ImportRefused",
    "ImportReport",
    "ImportResult",
    "Kind",
    "Progress",
    "check",
    "write_plan",
]
