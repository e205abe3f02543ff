"""POST /api/admin/coupons/lab: the cart's own price, for whom it may be asked, and nothing is reserved."""

import pytest
from sqlalchemy import func, select

from domain.tables import AuditEvent, Learner, Reservation
from tests.host.signing import learner
from tests.support import factories

VAT = {"product": "vat-basics"}


@pytest.fixture
async def support(own_site):
    with own_site.db.write_session() as session:
        factories.coupon(session, "LAB20", value=20)
    return learner(own_site, "Sue Support", area="admin", roles=["support"])


async def price(person, *lines, **about):
    return await person.call("admin/coupons/lab", lines=list(lines), **about)


async def test_each_step_rejected_offer_and_refusal_is_named_and_nothing_reserved(own_site, support):
    status, quote = await price(support, {**VAT, "code": "lab20"}, code="UNKNOWN")
    line = quote["lines"][0]
    assert (status, line["steps"][-1]["text"], quote["totalMinor"]) == (200, "LAB20", line["steps"][-1]["totalMinor"])
    assert line["steps"][-1]["changeMinor"] == -round(line["steps"][-2]["totalMinor"] * 0.2)
    assert [(entry["code"], entry["product"]) for entry in quote["refusals"]] == [("UNKNOWN", None)]
    with own_site.db.read_session() as session:
        assert session.scalar(select(func.count()).select_from(Reservation)) == 0


async def test_a_learner_is_named_by_those_who_may_read_learners_and_that_is_recorded(own_site, support):
    ada, marketer = learner(own_site), learner(own_site, "Mia Marketer", area="admin", roles=["marketer"])
    with own_site.db.read_session() as session:
        number = session.get_one(Learner, ada.id).student_number
    assert (await price(marketer, VAT, studentNumber=number))[0] == 403
    assert (await price(marketer, VAT))[0] == 200
    assert (await price(support, VAT, studentNumber=number.upper()))[0] == 200
    with own_site.db.read_session() as session:
        subjects = session.scalars(select(AuditEvent.subject_id).where(AuditEvent.action == "learner.price"))
        assert subjects.all() == [str(ada.id)]


REFUSED = {
    "an unknown product": ({"lines": [{"product": "nothing"}]}, "lines"),
    "a product twice": ({"lines": [VAT, VAT]}, "lines"),
    "an unknown organisation": ({"lines": [VAT], "organisation": "nobody"}, "lines"),
    "an unknown learner": ({"lines": [VAT], "studentNumber": "S-0000-0000"}, "studentNumber"),
}


async def test_what_is_wrong_is_named(support):
    found = {}
    for name, (body, _) in REFUSED.items():
        status, problem = await support.call("admin/coupons/lab", **body)
        found[name] = (status, [*problem["errors"]])
    assert found == {name: (422, [field]) for name, (_, field) in REFUSED.items()}
