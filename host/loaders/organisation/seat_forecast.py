"""The forecast of idle seats in words and tables: on /organization/seats, and its first sentences on /organization."""

from datetime import datetime
from typing import NamedTuple

from typing_extensions import TypedDict

from domain.database.cached_counts import CACHED_ABOVE
from domain.display_text import count_text, day_text
from domain.seats.forecast import Range
from domain.seats.views import outlook
from domain.seats.views.outlook import CourseOutlook, ExpectedSeat, SeatOutlook
from host.loaders.organisation.seat_texts import NOT_STARTED, PATH, seat_name, week_text
from host.loaders.ui import table_cells as cells
from host.loaders.ui.detail_props import Fact, ShortTable, facts, short_table
from host.loaders.ui.table_cells import Column
from host.rendering.page_request import PageRequest

NO_SEAT = "No seat is in use. Once members have seats, this says how many will stand idle by the end of the next month."
# The figure is that of tests/domain/seats/test_forecast_history.py.
RECKONED = (
    "Who has not begun two weeks after getting a seat is expected not to begin, and who has done nothing for four "
    "weeks to do nothing more. Everybody else goes on at their own pace of the last four weeks. “At most” is how many "
    "it would be if nobody did anything from today on. In a simulation of two years with 20 seats the number of idle "
    "ones was wrong by one and a half seats on average. Members who do not share their progress are in none of these "
    "numbers: of their seats only the day of assignment, pauses, and that they are still needed is known."
)

# outlook.FORECAST_STAYS_S
OLDER = " With so many seats, the forecast is up to five minutes old."


class SeatForecast(TypedDict):
    """`sentences`: the result, the first one whole. `reckoned`: how, null without seats in use. `courses`: numbers by
    contract and course, `seats`: those of which it is expected."""

    sentences: list[str]
    reckoned: str | None
    courses: ShortTable
    seats: ShortTable


class _CourseRow(NamedTuple):
    course: CourseOutlook
    has_several_contracts: bool


async def read(request: PageRequest) -> SeatOutlook:
    """Raises ServiceUnavailable."""
    name = (PATH, "forecast", request.tenant.organisation_id)
    return await request.db.read_briefly(name, outlook.recent_outlook, request.tenant, request.at)


def props(found: SeatOutlook) -> SeatForecast:
    has_several = len({row.contract_id for row in found.courses}) > 1
    rows = [_CourseRow(row, has_several) for row in found.courses]
    return {
        "sentences": sentences(found),
        "reckoned": f"{RECKONED}{OLDER if found.seats > CACHED_ABOVE else ''}" if found.courses else None,
        "courses": short_table("forecast-courses", "By course", NO_SEAT, _COURSES, rows),
        "seats": short_table("forecast-seats", "Seats that are expected to stand idle", _NONE, _SEATS, found.expected),
    }


def idle_facts(found: SeatOutlook) -> list[Fact]:
    """How many seats stand idle today; [] where nobody shares their progress."""
    return facts((_IDLE,), found) if found.shared else []


def sentences(found: SeatOutlook) -> list[str]:
    """Such as "Of 40 seats in use, about 6 will stand idle by January 31, 2027: 4 not started, 2 without activity."."""
    if not found.courses:
        return [NO_SEAT]
    return [text for text in (_expected(found), _finished(found), _others(found)) if text]


def _expected(found: SeatOutlook) -> str:
    whole, by = found.forecast, day_text(found.last_day)
    if not found.shared:
        return f"How many seats will stand idle by {by} cannot be told."
    unused = whole.not_started.plus(whole.idle)
    of_others = " whose holders share their progress" if found.shared < found.seats else ""
    beginning = f"Of {_seats(found.shared)} in use{of_others}, "
    if not unused.expected:
        return f"{beginning}probably none will stand idle by {by}{_at_most(unused)}."
    kinds = ((whole.not_started.expected, "not started"), (whole.idle.expected, "without activity"))
    reasons = ", ".join(f"{count_text(number)} {text}" for number, text in kinds if number)
    return f"{beginning}about {count_text(unused.expected)} will stand idle by {by}: {reasons}{_at_most(unused)}."


def _at_most(unused: Range) -> str:
    return f" (at most {count_text(unused.at_most)})" if unused.at_most > unused.expected else ""


def _finished(found: SeatOutlook) -> str:
    number = found.forecast.finished.expected
    return f"About {count_text(number)} will have completed the course by then." if number else ""


def _others(found: SeatOutlook) -> str:
    others = found.seats - found.shared
    if not others:
        return ""
    kind = f"{'other ' if found.shared else ''}{'seat is' if others == 1 else 'seats are'}"
    number = f"at most {count_text(found.others_at_most)}" if found.others_at_most else "none"
    beginning = f"{count_text(others)} {kind} in use by members who do not share their progress"
    return f"{beginning}: {number} can stand idle by then."


def _seats(number: int) -> str:
    return f"{count_text(number)} {'seat' if number == 1 else 'seats'}"


def _range(number: Range) -> str:
    """Such as "4 (1 already, at most 6)"."""
    known = [f"{count_text(number.now)} already"] if number.now else []
    known += [f"at most {count_text(number.at_most)}"] if number.at_most > number.expected else []
    return f"{count_text(number.expected)} ({', '.join(known)})" if known else count_text(number.expected)


def _others_of(row: CourseOutlook) -> str | None:
    others = row.seats - row.shared
    return f"{count_text(others)} (idle at most {count_text(row.others_at_most)})" if others else None


def _since(row: _CourseRow) -> datetime | None:
    return row.course.contract_since if row.has_several_contracts else None


def _why(row: ExpectedSeat) -> str:
    return f"Nothing done since {week_text(row.unused_since)}" if row.is_started else NOT_STARTED


def _idle_now(found: SeatOutlook) -> str:
    number = found.forecast.not_started.plus(found.forecast.idle).now
    return f"{count_text(number)} of {count_text(found.shared)} whose holders share their progress"


_IDLE: Column[SeatOutlook] = cells.text("idle", "Seats that stand idle", _idle_now)
_NONE = "No seat whose holder shares their progress is expected to stand idle."
_COURSES: tuple[Column[_CourseRow], ...] = (
    cells.text("course", "Course", lambda row: row.course.course or "Seats for people"),
    cells.day_of("contract", "Contract from", _since),
    cells.count("seats", "In use", lambda row: row.course.seats),
    cells.day_of(
        "ends", "Until its contract ends", lambda row: row.course.last_day if row.course.ends_with_contract else None
    ),
    cells.text("start", "Not started", lambda row: _range(row.course.forecast.not_started)),
    cells.text("idle", "Without activity", lambda row: _range(row.course.forecast.idle)),
    cells.text("finished", "Completed", lambda row: _range(row.course.forecast.finished)),
    cells.text("others", "Others, progress not shared", lambda row: _others_of(row.course)),
)
_SEATS: tuple[Column[ExpectedSeat], ...] = (
    cells.link("seat", "Seat", lambda row: (seat_name(row.number), f"{PATH}/{row.id}")),
    cells.text("person", "Person", lambda row: row.person),
    cells.text("course", "Course", lambda row: row.course),
    cells.text("why", "Why", _why),
)
