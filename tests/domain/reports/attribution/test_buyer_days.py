"""Cohorts and coded orders as their days have counted them: what all orders and touchpoints say, read anew."""

from collections import defaultdict
from datetime import date, timedelta
from random import Random

import pytest
from sqlalchemy import delete, update

from domain.reports import sales_lines
from domain.reports.attribution import coded_orders, cohort_days, replay
from domain.reports.attribution.cohort_days import NOT_MEASURED, CohortPeriod
from domain.tables import CodedOrder, CohortDay, Order
from domain.visits import touchpoints
from domain.visits.raw.local_days import DayRules
from tests.domain.reports.attribution.worlds import LATER, build, builder
from tests.domain.reports.report_worlds import sell
from tests.domain.reports.selling_days import ONE_DAY, at_day
from tests.domain.visits.days.worlds import add, visit
from tests.support import factories
from tests.support.factories import NOON

pytestmark = pytest.mark.each_database
MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
CODES = ("spring", "autumn", "")
UTM = ("/", "/?utm_source=news&utm_medium=email", "/?utm_source=search&utm_medium=cpc")


def random_quarter(session, chance: Random) -> None:
    """Thirty learners with orders of a hundred days, some of two currencies on one day, and some sessions."""
    learners = [factories.learner(session, f"Reader {number}").id for number in range(30)]
    add(
        session,
        *(
            visit(number, NOON - chance.randrange(99 * 24 * 60) * MINUTE, chance.choice(UTM), f"t{number}", **about)
            for number in range(1, 60)
            for about in ({"learner_id": chance.choice(learners)},)
        ),
    )
    for number in range(140):
        paid_at = NOON - chance.randrange(100 * 24 * 6) * 10 * MINUTE
        lines = [
            {"unit_minor": 500},
            coded(chance.choice(CODES), 100, line_code=chance.choice(CODES), cart_code=chance.choice(CODES)),
        ]
        currency = chance.choice(("USD", "USD", "EUR"))
        sell(session, chance.choice(learners), f"N{number:03}B", paid_at, *lines, currency=currency)


def coded(code: str, discount: int, **about):
    """A line that codes lowered."""
    steps = [{"step": "code", "change_minor": -discount, "total_minor": 5_000, "included_minor": 0}]
    return {"unit_minor": 5_000, "steps": steps, **about}


def all_orders(session) -> dict[int, list]:
    """Learner -> all paid orders, by the time of payment."""
    found = defaultdict(list)
    for order in sales_lines.paid_orders(session, NOON - 400 * ONE_DAY, LATER):
        found[order.learner_id].append(order)
    return found


def plain_cohorts(session, rules: DayRules, start_of, currency: str) -> dict[tuple, tuple]:
    """(channel, start) -> learners, those who bought on another day, net, and (part, learners) of those who bought."""
    orders = all_orders(session)
    channels = {}
    for one in touchpoints.of_learners(session, orders.keys()):
        if one.at <= orders[one.learner_id][0].paid_at:
            channels.setdefault(one.learner_id, one.row.channel)
    members = defaultdict(list)
    for learner_id, own in orders.items():
        days = [rules.day_of(order.paid_at) for order in own]
        net = sum(order.net_minor for order in own if order.currency == currency)
        members[channels.get(learner_id, NOT_MEASURED), start_of(days[0])].append((days, net))
    found = {}
    for key, learners in members.items():
        parts = defaultdict(int)
        for days, _ in learners:
            for part in {start_of(day) for day in days}:
                parts[part] += 1
        back = sum(len(set(days)) > 1 for days, _ in learners)
        found[key] = (len(learners), back, sum(net for _, net in learners), dict(parts))
    return found


def stored_cohorts(session, calendar: str, currency: str) -> dict[tuple, tuple]:
    found: dict = {}
    period = CohortPeriod(calendar, currency, date(2025, 1, 1), date(2027, 1, 1))
    for part in cohort_days.parts(session, period, has_channels=True):
        new, back, net, parts = found.setdefault((part.channel, part.start), (0, 0, 0, {}))
        parts = {**parts, part.part: part.sums.buyers}
        sums = part.sums
        found[part.channel, part.start] = (new + sums.new, back + sums.back, net + sums.net_minor, parts)
    return found


@pytest.mark.parametrize("zone", ["UTC", "Pacific/Auckland"])
@pytest.mark.parametrize("seed", range(3))
def test_cohorts_are_those_of_all_orders(database, seed, zone):
    with database.write_session() as session:
        random_quarter(session, Random(seed))
    build(database)
    rules = DayRules(zone)
    builder(database, LATER, rules).build_due()
    with database.read_session() as session:
        for calendar, start_of in cohort_days.CALENDARS.items():
            for currency in ("USD", "EUR"):
                plain = plain_cohorts(session, rules, start_of, currency)
                assert stored_cohorts(session, calendar, currency) == plain
                assert len(plain) > 5


def plain_coded(session, since: date, until: date, cut) -> dict[str | None, tuple[int, int, int]]:
    """Code -> different orders, learners and new learners; None: of all codes."""
    first = {learner_id: own[0].order_id for learner_id, own in all_orders(session).items()}
    rules = DayRules()
    end = cut or rules.window(until).until
    groups = defaultdict(set)
    for line in sales_lines.lines(session, rules.window(since).since, end):
        if line.currency == "USD":
            for code in filter(None, (line.line_code, line.cart_code)):
                for key in (code, None):
                    groups[key].add((line.order_id, line.learner_id, first[line.learner_id] == line.order_id))
    return {
        key: (len(rows), len({row[1] for row in rows}), len({row[1] for row in rows if row[2]}))
        for key, rows in groups.items()
    }


@pytest.mark.parametrize("cut", [None, NOON - 3 * ONE_DAY - 5 * HOUR])
@pytest.mark.parametrize("seed", range(3))
def test_buyers_with_a_code_are_those_of_all_orders(database, seed, cut):
    with database.write_session() as session:
        random_quarter(session, Random(seed))
    build(database)
    since, until = (NOON - 60 * ONE_DAY).date(), (NOON - 3 * ONE_DAY).date()
    with database.read_session() as session:
        found = coded_orders.counts(session, "USD", since, until, cut)
        assert {**found.by_code, None: found.total} == plain_coded(session, since, until, cut)


def check(database) -> list[str]:
    with database.read_session() as session:
        days = replay.days_of(session, None, None)
    *_, result = replay.check_days(builder(database), days)
    return result.wrong


def test_a_payment_that_is_known_late_is_the_first_one_of_its_learner(database):
    """The order of the third day was the first; then the bank tells of a payment of the first day."""
    with database.write_session() as session:
        learner = factories.learner(session).id
        sell(session, learner, "B", at_day(3), coded("spring", 100, line_code="spring"))
    build(database)
    with database.write_session() as session:
        sell(session, learner, "A", at_day(1), changed_at=LATER + MINUTE)
    builder(database, LATER + 2 * MINUTE).build_due()
    with database.read_session() as session:
        found = coded_orders.counts(session, "USD", at_day(1).date(), at_day(4).date(), None)
        assert found.by_code == {"spring": (1, 1, 0)}
        cohorts = stored_cohorts(session, "week", "USD")
    first, third = date(2026, 2, 23), date(2026, 3, 2)
    assert cohorts == {(NOT_MEASURED, first): (1, 1, 15_000, {first: 1, third: 1})}
    assert check(database) == []


def test_a_first_channel_stays_when_touchpoints_are_deleted(database):
    with database.write_session() as session:
        learner = factories.learner(session).id
        add(session, visit(1, NOON - HOUR, UTM[1], "a", learner_id=learner))
        sell(session, learner, "A", NOON)
        sell(session, learner, "B", at_day(2))
    build(database)
    with database.write_session() as session:
        for table in (touchpoints.Touchpoint, touchpoints.SessionLearner):
            session.execute(delete(table))
        session.execute(update(Order).values(changed_at=LATER))
    builder(database, LATER + HOUR).build_due()
    with database.read_session() as session:
        assert {key[0] for key in stored_cohorts(session, "month", "USD")} == {"email"}


def test_the_check_names_rows_that_were_changed(database):
    with database.write_session() as session:
        sell(session, factories.learner(session).id, "A", NOON, coded("spring", 100, line_code="spring"))
    build(database)
    assert check(database) == []
    with database.write_session() as session:
        session.execute(update(CohortDay).values(new=7))
        session.execute(update(CodedOrder).values(is_first=False))
    day = NOON.date()
    assert check(database) == [
        f"{day}: other learners by their first order are stored than the orders give",
        f"{day}: other orders with codes are stored than there are",
    ]
