"""Signing in with name and password, through the real stand-in."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from http.cookies import SimpleCookie
from urllib.parse import quote, unquote

import pytest
from sqlalchemy import select

from domain.identity import learners
from domain.identity.learners import Identity
from domain.tables import Learner, LearnerIdentity, LearnerSession, Membership, Organisation
from host.app_keys import SETTINGS
from host.checkout.return_cookie import RETURN_ENTRIES, ReturnEntry
from host.identity.errors import TEXTS
from tests.host.identity.browser import pairs
from tests.host.site import ORIGIN
from tests.support import factories, order_rows
from tests.support.factories import NOON


async def test_a_sign_in_ends_at_its_target_with_token_and_cookie(ada):
    assert await ada.sign_in(returnTo="/cart?from=login") == "/cart?from=login"
    info = ada.user_info
    assert info == {
        "accessToken": info["accessToken"],
        "user": {"AAUserID": info["user"]["AAUserID"], "Email": "ada@example.test"},
    }
    assert set(ada.cookies) == {"userInfo", "__Host-sid", "lts"}
    status, standing = await ada.call("auth/session", "GET")
    learner = standing["learner"]
    assert (status, learner["name"], learner["area"], learner["roles"]) == (200, "Ada Lindqvist", "learner", [])
    assert (learner["id"], learner["isRestricted"]) == (info["user"]["AAUserID"], False)
    assert learner["studentNumber"].startswith("S-")


async def test_a_callback_that_is_opened_again_leads_on_to_the_site(world, ada):
    path = await ada.begin()
    assert (await ada.ask("GET", path)).headers["Location"] == "/"
    again = await ada.ask("GET", path)
    assert (again.status, again.headers["Location"], again.headers.getall("Set-Cookie", [])) == (303, "/", [])
    assert (await ada.ask("GET", "/logincallback?interaction_code=x&state=x")).headers["Location"] == "/"
    elsewhere = await world.browser().ask("GET", path)
    assert elsewhere.headers["Location"] == "/login?error=noTransaction"


async def test_the_cookies_match_the_specification(ada):
    answer = await ada.ask("GET", await ada.begin())
    lines = {line.partition("=")[0]: line for line in answer.headers.getall("Set-Cookie")}
    assert lines["userInfo"].split("; ")[1:] == ["Max-Age=2700", "Path=/", "SameSite=Lax", "Secure"]
    assert lines["__Host-sid"].split("; ")[1:] == ["HttpOnly", "Max-Age=2700", "Path=/", "SameSite=Lax", "Secure"]
    value = SimpleCookie(lines["userInfo"])["userInfo"].value
    assert value == quote(unquote(value), safe="")


@pytest.mark.parametrize("issuer", ["", "/oauth2/default"])
async def test_both_kinds_of_issuer_recognise_the_same_person(world, issuer):
    site = await world.open(issuer)
    browser = world.browser(site)
    ids = []
    for _ in range(2):
        assert await browser.sign_in() == "/"
        ids.append(browser.user_info["user"]["AAUserID"])
    assert ids[0] == ids[1]
    with site.db.read_session() as session:
        assert session.scalars(select(LearnerIdentity.issuer)).one() == world.standin.origin + issuer


async def test_a_sign_in_of_somebody_else_deletes_the_return_cookie(ada):
    """It says which orders were placed in this browser, and by whom."""
    await ada.sign_in()
    own_id, app, until = ada.user_info["user"]["AAUserID"], ada.at.app, datetime.now(UTC) + timedelta(hours=1)
    for learner_id, is_left in ((own_id, True), (own_id + 1, False)):
        value = app[RETURN_ENTRIES].to_text([ReturnEntry("A" * 20, learner_id, until)])
        ada.jar["__Host-return"] = (value, "/")
        await ada.sign_in()
        assert ("__Host-return" in ada.cookies) == is_left


async def test_without_another_address_a_sign_in_leads_to_what_one_owns_else_to_the_front_page(world, ada):
    assert await ada.sign_in() == "/"
    own_id = ada.user_info["user"]["AAUserID"]
    with world.site.db.write_session() as session:
        order_rows.order(session, own_id, state="placed", paid_at=None)
    assert await ada.sign_in() == "/"
    with world.site.db.write_session() as session:
        order_rows.order(session, own_id, "A" * 20)
    assert await ada.sign_in() == "/user-dashboard"
    assert await ada.sign_in(returnTo="/cart") == "/cart"


async def test_signing_in_again_ends_the_previous_session(world, ada):
    await ada.sign_in()
    former = {
        "Authorization": f"Bearer {ada.user_info['accessToken']}",
        "Cookie": f"__Host-sid={ada.cookies['__Host-sid']}",
    }
    await ada.sign_in()
    assert (await world.site.call("auth/session", None, former, "GET"))[0] == 401
    assert (await ada.call("auth/session", "GET"))[0] == 200


async def test_signing_out_ends_the_session_here_and_at_the_provider(world, ada):
    await ada.sign_in()
    both = {
        "Authorization": f"Bearer {ada.user_info['accessToken']}",
        "Cookie": f"__Host-sid={ada.cookies['__Host-sid']}",
    }
    answer = await ada.ask("POST", "/api/auth/logout", {})
    where = (await answer.json())["redirect"]
    assert where.startswith(f"{world.standin.origin}/oauth2/v1/logout?id_token_hint=")
    assert answer.headers["Clear-Site-Data"] == '"cache"'
    assert await ada.go(where) == "https://shop.example"
    assert set(ada.cookies) == {"lts"}
    assert (await world.site.call("auth/session", None, both, "GET"))[0] == 401
    assert await ada.call("auth/logout") == (200, {"redirect": "/"})


async def test_provider_tokens_are_stored_encrypted_and_deleted_with_the_session(world, ada):
    await ada.sign_in()
    with world.site.db.read_session() as session:
        row = session.scalars(select(LearnerSession)).one()
        assert row.id_token.startswith("eyJ")
        assert row.id_token.count(".") == 4
        assert (row.issuer, row.area, row.browser) == (world.standin.origin, "learner", "Chrome")
    await ada.call("auth/logout")
    with world.site.db.read_session() as session:
        row = session.scalars(select(LearnerSession)).one()
        assert (row.id_token, row.access_token) == (None, None)


REFUSED = {
    "a wrong password": ("ada", 401, {"detail": "Authentication failed"}),
    "an unknown name": ("nobody", 401, {"detail": "Authentication failed"}),
    "a locked account": (
        "locked",
        409,
        {
            "detail": "We cannot handle the LOCKED_OUT status",
            "providerStatus": "LOCKED_OUT",
            "flow": "unlockAccount",
        },
    ),
}


@pytest.mark.parametrize("what", REFUSED)
async def test_a_refusal_has_the_providers_message(ada, what):
    name, status, members = REFUSED[what]
    got, answer = await ada.login(name, "wrong")
    assert (got, {key: answer[key] for key in members}) == (status, members)
    assert ada.cookies == {}


@pytest.mark.parametrize(("name", "status"), [("expired", "PASSWORD_EXPIRED"), ("email-mfa", "MFA_REQUIRED")])
async def test_any_other_status_names_the_flow_to_continue_with(ada, name, status):
    got, answer = await ada.login(name)
    assert (got, answer["detail"]) == (409, f"We cannot handle the {status} status")
    assert (answer["providerStatus"], answer["flow"]) == (status, "authenticate")


async def test_unknown_and_known_names_get_the_same_replies_until_both_are_locked(world):
    site = await world.open(LIMITS="off")
    browser, answers = world.browser(site), {}
    for name in ("ada", "nobody-of-that-name"):
        replies = [await browser.login(name, "wrong") for _ in range(11)]
        answers[name] = [(status, reply["detail"], reply.get("flow")) for status, reply in replies]
    assert answers["ada"] == answers["nobody-of-that-name"]
    assert answers["ada"][0] == (401, "Authentication failed", None)
    assert answers["ada"][10] == (409, "We cannot handle the LOCKED_OUT status", "unlockAccount")


async def test_empty_fields_are_refused_without_a_call_to_the_provider(world, ada):
    await world.standin.stop()
    status, answer = await ada.login(" ", "")
    assert (status, answer["errors"]) == (
        422,
        {"username": "Enter your user name or email address.", "password": "Enter your password."},
    )


async def test_another_sites_page_cannot_sign_anybody_in(ada):
    body = {"username": "ada", "password": "Correct-Horse-1"}
    answer = await ada.ask("POST", "/api/auth/login", body, Origin="https://evil.example")
    assert (answer.status, ada.cookies) == (403, {})


FOREIGN_TARGETS = (
    "https://evil.example",
    "//evil.example",
    "/\\evil",
    "/a\nb",
    "javascript:1",
    "/" + "x" * 600,
    "/logout",
    "",
)


async def test_a_sign_in_redirects_only_to_this_site(ada):
    assert {wanted: await ada.sign_in(returnTo=wanted) for wanted in FOREIGN_TARGETS} == dict.fromkeys(
        FOREIGN_TARGETS, "/"
    )


def enters(world, name, role=None, roles=()):
    """A learner of the demo shop with a role, as the seed creates them."""
    with world.site.db.write_session() as session:
        person = learners.create(session, Identity("development", name, name, f"{name}@example.test"), NOON)
        factories.staff(session, person.id, *roles)
        if role is not None:
            organisation = Organisation(slug="harbour", name="Harbour", domains=[], state="approved")
            session.add(organisation)
            session.flush()
            session.add(Membership(learner_id=person.id, organisation_id=organisation.id, role=role, joined_at=NOON))
        return person.id


AREAS = {
    "an administrator": ("admin", "admin", None, ["administrator"]),
    "a marketer": ("marketing", "admin", None, ["marketer"]),
    "a manager of an organisation": ("org", "organisation", "manager", []),
}


@pytest.mark.parametrize("case", AREAS)
async def test_a_learner_with_the_role_can_sign_in_to_the_area(world, ada, case):
    name, area, role, roles = AREAS[case]
    learner_id = enters(world, name, role, roles)
    assert await ada.sign_in(name, area=area, returnTo="/admin/visits") == "/admin/visits"
    _, standing = await ada.call("auth/session", "GET")
    assert (standing["learner"]["id"], standing["learner"]["area"]) == (learner_id, area)
    assert standing["learner"]["roles"] == [*roles, *([role] if role else [])]


LED_BACK = {
    "a learner at the administrators'": ("ada", "admin", None, "/adminlogin"),
    "a member at the organisations'": ("member", "organisation", "member", "/organization-login"),
}


@pytest.mark.parametrize("case", LED_BACK)
async def test_a_learner_without_the_role_is_refused_and_gets_no_session(world, ada, case):
    name, area, role, page = LED_BACK[case]
    if role:
        enters(world, name, role)
    with world.site.db.read_session() as session:
        before = len(list(session.scalars(select(Learner))))
    assert await ada.sign_in(name, area=area) == f"{page}?error=noRole"
    assert ada.user_info is None
    with world.site.db.read_session() as session:
        assert len(list(session.scalars(select(Learner)))) == before
        assert list(session.scalars(select(LearnerSession))) == []


async def test_a_demo_learner_is_found_by_address_once_and_then_by_identity(world, ada):
    learner_id = enters(world, "ada")
    await ada.sign_in()
    assert ada.user_info["user"]["AAUserID"] == learner_id
    with world.site.db.write_session() as session:
        session.get_one(Learner, learner_id).email = "changed@example.test"
    await ada.sign_in()
    assert ada.user_info["user"]["AAUserID"] == learner_id


async def test_in_production_no_learner_is_found_by_address(world, ada):
    learner_id = enters(world, "ada")
    world.site.app._state[SETTINGS] = replace(world.site.settings, app_env="production")
    await ada.sign_in()
    assert ada.user_info["user"]["AAUserID"] != learner_id


PERSON = "openid profile email phone"
ACCOUNT = " ".join(
    f"okta.myAccount.{part}.{right}"
    for part in ("profile", "email", "phone", "password")
    for right in ("read", "manage")
)


async def test_a_provider_without_myaccount_is_asked_for_no_scope_of_it(world):
    browser = world.browser(await world.open(OIDC_EXTENSIONS="off"))
    answer = await browser.ask("GET", "/api/auth/start?returnTo=/shop")
    assert pairs(answer.headers["Location"])["scope"] == PERSON


async def test_the_providers_own_page_signs_in_too(world, ada):
    answer = await ada.ask("GET", "/api/auth/start?returnTo=/shop&area=learner&maxAge=900&acrValues=strong")
    query = pairs(answer.headers["Location"])
    assert answer.status == 303
    assert (query["max_age"], query["acr_values"], query["code_challenge_method"]) == ("900", "strong", "S256")
    assert query["scope"] == PERSON
    assert "sessionToken" not in query
    assert "prompt" not in query


ASKS = {
    "account": (f"{PERSON} {ACCOUNT}", None),
    "silent": (f"{PERSON} {ACCOUNT}", "none"),
    "everything": (PERSON, None),
}


async def test_the_scopes_of_the_account_pages_are_asked_for_apart(ada):
    for access, (scope, prompt) in ASKS.items():
        answer = await ada.ask("GET", f"/api/auth/start?returnTo=/profile&access={access}")
        query = pairs(answer.headers["Location"])
        assert (access, query["scope"], query.get("prompt")) == (access, scope, prompt)


async def test_a_profile_asks_for_its_scopes_once_and_then_opens(ada):
    await ada.sign_in()
    first = await ada.ask("GET", "/profile")
    assert (first.status, first.headers["Location"]) == (
        302,
        "/api/auth/start?returnTo=/profile&area=learner&access=silent",
    )
    data = await ada.ask("GET", "/data/profile")
    assert (await data.json())["location"].endswith("access=silent")
    await ada.allow_account()
    assert (await ada.ask("GET", "/profile")).status == 200
    assert (await ada.call("account/emails", "GET"))[0] == 200


async def test_where_the_provider_must_show_its_page_the_profile_offers_a_link(ada):
    await ada.sign_in()
    ada._elsewhere.cookie_jar.clear()
    start = await ada.ask("GET", "/api/auth/start?returnTo=/profile&access=silent")
    back = await ada.go(start.headers["Location"])
    answer = await ada.ask("GET", back.removeprefix(ORIGIN))
    assert (answer.status, answer.headers["Location"]) == (303, "/profile?access=asked")
    # Nobody was signed out.
    state = (await (await ada.ask("GET", "/data/profile?access=asked")).json())["props"]
    assert state["access"] == "/api/auth/start?returnTo=%2Fprofile&area=learner&access=account"


async def test_the_browser_gets_the_providers_features(world, ada):
    answer = await ada.ask("GET", "/api/auth/provider")
    assert answer.headers["Cache-Control"] == "public, max-age=60"
    origin = world.standin.origin
    assert await answer.json() == {
        "origin": origin,
        "frame": f"{origin}/auth/services/devicefingerprint",
        "hasAuthn": True,
        "hasRegistration": True,
        "isReachable": True,
    }


async def test_a_provider_without_authn_never_receives_a_password(world):
    site = await world.open(OIDC_EXTENSIONS="off")
    browser = world.browser(site)
    status, answer = await browser.login("ada", returnTo="/cart")
    assert (status, answer) == (
        200,
        {"redirect": "/api/auth/start?returnTo=%2Fcart&area=learner", "passwordExpiresSoon": False},
    )
    _, about = await browser.call("auth/provider", "GET")
    assert (about["hasAuthn"], about["hasRegistration"], about["frame"]) == (False, False, None)


async def test_a_sign_in_started_at_one_host_process_ends_at_another(world, ada):
    path = await ada.begin(returnTo="/cart")
    ada.at = await world.open()
    assert (await ada.ask("GET", path)).headers["Location"] == "/cart"
    ada.at = world.site
    assert (await ada.call("auth/session", "GET"))[0] == 200


async def test_too_many_sign_ins_of_one_name_are_throttled_and_others_are_not(world):
    site = await world.open(SIGN_INS_PER_ADDRESS="0")
    browser = world.browser(site)
    replies = [(await browser.login("ada", "wrong"))[0] for _ in range(30)]
    assert (replies[:10], set(replies[10:])) == ([401] * 10, {429})
    status, answer = await browser.login("ADA ", "wrong")
    assert (status, answer["detail"]) == (429, TEXTS["tooMany"])
    assert (await browser.login("warn"))[0] == 200


async def test_a_password_that_expires_soon_is_said_and_signs_in(world, ada):
    status, answer = await ada.login("warn")
    assert (status, answer["passwordExpiresSoon"]) == (200, True)
    back = await ada.go(answer["redirect"])
    await ada.ask("GET", back.removeprefix(ORIGIN))
    assert ada.user_info["user"]["Email"] == "warn@example.test"
    assert (await world.browser().login("ada"))[1]["passwordExpiresSoon"] is False


async def test_too_many_names_from_one_address_are_throttled(world):
    browser = world.browser(await world.open(SIGN_INS_PER_NAME="0"))
    replies = [(await browser.login(f"name{number}", "wrong"))[0] for number in range(40)]
    assert (replies[:30], set(replies[30:])) == ([401] * 30, {429})
    answer = await browser.ask("GET", "/api/auth/start?returnTo=/cart")
    assert answer.headers["Location"] == "/login?error=tooMany&returnTo=%2Fcart"
