"""Calls that require a learner: token and cookie of one session, and no other learner's id."""

from datetime import UTC, datetime, timedelta

import pytest

from domain.identity import sessions
from host.api.registry import CALLS
from tests.host.signing import Learner, learner
from tests.host.site import SHARED

pytestmark = SHARED

LEARNERS = sorted(key for key, call in CALLS.items() if call.policy.caller == "learner")
LEARNERS_CALLS = {name for _, name in LEARNERS}
# In the form of an order's code.
CODE = "ABCDEFGHJK2345678NPQ"
SPECIFIED = ("SetAAUserCourse", "DelAAUserCourse", "SetCourseCoupon")


def address(name: str) -> str:
    for part, value in (
        ("{id}", "1"),
        ("{challengeId}", "1"),
        ("{number}", "1"),
        ("{code}", CODE),
        ("{slug}", "about"),
        ("{name}", "overview"),
        ("{kind}", "order_paid"),
    ):
        name = name.replace(part, value)
    return name


BULK_ACTIONS = ("category", "publish", "retire", "prices", "price", "stop", "undo", "choose-rest")


async def test_exactly_these_calls_require_a_learner():
    assert {name for name in LEARNERS_CALLS if name[0].isupper()} == set(SPECIFIED)
    assert {name for name in LEARNERS_CALLS if not name.startswith("account")} - set(SPECIFIED) == {
        *("cart", "cart/lines/{id}", "cart/merge", "cart/seen"),
        *("wishlist", "wishlist/{id}", "wishlist/move", "wishlist/merge"),
        *("auth/session", "checkout", "enrol", "organization/enter"),
        *("orders", "orders/{code}", "orders/{code}/cancel", "orders/{code}/pay", "orders/{code}/refunds"),
        *("orders/{code}/gifts/{number}/mail", "learning/gifts/claim"),
        *("admin/audit/verify", "admin/staff", "admin/staff/{id}/add", "admin/staff/{id}/remove"),
        *(f"admin/orders/{{code}}/refunds{part}" for part in ("", "/preview")),
        *(f"admin/orders/{{code}}/refunds/{{number}}/{action}" for action in ("approve", "approve/preview", "decline")),
        *(f"admin/orders/{{code}}/refunds/{{number}}/approve-part{part}" for part in ("", "/preview")),
        *(f"admin/confirmations/{{id}}/{action}" for action in ("confirm", "refuse", "withdraw")),
        *("admin/coupons", "admin/coupons/lab", "admin/coupons/batches", "admin/reports/{name}"),
        *("admin/coupons/preview", "admin/coupons/batches/preview", "admin/staff/{id}/remove/preview"),
        *(f"admin/{kind}-rates{part}" for kind in ("tax", "delivery") for part in ("", "/preview")),
        *(f"admin/{kind}-rates/{{id}}/{action}" for kind in ("tax", "delivery") for action in ("end", "withdraw")),
        *("admin/saved-reports", "admin/saved-reports/bring-back"),
        *(f"admin/saved-reports/{{id}}/{way}" for way in ("change", "delete", "mail", "stop-mail")),
        *("admin/searches/dismiss", "admin/searches/bring-back", "admin/health/restore"),
        *(f"admin/coupons/batches/{{id}}/{action}" for action in ("stop", "take")),
        *("admin/content/{slug}", "admin/content/{slug}/preview"),
        *(f"admin/mail-texts/{{kind}}{part}" for part in ("", "/preview", "/reset", "/test")),
        *(f"admin/coupons/alarms/{{id}}/{action}" for action in ("pause", "replace", "dismiss")),
        *("admin/coupons/forecasts", "admin/coupons/forecasts/{id}/stop"),
        *(f"admin/coupons/trials{part}" for part in ("", "/preview", "/{id}/stop")),
        *(f"admin/coupons/{{id}}/{action}" for action in ("pause", "resume", "end")),
        *(f"admin/imports{part}" for part in ("", "/checks", "/columns", "/{id}", "/{id}/stop")),
        *("admin/bank-statements", "admin/bank-statements/{id}/stop", "admin/bank-entries/{id}/assign/preview"),
        *(f"admin/bank-entries/{{id}}/{action}" for action in ("assign", "return", "ignore")),
        *("admin/images", "admin/images/{id}", "admin/products/{id}/image", "admin/bulk"),
        *(f"admin/bulk/{{id}}/{action}" for action in BULK_ACTIONS),
        *(
            "admin/courses",
            "admin/products/{id}/price",
            "admin/products/{id}/price/preview",
            "admin/products/{id}/draft-price",
            "admin/prices/{id}/withdraw",
        ),
        *(f"admin/courses/{{id}}/{action}" for action in ("texts", "lists", "duplicate", "rename")),
        *(f"admin/courses/{{id}}/{action}/preview" for action in ("texts", "retire", "close")),
        *(f"admin/items/{{id}}/{action}/preview" for action in ("texts", "retire")),
        *(f"admin/courses/{{id}}/{action}" for action in ("publish", "withdraw", "retire", "close", "keep-open")),
        *("admin/categories", "admin/categories/{id}", "admin/instructors", "admin/instructors/{id}"),
        *("admin/categories/{id}/image", "admin/instructors/{id}/image"),
        *(f"admin/courses/{{id}}/outline{part}" for part in ("", "-preview")),
        "admin/courses/{id}/package",
        *("admin/lessons/{id}", "admin/lesson-files", "admin/lesson-preview", "admin/quiz-trial", "admin/items"),
        *(f"admin/items/{{id}}/{part}" for part in ("delivery", "publish", "retire", "texts", "withdraw")),
        *(f"admin/dead-letters/{{id}}/{action}" for action in ("drop", "replay", "replay-alike")),
        *(f"admin/messages/{{id}}/{action}" for action in ("answer", "close", "reopen")),
        *("admin/mail/{id}/send", "admin/reviews/{id}/hide", "admin/reviews/{id}/publish"),
        "admin/retired/{id}/decide",
        *("admin/delivery-zones/{id}/places", "admin/delivery-zones/{id}/places/preview"),
        *(f"organization/applications{part}" for part in ("", "/{id}/answer", "/{id}/resubmit")),
        *(f"organization/invitations{part}" for part in ("", "/{id}/cancel", "/{id}/resend")),
        *(f"organization/members/{{id}}/{part}" for part in ("remove", "role", "role/preview", "team")),
        *(f"organization/profile/{part}" for part in ("name", "request-domain", "remove-domain")),
        *("organization/contracts/{id}/new-code", "organization/contracts/{id}/no-code"),
        *("organization/logos", "organization/logos/{id}", "organization/profile/logo"),
        *(f"organization/people-files{part}" for part in ("", "/{id}", "/{id}/stop")),
        *("learning/invitations/{id}/accept", "learning/invitations/{id}/decline", "learning/join"),
        *(f"admin/organisations/{{id}}/{part}" for part in ("approve", "ask", "decline")),
        *("admin/organisations/{id}/approve-domain", "admin/organisations/{id}/remove-domain"),
        *(f"admin/learners/{{id}}/{action}" for action in ("enrol", "extend-access", "end-access", "complete")),
        *(
            f"admin/orders/{{code}}/{part}"
            for part in ("parcels", "parcels/correct", "arrived", "cancel", "use-voucher")
        ),
        *(f"admin/orders/{{code}}/refund-all{part}" for part in ("", "/preview")),
        *(f"admin/orders/{{code}}/refunds/{{number}}/{action}" for action in ("retry", "settle")),
        *("admin/items/{id}/courses", "admin/items/{id}/files"),
        *(f"admin/learners/{{id}}/{action}-certificate" for action in ("correct", "revoke")),
        *(f"admin/learners/{{id}}/{action}" for action in ("restrict", "sign-out", "export", "erase")),
        *(f"admin/picker/{things}" for things in ("products", "courses", "items", "organisations")),
        *(f"admin/picker/{things}" for things in ("categories", "instructors", "people", "places")),
        *("admin/contracts", "admin/contracts/{id}/change", "organization/seats/assign", "organization/seats/buy"),
        *("organization/seats/{id}/reclaim", "organization/seats/{id}/remind", "organization/seats/buy-first"),
        *("organization/picker/members", "organization/picker/courses"),
        *("organization/quotes", "organization/quotes/{id}/accept", "organization/quotes/{id}/withdraw"),
        *("admin/quotes", "admin/quotes/{id}/withdraw"),
        *("learning/seats/{id}/keep", "learning/seats/{id}/pause"),
        *("learning/seats/requests", "learning/seats/requests/{id}/withdraw"),
        *("uploads", "uploads/{id}", "uploads/{id}/complete"),
        *("learning/dashboard", "learning/progress", "learning/notes", "reviews/{id}/report"),
        *(f"learning/courses/{{id}}{part}" for part in ("", "/certificate", "/review", "/search")),
        *(f"learning/lessons/{{id}}{part}" for part in ("", "/attempts", "/note", "/quiz")),
    }


def halves(ada: Learner, other: Learner) -> dict[str, dict[str, str]]:
    return {
        "nothing": {},
        "the bearer alone": ada.bearer,
        "the cookie alone": ada.cookie,
        "halves of two learners": {**ada.bearer, **other.cookie},
        "halves the wrong way round": {
            "Authorization": f"Bearer {ada.cookie_secret}",
            "Cookie": f"__Host-sid={ada.token}",
        },
        "another scheme": {**ada.cookie, "Authorization": f"Basic {ada.token}"},
        "no handle": {**ada.cookie, "Authorization": "Bearer "},
        "the name of plain http": {**ada.bearer, "Cookie": f"sid={ada.cookie_secret}"},
        "rubbish": {"Authorization": "Bearer '-- \xff", "Cookie": "__Host-sid=%00"},
        "far too much": {"Authorization": "Bearer " + "x" * 4000, "Cookie": f"__Host-sid={ada.cookie_secret}"},
    }


@pytest.mark.parametrize(("method", "name"), LEARNERS)
async def test_without_token_and_session_cookie_a_call_is_401(plain_site, method, name):
    ada, other = learner(plain_site), learner(plain_site, "Grace Hopper")
    for what, headers in halves(ada, other).items():
        answer = await plain_site.answer(address(name), {}, headers, method)
        assert (what, answer.status, answer.headers.get("WWW-Authenticate")) == (what, 401, "Bearer")
        assert (await answer.json(content_type=None))["title"] == "Sign in first"


@pytest.mark.parametrize("name", SPECIFIED)
@pytest.mark.parametrize("claim", ["another's", "0", "the next"])
async def test_another_learners_id_is_403_and_changes_nothing(plain_site, name, claim):
    ada, grace = learner(plain_site), learner(plain_site, "Grace Hopper")
    course = await grace.add("vat-basics")
    claimed = {"another's": grace.id, "0": 0, "the next": ada.id + 1000}[claim]
    code = {"Code": "X"} if name == "SetCourseCoupon" else {}
    status, answer = await ada.call(name, AAUserID=claimed, CourseID=course, **code)
    assert (status, answer["detail"]) == (403, "AAUserID is not the one you are signed in with.")
    assert [line["id"] for line in (await grace.get("cart"))[1]["lines"]] == [course]


async def test_ids_come_as_numbers_or_digits(plain_site):
    ada = learner(plain_site)
    course = str(plain_site.id_of("vat-basics"))
    status, answer = await ada.call("SetAAUserCourse", AAUserID=str(ada.id), CourseID=course)
    assert (status, answer) == (200, {"Status": "success", "Message": ""})


async def test_a_session_expires_after_45_minutes(plain_site):
    at_last = learner(plain_site, at=datetime.now(UTC) - timedelta(minutes=44))
    over = learner(plain_site, at=datetime.now(UTC) - timedelta(minutes=45))
    assert (await at_last.get("cart"))[0] == 200
    status, answer = await over.get("cart")
    assert (status, answer["detail"]) == (401, "Your session has expired. Please sign in again.")


async def test_a_revoked_session_ends_at_once(plain_site):
    ada = learner(plain_site)
    with plain_site.db.write_session() as session:
        sessions.revoke(session, ada.token, datetime.now(UTC))
    assert (await ada.get("cart"))[0] == 401


async def test_another_sites_page_is_refused_before_authentication(plain_site):
    ada = learner(plain_site)
    for header in ({"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
        for name in ("SetAAUserCourse", "DelAAUserCourse"):
            body = {"AAUserID": ada.id, "CourseID": plain_site.id_of("vat-basics")}
            assert (await plain_site.call(name, body, {**ada.headers, **header}))[0] == 403
        put = await plain_site.call("cart/coupon", {"code": "X"}, {**ada.headers, **header}, method="PUT")
        assert put[0] == 403


async def test_a_visit_is_the_learners_with_token_and_cookie_and_is_never_refused(plain_site):
    ada = learner(plain_site)
    for headers, proved in ((ada.headers, ada.id), (ada.bearer, None), ({}, None)):
        status, _ = await plain_site.call("SetAAUserTraceLog", {"Url": "/shop", "AAUserID": 7}, headers)
        visit = plain_site.visits()[-1]
        assert (status, visit.learner_id, visit.claimed_id) == (202, proved, 7)
    status, _ = await plain_site.call("SetAAUserTraceLog", {"Url": "/shop"}, {**ada.headers, "DNT": "1"})
    assert (status, plain_site.visits()[-1].learner_id) == (202, None)
