"""/admin/reports/now: what the page and the call show of the last 30 minutes."""

from datetime import date, datetime, timedelta

from domain.display_text import count_text
from domain.reports.visit_reports import served_report
from domain.reports.visit_reports.descriptions import REPORTS
from domain.reports.visit_reports.figures import FIGURES, Definition, Figure, FigureValue, definitions
from domain.reports.visit_reports.live import MINUTES, LiveVisits
from domain.reports.visit_reports.parameters import MAX_VALUE
from domain.reports.visit_reports.served_report import ServedSums
from domain.reports.visit_reports.wording import value_text
from domain.routes import Page
from host.loaders.ui import table_cells as cells
from host.loaders.ui.chart_props import ChartProps
from host.loaders.ui.detail_props import short_table
from host.loaders.ui.table_cells import Cell, Column
from host.loaders.ui.table_query import address
from host.reports import links
from host.reports.answering import NOW
from host.reports.models import ReportFigure, ReportReply, VisitReportProps

# The page of a marketer who looks at it all day makes so many requests.
REFRESH_S = 30
NOBODY = f"Nobody has opened a page in the last {MINUTES} minutes."
_PAGES = links.path_of(REPORTS["pages"])
_PERIOD = f"the last {MINUTES} minutes, UTC"
_PATHS: tuple[Column[tuple[str, int]], ...] = (
    Column("name", "Address", "link", lambda rows: [_path_cell(path) for path, _ in rows]),
    cells.count("visits", "Visits", lambda row: row[1]),
)


def _path_cell(path: str) -> Cell:
    """Leads to what the address had in the last weeks; a longer one is no value of a report."""
    if len(path) > MAX_VALUE:
        return {"kind": "text", "text": path}
    return {"kind": "link", "text": path, "href": address(_PAGES, [("f", f"path:{path}")])}


def live_props(found: LiveVisits, route: Page, today: date, at: datetime) -> VisitReportProps:
    empty = "" if found.visits or found.served else NOBODY
    return {
        "title": route.title,
        "heading": "Now",
        "about": f"What people have opened in the last {MINUTES} minutes.",
        "reports": links.report_links(None, today),
        "presets": [],
        "form": None,
        "ignored": [],
        "chosen": None,
        "figures": [] if empty else _figures(found),
        "chart": _chart(found),
        "levels": [],
        "table": short_table("rows", "Address", NOBODY, _PATHS, found.paths),
        "columns": [],
        "pages": {"previous": None, "next": None, "entries": []},
        "csvHref": None,
        "parquetHref": None,
        "empty": empty,
        "notes": _notes(found),
        "builtAt": at,
        "refreshS": REFRESH_S,
    }


def live_reply(found: LiveVisits, zone: str, today: date, at: datetime) -> ReportReply:
    return {
        "report": NOW,
        "from": today.isoformat(),
        "to": today.isoformat(),
        "zone": zone,
        "by": "path",
        "builtAt": at,
        "isUnfinished": True,
        "totals": {"visits": found.visits, "sessions": found.sessions, **_served(found).figures()},
        "previous": None,
        "range": None,
        "leftOut": {"suspected": 0, "crawlers": 0, "withoutSession": found.without_session},
        "series": [
            {"at": label, "figures": {"visits": count}, "previous": None}
            for label, count in zip(_labels(found), found.minutes, strict=True)
        ],
        "rows": [
            {"key": path, "label": path, "figures": {"visits": visits}, "previous": None, "words": {}}
            for path, visits in found.paths
        ],
        "more": False,
        "notes": _notes(found),
        "currency": None,
        "progress": None,
    }


def _served(found: LiveVisits) -> ServedSums:
    return ServedSums(found.served, found.seen)


def _figures(found: LiveVisits) -> list[ReportFigure]:
    texts = definitions()
    of_visits = {"visits": found.visits, "sessions": found.sessions}
    shown: list[tuple[Figure, FigureValue]] = [(FIGURES[key], value) for key, value in of_visits.items()]
    # Pages that people have seen were served: without a count of them it is not known how many.
    served = _served(found).figures() if found.served else served_report.NO_FIGURES
    shown += [(served_report.FIGURES[key], value) for key, value in served.items()]
    return [_figure(figure, value, texts[figure.key]) for figure, value in shown]


def _figure(figure: Figure, value: FigureValue, text: Definition) -> ReportFigure:
    return {
        "key": figure.key,
        "label": figure.label,
        "value": value_text(figure, value),
        "change": "",
        "range": "",
        "meaning": text.meaning,
        "example": text.example,
    }


def _labels(found: LiveVisits) -> list[str]:
    times = (found.since + timedelta(minutes=minute) for minute in range(MINUTES))
    return [time.replace(tzinfo=None).isoformat(timespec="minutes") for time in times]


def _chart(found: LiveVisits) -> ChartProps:
    values: list[int | float | None] = [*found.minutes]
    return {
        "kind": "bar",
        "title": "Visits by minute",
        "summary": f"{count_text(found.visits)} visits.",
        "unit": "count",
        "unitLabel": "People",
        "period": _PERIOD,
        "points": {"kind": "time", "labels": _labels(found)},
        "series": [{"label": "Visits", "values": values}],
        "unfinishedFrom": MINUTES - 1,
        "empty": NOBODY,
        "csvHref": None,
    }


def _notes(found: LiveVisits) -> list[str]:
    notes = ["Who is a person is judged by these minutes alone; the reports of days know more."]
    if found.served:
        notes.append("Served pages are those of browsers, up to the last whole minute.")
    if found.without_session:
        notes.append(f"{count_text(found.without_session)} of the visits have no session.")
    return notes
