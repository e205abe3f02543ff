"""Profile, email addresses, phone numbers and password, against the provider's stand-in."""

import pytest

from domain.tables import Learner
from tests.host.identity.account import Account, signed_in

NEW = "Better-Horse-22"
MINE = {"email": "ada@example.test", "isPrimary": True, "isVerified": True}


@pytest.fixture
async def account(ada) -> Account:
    return await signed_in(ada)


async def test_the_profile_includes_the_description_of_its_attributes(account):
    profile = await account.get("/profile")
    assert account.status == 200
    assert profile["profile"]["firstName"] == "Ada"
    assert profile["attributes"][0] == {
        "name": "login",
        "title": "Username",
        "required": True,
        "isReadOnly": True,
        "minLength": 1,
        "maxLength": 100,
    }
    assert {attribute["name"] for attribute in profile["attributes"]} == set(profile["profile"])
    assert account.headers["Cache-Control"] == "no-store"


async def test_changing_one_attribute_leaves_the_others(account):
    await account.put("/profile", profile={"title": "Dr"})
    changed = await account.put("/profile", profile={"firstName": "Adele"})
    assert (account.status, changed["profile"]["title"], changed["profile"]["lastName"]) == (200, "Dr", "Lindqvist")
    unset = await account.put("/profile", profile={"title": None})
    assert (unset["profile"]["firstName"], unset["profile"]["title"]) == ("Adele", None)
    assert unset == await account.get("/profile")


REFUSED = {
    "a field that must be there": ({"firstName": ""}, 400, {"firstName": "The field cannot be left blank."}),
    "two at once": (
        {"firstName": None, "lastName": ""},
        400,
        {"firstName": "The field cannot be left blank.", "lastName": "The field cannot be left blank."},
    ),
    "too long": ({"title": "x" * 101}, 400, {"title": "Must be a text of at most 100 characters."}),
    "unknown": ({"shoeSize": "44"}, 400, {"shoeSize": "The attribute is not known."}),
    "read only": ({"login": "eve"}, 403, None),
    "no name of an attribute": ({"a b": "x"}, 422, {"profile.a b.[key]": "String should match pattern '^\\w+$'"}),
    "no text": ({"title": 7}, 422, {"profile.title": "Input should be a valid string"}),
}


@pytest.mark.parametrize("what", REFUSED)
async def test_an_invalid_profile_is_refused_at_the_field_and_changes_nothing(account, what):
    change, status, errors = REFUSED[what]
    before = await account.get("/profile")
    refused = await account.put("/profile", profile=change)
    assert (account.status, refused.get("errors")) == (status, errors)
    assert await account.get("/profile") == before


async def test_name_and_email_in_our_database_follow_the_profile(account):
    site, me = account.browser.at, account.browser.user_info["user"]["AAUserID"]
    await account.put("/profile", profile={"firstName": "Adele"})
    added = await account.post("/emails", email="new@example.test", isPrimary=True)
    await verify(account, added)
    with site.db.read_session() as session:
        learner = session.get_one(Learner, me)
        assert (learner.name, learner.email) == ("Adele Lindqvist", "new@example.test")


async def verify(account: Account, added, code: str = "") -> None:
    code = code or await account.code(added["email"]["email"])
    await account.post(f"/emails/{added['email']['id']}/challenge/{added['challengeId']}/verify", code=code)


async def test_an_address_is_added_with_one_mail_and_verified_by_its_code(account):
    added = await account.post("/emails", email=" more@example.test ", isPrimary=False)
    assert (account.status, added["email"]["email"], added["email"]["isVerified"]) == (200, "more@example.test", False)
    assert len(await account.sent("more@example.test")) == 1
    await verify(account, added, "000000x")
    assert (account.status, account.reply["detail"]) == (422, "Authentication failed")
    assert account.reply["errors"] == {"code": "Authentication failed"}
    await verify(account, added)
    emails = [{**email, "id": ""} for email in account.reply["emails"]]
    assert emails == [
        {**MINE, "id": ""},
        {"id": "", "email": "more@example.test", "isPrimary": False, "isVerified": True},
    ]
    assert await account.delete(f"/emails/{added['email']['id']}") == {}
    assert len((await account.get("/emails"))["emails"]) == 1


async def test_a_second_mail_has_its_own_challenge(account):
    added = await account.post("/emails", email="more@example.test")
    again = await account.post(f"/emails/{added['email']['id']}/challenge")
    assert (account.status, set(again)) == (200, {"challengeId", "expiresAt"})
    assert again["challengeId"] != added["challengeId"]
    await verify(account, {**added, **again})
    assert account.status == 200


async def test_an_existing_address_becomes_the_primary_one(account):
    added = await account.post("/emails", email="more@example.test")
    await verify(account, added)
    change = await account.put(f"/emails/{added['email']['id']}/primary")
    assert (account.status, change["email"]["id"]) == (200, added["email"]["id"])
    assert [email["email"] for email in (await account.get("/emails"))["emails"] if email["isPrimary"]] == [
        MINE["email"]
    ]
    await verify(account, change)
    assert [(email["email"], email["isPrimary"]) for email in account.reply["emails"]] == [("more@example.test", True)]


async def test_invalid_and_taken_addresses_are_refused(account):
    (primary,) = (await account.get("/emails"))["emails"]
    cases = {
        "no address": ({"email": "nobody"}, 400),
        "there already": ({"email": MINE["email"]}, 409),
        "somebody else's": ({"email": "org@example.test"}, 409),
    }
    for what, (body, status) in cases.items():
        refused = await account.post("/emails", **body)
        assert (what, account.status, bool(refused["detail"])) == (what, status, True)
    refused = await account.post("/emails", email="nobody")
    assert refused["errors"] == {"email": "Must be in the form of an email address."}
    await account.put(f"/emails/{primary['id']}/primary")
    assert account.status == 409
    await account.delete(f"/emails/{primary['id']}")
    assert account.status == 400
    assert (await account.get("/emails"))["emails"] == [primary]


async def test_a_number_is_added_verified_and_removed(account):
    added = (await account.post("/phones", number="+1 (555) 010-0077", method="SMS"))["phone"]
    assert (account.status, added["number"], added["isVerified"]) == (200, "+15550100077", False)
    await account.post(f"/phones/{added['id']}/verify", code="nope")
    assert (account.status, account.reply["errors"]) == (422, {"code": "Authentication failed"})
    phones = await account.post(f"/phones/{added['id']}/verify", code=await account.code("+15550100077"))
    assert phones == {"phones": [{**added, "isVerified": True}]} == await account.get("/phones")
    await account.post(f"/phones/{added['id']}/verify", code="123456")
    assert account.status == 409
    assert await account.delete(f"/phones/{added['id']}") == {}
    assert await account.get("/phones") == {"phones": []}


async def test_another_code_to_a_number_requires_a_wait(world, account):
    added = (await account.post("/phones", number="+15550100077", method="CALL"))["phone"]
    await account.post(f"/phones/{added['id']}/challenge", method="SMS")
    assert (account.status, account.headers["Retry-After"]) == (429, "60")
    world.standin.clock.pass_by(31)
    assert await account.post(f"/phones/{added['id']}/challenge", method="SMS") == {}
    assert [message["channel"] for message in await account.sent("+15550100077")] == ["sms", "call"]


async def test_an_invalid_number_is_refused_at_its_field(account):
    refused = await account.post("/phones", number="12", method="SMS")
    assert (account.status, refused["errors"]) == (400, {"number": "Must be a number in the form +15550100001."})
    await account.post("/phones", number="+15550100077", method="FAX")
    assert account.status == 422
    assert await account.get("/phones") == {"phones": []}


async def test_a_password_is_changed_with_the_current_one(account):
    before = await account.get("/password")
    assert (before["status"], before["lastUpdated"] is None) == ("ACTIVE", False)
    await account.put("/password", password=NEW, currentPassword="wrong")
    assert (account.status, account.reply["errors"]) == (403, {"currentPassword": "Is not correct."})
    await account.put("/password", password="short", currentPassword="Correct-Horse-1")
    assert (account.status, bool(account.reply["detail"])) == (400, True)
    changed = await account.put("/password", password=NEW, currentPassword="Correct-Horse-1")
    assert (account.status, changed["status"]) == (200, "ACTIVE")
    assert (await account.browser.login("ada"))[0] == 401
    assert (await account.browser.login("ada", NEW))[0] == 200


async def test_each_password_status_allows_its_own_calls(account):
    await account.post("/password", password=NEW)
    assert (account.status, account.reply["detail"][:37]) == (409, "This account has a password already. ")
    assert await account.delete("/password") == {"status": "NOT_ENROLLED", "lastUpdated": None}
    assert await account.get("/password") == {"status": "NOT_ENROLLED", "lastUpdated": None}
    await account.put("/password", password=NEW, currentPassword="Correct-Horse-1")
    assert (account.status, account.reply["detail"][:33]) == (409, "This account has no password yet.")
    await account.delete("/password")
    assert account.status == 409
    first = await account.post("/password", password=NEW)
    assert (account.status, first["status"]) == (200, "ACTIVE")
    assert (await account.browser.login("ada", NEW))[0] == 200
