"""What staff and managers have changed, read or been refused: one chain of events that is only ever appended to.

`Database.write_as(actor, fn, …)` commits a change only with the events that `fn` recorded (docs/decisions). Nothing
outside of this package uses the tables.
"""

from domain.audit.checks import record_check, unchecked_since
from domain.audit.recording import (
    NotAudited,
    RecordedEvent,
    Subject,
    UnrecordedChange,
    append,
    no_change,
    record,
    run,
    savepoint,
)
from domain.audit.refusals import record_refusal
from domain.audit.verification import Verification, verify

__all__ = [
    "NotAudited",
    "RecordedEvent",
    "Subject",
    "UnrecordedChange",
    "Verification",
    "append",
    "no_change",
    "record",
    "record_check",
    "record_refusal",
    "run",
    "savepoint",
    "unchecked_since",
    "verify",
]
