"""What was on its way when its learner deleted the account brings no row of theirs back."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import func, select

from domain.account.anonymise import anonymise_account
from domain.identity import learners
from domain.identity import sessions as stored_sessions
from domain.orders.settings import Context
from domain.organisations.joining.tokens import digest_of
from domain.tables import Invitation, Learner, Review
from domain.tables.base import Base
from host.api.registry import CALLS
from host.auth import sessions
from tests.host.learning.gifts import give
from tests.host.learning.studies import enrol, finish, publish
from tests.host.signing import Learner as SignedIn
from tests.host.signing import learner
from tests.host.site import Site
from tests.support import factories
from tests.support.factories import NOON

COURSE, JOIN_CODE, TOKEN = "contracts", "BADECUFIGOHA", "any token"
Request = tuple[str, str]
# Beginnings of the names of calls that are not made here, and why.
ELSEWHERE = {
    "account": "the provider has the data; what is stored here: tests/domain/identity/test_deleted_accounts.py",
    "orders/": "orders stay: tests/domain/orders/test_deleted_accounts.py",
    "uploads": "by staff and managers",
}


LEARNER = Learner.__table__.c.id
COLUMNS = [column for table in Base.metadata.sorted_tables for column in table.c if column.references(LEARNER)]


def counts_of(site: Site, learner_id: int) -> dict[str, int]:
    """The rows of every column of the database that refers to the learner, and the letters that name them."""
    counts = [select(func.count()).where(column == learner_id).scalar_subquery() for column in COLUMNS]
    with site.db.read_session() as session:
        row = session.get_one(Learner, learner_id)
        values = session.execute(select(*counts)).one()
        return {**dict(zip(map(str, COLUMNS), values, strict=True)), "letters": len(row.name + row.email)}


@dataclass(frozen=True)
class World:
    """Ada, who has finished a course and may do much more, with a session that was read before the deletion."""

    site: Site
    ada: SignedIn
    lesson: int
    review: int
    invitation: int
    gift: str

    def calls(self) -> Mapping[Request, dict[str, Any]]:
        """The body of each call by which learners write."""
        own, course = self.site.id_of("vat-basics"), self.site.id_of(COURSE)
        line = {"id": course}
        specified = {"AAUserID": self.ada.id, "CourseID": course}
        changes = [{"lesson": self.lesson, "at": 1, "done": True}]
        application = {"name": "Harbour School", "slug": "harbour", "website": "https://harbour.example", "size": 20}
        application |= {"domains": [], "request": "We want to teach twenty people.", "acceptsTerms": True}
        return {
            ("POST", "SetAAUserCourse"): specified,
            ("POST", "DelAAUserCourse"): specified,
            ("POST", "SetCourseCoupon"): {**specified, "Code": "SPRING"},
            ("PUT", "cart/coupon"): {"code": "SPRING"},
            ("PUT", f"cart/lines/{course}"): {"quantity": 1},
            ("PUT", "cart/seen"): {"lines": [{**line, "price": 100}]},
            ("POST", "cart/merge"): {"lines": [{**line, "quantity": 1}]},
            ("PUT", f"wishlist/{course}"): {"wished": True},
            ("POST", "wishlist/move"): line,
            ("POST", "wishlist/merge"): {"items": [line]},
            ("PUT", "checkout"): {"values": {"billing.name": "Ada Lovelace"}, "service": ""},
            ("POST", "enrol"): {"course": course},
            ("POST", "learning/gifts/claim"): {"token": self.gift},
            ("PUT", "learning/progress"): {"learnerId": self.ada.id, "changes": changes},
            ("PUT", f"learning/lessons/{self.lesson}/note"): {"learnerId": self.ada.id, "body": "Mine", "version": 0},
            ("POST", f"learning/lessons/{self.lesson}/attempts"): {
                **{"eventId": str(uuid4()), "revision": 1, "answers": {}}
            },
            ("PUT", f"learning/courses/{own}/review"): {"rating": 4, "title": "Clear", "text": "It helped me at work."},
            ("DELETE", f"learning/courses/{own}/review"): {},
            ("POST", f"learning/courses/{own}/certificate"): {"name": "Ada King"},
            ("POST", f"reviews/{self.review}/report"): {"reason": "It is rude."},
            ("POST", f"learning/invitations/{self.invitation}/accept"): {"token": TOKEN},
            ("POST", f"learning/invitations/{self.invitation}/decline"): {"token": TOKEN},
            ("POST", "learning/join"): {"code": JOIN_CODE},
            ("POST", "learning/seats/1/keep"): {},
            ("POST", "learning/seats/1/pause"): {"days": 1},
            ("POST", "learning/seats/requests"): {"courseId": course},
            ("POST", "learning/seats/requests/1/withdraw"): {},
            ("POST", "organization/applications"): application,
            ("POST", "organization/applications/1/resubmit"): application,
            ("POST", "organization/applications/1/answer"): {"text": "Yes."},
            ("POST", "organization/enter"): {"slug": "northwind"},
        }

    async def call(self, request: Request) -> tuple[int, Any]:
        method, name = request
        return await self.site.call(name, self.calls()[request], self.ada.headers, method)


def make_world(site: Site, *, has_course: bool = True) -> World:
    lessons, ada, grace = publish(site), learner(site), learner(site, "Grace Hopper")
    if has_course:
        enrol(site, ada)
        finish(site, ada, *lessons.values())
    with site.db.write_session() as session:
        organisation = factories.organisation(session)
        about = {"join_policy": "code", "join_code": JOIN_CODE, "seats": None}
        contract = factories.contract(session, organisation.id, site.id_of(COURSE), **about)
        invitation = Invitation(
            organisation_id=organisation.id,
            contract_id=contract.id,
            email_key="other@example.test",
            token=digest_of(TOKEN),
            sent_at=NOON,
            expires_at=datetime.max.replace(tzinfo=UTC, microsecond=0),
        )
        session.add(invitation)
        factories.coupon(session, "SPRING")
        review = session.scalars(select(Review.id).limit(1)).one()
    return World(site, ada, lessons["Deadlines"], review, invitation.id, give(site, grace))


def delete_account(world: World, monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """Ada deletes the account; calls have found her session before. What the database has of her then."""
    site, at = world.site, datetime.now(UTC)
    with site.db.write_session() as session:
        auth = stored_sessions.authenticated(session, world.ada.token, world.ada.cookie_secret, at)
        anonymise_account(session, world.ada.id, session.get_one(Learner, world.ada.id).email, Context(at))

    async def read_before(*_: object) -> object:
        return auth

    monkeypatch.setattr(sessions, "current_session", read_before)
    return counts_of(site, world.ada.id)


# Calls by which learners write, and which need no row that the deletion removes.
LOCKED = (
    *("SetAAUserCourse", "DelAAUserCourse", "SetCourseCoupon", "cart/coupon", "cart/lines/{id}", "cart/seen"),
    *("cart/merge", "wishlist/{id}", "wishlist/move", "wishlist/merge", "checkout"),
    *("enrol", "learning/gifts/claim", "learning/progress"),
    *("learning/lessons/{id}/note", "learning/lessons/{id}/attempts"),
    *("learning/courses/{id}/review", "learning/courses/{id}/certificate", "reviews/{id}/report"),
    *("learning/invitations/{id}/accept", "learning/invitations/{id}/decline", "learning/join"),
    *("learning/seats/requests", "organization/applications/{id}/resubmit", "organization/applications/{id}/answer"),
)


# Those of LOCKED that need no other row: the membership of `learning/join` is there already, and so on.
COME_BACK = (
    *("SetAAUserCourse", "cart/merge", "wishlist/{id}", "wishlist/merge", "checkout", "learning/gifts/claim"),
    *("learning/progress", "learning/lessons/{id}/note", "learning/courses/{id}/review", "reviews/{id}/report"),
    *("learning/invitations/{id}/accept", "learning/seats/requests"),
)


def name_of(request: Request) -> str:
    """The name of its call."""
    method, path = request
    [name] = [call.name for call in CALLS.values() if call.method == method and call.path.fullmatch(path)]
    return name


def untried(world: World) -> set[str]:
    """Calls by which learners write, and which are tried neither here nor elsewhere."""
    own = [call for call in CALLS.values() if call.policy.caller == "learner" and call.policy.area is None]
    names = {call.name for call in own if call.method != "GET" and not call.name.startswith(tuple(ELSEWHERE))}
    return names - {name_of(request) for request in world.calls()}


@pytest.mark.each_database
async def test_no_call_on_its_way_at_the_deletion_of_the_account_stores_anything(each_site, monkeypatch):
    world = make_world(each_site)
    after_deletion = delete_account(world, monkeypatch)
    assert after_deletion["letters"] == 0
    assert untried(world) == set()
    refused = []
    for request in world.calls():
        _, answer = await world.call(request)
        assert (request, counts_of(each_site, world.ada.id)) == (request, after_deletion)
        refused += [name_of(request)] if answer.get("detail") == learners.NO_ACCOUNT else []
    assert refused == list(LOCKED)


@pytest.mark.each_database
async def test_without_the_lock_the_rows_come_back(each_site, monkeypatch):
    world = make_world(each_site, has_course=False)
    for lock in ("lock_account", "lock_account_alone"):
        monkeypatch.setattr(learners, lock, lambda *_: None)
    before = delete_account(world, monkeypatch)
    come_back = []
    for request in world.calls():
        await world.call(request)
        after = counts_of(each_site, world.ada.id)
        come_back += [name_of(request)] if sum(after.values()) > sum(before.values()) else []
        before = after
    assert come_back == list(COME_BACK)
