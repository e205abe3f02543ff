"""Days of visits that are too old, for tests of retention."""

from collections.abc import Callable
from datetime import date, datetime, timedelta

from sqlalchemy import func, select

from domain.database.database import Database
from domain.tables import Visit, VisitDay, VisitHour, VisitRollup
from domain.visits.raw.local_days import DayRules
from domain.visits.retention.periods import Periods
from domain.visits.retention.run import Retention, RetentionReport
from tests.domain.visits.days.worlds import DAY, MIDNIGHT, add, builder, visit

ONE_DAY, HOUR, MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)
PERIODS = Periods(visits=10, touchpoints=20)
# The visits of the third day may be deleted for the first time, those of the fourth not yet.
AT = MIDNIGHT + 3 * ONE_DAY + 10 * ONE_DAY
DAYS = [DAY + number * ONE_DAY for number in range(6)]
# Visits of each of the days.
COUNTS = [3, 5, 4, 2, 6, 1]


def fill(database: Database) -> None:
    """Six days with visits in several sessions, one of which goes on over midnight, computed soon after."""
    number = 0
    with database.write_session() as session:
        for day, count in enumerate(COUNTS):
            for hour in range(count):
                number += 1
                at = MIDNIGHT + day * ONE_DAY + (8 + hour) * HOUR
                add(session, visit(number, at, f"/?utm_source=news{day % 2}", session_id=f"{day}-{hour}"))
        late, early = MIDNIGHT + ONE_DAY - MINUTE, MIDNIGHT + ONE_DAY + MINUTE
        add(session, visit(1001, late, "/?utm_source=night", session_id="night"))
        add(session, visit(1002, early, "/shop", session_id="night"))
    builder(database, MIDNIGHT + 7 * ONE_DAY).build_due()


def retention(database: Database, at: datetime = AT, periods: Periods = PERIODS, **about) -> Retention:
    return Retention(database, DayRules(), periods, lambda: at, **{"pause": lambda _s: None, **about})


def retain(database: Database, at: datetime = AT, periods: Periods = PERIODS, **about) -> RetentionReport:
    return retention(database, at, periods, **about).run()


def figures(database: Database, *tables: type) -> list[tuple]:
    """All rows of days and hours."""
    with database.read_session() as session:
        rows = (session.execute(select(table.__table__)) for table in tables or (VisitDay, VisitHour))
        return sorted(tuple(map(str, row)) for found in rows for row in found)


def visits_by_day(database: Database) -> dict[date, int]:
    with database.read_session() as session:
        times = session.scalars(select(Visit.visited_at)).all()
    return {day: sum(at.date() == day for at in times) for day in sorted({at.date() for at in times})}


def rollups(database: Database) -> dict[date, VisitRollup]:
    with database.read_session() as session:
        rows = session.scalars(select(VisitRollup).where(VisitRollup.visits > 0).order_by(VisitRollup.day))
        return {row.day: row for row in rows}


def final_days(database: Database) -> list[date]:
    return [day for day, row in rollups(database).items() if row.finalised_at is not None]


def hours_of(database: Database, day: date) -> int:
    with database.read_session() as session:
        return session.scalar(select(func.count()).select_from(VisitHour).where(VisitHour.day == day)) or 0


def once(function: Callable, then: Callable[[], None]) -> Callable:
    """`function`, and `then` after its first call."""
    calls = []

    def wrapped(*args, **kwargs):
        result = function(*args, **kwargs)
        if not calls:
            calls.append(1)
            then()
        return result

    return wrapped
