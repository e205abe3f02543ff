"""Orders by links as their days have counted them: those that a search of all touchpoints finds, to the cent."""

from collections import Counter
from datetime import timedelta
from random import Random

import pytest
from sqlalchemy import delete, select, update

from domain.account.anonymise import anonymise_account
from domain.orders.settings import Context
from domain.reports import sales_lines
from domain.reports.attribution import referral_days, replay
from domain.reports.attribution.credit_builder import CreditDayBuilder
from domain.tables import CreditRollup, Learner, ReferralDay
from domain.visits import touchpoints
from domain.visits.erased import ERASED
from domain.visits.raw.local_days import DayRules, DayWindow
from tests.domain.orders import taxed
from tests.domain.reports.attribution import worlds
from tests.domain.reports.attribution.worlds import LATER, build, builder
from tests.domain.reports.report_worlds import ask, sell
from tests.domain.reports.selling_days import FIRST, ONE_DAY
from tests.domain.visits.days.worlds import add, visit
from tests.support import factories
from tests.support.factories import NOON

pytestmark = pytest.mark.each_database
MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
KINDS = referral_days.REFERRERS
NOBODY = ("(none)", "(unknown)")


def random_month(session, chance: Random) -> None:
    """Twelve learners who follow links, sign in, and order, some days before they pay; in two currencies."""
    learners = [factories.learner(session, f"Reader {number}") for number in range(12)]
    for partner in ("north", "south"):
        factories.organisation(session, partner)
    values = [{}, {"partner": "north"}, {"partner": "south"}, {"partner": "nobody"}, {"student_number": "s-none"}]
    values += [{"student_number": learner.student_number} for learner in learners[:4]] * 2
    visits = []
    for number in range(0, 600, 2):
        at = NOON - chance.randrange(40 * 24 * 60) * MINUTE
        who, value, name = chance.choice([None, *learners]), chance.choice(values), f"tab-{number}"
        visits += [
            visit(number + 1, at, "/", name, **value),
            visit(number + 2, at + MINUTE, "/cart", name, learner_id=who and who.id, **value),
        ]
    add(session, *visits)
    for number in range(120):
        placed_at = NOON - chance.randrange(8 * 24 * 60) * MINUTE
        paid_at = placed_at + chance.choice((0, 0, 5, 3000)) * MINUTE
        about = {"placed_at": placed_at, "currency": chance.choice(("USD", "USD", "EUR"))}
        learner = chance.choice(learners)
        sell(session, learner.id, f"N{number:03}B", paid_at, {"unit_minor": chance.randrange(100, 9_000)}, {}, **about)


def plain_referrals(session, referrer: str, window: DayWindow) -> list[tuple]:
    """Currency, link, whether it is the buyer's own, and net of each order: by all touchpoints of each buyer."""
    orders = list(sales_lines.paid_orders(session, window.since, window.until))
    followed = touchpoints.of_learners(session, {order.learner_id for order in orders})
    found = []
    for order in orders:
        keys = [
            getattr(one.row, referrer)
            for one in followed
            if one.learner_id == order.learner_id
            and order.placed_at - 30 * ONE_DAY < one.at <= order.placed_at
            and getattr(one.row, referrer) not in NOBODY
        ]
        if keys:
            is_own = referrer == "student" and keys[-1] == order.student_number
            found.append((order.currency, keys[-1], is_own, order.net_minor))
    return found


def summed(found: list[tuple], currency: str) -> dict[str, tuple[int, int, int, int]]:
    sums = Counter()
    for of_currency, key, is_own, net_minor in found:
        if of_currency == currency:
            sums[key, is_own, "orders"] += 1
            sums[key, is_own, "net"] += net_minor
    parts = [(is_own, name) for is_own in (False, True) for name in ("orders", "net")]
    return {key: tuple(sums[key, *part] for part in parts) for key in {row[0] for row in sums}}


@pytest.mark.parametrize("seed", range(4))
def test_every_link_has_what_a_search_of_all_touchpoints_finds(database, seed):
    with database.write_session() as session:
        random_month(session, Random(seed))
    build(database)
    rules, since, until = DayRules(), FIRST - 9 * ONE_DAY, FIRST + 3 * ONE_DAY
    with database.read_session() as session:
        window = DayWindow(rules.window(since).since, rules.window(until).until)
        for referrer in KINDS:
            found = plain_referrals(session, referrer, window)
            for currency in ("USD", "EUR"):
                stored = referral_days.by_key(session, referrer, currency, since, until)
                assert stored == summed(found, currency) != {}
                by_day = referral_days.by_day(session, referrer, currency, since, until)
                assert sum(day.net_minor for day in by_day.values()) == sum(row.net_minor for row in stored.values())


@pytest.mark.parametrize("hour", [0, 7, 12, 23])
def test_a_day_that_is_cut_has_the_orders_up_to_then(database, hour):
    with database.write_session() as session:
        random_month(session, Random(7))
    build(database)
    start = DayRules().window(FIRST - ONE_DAY).since
    window = DayWindow(start, start + hour * HOUR)
    with database.read_session() as session:
        counted = referral_days.count_window(session, window)
        for referrer in KINDS:
            cut = {key.key: sums for key, sums in counted if (key.referrer, key.currency) == (referrer, "USD")}
            assert cut == summed(plain_referrals(session, referrer, window), "USD")


@pytest.fixture
def week(database):
    """The orders of a week; who bought for nothing followed the link with the own number."""
    with database.write_session() as session:
        week = worlds.fill(session)
    build(database)
    return week


def rows(database) -> list[tuple]:
    columns = [getattr(ReferralDay, name) for name in ("referrer", "key", "orders", "net_minor", "own_orders")]
    with database.read_session() as session:
        return [tuple(row) for row in session.execute(select(*columns).order_by(ReferralDay.referrer))]


def check(database) -> list[str]:
    with database.read_session() as session:
        days = replay.days_of(session, None, None)
    *_, result = replay.check_days(builder(database), days)
    return result.wrong


def test_a_refund_is_in_the_net_of_its_link_when_the_day_is_computed_again(database, week):
    before = {row[1]: row[3] for row in rows(database)}
    with database.write_session() as session:
        taxed.give_back(session, session.merge(week.mixed), {1: 1}, at=LATER + MINUTE)
    builder(database, LATER + 2 * MINUTE).build_due()
    after = {row[1]: row[3] for row in rows(database)}
    with database.read_session() as session:
        net_minor = sum(line.net_minor for line in sales_lines.of_order(session, week.mixed.id))
    assert after["linker"] == net_minor < before["linker"]
    assert check(database) == []


def test_days_that_wait_are_said_with_the_report(database, week):
    assert not [note for note in ask(database, "partners").notes if "What led" in note]
    with database.write_session() as session:
        session.execute(update(CreditRollup).where(CreditRollup.day == FIRST).values(dirty_at=LATER))
    found = ask(database, "partners")
    assert [note.split(" is ")[0] for note in found.notes if "What led" in note] == ["What led to the orders of 1 day"]


def test_an_erased_number_is_in_no_day_at_once_and_its_orders_come_back(database, week):
    with database.read_session() as session:
        learner = session.get_one(Learner, week.free.learner_id)
        number, email = learner.student_number, learner.email
    assert ("student", number, 0, 0, 1) in rows(database)
    with database.write_session() as session:
        anonymise_account(session, week.free.learner_id, email, Context(LATER + MINUTE))
    assert number not in {row[1] for row in rows(database)}
    builder(database, LATER + HOUR).build_due()
    assert ("student", ERASED, 0, 0, 1) in rows(database)
    assert check(database) == []


def test_the_check_names_a_day_whose_rows_were_changed_and_its_turn_mends_them(database, week):
    first = rows(database)
    with database.write_session() as session:
        session.execute(delete(ReferralDay).where(ReferralDay.referrer == "partner"))
    assert check(database) == [f"{FIRST}: other orders by links are stored than the paths give"]
    CreditDayBuilder(database, DayRules(), lambda: LATER, builder(database).attribution).build(FIRST)
    assert rows(database) == first
