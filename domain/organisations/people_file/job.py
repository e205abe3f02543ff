"""The job that checks a file of people, or sends its invitations, some rows a step."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.audit import recording
from domain.audit.recording import RecordedEvent, Subject
from domain.errors import DomainError, InvalidInput, NotFound, Refused
from domain.jobs import job_rows
from domain.jobs.claims import Claim, JobStep
from domain.jobs.job_rows import JobView
from domain.organisations.joining import inviting
from domain.organisations.joining.inviting import NewInvitation
from domain.organisations.people_file.parse import PersonRow, read_rows
from domain.permissions import Actor, Permission, Tenant, permissions_of
from domain.tables import Membership

KIND = "members_file"
ROWS_A_STEP = 50
# More problems are only counted.
MAX_FINDINGS = 200
UNKNOWN = "Your organisation has no such file."


@dataclass(frozen=True)
class PeopleInput:
    """What a job begins with. `contract_id` None: the newest that runs. `is_check`: nothing is sent."""

    upload_id: int
    name: str
    organisation_id: int
    learner_id: int
    contract_id: int | None
    is_check: bool

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def own_job(session: Session, tenant: Tenant, job_id: int) -> JobView:
    """Raises NotFound for one of another organisation, as for one that does not exist."""
    try:
        view = job_rows.job_view(session, job_id, [KIND])
    except NotFound:
        raise NotFound(UNKNOWN) from None
    if view.input.get("organisation_id") != tenant.organisation_id:
        raise NotFound(UNKNOWN)
    return view


def steps(claim: Claim, path: Path, clock: Callable[[], datetime]) -> Iterator[JobStep]:
    """Raises Refused for a file that cannot be read."""
    about, rows = PeopleInput(**claim.input), read_rows(path)
    report = dict(claim.report)
    for first in range(claim.processed, len(rows), ROWS_A_STEP):
        part = rows[first : first + ROWS_A_STEP]

        def work(
            session: Session, part: list[PersonRow] = part, before: Mapping[str, Any] = report
        ) -> Mapping[str, Any]:
            nonlocal report
            report = _work(session, about, part, before, clock())
            return report

        yield JobStep(work, min(first + ROWS_A_STEP, len(rows)), len(rows))


def _work(
    session: Session, about: PeopleInput, rows: list[PersonRow], before: Mapping[str, Any], at: datetime
) -> dict[str, Any]:
    """The new report. Raises Refused once whoever started it may not invite any more."""
    actor = _actor(session, about, at)
    good, findings = int(before.get("good", 0)), [*before.get("findings", [])]
    bad, events = int(before.get("bad", 0)), []
    for row in rows:
        problem, event = _handle(session, actor, about, row, at)
        if problem is None:
            good += 1
            events += [] if event is None else [event]
            continue
        bad += 1
        if len(findings) < MAX_FINDINGS:
            findings.append([row.line, problem])
    recording.append(session, actor, events)
    return {"good": good, "bad": bad, "findings": findings}


def _handle(
    session: Session, actor: Actor, about: PeopleInput, row: PersonRow, at: datetime
) -> tuple[str | None, RecordedEvent | None]:
    """Why the row is left out, and what was recorded. Nothing of a row that is left out stays."""
    if row.repeats is not None:
        return f"The same address as in line {row.repeats}.", None
    new = NewInvitation(row.email, row.name, row.team, row.role, row.courses, about.contract_id)
    try:
        with session.begin_nested():
            checked = inviting.check(session, actor, new, at)
            if about.is_check:
                return None, None
            inviting.require_room(session, actor.tenant)
            stored = inviting.store(session, actor, checked, at)
    except InvalidInput as error:
        return " ".join(error.errors.values()), None
    except DomainError as error:
        return str(error), None
    after = {"role": checked.role, "team": checked.team, "way": "file"}
    return None, RecordedEvent("invitation.send", Subject("invitation", stored.id), after=after)


def _actor(session: Session, about: PeopleInput, at: datetime) -> Actor:
    own = (Membership.learner_id == about.learner_id, Membership.organisation_id == about.organisation_id)
    role = session.scalar(select(Membership.role).where(*own, Membership.ended_at.is_(None)))
    if role is None or Permission.MEMBERS_WRITE not in permissions_of("organisation", (role,)):
        raise Refused("Whoever started this may not invite people any more.")
    return Actor(about.learner_id, "organisation", (role,), "", at, organisation_id=about.organisation_id)
