"""POST learning/courses/{id}/certificate: the holder alone names a certificate, and how often."""

from sqlalchemy import select

from domain.learning import grants
from domain.learning.grants import GrantSource
from domain.tables import Certificate, Enrolment
from domain.tables import Learner as LearnerRow
from tests.host.certificates.issued import CODE, issue
from tests.host.signing import learner


def codes(site) -> list[tuple[str, str]]:
    with site.db.read_session() as session:
        rows = session.execute(select(Certificate.holder_name, Certificate.revoked_reason).order_by(Certificate.id))
        return [tuple(row) for row in rows]


async def put(person, name: str, path: str | None = None):
    return await person.site.call(path or call_of(person.site), {"name": name}, person.headers)


def call_of(site) -> str:
    return f"learning/courses/{site.id_of('vat-basics')}/certificate"


async def test_the_holder_corrects_the_name_once_and_gets_the_new_card(own_site):
    ada = issue(own_site)
    status, card = await put(ada, "Ada  King")
    assert (status, card["holder"], card["state"], card["canCorrectName"]) == (200, "Ada King", "valid", False)
    assert card["code"] != CODE
    assert card["verifyHref"] == f"/verify-certificate/{card['code']}"
    assert "certId=" + card["code"] in card["linkedInHref"]
    assert (await put(ada, "Ada"))[0] == 409
    assert codes(own_site) == [("Ada Lovelace", "replaced"), ("Ada King", "")]


async def test_a_completed_course_without_a_name_gets_its_certificate_by_it(own_site):
    ada = learner(own_site)
    course = own_site.id_of("vat-basics")
    with own_site.db.write_session() as session:
        session.get_one(LearnerRow, ada.id).name = ""
        grants.grant(session, ada.id, [course], GrantSource("order", 1), session.get_one(LearnerRow, ada.id).created_at)
        enrolment = session.query(Enrolment).filter_by(learner_id=ada.id).one()
        enrolment.completed_at = enrolment.enrolled_at
    status, card = await put(ada, "Ada Lovelace")
    assert (status, card["holder"], card["courseId"]) == (200, "Ada Lovelace", course)


async def test_a_wrong_name_is_an_error_of_its_field(own_site):
    ada = issue(own_site)
    for name in ("", "A" * 121, "\u202eada"):
        status, problem = await put(ada, name)
        assert (status, list(problem["errors"])) == (422, ["name"])
    assert codes(own_site) == [("Ada Lovelace", "")]


async def test_strangers_and_half_a_token_pair_change_nothing(own_site):
    issue(own_site)
    other = learner(own_site, "Grace Hopper")
    call, body = call_of(own_site), {"name": "Grace Hopper"}
    statuses = [(await own_site.call(call, body, headers))[0] for headers in ({}, other.bearer, other.cookie)]
    assert statuses == [401, 401, 401]
    answers = [
        await put(other, "Grace Hopper", path)
        for path in (call, "learning/courses/999999/certificate", "learning/courses/0/certificate")
    ]
    assert {(status, problem["detail"]) for status, problem in answers} == {
        (404, "This course has no certificate for you yet.")
    }
    assert codes(own_site) == [("Ada Lovelace", "")]
