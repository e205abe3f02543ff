"""What agents did in some days, and what they brought: pages and feeds that they read, sessions that came from them,
cart links, and orders of these links.

An agent is an assistant with the programs that fetch for it, or another crawler. Which of them a name belongs to,
operators.json alone says; sessions have the assistant's own name already. What names itself in no known way is one
agent, "(unknown agent)".
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from domain.crawlers import program_links
from domain.crawlers.fetches import PAGE_KINDS, READ
from domain.crawlers.operators import UNKNOWN_AGENT, agent_of
from domain.crawlers.verification import CrawlerVerification
from domain.reports import sales_lines
from domain.reports.crawl_reports import readers
from domain.reports.visit_reports.stored_figures import Span
from domain.tables import CrawlDay, VisitDay
from domain.visits.days.channels import NONE
from domain.visits.days.compute import WITHOUT_SESSION
from domain.visits.raw.local_days import SHOP, DayRules, DayWindow

_FEED = "feed"
_SUMS = ("pages", "feeds", "sessions", "links", "opened", "net_minor")
CHECKED = "Verified"
NOT_CHECKED = "Not verified"
PARTLY_CHECKED = "Partly verified"


class AgentCount(NamedTuple):
    """`what`: pages, feeds, sessions, links or opened."""

    agent: str
    day: date
    what: str
    number: int


class AgentSale(NamedTuple):
    """What an order has of an agent's links."""

    agent: str
    day: date
    order_id: int
    net_minor: int


@dataclass(frozen=True)
class AgentActivity:
    """`identities`: by the name of a crawler that read anything what its counted fetches are, verified or claimed.
    `spoofed`, `unchecked`: fetches that are not counted, because the sender was somebody else, and because others have
    proved that they are of this name."""

    counts: list[AgentCount] = field(default_factory=list)
    sales: list[AgentSale] = field(default_factory=list)
    identities: Mapping[str, str] = field(default_factory=dict)
    spoofed: int = 0
    unchecked: int = 0

    def of(self, agent: str) -> "AgentActivity":
        """What one agent did and brought."""
        return AgentActivity(
            [count for count in self.counts if count.agent == agent],
            [sale for sale in self.sales if sale.agent == agent],
            {name: identity for name, identity in self.identities.items() if agent_of(name) == agent},
        )

    def sums(self) -> Counter[str]:
        """The sums of all of it. An order of several agents counts once."""
        sums = Counter[str](dict.fromkeys(_SUMS, 0))
        for count in self.counts:
            sums[count.what] += count.number
        sums["net_minor"] = sum(sale.net_minor for sale in self.sales)
        sums["orders"] = len({sale.order_id for sale in self.sales})
        return sums

    def by_agent(self) -> dict[str, "AgentActivity"]:
        agents = dict.fromkeys([*(count.agent for count in self.counts), *(sale.agent for sale in self.sales)])
        found = {agent: AgentActivity(identities=self._identities_of(agent)) for agent in agents}
        for count in self.counts:
            found[count.agent].counts.append(count)
        for sale in self.sales:
            found[sale.agent].sales.append(sale)
        return found

    def by_day(self) -> dict[date, Counter[str]]:
        found: defaultdict[date, AgentActivity] = defaultdict(AgentActivity)
        for count in self.counts:
            found[count.day].counts.append(count)
        for sale in self.sales:
            found[sale.day].sales.append(sale)
        return {day: activity.sums() for day, activity in found.items()}

    def checked(self) -> str:
        """Whether its crawlers proved who they are, in words; "" for none."""
        kinds = set(self.identities.values())
        if not kinds:
            return ""
        if len(kinds) > 1:
            return PARTLY_CHECKED
        return CHECKED if kinds == {CrawlerVerification.VERIFIED} else NOT_CHECKED

    def _identities_of(self, agent: str) -> Mapping[str, str]:
        return {name: identity for name, identity in self.identities.items() if agent_of(name) == agent}


def read(session: Session, rules: DayRules, span: Span, window: DayWindow, currency: str) -> AgentActivity:
    """`window`: the time of the days. Orders are those in one currency."""
    fetched = _fetched(session, span)
    identities = readers.shown_identities((row.crawler, row.verification) for row in fetched)
    counted = [row for row in fetched if identities.get(row.crawler) == row.verification]
    spoofed = sum(row.number for row in fetched if row.verification == CrawlerVerification.SPOOFED)
    sales = sales_lines.agent_orders(session, currency, window.since, window.until)
    return AgentActivity(
        [
            *(AgentCount(agent_of(row.crawler), row.day, row.what, row.number) for row in counted),
            *_sessions(session, span),
            *_links(session, rules, window),
        ],
        list(_sales(sales, rules)),
        {row.crawler: row.verification for row in counted},
        spoofed,
        sum(row.number for row in fetched) - sum(row.number for row in counted) - spoofed,
    )


class _Fetched(NamedTuple):
    crawler: str
    verification: str
    day: date
    what: str
    number: int


def _fetched(session: Session, span: Span) -> list[_Fetched]:
    """Pages and feeds that were read: answered with 200, or with 304."""
    keys: tuple[Any, ...] = (CrawlDay.crawler, CrawlDay.verification, CrawlDay.day, CrawlDay.page_kind)
    is_read = (CrawlDay.status.in_(READ), CrawlDay.page_kind.in_([*sorted(PAGE_KINDS), _FEED]))
    query = select(*keys, func.sum(CrawlDay.fetches)).where(CrawlDay.day >= span.since, CrawlDay.day <= span.until)
    rows = session.execute(query.where(*is_read).group_by(*keys))
    return [_Fetched(row[0], row[1], row[2], "feeds" if row[3] == _FEED else "pages", int(row[4])) for row in rows]


def _sessions(session: Session, span: Span) -> Iterator[AgentCount]:
    """Sessions of people that came from assistants; those beyond the most visited are of an unknown agent."""
    is_day = (VisitDay.site == SHOP, VisitDay.day >= span.since, VisitDay.day <= span.until)
    is_assistant = (VisitDay.dimension == "assistant", VisitDay.audience == "people", VisitDay.sessions > 0)
    query = select(VisitDay.day, VisitDay.key, VisitDay.sessions).where(*is_day, *is_assistant)
    for day, key, count in session.execute(query.where(VisitDay.key.not_in((NONE, WITHOUT_SESSION)))):
        yield AgentCount(UNKNOWN_AGENT if key.startswith("(") else key, day, "sessions", int(count))


def _links(session: Session, rules: DayRules, window: DayWindow) -> Iterator[AgentCount]:
    """Cart links by the day on which they were made, opened ones too."""
    for link in program_links.created_between(session, window.since, window.until):
        agent, day = agent_of(link.agent), rules.day_of(link.created_at)
        yield AgentCount(agent, day, "links", 1)
        if link.is_opened:
            yield AgentCount(agent, day, "opened", 1)


def _sales(orders: Iterable[sales_lines.AgentOrder], rules: DayRules) -> Iterator[AgentSale]:
    for order in orders:
        yield AgentSale(agent_of(order.agent), rules.day_of(order.paid_at), order.order_id, order.net_minor)
