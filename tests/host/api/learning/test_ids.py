"""Every call of learning with an id in its path: what is foreign, unknown or no id at all gets one answer, the same
bytes, and nothing is stored."""

from datetime import UTC, datetime, timedelta

from sqlalchemy import func, select

from domain.seats.assign import assign
from domain.tables import (
    Certificate,
    Invitation,
    LessonNote,
    LessonProgress,
    Membership,
    QuizAttempt,
    Review,
    ReviewReport,
    Seat,
    SeatEvent,
    SeatRequest,
)
from host.api.registry import CALLS
from tests.host.learning.studies import COURSE, enrol, publish
from tests.host.signing import Learner, learner
from tests.host.site import Site
from tests.support import factories

ATTEMPT = {"eventId": "0197a1b2-0000-7000-8000-000000000001", "revision": 1, "answers": {}}
# What each call that changes something is sent.
BODIES = {
    "learning/courses/{id}/certificate": {"name": "Grace Hopper"},
    "learning/courses/{id}/review": {"rating": 5},
    "learning/invitations/{id}/accept": {},
    "learning/invitations/{id}/decline": {},
    "learning/lessons/{id}/attempts": ATTEMPT,
    "learning/lessons/{id}/note": {"body": "Mine", "version": 0},
    "learning/seats/{id}/keep": {},
    "learning/seats/{id}/pause": {"days": 7},
    "learning/seats/requests/{id}/withdraw": {},
    "reviews/{id}/report": {},
}
NO_IDS = ["999999", "0", "00", "-1", "1.5", "1e3", "abc", "[1]", "null", "%7B%7D", "9" * 16, "9" * 400, "%F0%9F%98%80"]
TABLES = (Certificate, LessonNote, LessonProgress, QuizAttempt, Review, ReviewReport, Membership, SeatEvent)
# Rows of an organisation that Grace does not belong to.
OF_ORGANISATIONS = {"invitations": Invitation, "seats/requests": SeatRequest, "seats": Seat}


def calls_with_ids() -> list[tuple[str, str]]:
    own = {key for key, call in CALLS.items() if call.handler.__module__.startswith("host.api.learning.")}
    return sorted((method, name) for method, name in own if "{" in name)


def stored(site: Site) -> list[int]:
    with site.db.read_session() as session:
        return [session.scalar(select(func.count()).select_from(table)) or 0 for table in TABLES]


def add_seats(site: Site, person: Learner) -> None:
    """An organisation with a seat of a member, who waits for another one, and an invitation of somebody else."""
    at = datetime.now(UTC)
    with site.db.write_session() as session:
        organisation = factories.organisation(session).id
        facts = {"starts_at": at - timedelta(days=1), "ends_at": at + timedelta(days=90), "seat_kind": "course"}
        contract = factories.contract(session, organisation, site.id_of(COURSE), seats=None, **facts)
        factories.member(session, person.id, organisation)
        assign(session, contract.id, person.id, [site.id_of(COURSE)], at)
        about = {"contract_id": contract.id, "product_id": site.id_of(COURSE), "learner_id": person.id}
        session.add(SeatRequest(**about, requested_at=at, open_key="1:1"))
        invited = {"organisation_id": organisation, "contract_id": contract.id, "email_key": "new@example.test"}
        session.add(Invitation(**invited, sent_at=at, expires_at=at + timedelta(days=14)))


def foreign_id(site: Site, name: str, lessons: dict[str, int]) -> int:
    """The id of something that is not Grace's."""
    for part, table in OF_ORGANISATIONS.items():
        if part in name:
            with site.db.read_session() as session:
                return session.scalars(select(table.id).order_by(table.id).limit(1)).one()
    if "courses" in name:
        return site.id_of(COURSE)
    if "lessons" in name:
        return lessons["Rates"]
    with site.db.write_session() as session:
        return factories.review(session, site.id_of(COURSE), state="hidden").id


def test_every_call_that_changes_something_is_tried():
    assert {name for method, name in calls_with_ids() if method in ("POST", "PUT")} == set(BODIES)


async def answers_to(
    site: Site, call: tuple[str, str], ids: list[str], person: Learner | None
) -> set[tuple[int, bytes]]:
    method, name = call
    body = BODIES.get(name) if method in ("POST", "PUT") else None
    if body is not None and person is not None and name.endswith("/note"):
        body = {**body, "learnerId": person.id}
    headers = {} if person is None else person.headers
    answers = set()
    for text in ids:
        answer = await site.answer(name.replace("{id}", text), body, headers, method)
        answers.add((answer.status, await answer.read()))
    return answers


async def test_what_is_foreign_unknown_or_no_id_gets_one_answer_and_stores_nothing(open_site):
    site = await open_site(LIMITS="off")
    ada, grace = learner(site), learner(site, "Grace Hopper")
    lessons = publish(site)
    add_seats(site, ada)
    enrol(site, ada)
    foreign = {name: foreign_id(site, name, lessons) for _, name in calls_with_ids()}
    before = stored(site)
    for call in calls_with_ids():
        answers = await answers_to(site, call, [str(foreign[call[1]]), *NO_IDS], grace)
        assert (call, [status for status, _ in answers]) == (call, [404])
    assert stored(site) == before


async def test_without_a_sign_in_no_id_says_anything(bare_site):
    for call in calls_with_ids():
        answers = await answers_to(bare_site, call, ["1", "abc"], None)
        assert (call, [status for status, _ in answers]) == (call, [401])


async def test_an_id_of_another_part_of_the_shop_must_be_a_number(bare_site):
    status, answer = await learner(bare_site).call("cart/lines/abc", method="PUT", quantity=1)
    assert (status, answer["detail"]) == (404, "There is no call with this name.")
