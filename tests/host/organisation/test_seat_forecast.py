"""The forecast of idle seats in words, and where managers read it."""

from datetime import UTC, datetime, timedelta

import pytest

from domain.seats import numbers
from domain.seats.assign import assign
from domain.seats.forecast import Forecast, Range
from domain.seats.views.outlook import CourseOutlook, SeatOutlook
from domain.tables import Contract, Membership
from host.loaders.organisation import seat_forecast
from tests.host.admin.test_staff import page
from tests.host.organisation.world import TwoOrganisations, two_organisations
from tests.host.site import Site
from tests.support import factories
from tests.support.factories import NOON

LAST_DAY = datetime(2027, 1, 31, tzinfo=UTC)
NOTHING = Forecast()


def course(
    shared: int, forecast: Forecast = NOTHING, others: int = 0, others_at_most: int = 0, **about
) -> CourseOutlook:
    facts = {"contract_id": 1, "contract_since": NOON, "course": "Vat", "last_day": LAST_DAY, **about}
    counts = {"seats": shared + others, "shared": shared, "others_at_most": others_at_most}
    return CourseOutlook(**{"ends_with_contract": False, **facts, **counts}, forecast=forecast)


def outlook(*courses: CourseOutlook) -> SeatOutlook:
    return SeatOutlook(LAST_DAY, courses, ())


SENTENCES = {
    "no seats": ([], [seat_forecast.NO_SEAT]),
    "not started and without activity": (
        [course(40, Forecast(Range(1, 4, 4), Range(0, 2, 2)))],
        ["Of 40 seats in use, about 6 will stand idle by January 31, 2027: 4 not started, 2 without activity."],
    ),
    "one kind, fewer than could be, and some completed": (
        [course(1_200, Forecast(Range(), Range(2, 9, 30), Range(0, 5, 8)))],
        [
            "Of 1,200 seats in use, about 9 will stand idle by January 31, 2027: 9 without activity (at most 30).",
            "About 5 will have completed the course by then.",
        ],
    ),
    "none": (
        [course(1, Forecast(Range(0, 0, 1)))],
        ["Of 1 seat in use, probably none will stand idle by January 31, 2027 (at most 1)."],
    ),
    "two courses add up": (
        [course(3, Forecast(Range(0, 1, 1))), course(4, Forecast(Range(1, 2, 2)), course="Payroll")],
        ["Of 7 seats in use, about 3 will stand idle by January 31, 2027: 3 not started."],
    ),
    "others who do not share": (
        [course(5, Forecast(Range(0, 1, 1)), others=3, others_at_most=2)],
        [
            "Of 5 seats in use whose holders share their progress, about 1 will stand idle by January 31, 2027: "
            "1 not started.",
            "3 other seats are in use by members who do not share their progress: at most 2 can stand idle by then.",
        ],
    ),
    "nobody shares": (
        [course(0, others=1)],
        [
            "How many seats will stand idle by January 31, 2027 cannot be told.",
            "1 seat is in use by members who do not share their progress: none can stand idle by then.",
        ],
    ),
}


@pytest.mark.parametrize(("courses", "sentences"), SENTENCES.values(), ids=SENTENCES)
def test_the_result_is_a_few_sentences(courses, sentences):
    assert seat_forecast.sentences(outlook(*courses)) == sentences


def texts(props: seat_forecast.SeatForecast) -> list[list[str | None]]:
    return [[cell and str(cell.get("text", cell.get("value"))) for cell in row] for row in props["courses"]["rows"]]


def test_a_table_says_it_by_course_with_what_is_true_already_and_at_most():
    full = Forecast(Range(1, 4, 6), Range(0, 2, 2), Range(0, 0, 3))
    assert texts(seat_forecast.props(outlook(course(9, full, others=2, others_at_most=1)))) == [
        ["Vat", None, "11", None, "4 (1 already, at most 6)", "2", "0 (at most 3)", "2 (idle at most 1)"]
    ]


def test_contracts_are_told_apart_where_there_are_several_and_one_that_ends_sooner_says_so():
    other = course(1, contract_id=2, course=None, ends_with_contract=True, last_day=LAST_DAY - timedelta(days=9))
    rows = seat_forecast.props(outlook(course(1), other))["courses"]["rows"]
    days = [[row[place] and row[place]["day"] for place in (1, 3)] for row in rows]
    assert days == [["2026-03-01", None], ["2026-03-01", "2027-01-22"]]
    assert rows[1][0] == {"kind": "text", "text": "Seats for people"}


def with_seat(site: Site, name: str) -> TwoOrganisations:
    """The owner of the own organisation has had a seat for two months and shares what they do, which is nothing."""
    world = two_organisations(site, name)
    now = datetime.now(UTC)
    with site.db.write_session() as session:
        product = factories.course(session, factories.category(session, name, name).id, f"{name}-course")
        facts = {"seats": 1, "seat_kind": "course", "starts_at": now - timedelta(days=90), "shows_names": True}
        contract = factories.contract(session, world.own, product.id, **facts)
        numbers.set_number(session, contract, 1, now)
        assign(session, contract.id, world.owner.id, [product.id], now - timedelta(days=60))
        session.query(Membership).filter_by(learner_id=world.owner.id).one().shares_progress = True
    return world


async def test_managers_read_it_on_the_overview_and_beside_their_seats_and_others_do_not(own_site):
    world = with_seat(own_site, "idle")
    _, home = await page(world.manager, "/organization")
    _, seats = await page(world.manager, "/organization/seats")
    assert seats["forecast"]["sentences"] == home["forecast"]
    assert home["forecast"][0].startswith("Of 1 seat in use, about 1 will stand idle by ")
    [[link, person, _, why]] = seats["forecast"]["seats"]["rows"]
    assert (person["text"], why["text"]) == ("Olga Ownwood idle", "Not started")
    _, seat = await page(world.manager, link["href"])
    assert seat["heading"] == link["text"] == "Seat 1"
    _, others = await page(world.rival, "/organization/seats")
    assert others["forecast"]["sentences"] == [seat_forecast.NO_SEAT]
    assert others["forecast"]["reckoned"] is None


async def test_a_member_who_shares_nothing_any_more_is_in_no_number_at_once(own_site):
    world = with_seat(own_site, "withdrawn")
    with own_site.db.write_session() as session:
        session.query(Contract).filter_by(organisation_id=world.own, seats=1).one().shows_names = False
    _, seats = await page(world.manager, "/organization/seats")
    assert seats["forecast"]["seats"]["rows"] == []
    assert seats["forecast"]["sentences"][0].startswith("How many seats will stand idle by ")
