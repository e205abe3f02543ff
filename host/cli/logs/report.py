"""What an import of logs says about its lines."""

import json
from typing import TextIO

from domain.log_import.classes import ClassAgreement
from domain.log_import.counts import ImportCounts
from domain.log_import.page_rules import KINDS, LineKind

_CLASSES = {"human": "people", "suspected": "suspected programs", "crawler": "declared crawlers"}


def show(counts: ImportCounts, site: str | None, *, is_json: bool) -> None:
    """`site`: None when nothing was stored."""
    print(json.dumps(_as_json(counts, site)) if is_json else "\n".join(_as_text(counts, site)))


def _as_text(counts: ImportCounts, site: str | None) -> list[str]:
    kinds = ", ".join(f"{counts.kinds[kind]:,} {kind}" for kind in KINDS.values())
    lines = [f"{counts.lines:,} lines: {kinds}."]
    if counts.headers:
        lines.append(f"{counts.headers:,} headers beside them.")
    if period := counts.period():
        first, last = (f"{time:%Y-%m-%d %H:%M:%S}" for time in period)
        classes = ", ".join(f"{counts.by_class[name]:,} by {who}" for name, who in _CLASSES.items())
        lines.append(f"Pages from {first} to {last} UTC: {classes}.")
    if site is not None:
        before = counts.pages - counts.new - counts.final
        lines.append(f"{counts.new:,} new visits of {site}; {before:,} pages were stored before.")
        if counts.final:
            lines.append(f"{counts.final:,} pages are left out: the visits of their days are deleted already.")
    if counts.reasons:
        lines.append(f"{counts.kinds[LineKind.BROKEN]:,} broken lines are left out:")
        lines += [f"  {number:,} {reason}" for reason, number in counts.reasons.most_common()]
        lines.append("The first of them:")
        lines += [f"  {broken.file} line {broken.line}: {broken.reason}" for broken in counts.shown]
    return lines


def _as_json(counts: ImportCounts, site: str | None) -> dict[str, object]:
    period = counts.period()
    return {
        "site": site,
        "lines": counts.lines,
        **{name: counts.kinds[kind] for name, kind in KINDS.items()},
        "headers": counts.headers,
        "new": counts.new,
        "final": counts.final,
        "byClass": dict(counts.by_class),
        "from": period[0].isoformat() if period else None,
        "to": period[1].isoformat() if period else None,
        "reasons": dict(counts.reasons),
        "shown": [broken._asdict() for broken in counts.shown],
    }


def show_agreement(found: ClassAgreement, file: TextIO) -> None:
    precision, recall = ("none" if share is None else f"{share:.3f}" for share in (found.precision, found.recall))
    print(f"Bots: precision {precision}, recall {recall}.", file=file)
    for label, classes in sorted(found.confusion.items()):
        counts = ", ".join(f"{count:,} {name}" for name, count in sorted(classes.items()))
        print(f"  {label}: {counts}", file=file)
    if found.unseen:
        print(f"  {found.unseen:,} known visitors have no page in the log.", file=file)
