"""GET /api/admin/reports/{name}: a report as JSON."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated

from aiohttp import web
from pydantic import BaseModel, ConfigDict, Field

from domain.permissions import Permission
from domain.reports.visit_reports.answers import ReportAnswer
from domain.reports.visit_reports.figure_sources import ReportUnavailable
from domain.reports.visit_reports.figures import FigureSums, figures_of
from domain.reports.visit_reports.parameters import names_of, read_parameters
from host.api.registry import query
from host.app_keys import DATABASE, SETTINGS
from host.http.problems import Problem
from host.http.request_keys import ACTOR, PATH_IDS
from host.messaging.report_client import REPORT_CLIENT
from host.rate_limits import policies
from host.reports.answering import NOW, Reader, report_of
from host.reports.live_view import live_reply
from host.reports.models import FigureValues, ReportReply, SeriesPoint
from host.reports.refusals import being_computed, days_computed, unavailable

Text = Annotated[str, Field(max_length=200)]


class ReportParameters(BaseModel):
    """As in the address of the page: domain/reports/visit_reports/parameters.py reads them."""

    model_config = ConfigDict(populate_by_name=True)

    since: Text = Field(default="", alias="from")
    to: Text = ""
    compare: Text = ""
    by: Text = ""
    audience: Text = ""
    f: list[Text] = Field(default=[], max_length=20)
    sort: Text = ""
    page: Text = ""
    limit: Text = ""
    currency: Text = ""
    model: Text = ""
    of: Text = ""
    state: Text = ""
    readers: Text = ""


@query(
    "admin/reports/{name}",
    ReportParameters,
    ReportReply,
    area="admin",
    permission=Permission.REPORTS_READ,
    has_text_ids=True,
)
async def report(request: web.Request, _body: ReportParameters) -> ReportReply:
    """A report of `domain/reports/all_reports.py`; now: the last 30 minutes, without parameters. `f` chooses one value,
    as dimension:value; reports about visits take it up to five times, for values of different dimensions, and answer
    several from the files of days. What is not understood is refused."""
    await policies.limit(request, "reports_per_learner_minute")
    settings, at, name = request.app[SETTINGS], datetime.now(UTC), request[PATH_IDS]["name"]
    today = settings.day_rules.day_of(at)
    reader = Reader(request.app[DATABASE], request.app[REPORT_CLIENT], settings, request[ACTOR].learner_id, at)
    if name == NOW:
        _refuse_unknown(request, {}, ())
        return live_reply(await reader.live(), settings.report_time_zone, today, at)
    known = names_of(report_of(name))
    values = {name: request.query[name] for name in known if name in request.query}
    parameters, errors = read_parameters(report_of(name), values, today, request.query.getall("f", []))
    _refuse_unknown(request, errors, known)
    try:
        answer = await reader.answer(parameters, "view")
    except ReportUnavailable as error:
        raise unavailable(error) from error
    if answer.is_blank:
        raise being_computed(answer)
    return _reply(answer)


def _refuse_unknown(request: web.Request, errors: Mapping[str, str], known: tuple[str, ...]) -> None:
    """Raises Problem 422."""
    unknown = {name: "There is no such parameter." for name in request.query if name not in known}
    if errors or unknown:
        raise Problem(422, errors={**errors, **unknown})


def _reply(answer: ReportAnswer) -> ReportReply:
    low_high, left = answer.sessions_range, answer.left_out
    return {
        "report": answer.query.report.name,
        "from": answer.query.since.isoformat(),
        "to": answer.query.until.isoformat(),
        "zone": answer.zone,
        "by": answer.query.by,
        "builtAt": answer.built_at,
        "isUnfinished": answer.is_unfinished,
        "totals": answer.totals,
        "previous": answer.previous,
        "range": None if low_high is None else {"low": low_high[0], "high": low_high[1]},
        "leftOut": {
            "suspected": left.suspected,
            "crawlers": left.crawlers,
            "withoutSession": left.without_session,
        },
        "series": _points(answer),
        "rows": [
            {
                "key": row.key,
                "label": row.label,
                "figures": row.figures,
                "previous": row.previous,
                "words": {**row.words},
            }
            for row in answer.rows
        ],
        "more": answer.has_more,
        "notes": answer.notes,
        "currency": answer.currency,
        "progress": days_computed(answer),
    }


def _points(answer: ReportAnswer) -> list[SeriesPoint]:
    """Each point of the series with the figures of a row."""
    series, report = answer.series, answer.query.report

    def figures(sums: FigureSums | None) -> FigureValues | None:
        return None if sums is None else figures_of(sums, report.series_columns, report.figures)

    earlier = series.previous or [None for _ in series.labels]
    return [
        {"at": label, "figures": figures(now), "previous": figures(before)}
        for label, now, before in zip(series.labels, series.values, earlier, strict=True)
    ]
