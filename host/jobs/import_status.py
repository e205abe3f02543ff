"""An import, or the check before it, as its page and its calls show it."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from pydantic import BaseModel

from domain.catalogue_import import check_job, job
from domain.jobs.job_rows import JobState, JobView

IMPORT_KINDS = (check_job.KIND, job.KIND)
_COUNTS = {
    "rows": "Rows in the file",
    "good": "To import",
    "repeats": "Repeated; the first of each counts",
    "variants": "Variants or pictures of other rows",
    "doubts": "With a warning",
    "bad": "Left out",
    "added": "New",
    "changed": "Changed",
    "unchanged": "Unchanged",
    "kept_as_draft": "Kept as draft",
    "withheld": "Not taken over in part",
    "refused": "Refused by the database",
}
_ABOUT = {
    "bad": "Left out",
    "repeats": "Repeated",
    "variants": "Variant or picture",
    "doubts": "Warning",
    "kept_as_draft": "Kept as draft",
    "withheld": "Not taken over",
    "refused": "Refused",
}


class JobCount(BaseModel):
    label: str
    count: int


class JobFinding(BaseModel):
    """`line`: of the file."""

    about: str
    line: int
    text: str


class ImportStatus(BaseModel):
    """`processed` of `total` are rows of an import, and bytes of a check. `rate`: of these a second; null before there
    is one. `error`: why it failed, in a sentence. `ready`: how many rows may be imported now; null for an import, and
    while its check is not done. `moreFindings`: those that are only counted. `rowsHref`: what was found of every row,
    as CSV; null while there is nothing. `refusedHref`: the rows that are left out, as in the file, with the reason."""

    id: int
    name: str
    isCheck: bool
    state: JobState
    processed: int
    total: int | None
    rate: float | None
    counts: list[JobCount]
    findings: list[JobFinding]
    moreFindings: int
    unusedColumns: list[str]
    error: str | None
    ready: int | None
    rowsHref: str | None
    refusedHref: str | None


def import_status(view: JobView, at: datetime) -> ImportStatus:
    report, is_check = view.report, view.kind == check_job.KIND
    found = report.get("findings", [])
    noted = sum(int(report.get(name, 0)) for name in _ABOUT)
    return ImportStatus(
        id=view.id,
        name=str(view.input.get("name", "")),
        isCheck=is_check,
        state=view.state,
        processed=view.processed,
        total=view.total,
        rate=view.rate(at),
        counts=[JobCount(label=label, count=report[name]) for name, label in _COUNTS.items() if name in report],
        findings=[_finding(row) for row in found],
        moreFindings=max(0, noted - len(found)),
        unusedColumns=list(report.get("unused_columns", [])),
        error=report.get("error"),
        rowsHref=f"/csv/admin/imports/{view.id}" if report.get("has_rows") else None,
        refusedHref=f"/csv/admin/imports/{view.id}?rows=refused" if report.get("has_refused") else None,
        ready=report.get("good") if is_check and view.state == "done" else None,
    )


def _finding(row: Mapping[str, Any]) -> JobFinding:
    return JobFinding(about=_ABOUT[row["about"]], line=row["line"], text=row["text"])
