"""Changes that happen by themselves at a time: planned here, made by the functions of standins/payments/due.py."""

from standins.payments.tables import DueChange
from standins.payments.work import Work


def plan(work: Work, after_s: float, change: str, object_id: str) -> None:
    work.session.add(DueChange(due_at=work.now + after_s, change=change, object_id=object_id))
