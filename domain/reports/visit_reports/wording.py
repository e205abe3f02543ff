"""The words of a report: its figures and their changes, its period, and why there is nothing to show."""

from domain import money
from domain.display_text import count_text, day_text, minutes_text, money_text, percent_text, short_text
from domain.locales import shop_locale
from domain.money import Currency
from domain.reports.visit_reports.answers import ReportAnswer, change_percent
from domain.reports.visit_reports.descriptions import TIMES
from domain.reports.visit_reports.figures import Figure, FigureValue
from domain.reports.visit_reports.parameters import ReportQuery

_HOUR_S, _DAY_S = 3_600, 86_400
NO_VALUE = "\N{EN DASH}"
COMPARE_TEXTS = {"previous": "Period before", "year": "Year earlier", "none": "Nothing"}
AUDIENCE_TEXTS = {"people": "People", "suspected": "Suspected programs", "crawlers": "Crawlers"}


def currency_of(answer: ReportAnswer) -> Currency:
    """That of the amounts; of a report without any, the shop's."""
    return money.currency(answer.currency) if answer.currency else money.shop_currency()


def value_text(figure: Figure, value: FigureValue, currency: Currency | None = None) -> str:
    """`currency`: of an amount, None: the shop's."""
    if value is None:
        return NO_VALUE
    if figure.unit == "money":
        return money_text(round(value), currency or money.shop_currency(), shop_locale())
    if figure.unit == "number":
        return short_text(value)
    if figure.unit == "percent":
        return percent_text(value)
    if figure.unit == "duration":
        return _duration_text(round(value))
    return _time_text(round(value)) if figure.unit == "seconds" else count_text(round(value))


def _time_text(seconds: int) -> str:
    minutes, rest = divmod(seconds, 60)
    return f"{minutes_text(minutes)} {count_text(rest)} s" if minutes else f"{count_text(rest)} s"


def _duration_text(seconds: int) -> str:
    """In words: the longer it is, the less exactly."""
    days, rest = divmod(seconds, _DAY_S)
    if seconds < _HOUR_S:
        return _time_text(seconds)
    if days < 2:
        return minutes_text(round(seconds / 60))
    hours = rest // 3600
    return f"{count_text(days)} days {count_text(hours)} hr" if hours else f"{count_text(days)} days"


def change_text(figure: Figure, answer: ReportAnswer) -> str:
    """A share changes by points, all else by percent; "" where nothing is compared."""
    if answer.previous is None:
        return ""
    if figure.key not in answer.previous:
        return ""
    now, before = answer.totals[figure.key], answer.previous[figure.key]
    earlier = f"before: {value_text(figure, before, currency_of(answer))}"
    if figure.unit == "percent":
        points = None if now is None or before is None else round(now - before, 1)
        return earlier if points is None else f"{_signed(points, short_text(abs(points)))} points ({earlier})"
    change = change_percent(now, before)
    return earlier if change is None else f"{_signed(change, percent_text(abs(change)))} ({earlier})"


def _signed(number: float, text: str) -> str:
    sign = "+" if number > 0 else "\N{MINUS SIGN}" if number < 0 else "±"
    return f"{sign}{text}"


def range_text(answer: ReportAnswer) -> str:
    if answer.sessions_range is None:
        return ""
    low, high = answer.sessions_range
    return f"{count_text(low)} to {count_text(high)} are people"


def period_text(query: ReportQuery) -> str:
    if query.days == 1:
        return day_text(query.since)
    return f"{day_text(query.since)} to {day_text(query.until)}"


def empty_text(answer: ReportAnswer) -> str:
    """Why there is nothing to show, else "". Nothing is said to be nothing before it has been counted."""
    progress, text = answer.progress, _empty_text(answer)
    return progress.text if progress is not None and progress.is_partial and (text or progress.is_blank) else text


def _empty_text(answer: ReportAnswer) -> str:
    if answer.empty is not None:
        return answer.empty
    if answer.first_day is None:
        return "No day has been counted yet. The first figures appear a minute after the first visit."
    if answer.query.until < answer.first_day and answer.query.needs_files:
        return f"Filters reach back to {day_text(answer.first_day)}: choose later days, or remove filters."
    if answer.query.until < answer.first_day:
        return f"Visits are counted since {day_text(answer.first_day)}: choose later days."
    if answer.row_count == 0 and not answer.totals.get("visits"):
        who = AUDIENCE_TEXTS[answer.query.audience].lower()
        fitting = " that fit the filters" if answer.query.filters else ""
        return f"No visits of {who}{fitting} were counted in these days."
    return ""


def heading_of(query: ReportQuery) -> str:
    levels = {**TIMES, **query.report.levels}
    return levels[query.by]


def notes(answer: ReportAnswer) -> list[str]:
    left, found = answer.left_out, list(answer.notes)
    if left.suspected or left.crawlers:
        found.append(
            f"Left out: {count_text(left.suspected)} visits of suspected programs and {count_text(left.crawlers)} of "
            "crawlers."
        )
    if left.without_session:
        found.append(
            f"{count_text(left.without_session)} of the visits have no session: these browsers ask not to be followed."
        )
    if answer.query.report.name == "pages" and answer.query.by not in TIMES:
        found.append("A session is in the row of each page that it opened, so sessions do not add up.")
    return found
