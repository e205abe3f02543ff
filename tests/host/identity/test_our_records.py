"""A learner's data in our own database: sessions, export, deletion."""

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from sqlalchemy import func, select

from domain.identity import learners, sessions
from domain.identity.sessions import AuthSession
from domain.reservations import carts as reservation_carts
from domain.reservations import orders as reservation_orders
from domain.reservations.kinds import Resource
from domain.reservations.owners import CartOwner, OrderOwner
from domain.tables import (
    Cart,
    CartLine,
    Certificate,
    Coupon,
    Enrolment,
    Learner,
    LearnerIdentity,
    LearnerSession,
    Membership,
    Organisation,
    Reservation,
    Visit,
    WishlistEntry,
)
from host.app_keys import DATABASE
from host.auth import area_access
from host.identity import open_session
from host.rate_limits import policies
from tests.conftest import database_kind
from tests.host.identity.account import Account, signed_in
from tests.host.signing import learner
from tests.support import factories, order_rows


@pytest.fixture
async def each_shop(request, world):
    """A shop on the database that the test asks for."""
    if database_kind(request) == "sqlite":
        return world.site
    return await world.open(DATABASE_URL=request.getfixturevalue("mariadb_shop_url"))


@pytest.fixture
async def account(world, each_shop) -> Account:
    return await signed_in(world.browser(each_shop))


NOW_S = 1_800_000_000
NOW = datetime.fromtimestamp(NOW_S, UTC)
REFERRAL = "5b2f6f0e-8d1c-4b1e-9c7a-0123456789ab"


def me(account: Account) -> int:
    return account.browser.user_info["user"]["AAUserID"]


def visit(learner_id: int | None, url: str) -> Visit:
    return Visit(
        event_id=str(uuid4()),
        visited_at=datetime.now(UTC),
        session_id="s-1",
        url=url,
        learner_id=learner_id,
        claimed_id=learner_id,
        address="192.0.2.7",
        referral_id=REFERRAL,
        partner="northwind",
    )


async def test_active_sessions_are_listed_and_one_is_ended_at_once(world, each_shop, account):
    other = await signed_in(world.browser(each_shop))
    listed = (await account.get("/sessions"))["sessions"]
    assert [(row["isThis"], row["area"], row["browser"]) for row in listed] == [
        (False, "learner", "Chrome"),
        (True, "learner", "Chrome"),
    ]
    left = await account.delete(f"/sessions/{listed[0]['id']}")
    assert (account.status, left) == (200, {"sessions": [listed[1]]})
    assert (await other.browser.call("auth/session", "GET"))[0] == 401
    assert (await account.browser.call("auth/session", "GET"))[0] == 200


async def test_ending_the_current_session_signs_out(account):
    (this,) = (await account.get("/sessions"))["sessions"]
    assert await account.delete(f"/sessions/{this['id']}") == {"sessions": []}
    assert set(account.browser.cookies) == {"lts"}
    assert account.headers["Clear-Site-Data"] == '"cache"'
    assert (await account.browser.call("auth/session", "GET"))[0] == 401


async def test_another_learners_or_an_ended_session_is_not_found(each_shop, account):
    other = learner(each_shop, "Grace Hopper")
    with each_shop.db.write_session() as session:
        foreign = session.scalars(select(LearnerSession.id).where(LearnerSession.learner_id == other.id)).one()
        over = sessions.open_session(session, me(account), datetime.now(UTC) - timedelta(hours=1))
        ended = session.scalars(
            select(LearnerSession.id).where(LearnerSession.token_digest == sessions.digest(over.token))
        ).one()
    answers = []
    for session_id in (foreign, ended, 987_654):
        await account.delete(f"/sessions/{session_id}")
        answers.append((account.status, account.reply))
    assert answers == [answers[0]] * 3
    assert (answers[0][0], answers[0][1]["detail"]) == (404, "There is no such sign-in.")
    assert (await other.get("auth/session"))[0] == 200


def fill_account(site, learner_id: int) -> dict[str, int]:
    """A learner with rows in every table; returns the ids of rows that must outlive the learner."""
    now = datetime.now(UTC)
    with site.db.write_session() as session:
        course, other = site.id_of("vat-basics"), site.id_of("contracts")
        coupon = factories.coupon(session, "SPRING", total_limit=5)
        organisation = Organisation(slug="acme", name="Acme", domains=[])
        session.add(organisation)
        session.flush()
        order = order_rows.order(session, learner_id)
        line = order_rows.order_line(session, order.id, product_id=other)
        spring, owner = Resource("coupon", coupon.id), OrderOwner(learner_id, order.id, line.id)
        assert reservation_carts.reserve(session, spring, CartOwner(learner_id, course), 1, now) is None
        assert reservation_orders.claim(session, spring, owner, 1, now) is None
        assert reservation_orders.commit(session, order.id, {(spring, owner.key): 1}) == 1
        enrolment = Enrolment(learner_id=learner_id, product_id=other, enrolled_at=now)
        session.add(enrolment)
        session.flush()
        factories.certificate(session, enrolment, code="C-1")
        session.add_all(
            [
                CartLine(learner_id=learner_id, product_id=course, coupon_id=coupon.id, added_at=now),
                Cart(learner_id=learner_id, coupon_id=coupon.id),
                WishlistEntry(learner_id=learner_id, product_id=other, added_at=now),
                Membership(learner_id=learner_id, organisation_id=organisation.id, joined_at=now),
                visit(learner_id, "/shop"),
                visit(None, "/about"),
            ]
        )
        return {"coupon": coupon.id, "course": course}


@pytest.mark.each_database
async def test_the_export_has_all_data_of_this_learner_and_of_nobody_else(each_shop, account):
    fill_account(each_shop, me(account))
    other = learner(each_shop, "Grace Hopper")
    with each_shop.db.write_session() as session:
        session.add(visit(other.id, "/cart"))
    export = await account.get("/export")
    assert account.headers["Content-Disposition"].startswith(f'attachment; filename="account-{me(account)}-')
    assert (export["profile"]["email"], export["profile"]["id"]) == ("ada@example.test", me(account))
    assert [row["issuer"] for row in export["profile"]["identities"]] == [account.browser.provider]
    assert [(row["quantity"], row["code"]) for row in export["cart"]["lines"]] == [(1, "SPRING")]
    assert (export["cart"]["coupon"], len(export["wishes"]), len(export["signIns"])) == ("SPRING", 1, 2)
    assert [row["code"] for row in export["certificates"]] == ["C-1"]
    assert [(row["state"], row["courseId"] is None) for row in export["coupons"]] == [
        ("held", False),
        ("committed", False),
    ]
    (own_visit,) = export["visits"]
    assert (export["visitCount"], own_visit["url"]) == (1, "/shop")
    assert (own_visit["referralId"], own_visit["partner"]) == (REFERRAL, "northwind")
    assert [row["name"] for row in export["organisations"]] == ["Acme"]
    assert "token" not in str(export).casefold()


@pytest.mark.each_database
async def test_deleting_the_account_leaves_no_identifying_data(each_shop, account):
    number = me(account)
    remaining = fill_account(each_shop, number)
    answer = await account.delete("", confirm=" Ada@Example.test ")
    assert (account.status, answer["redirect"][: len(account.browser.provider)]) == (200, account.browser.provider)
    assert (set(account.browser.cookies), account.headers["Clear-Site-Data"]) == ({"lts"}, '"cache"')
    with each_shop.db.read_session() as session:
        for gone in (CartLine, Cart, WishlistEntry, Membership, LearnerIdentity, LearnerSession):
            mark = select(func.count()).select_from(gone).where(gone.learner_id == number)
            assert (gone.__name__, session.scalar(mark)) == (gone.__name__, 0)
        blank = session.get_one(Learner, number)
        assert (blank.email, blank.name, blank.student_number) == ("", "", f"gone-{number}")
        assert (blank.issuer, blank.subject) == ("", f"gone-{number}")
        (was,) = session.scalars(select(Visit).where(Visit.url == "/shop"))
        assert (was.learner_id, was.claimed_id, was.session_id, was.address) == (None, None, "", "")
        # The visit of the link would lead to the same person.
        assert was.referral_id is None
        (certificate,) = session.scalars(select(Certificate).where(Certificate.learner_id == number))
        assert (certificate.code, certificate.holder_name, certificate.revoked_reason) == ("C-1", "", "holder")
        (use,) = session.scalars(select(Reservation).where(Reservation.learner_id == number))
        assert (use.state, use.order_id is None) == ("committed", False)
        assert session.get_one(Coupon, remaining["coupon"]).uses == 1


@pytest.mark.each_database
async def test_who_deletes_their_account_may_keep_their_certificates(each_shop, account):
    number = me(account)
    fill_account(each_shop, number)
    await account.delete("", confirm="ada@example.test", keepCertificates=True)
    with each_shop.db.read_session() as session:
        assert session.get_one(Learner, number).name == ""
        kept = session.scalars(select(Certificate)).one()
        assert (kept.holder_name, kept.revoked_at) == ("Ada Lovelace", None)
    page = await each_shop.get("/verify-certificate/C-1")
    assert (page.status, "Ada Lovelace" in await page.text()) == (200, True)


@pytest.mark.each_database
async def test_signing_in_after_deletion_creates_a_new_learner(world, each_shop, account):
    before = me(account)
    fill_account(each_shop, before)
    await account.delete("", confirm="ada@example.test")
    again = await signed_in(world.browser(each_shop))
    assert me(again) != before
    assert (await again.get("/export"))["wishes"] == []


@pytest.mark.parametrize("confirm", ["", "eve@example.test", "ada@example.test.", "%"])
async def test_a_wrong_confirmation_deletes_nothing(each_shop, account, confirm):
    remaining = fill_account(each_shop, me(account))
    before = await account.get("/export")
    refused = await account.delete("", confirm=confirm)
    assert (account.status, set(refused["errors"])) == (422, {"confirm"})
    after = await account.get("/export")
    assert {**after, "exportedAt": ""} == {**before, "exportedAt": ""}
    with each_shop.db.read_session() as session:
        assert session.get_one(Coupon, remaining["coupon"]).uses == 2


async def sign_in_was(site, ago: timedelta) -> None:
    def change(session) -> None:
        for row in session.scalars(select(LearnerSession)):
            row.authenticated_at = datetime.now(UTC) - ago

    await site.app[DATABASE].write(change)


async def test_an_account_is_deleted_after_a_recent_sign_in_alone(each_shop, account):
    await sign_in_was(each_shop, timedelta(minutes=11))
    refused = await account.delete("", confirm="ada@example.test")
    assert (account.status, refused["detail"], refused["maxAge"]) == (403, "insufficient_authentication_context", 600)
    assert (await account.get("/export"))["profile"]["email"] == "ada@example.test"
    await sign_in_was(each_shop, timedelta(minutes=9))
    await account.delete("", confirm="ada@example.test")
    assert account.status == 200


@pytest.mark.parametrize(
    ("auth_time", "counts_as"),
    [
        (1_700_000_000, datetime.fromtimestamp(1_700_000_000, UTC)),
        (NOW_S + 60, NOW),
        *((said, open_session.UNKNOWN) for said in (None, "1700000000", 1.7e9, True, 0, -1)),
    ],
)
def test_a_sign_in_whose_time_the_provider_does_not_say_is_never_recent(auth_time, counts_as):
    at = open_session._authenticated_at(auth_time, NOW)
    assert at == counts_as
    if at == open_session.UNKNOWN:
        auth = AuthSession(1, "learner", 1, NOW, at, None)
        assert not area_access.is_recent(auth, NOW, 10**9)


async def test_the_sign_in_says_whether_the_address_is_the_learners(each_shop, account):
    assert (await account.get("/export"))["profile"]["isEmailVerified"] is True


async def test_deleting_an_account_ends_all_its_sessions(world, each_shop, account):
    other = await signed_in(world.browser(each_shop))
    await account.delete("", confirm="ada@example.test")
    assert (await other.browser.call("auth/session", "GET"))[0] == 401


async def delete_sessions(site, learner_id: int) -> None:
    await site.app[DATABASE].write(sessions.end_all, learner_id)


async def revoke_sessions(site, learner_id: int) -> None:
    with site.db.write_session() as session:
        for session_row in sessions.active(session, learner_id, datetime.now(UTC)):
            sessions.end(session, session_row.id, datetime.now(UTC))


@pytest.mark.parametrize("end_sessions", [delete_sessions, revoke_sessions])
@pytest.mark.parametrize("call", [("GET", "/emails"), ("DELETE", "", {"confirm": "a@b.co"})])
@pytest.mark.each_database
async def test_a_call_whose_session_ends_meanwhile_is_refused_with_401(
    each_shop, account, monkeypatch, end_sessions, call
):
    async def end_meanwhile(request, *_limits) -> None:
        await end_sessions(each_shop, me(account))

    # The first thing that an account call does after its session was checked.
    monkeypatch.setattr(policies, "limit", end_meanwhile)
    problem = await account.ask(*call)
    assert (account.status, problem["detail"]) == (401, "Your session has expired. Please sign in again.")
    assert account.headers["WWW-Authenticate"] == "Bearer"


@pytest.mark.each_database
async def test_other_learners_data_does_not_change(each_shop, account):
    grace = learner(each_shop, "Grace Hopper")
    await grace.add("vat-basics")
    with each_shop.db.write_session() as session:
        session.add(visit(grace.id, "/cart"))
    await account.delete("", confirm="ada@example.test")
    assert len((await grace.get("cart"))[1]["lines"]) == 1
    with each_shop.db.read_session() as session:
        assert session.scalars(select(Visit.learner_id).where(Visit.url == "/cart")).one() == grace.id
        assert learners.find_by_identity(session, "https://id.example", "grace-hopper") is not None
