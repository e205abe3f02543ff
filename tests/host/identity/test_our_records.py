"""What we hold on a person ourselves: their sign-ins, the file of it all, and the end of it; on both databases."""

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from sqlalchemy import func, select

from domain import coupons, learners, sessions
from domain.coupons import Place
from domain.tables import (
    Cart,
    CartLine,
    Coupon,
    CouponUse,
    Enrolment,
    Learner,
    LearnerIdentity,
    LearnerSession,
    Membership,
    Organisation,
    Visit,
    Wish,
)
from tests import factories
from tests.conftest import empty
from tests.host import shop
from tests.host.identity.account import Account, signed_in
from tests.host.signing import learner


@pytest.fixture(params=["sqlite", pytest.param("mariadb", marks=pytest.mark.mariadb)])
async def each(request, world):
    """A shop at the provider whose records are on SQLite, then on MariaDB."""
    if request.param == "sqlite":
        return world.site
    db = request.getfixturevalue("mariadb_records")
    empty(db)
    with db.session() as session:
        shop.fill(session)
    url = db.url.set(drivername="mysql", query={}).render_as_string(hide_password=False)
    return await world.open(DATABASE_URL=url)


@pytest.fixture
async def mine(world, each) -> Account:
    return await signed_in(world.browser(each))


def me(mine: Account) -> int:
    return mine.browser.user_info["user"]["AAUserID"]


def visit(learner_id: int | None, url: str) -> Visit:
    return Visit(
        event_id=str(uuid4()),
        at=datetime.now(UTC),
        session_id="s-1",
        url=url,
        learner_id=learner_id,
        claimed_id=learner_id,
        address="192.0.2.7",
    )


async def test_sign_ins_that_run_are_listed_and_one_is_ended_at_once(world, each, mine):
    other = await signed_in(world.browser(each))
    found = (await mine.get("/sessions"))["sessions"]
    assert [(one["isThis"], one["area"], one["browser"]) for one in found] == [
        (False, "learner", "Chrome"),
        (True, "learner", "Chrome"),
    ]
    left = await mine.delete(f"/sessions/{found[0]['id']}")
    assert (mine.status, left) == (200, {"sessions": [found[1]]})
    assert (await other.browser.call("auth/session", "GET"))[0] == 401
    assert (await mine.browser.call("auth/session", "GET"))[0] == 200


async def test_ending_this_sign_in_signs_out(mine):
    (this,) = (await mine.get("/sessions"))["sessions"]
    assert await mine.delete(f"/sessions/{this['id']}") == {"sessions": []}
    assert set(mine.browser.cookies) == {"lts"}
    assert mine.headers["Clear-Site-Data"] == '"cache"'
    assert (await mine.browser.call("auth/session", "GET"))[0] == 401


async def test_a_sign_in_that_is_not_ones_own_or_over_is_not_there(each, mine):
    other = learner(each, "Grace Hopper")
    with each.db.session() as session:
        foreign = session.scalars(select(LearnerSession.id).where(LearnerSession.learner_id == other.id)).one()
        over = sessions.open_session(session, me(mine), datetime.now(UTC) - timedelta(hours=1))
        ended = session.scalars(
            select(LearnerSession.id).where(LearnerSession.handle == sessions.digest(over.handle))
        ).one()
    answers = []
    for one in (foreign, ended, 987_654):
        await mine.delete(f"/sessions/{one}")
        answers.append((mine.status, mine.said))
    assert answers == [answers[0]] * 3
    assert (answers[0][0], answers[0][1]["detail"]) == (404, "There is no such sign-in.")
    assert (await other.get("auth/session"))[0] == 200


def furnished(site, learner_id: int) -> dict[str, int]:
    """Somebody with a little of everything; ids of what must outlive them."""
    now = datetime.now(UTC)
    with site.db.session() as session:
        course, other = site.id_of("vat-basics"), site.id_of("contracts")
        coupon = factories.coupon(session, "SPRING", total_limit=5)
        terms = coupons.by_code(session, "SPRING", now)
        organisation = Organisation(slug="acme", name="Acme", domains=[])
        session.add(organisation)
        session.flush()
        assert coupons.reserve(session, terms, Place(learner_id, course), now) is None
        assert coupons.reserve(session, terms, Place(learner_id, other), now) is None
        assert coupons.take_over(session, coupon.id, Place(learner_id, other), 7, now + timedelta(days=1))
        coupons.commit_order(session, 7)
        session.add_all(
            [
                CartLine(learner_id=learner_id, product_id=course, coupon_id=coupon.id, added_at=now),
                Cart(learner_id=learner_id, coupon_id=coupon.id),
                Wish(learner_id=learner_id, product_id=other, added_at=now),
                Membership(learner_id=learner_id, organisation_id=organisation.id, joined_at=now),
                Enrolment(learner_id=learner_id, product_id=other, source="order", enrolled_at=now, certificate="C-1"),
                visit(learner_id, "/shop"),
                visit(None, "/about"),
            ]
        )
        return {"coupon": coupon.id, "course": course}


async def test_the_file_holds_everything_of_this_person_and_of_nobody_else(each, mine):
    furnished(each, me(mine))
    other = learner(each, "Grace Hopper")
    with each.db.session() as session:
        session.add(visit(other.id, "/cart"))
    found = await mine.get("/export")
    assert mine.headers["Content-Disposition"].startswith(f'attachment; filename="account-{me(mine)}-')
    assert (found["profile"]["email"], found["profile"]["id"]) == ("ada@example.test", me(mine))
    assert [one["issuer"] for one in found["profile"]["identities"]] == [mine.browser.provider]
    assert [(one["quantity"], one["code"]) for one in found["cart"]["lines"]] == [(1, "SPRING")]
    assert (found["cart"]["coupon"], len(found["wishes"]), len(found["signIns"])) == ("SPRING", 1, 1)
    assert [one["certificate"] for one in found["enrolments"]] == ["C-1"]
    assert [(one["state"], one["courseId"] is None) for one in found["coupons"]] == [
        ("held", False),
        ("committed", False),
    ]
    assert (found["visitCount"], [one["url"] for one in found["visits"]]) == (1, ["/shop"])
    assert [one["name"] for one in found["organisations"]] == ["Acme"]
    assert "token" not in str(found).casefold()


async def test_deleting_the_account_leaves_nothing_that_says_who_it_was(each, mine):
    number = me(mine)
    kept = furnished(each, number)
    answer = await mine.delete("", confirm=" Ada@Example.test ")
    assert (mine.status, answer["redirect"][: len(mine.browser.provider)]) == (200, mine.browser.provider)
    assert (set(mine.browser.cookies), mine.headers["Clear-Site-Data"]) == ({"lts"}, '"cache"')
    with each.db.reading() as session:
        for gone in (CartLine, Cart, Wish, Membership, LearnerIdentity, LearnerSession):
            mark = select(func.count()).select_from(gone).where(gone.learner_id == number)
            assert (gone.__name__, session.scalar(mark)) == (gone.__name__, 0)
        blank = session.get_one(Learner, number)
        assert (blank.email, blank.name, blank.roles, blank.student_number) == ("", "", [], f"gone-{number}")
        assert (blank.issuer, blank.subject) == ("", f"gone-{number}")
        (was,) = session.scalars(select(Visit).where(Visit.url == "/shop"))
        assert (was.learner_id, was.claimed_id, was.session_id, was.address) == (None, None, "", "")
        (enrolment,) = session.scalars(select(Enrolment).where(Enrolment.learner_id == number))
        assert enrolment.certificate == "C-1"
        (use,) = session.scalars(select(CouponUse).where(CouponUse.learner_id == number))
        assert (use.state, use.order_id) == ("committed", 7)
        assert session.get_one(Coupon, kept["coupon"]).uses == 1


async def test_whoever_comes_again_is_somebody_new(world, each, mine):
    before = me(mine)
    furnished(each, before)
    await mine.delete("", confirm="ada@example.test")
    again = await signed_in(world.browser(each))
    assert me(again) != before
    assert (await again.get("/export"))["wishes"] == []


@pytest.mark.parametrize("confirm", ["", "eve@example.test", "ada@example.test.", "%"])
async def test_an_address_that_is_not_the_accounts_deletes_nothing(each, mine, confirm):
    kept = furnished(each, me(mine))
    before = await mine.get("/export")
    refused = await mine.delete("", confirm=confirm)
    assert (mine.status, set(refused["errors"])) == (422, {"confirm"})
    after = await mine.get("/export")
    assert {**after, "exportedAt": ""} == {**before, "exportedAt": ""}
    with each.db.reading() as session:
        assert session.get_one(Coupon, kept["coupon"]).uses == 2


async def test_every_sign_in_of_a_deleted_account_is_over(world, each, mine):
    other = await signed_in(world.browser(each))
    await mine.delete("", confirm="ada@example.test")
    assert (await other.browser.call("auth/session", "GET"))[0] == 401


async def test_nobody_elses_things_are_touched(each, mine):
    grace = learner(each, "Grace Hopper")
    await grace.add("vat-basics")
    with each.db.session() as session:
        session.add(visit(grace.id, "/cart"))
    await mine.delete("", confirm="ada@example.test")
    assert len((await grace.get("cart"))[1]["lines"]) == 1
    with each.db.reading() as session:
        assert session.scalars(select(Visit.learner_id).where(Visit.url == "/cart")).one() == grace.id
        assert learners.known(session, "https://id.example", "grace-hopper") is not None
