"""An import as a job: one chunk of the checked file a step, from where it stopped."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy.exc import DataError, IntegrityError
from sqlalchemy.orm import Session

from domain.audit import recording
from domain.catalogue_import.check_job import KIND as CHECK
from domain.catalogue_import.check_job import CheckInput
from domain.catalogue_import.presets import Kind
from domain.catalogue_import.read_lines import ImportRefused
from domain.catalogue_import.validate import RowReader, file_stamp
from domain.catalogue_import.write import Chunk, chunks, put_chunk
from domain.errors import Refused
from domain.jobs.claims import Claim, JobStep
from domain.jobs.job_rows import JobView
from domain.jobs.starters import starter_of
from domain.money import Currency
from domain.permissions import Permission
from domain.publishing.importing import Importer
from domain.text_direction import isolated

KIND = "import"
# The rest of a longer list is only counted: the report is written at every step.
MAX_LISTED = 200


@dataclass(frozen=True, kw_only=True)
class ImportInput(CheckInput):
    """`good`: how many rows the check found good. `stamp`: of the file when it was checked."""

    good: int
    stamp: Sequence[int]

    @classmethod
    def of_check(cls, check: JobView) -> "ImportInput":
        """What the check of these very rows allows. Raises Refused while it is not done or found nothing."""
        if check.kind != CHECK or check.state != "done" or not check.report["good"]:
            raise Refused("Check the file first: only rows that a check found good are imported.")
        return cls(**check.input, good=check.report["good"], stamp=check.report["stamp"])


def steps(claim: Claim, path: Path, currency: Currency, now: Callable[[], datetime]) -> Iterator[JobStep]:
    """The chunks of a file that are still to be written. A file is always cut into the same chunks, so that `processed`
    is the end of one. Raises ImportRefused when the file is not the one that was checked."""
    source = ImportInput(**claim.input)
    if list(file_stamp(path)) != list(source.stamp):
        raise ImportRefused(f"{isolated(source.name)} is no longer the file that was checked. Send it again.")
    done, report = 0, claim.report
    for chunk in chunks(RowReader(path, source.kind, currency, source.rules)):
        done += len(chunk)
        if done > claim.processed:
            write = _Write(claim.id, source.kind, chunk, now(), report)
            yield JobStep(write, done, source.good)
            report = write.report


class _Write:
    """Writes a chunk; `report`: what the import has come to with it."""

    def __init__(self, job_id: int, kind: Kind, chunk: Chunk, at: datetime, before: Mapping[str, Any]):
        self._job_id, self._kind, self._chunk, self._at, self._before = job_id, kind, chunk, at, before
        self.report = before

    def __call__(self, session: Session) -> Mapping[str, Any]:
        report = {**_EMPTY, **self._before}
        actor = starter_of(session, self._job_id, Permission.IMPORTS_RUN, self._at)
        recording.run(session, actor, _put_all, _Place(self._kind, self._at, Importer(actor)), self._chunk, report)
        self.report = report
        return report


_EMPTY: Mapping[str, Any] = {
    **dict.fromkeys(("added", "changed", "unchanged", "refused", "kept_as_draft", "withheld"), 0),
    "findings": [],
}


@dataclass(frozen=True)
class _Place:
    kind: Kind
    at: datetime
    importer: Importer


def _put_all(session: Session, place: _Place, chunk: Chunk, report: dict[str, Any]) -> None:
    # What a refused part recorded goes with it.
    recording.no_change(session)
    _put(session, place, chunk, report)


def _put(session: Session, place: _Place, chunk: Chunk, report: dict[str, Any]) -> None:
    """All rows of the chunk at once; if the database refuses that, one by one, so that only the bad row is skipped."""
    try:
        with recording.savepoint(session):
            batch = put_chunk(session, place.kind, chunk, place.at, place.importer)
    except (Refused, IntegrityError, DataError) as error:
        if len(chunk) == 1:
            text = str(error if isinstance(error, Refused) else error.orig)
            _note(report, "refused", chunk[0][0], text)
            return
        for numbered_row in chunk:
            _put(session, place, [numbered_row], report)
        return
    for name in ("added", "changed", "unchanged"):
        report[name] += getattr(batch, name)
    for name, found in (("kept_as_draft", batch.kept_as_draft), ("withheld", batch.withheld)):
        for position, reasons in found.items():
            line, row = chunk[position]
            _note(report, name, line, f"{row.record.slug}: {'; '.join(reasons)}")


def _note(report: dict[str, Any], name: str, line: int, text: str) -> None:
    report[name] += 1
    if len(report["findings"]) < MAX_LISTED:
        report["findings"] = [*report["findings"], {"about": name, "line": line, "text": text}]
