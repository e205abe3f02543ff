"""The chart of who came with a code in each hour, on the page of the coupon."""

from collections.abc import Callable
from datetime import datetime, timedelta

from sqlalchemy.orm import Session
from typing_extensions import TypedDict

from domain.coupons.leaks import hours
from domain.coupons.leaks.hours import ByHour, HourCounts
from domain.coupons.leaks.surprise import HOUR
from domain.coupons.queries import normalised
from domain.display_text import count_text
from host.loaders.ui.chart_props import ChartProps, ChartSeries, require_consistent

DAYS = 7


class CouponHoursProps(TypedDict):
    """`about`: what the chart counts."""

    chart: ChartProps
    about: str


ABOUT = (
    "Counted from visits whose cookie or address has the code; known crawlers are left out, and so are visits with a "
    "privacy signal, which have neither session nor network. A session is a tab of a browser, and counts in each hour "
    "in which it opened a page. A network is a part of an internet address that many people may share, and one person "
    "may use several. Other sites are those whose links led here. The last two hours are counted every minute, earlier "
    "ones again with their day. An alarm is raised when a code that is meant for few suddenly comes from many networks."
)


def read(session: Session, code: str, at: datetime) -> CouponHoursProps:
    """The hours of the last days, with the one that has begun."""
    until = at.replace(minute=0, second=0, microsecond=0) + HOUR
    since = until - timedelta(days=DAYS)
    folded = normalised(code)
    return {
        "chart": _chart(hours.of_codes(session, [folded], since, until).get(folded, {}), since, until),
        "about": ABOUT,
    }


def _chart(found: ByHour, since: datetime, until: datetime) -> ChartProps:
    all_hours = hours.whole_hours(since, until)
    props: ChartProps = {
        "kind": "line",
        "title": "Visitors with this code by hour",
        "summary": _summary(found),
        "unit": "count",
        "unitLabel": "Sessions, networks and other sites",
        "period": f"the last {DAYS} days, hours of UTC",
        "points": {
            "kind": "time",
            "labels": [hour.replace(tzinfo=None).isoformat(timespec="minutes") for hour in all_hours],
        },
        "series": [
            _series("Networks", found, all_hours, lambda counts: counts.networks),
            _series("Sessions", found, all_hours, lambda counts: counts.sessions),
            _series("Other sites", found, all_hours, lambda counts: counts.hosts),
        ],
        "unfinishedFrom": len(all_hours) - 1,
        "empty": f"Nobody was counted with this code in the last {DAYS} days. The first figures appear a minute after "
        "the first visit with it.",
        "csvHref": None,
    }
    return require_consistent(props)


def _series(label: str, found: ByHour, all_hours: list[datetime], value: Callable[[HourCounts], int]) -> ChartSeries:
    """Without values when nobody came at all, so that the chart says so."""
    values: list[int | float | None] = [value(found.get(hour, HourCounts())) if found else None for hour in all_hours]
    return {"label": label, "values": values}


def _summary(found: ByHour) -> str:
    if not found:
        return ""
    most = max(counts.networks for counts in found.values())
    networks = "1 network" if most == 1 else f"{count_text(most)} networks"
    some, every = count_text(len(found)), count_text(DAYS * 24)
    return f"People came with it in {some} of {every} hours, in the busiest from {networks}."
