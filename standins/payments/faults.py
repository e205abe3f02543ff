"""Faults that tests order: the next requests or deliveries that match go wrong."""

from collections.abc import Callable
from dataclasses import dataclass
from fnmatch import fnmatchcase

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from standins.payments.errors import PaymentApiError, RequestRefused, server_error
from standins.payments.tables import Fault
from standins.payments.work import Call, Response, error_response

ERROR_500, ERROR_AFTER_CHARGING = "error-500", "error-after-charging"
# Faults of a request, `METHOD /path`. A delay comes before it is carried out, hang, dribble and bad-json come after it.
OF_REQUESTS = ("delay", "drop", ERROR_500, ERROR_AFTER_CHARGING, "hang", "dribble", "bad-json")
# Faults of a delivery, by the type of the event.
OF_DELIVERIES = ("delay", "duplicate", "reorder", "drop")


@dataclass(frozen=True)
class TakenFault:
    do: str
    seconds: float


def take(session: Session, name: str) -> TakenFault | None:
    """The oldest fault whose pattern matches, used once more; None without one."""
    for fault in session.scalars(select(Fault).order_by(Fault.number)):
        if not fnmatchcase(name, fault.match):
            continue
        fault.times -= 1
        if fault.times < 1:
            session.delete(fault)
        return TakenFault(fault.do, fault.seconds)
    return None


def add(session: Session, match: str, do: str, times: int, seconds: float) -> None:
    session.add(Fault(match=match, do=do, times=times, seconds=seconds))


def clear(session: Session) -> None:
    session.execute(delete(Fault))


def execute(call: Call, handler: Callable[[Call], Response]) -> Response:
    """Runs a handler; with the fault of its call the response is an error 500, before or after it was carried out.

    An ApiError becomes its response: handlers raise it before they write. Raises RequestRefused.
    """
    if call.fault == ERROR_500:
        return error_response(call, server_error())
    try:
        response = handler(call)
    except RequestRefused:
        raise
    except PaymentApiError as error:
        response = error_response(call, error)
    return error_response(call, server_error()) if call.fault == ERROR_AFTER_CHARGING else response
