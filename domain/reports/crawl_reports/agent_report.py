"""The report "agents": one line for each, from the page that it read to the order that its cart link became."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from pathlib import Path

from sqlalchemy.orm import Session

from domain.crawlers.operators import UNKNOWN_AGENT, agent_of
from domain.display_text import count_text, day_text
from domain.reports.crawl_reports import agent_activity, readers
from domain.reports.crawl_reports.agent_activity import CHECKED, NOT_CHECKED, PARTLY_CHECKED, AgentActivity
from domain.reports.crawl_reports.readers import NOT_VERIFIED_NOTE, Reading
from domain.reports.sale_reports.frame import ReportParts, SaleFrame
from domain.reports.visit_reports.answers import ReportAnswer, ReportRow
from domain.reports.visit_reports.descriptions import DAY, ReportDescription
from domain.reports.visit_reports.figures import Figure, FigureSums, figures_of, sum_of
from domain.reports.visit_reports.parameters import ReportQuery
from domain.reports.visit_reports.stored_figures import Span
from domain.visits.raw.local_days import DayRules

PAGE = "page"
FIGURES: Mapping[str, Figure] = {
    figure.key: figure
    for figure in (
        Figure("pages", "Pages read", "count", sum_of("pages")),
        Figure("feeds", "Feeds read", "count", sum_of("feeds")),
        Figure("sessions", "Sessions from agents", "count", sum_of("sessions"), "Sessions"),
        Figure("links", "Cart links", "count", sum_of("links")),
        Figure("opened", "Cart links opened", "count", sum_of("opened"), "Opened"),
        Figure("orders", "Paid orders of cart links", "count", sum_of("orders"), "Orders"),
        Figure("net", "Net", "money", sum_of("net_minor")),
        Figure("knownDays", "Days since it first read the page", "count", lambda _sums: None, "Known for days"),
    )
}
_FIGURES = ("pages", "feeds", "sessions", "links", "opened", "orders", "net")
AGENTS = ReportDescription(
    "agents",
    "Agents",
    "What assistants and crawlers read, and what came of it: sessions, cart links, orders.",
    {"agent": "Agent", PAGE: "Page"},
    columns=_FIGURES,
    columns_by={PAGE: ("knownDays",)},
    shown=_FIGURES,
    charted=("pages", "feeds", "sessions", "links", "opened", "orders", "net"),
    figures=FIGURES,
    definitions=Path(__file__).parent / "agent_definitions.json",
    words={"checked": "Identity", "last": "Last page read (UTC)"},
    has_money=True,
    has_audience=False,
    has_comparison=False,
    first_sort="-net",
    group="Crawlers",
    chosen_levels=(PAGE, DAY),
    unchosen=(PAGE,),
)
NOTHING = "In these days no agent has read a page, brought anybody, or made a cart link."
SPOOFED = "under the name of a crawler that the sender is not."
UNCHECKED = "that nobody has checked, under a name that others have proved."
LINKS_NOTE = "Cart links are of whichever agent their maker named: no address is checked then, and none is stored."
PAGES_NOTE = "Pages are all that were read until now, whatever the period."
NO_PAGES = "It has read no page."


def answer_agents(
    session: Session, query: ReportQuery, rules: DayRules, at: datetime, limit: int | None = None
) -> ReportAnswer:
    frame = SaleFrame(session, query, rules, at)
    everything = agent_activity.read(session, rules, frame.now, frame.window(frame.now), frame.currency)
    chosen = None if query.chosen is None else query.chosen[1]
    activity = everything if chosen is None else everything.of(chosen)
    rows = _rows(frame, activity, chosen)
    by_day = activity.by_day()

    def series(_span: Span) -> Mapping[date, FigureSums]:
        return by_day

    is_empty = not rows and not activity.counts and not activity.sales
    return frame.answer(
        ReportParts(
            _figures(activity.sums()),
            None,
            frame.series(series),
            rows,
            NOTHING if is_empty else "",
            list(_notes(frame, activity, rows)),
            chosen or "",
        ),
        limit,
    )


def _figures(sums: Mapping[str, int]) -> dict[str, int | float | None]:
    return figures_of(sums, _FIGURES, FIGURES)


def _rows(frame: SaleFrame, activity: AgentActivity, chosen: str | None) -> list[ReportRow]:
    if frame.query.by == PAGE:
        return _pages(frame, chosen)
    if frame.query.by == DAY:
        days = activity.by_day().items()
        return [ReportRow(f"{day}", day_text(day), _figures(sums), None) for day, sums in days]
    last: dict[str, datetime] = {}
    for name, at in readers.last_reads(frame.session).items():
        last[agent_of(name)] = max(at, last.get(agent_of(name), at))
    return [
        ReportRow(
            agent,
            agent,
            _figures(own.sums()),
            None,
            words={"checked": own.checked(), "last": readers.second_text(last.get(agent))},
        )
        for agent, own in activity.by_agent().items()
    ]


def _pages(frame: SaleFrame, chosen: str | None) -> list[ReportRow]:
    """The pages that an agent has read, or any of them; a page that several crawlers have read is one row."""
    by_path: defaultdict[str, list[Reading]] = defaultdict(list)
    for reading in readers.readings(frame.session, readers.ALL, lambda name: chosen in (None, agent_of(name))):
        by_path[reading.path].append(reading)
    return [_page(frame, path, found) for path, found in by_path.items()]


def _page(frame: SaleFrame, path: str, found: Sequence[Reading]) -> ReportRow:
    last = max(found, key=lambda reading: reading.last_ok_at)
    known = (frame.at - min(reading.first_ok_at for reading in found)).days
    kinds = {reading.is_verified for reading in found}
    checked = PARTLY_CHECKED if len(kinds) > 1 else CHECKED if kinds == {True} else NOT_CHECKED
    return ReportRow(
        path,
        last.title or path,
        {"knownDays": known},
        None,
        words={"checked": checked, "last": readers.second_text(last.last_ok_at)},
        href=path,
    )


def _notes(frame: SaleFrame, activity: AgentActivity, rows: Sequence[ReportRow]) -> Iterator[str]:
    identities = Counter(activity.identities.values())
    if any(identity != "verified" for identity in identities):
        yield NOT_VERIFIED_NOTE
    for count, why in ((activity.spoofed, SPOOFED), (activity.unchecked, UNCHECKED)):
        if count:
            yield f"Left out: {'1 fetch' if count == 1 else f'{count_text(count)} fetches'} {why}"
    if activity.sums()["links"]:
        yield LINKS_NOTE
    if frame.query.by == PAGE:
        yield PAGES_NOTE if rows else NO_PAGES
    if any(row.key == UNKNOWN_AGENT for row in rows):
        yield f"{UNKNOWN_AGENT}: programs whose names this shop does not know; nothing is guessed of them."
