"""What staff and managers have changed, read or been refused: one chain of events that is only ever appended to.

`Database.write_as(actor, fn, …)` commits a change only with the events that `fn` recorded (docs/decisions). Nothing
outside of this package uses the tables.
"""

from domain.audit.checks import ChainCheck, chain_state, record_check
from domain.audit.recording import (
    NotAudited,
    RecordedEvent,
    Subject,
    UnrecordedChange,
    append,
    no_change,
    record,
    run,
)
from domain.audit.verification import Verification, verify

__all__ = [
    "ChainCheck",
    "NotAudited",
    "RecordedEvent",
    "Subject",
    "UnrecordedChange",
    "Verification",
    "append",
    "chain_state",
    "no_change",
    "record",
    "record_check",
    "run",
    "verify",
]
