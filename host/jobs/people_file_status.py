"""A file of people as its page and its calls show it."""

from datetime import datetime

from pydantic import BaseModel

from domain.jobs.job_rows import JobState, JobView


class PeopleFinding(BaseModel):
    """`line`: of the file."""

    line: int
    text: str


class PeopleFileStatus(BaseModel):
    """`processed` of `total` rows, `rate` of them a second; null before they are known. `good`: rows that can be
    sent, or were; `bad`: those that are left out, of which `findings` names the first."""

    id: int
    name: str
    uploadId: int
    contractId: str
    isCheck: bool
    state: JobState
    processed: int
    total: int | None
    rate: float | None
    good: int
    bad: int
    findings: list[PeopleFinding]
    error: str | None


def people_file_status(view: JobView, at: datetime) -> PeopleFileStatus:
    report, contract_id = view.report, view.input["contract_id"]
    return PeopleFileStatus(
        id=view.id,
        name=str(view.input["name"]),
        uploadId=int(view.input["upload_id"]),
        contractId="" if contract_id is None else str(contract_id),
        isCheck=bool(view.input["is_check"]),
        state=view.state,
        processed=view.processed,
        total=view.total,
        rate=view.rate(at),
        good=int(report.get("good", 0)),
        bad=int(report.get("bad", 0)),
        findings=[PeopleFinding(line=line, text=text) for line, text in report.get("findings", [])],
        error=report.get("error"),
    )
