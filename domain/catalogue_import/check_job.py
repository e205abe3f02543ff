"""The check of an uploaded file as a job: it reads the whole file, compares it with the catalogue, and changes nothing
but its own report. What it found of each row is a file beside the upload."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy.orm import Session

from domain.catalogue_import.columns import ColumnRules
from domain.catalogue_import.presets import Kind
from domain.catalogue_import.read_lines import UTF8, Encoding, ImportRefused
from domain.catalogue_import.refused_rows import RefusedFile
from domain.catalogue_import.report import ImportReport, RowFinding, RowReport, RowReportFile
from domain.catalogue_import.validate import RowReader, file_stamp
from domain.catalogue_import.write import Chunk, chunks
from domain.jobs.claims import Claim, JobStep
from domain.jobs.starters import starter_of
from domain.money import Currency
from domain.permissions import Permission
from domain.publishing.importing import Importer
from domain.publishing.product_changes import ProductChange
from domain.publishing.writer import compare
from domain.text_direction import isolated
from domain.typed_values import DecimalSign

KIND = "import-check"
# The rest of a longer list is only counted, and is in the file of all rows.
MAX_LISTED = 500
_FINDINGS = ("bad", "repeats", "variants", "doubts")


@dataclass(frozen=True)
class CheckInput:
    """What is to be imported; as JSON the input of the job."""

    upload_id: int
    name: str
    kind: Kind
    mapping: Mapping[str, str] = field(default_factory=dict)
    constants: Mapping[str, str] = field(default_factory=dict)
    ignored: Sequence[str] = ()
    words: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    decimal: DecimalSign = "."
    encoding: Encoding = UTF8
    preset: str = ""

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @property
    def rules(self) -> ColumnRules:
        return ColumnRules(
            self.mapping, self.constants, tuple(self.ignored), self.words, self.decimal, self.encoding, self.preset
        )


def steps(claim: Claim, path: Path, report_path: Path, currency: Currency, at: datetime) -> Iterator[JobStep]:
    """Always from the first row: what repeats an earlier row is known by reading all of them. Raises ImportRefused."""
    source = CheckInput(**claim.input)
    stamp = file_stamp(path)
    reader = RowReader(path, source.kind, currency, source.rules)
    counts = dict.fromkeys(("added", "changed", "unchanged", "kept_as_draft", "withheld"), 0)
    drafts, withheld = ImportReport(), ImportReport()
    good = 0
    with RowReportFile(report_path) as file, RefusedFile(refused_path(report_path)) as refused:
        reader.refused = refused.add
        for name in _FINDINGS:
            getattr(reader, name).listener = _noting(file, name)
        for chunk in chunks(reader):
            comparison = _Compare(claim.id, chunk, at)
            yield JobStep(comparison, reader.table.bytes_read, stamp[0])
            good += len(chunk)
            for row in comparison.rows:
                counts[row.result] += 1
                if row.draft_reasons:
                    counts["kept_as_draft"] += 1
                    drafts.add(row.line, f"{row.slug}: {row.draft_reasons}")
                if row.reason:
                    counts["withheld"] += 1
                    withheld.add(row.line, f"{row.slug}: {row.reason}")
                file.add(row)
            file.write_sorted()
    if reader.rows == 0:
        raise ImportRefused(f"{isolated(source.name)} holds no rows.")
    found = {name: getattr(reader, name) for name in _FINDINGS}
    report = {
        "rows": reader.rows,
        "good": good,
        **counts,
        "stamp": stamp,
        "unused_columns": sorted(reader.columns.unused),
        **{name: found[name].total for name in _FINDINGS},
        "findings": [row for name in _FINDINGS for row in _listed(name, found[name])]
        + _listed("kept_as_draft", drafts)
        + _listed("withheld", withheld),
        "has_rows": True,
        "has_refused": reader.bad.total > 0,
    }
    yield JobStep(lambda _session: report, stamp[0], stamp[0])


class _Compare:
    """Compares a chunk with what is stored; `rows` is the result, also when the transaction is repeated."""

    def __init__(self, job_id: int, chunk: Chunk, at: datetime):
        self._job_id, self._chunk, self._at = job_id, chunk, at
        self.rows: list[RowReport] = []

    def __call__(self, session: Session) -> Mapping[str, Any]:
        importer = Importer(starter_of(session, self._job_id, Permission.IMPORTS_RUN, self._at))
        changes = compare(session, [row.record for _, row in self._chunk], self._at, importer)
        self.rows = [_row_report(line, change) for (line, _), change in zip(self._chunk, changes, strict=True)]
        return {}


def refused_path(report_path: Path) -> Path:
    """The file of the rows that are left out, beside the report of all rows."""
    return report_path.with_name(f"{report_path.name}.refused")


def _row_report(line: int, change: ProductChange) -> RowReport:
    result = "added" if change.stored is None else "changed" if change.differs else "unchanged"
    drafts, withheld = "; ".join(change.draft_reasons), "; ".join(change.withheld)
    slug, name = str(change.row["slug"]), change.record.name
    return RowReport(line, result, slug, name, change.changed_columns, drafts, withheld)


def _noting(file: RowReportFile, name: str) -> Any:
    def note(finding: RowFinding) -> None:
        file.add(RowReport(finding.line, name, reason=finding.reason))

    return note


def _listed(name: str, report: ImportReport) -> list[dict[str, Any]]:
    listed = report.findings[:MAX_LISTED]
    return [{"about": name, "line": finding.line, "text": finding.reason} for finding in listed]
