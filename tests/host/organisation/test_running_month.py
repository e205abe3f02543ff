"""What somebody does who does not share it changes nothing on any page or file of the organisation before the month is
over, but that a seat is used up (decision 0077). So nobody learns it by looking each day, nor by taking a seat back and
looking again."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.routes import area_pages
from domain.seats import daily, numbers
from domain.seats.assign import assign
from domain.tables import Enrolment, Lesson, LessonProgress, Membership, QuizAttempt, Seat
from tests.host.conftest import OpenSite
from tests.host.organisation.test_tenants import FILES
from tests.host.organisation.world import TwoOrganisations, two_organisations
from tests.host.signing import Learner, learner
from tests.host.site import Site
from tests.host.test_area_matrix import sent_by
from tests.support import factories

PAGES = [page for page in area_pages() if page.area.id == "organization" and page.served and page.permission]
MEMBERS, LESSONS = 12, 10
DAY = timedelta(days=1)


class Company:
    """Members with a seat each since 80 days, of whom the first three share what they do; all have begun."""

    def __init__(self, site: Site, name: str):
        self.site, self.now = site, datetime.now(UTC)
        self.world: TwoOrganisations = two_organisations(site, name)
        self.people = [learner(site, f"Pat {name} {number}") for number in range(MEMBERS)]
        with site.db.write_session() as session:
            course = factories.course(session, factories.category(session, name, name).id, f"{name}-course")
            self.course = course.id
            for at in range(LESSONS):
                about = {"source_key": f"{at}", "title": f"{at}", "kind": "quiz" if at == 9 else "text"}
                session.add(Lesson(course_id=course.id, position=at, updated_at=self.now, **about))
            facts = {"seats": MEMBERS, "seat_kind": "course", "starts_at": self.now - 90 * DAY, "shows_names": True}
            contract = factories.contract(session, self.world.own, course.id, idle_days=60, **facts)
            self.contract = contract.id
            numbers.set_number(session, contract, MEMBERS, self.now)
            for number, person in enumerate(self.people):
                factories.member(session, person.id, self.world.own, shares_progress=number < 3)
                assign(session, contract.id, person.id, [course.id], self.now - 80 * DAY)
                self.enrolment(session, person).started_at = self.now - 70 * DAY
                self.enrolment(session, person).last_active_at = self.now - 70 * DAY

    def enrolment(self, session: Session, person: Learner) -> Enrolment:
        own = (Enrolment.learner_id == person.id, Enrolment.product_id == self.course)
        return session.scalars(select(Enrolment).where(*own)).one()

    async def shown(self) -> dict[str, str]:
        """Address -> what it shows, of every page of the area, with seat and member of each person, and of every file.
        The rules of seats have run before."""
        with self.site.db.write_session() as session:
            daily.run_contract(session, self.contract, self.now)
        with self.site.db.read_session() as session:
            ids = [person.id for person in self.people]
            keys = {
                "/organization/seats/{id}": list(session.scalars(select(Seat.id).where(Seat.learner_id.in_(ids)))),
                "/organization/members/{id}": list(
                    session.scalars(select(Membership.id).where(Membership.learner_id.in_(ids)))
                ),
            }
        found = {}
        for page in PAGES:
            for key in keys.get(page.path, [0]):
                address = f"/data{page.path.replace('{id}', str(key))}"
                answer: Any = await (await self.site.get(address, **sent_by(self.world.owner))).json()
                # Keys of forms are new each time.
                props = {name: value for name, value in answer["props"].items() if name != "actions"}
                found[address] = json.dumps(props)
        for path in FILES:
            found[f"/csv{path}"] = await (await self.site.get(f"/csv{path}", **sent_by(self.world.owner))).text()
        return found


def come_back(session: Session, company: Company, person: Learner) -> None:
    company.enrolment(session, person).last_active_at = company.now


def forget(session: Session, company: Company, person: Learner) -> None:
    row = company.enrolment(session, person)
    row.started_at = row.last_active_at = None


def finish_lessons(session: Session, company: Company, person: Learner) -> None:
    lessons = session.scalars(select(Lesson).where(Lesson.course_id == company.course).order_by(Lesson.id)).all()
    for lesson in lessons[:8]:
        about = {"learner_id": person.id, "course_id": company.course, "lesson_id": lesson.id}
        session.add(LessonProgress(**about, is_done=True, done_at=company.now, opened_at=company.now))
    row = company.enrolment(session, person)
    row.done_lessons, row.last_active_at = 8, company.now


def answer_a_quiz(session: Session, company: Company, person: Learner) -> None:
    quiz = session.scalars(select(Lesson.id).where(Lesson.course_id == company.course, Lesson.kind == "quiz")).one()
    marks = {"answers": {}, "marks": {}, "score": 900, "is_passed": True}
    about = {"event_id": f"e{person.id}", "number": 1, "revision": 1, "attempted_at": company.now}
    session.add(QuizAttempt(learner_id=person.id, lesson_id=quiz, **marks, **about))


DEEDS: dict[str, Callable[[Session, Company, Learner], None]] = {
    "comes back": come_back,
    "never began": forget,
    "finishes most lessons": finish_lessons,
    "answers a quiz": answer_a_quiz,
}


@pytest.fixture
async def company_site(open_site: OpenSite) -> Site:
    """Each page and file is opened many times."""
    return await open_site(LIMITS="off")


@pytest.mark.parametrize("deed", DEEDS)
async def test_what_people_do_who_do_not_share_it_changes_no_page_or_file(company_site, deed):
    company = Company(company_site, f"hidden-{deed.replace(' ', '-')}")
    before = await company.shown()
    # One after the other, so that each figure passes each number.
    for person in company.people[3:]:
        with company_site.db.write_session() as session:
            DEEDS[deed](session, company, person)
        assert await company.shown() == before
    assert len(before) > len(PAGES) + 2 * MEMBERS - 3


@pytest.mark.parametrize("deed", [deed for deed in DEEDS if deed != "answers a quiz"])
async def test_what_people_do_who_share_it_is_seen(company_site, deed):
    """The negative control. Of quizzes nothing is shared."""
    company = Company(company_site, f"seen-{deed.replace(' ', '-')}")
    before = await company.shown()
    with company_site.db.write_session() as session:
        DEEDS[deed](session, company, company.people[0])
    after = await company.shown()
    changed = {address for address in before if after[address] != before[address]}
    assert "/data/organization/seats" in changed
    assert changed - {"/data/organization/seats", "/data/organization", "/data/organization/reports"}
