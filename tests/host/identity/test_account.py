"""Profile, addresses, numbers and password: through the host, at the real stand-in."""

import pytest

from domain.tables import Learner
from tests.host.identity.account import Account, signed_in

NEW = "Better-Horse-22"
MINE = {"email": "ada@example.test", "isPrimary": True, "isVerified": True}


@pytest.fixture
async def mine(ada) -> Account:
    return await signed_in(ada)


async def test_the_profile_comes_with_what_is_known_of_its_attributes(mine):
    found = await mine.get("/profile")
    assert mine.status == 200
    assert found["profile"]["firstName"] == "Ada"
    assert found["attributes"][0] == {
        "name": "login",
        "title": "Username",
        "required": True,
        "isReadOnly": True,
        "minLength": 1,
        "maxLength": 100,
    }
    assert {one["name"] for one in found["attributes"]} == set(found["profile"])
    assert mine.headers["Cache-Control"] == "no-store"


async def test_changing_one_attribute_leaves_the_others(mine):
    await mine.put("/profile", profile={"title": "Dr"})
    changed = await mine.put("/profile", profile={"firstName": "Adele"})
    assert (mine.status, changed["profile"]["title"], changed["profile"]["lastName"]) == (200, "Dr", "Lindqvist")
    unset = await mine.put("/profile", profile={"title": None})
    assert (unset["profile"]["firstName"], unset["profile"]["title"]) == ("Adele", None)
    assert unset == await mine.get("/profile")


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
async def test_a_profile_that_cannot_be_is_refused_at_the_field_and_changes_nothing(mine, what):
    change, status, errors = REFUSED[what]
    before = await mine.get("/profile")
    refused = await mine.put("/profile", profile=change)
    assert (mine.status, refused.get("errors")) == (status, errors)
    assert await mine.get("/profile") == before


async def test_our_labels_go_with_the_profile_and_the_primary_address(mine):
    site, me = mine.browser.at, mine.browser.user_info["user"]["AAUserID"]
    await mine.put("/profile", profile={"firstName": "Adele"})
    made = await mine.post("/emails", email="new@example.test", isPrimary=True)
    await verified(mine, made)
    with site.db.reading() as session:
        found = session.get_one(Learner, me)
        assert (found.name, found.email) == ("Adele Lindqvist", "new@example.test")


async def verified(mine: Account, made, code: str = "") -> None:
    code = code or await mine.code(made["email"]["email"])
    await mine.post(f"/emails/{made['email']['id']}/challenge/{made['challengeId']}/verify", code=code)


async def test_an_address_is_added_with_one_mail_and_proved_by_its_code(mine):
    made = await mine.post("/emails", email=" more@example.test ", isPrimary=False)
    assert (mine.status, made["email"]["email"], made["email"]["isVerified"]) == (200, "more@example.test", False)
    assert len(await mine.sent("more@example.test")) == 1
    await verified(mine, made, "000000x")
    assert (mine.status, mine.said["detail"]) == (422, "Authentication failed")
    assert mine.said["errors"] == {"code": "Authentication failed"}
    await verified(mine, made)
    emails = [{**one, "id": ""} for one in mine.said["emails"]]
    assert emails == [
        {**MINE, "id": ""},
        {"id": "", "email": "more@example.test", "isPrimary": False, "isVerified": True},
    ]
    assert await mine.delete(f"/emails/{made['email']['id']}") == {}
    assert len((await mine.get("/emails"))["emails"]) == 1


async def test_a_second_mail_has_a_challenge_of_its_own(mine):
    made = await mine.post("/emails", email="more@example.test")
    again = await mine.post(f"/emails/{made['email']['id']}/challenge")
    assert (mine.status, set(again)) == (200, {"challengeId", "expiresAt"})
    assert again["challengeId"] != made["challengeId"]
    await verified(mine, {**made, **again})
    assert mine.status == 200


async def test_an_address_that_is_there_becomes_the_primary_one(mine):
    made = await mine.post("/emails", email="more@example.test")
    await verified(mine, made)
    change = await mine.put(f"/emails/{made['email']['id']}/primary")
    assert (mine.status, change["email"]["id"]) == (200, made["email"]["id"])
    assert [one["email"] for one in (await mine.get("/emails"))["emails"] if one["isPrimary"]] == [MINE["email"]]
    await verified(mine, change)
    assert [(one["email"], one["isPrimary"]) for one in mine.said["emails"]] == [("more@example.test", True)]


async def test_addresses_that_cannot_be_had_are_refused(mine):
    (primary,) = (await mine.get("/emails"))["emails"]
    cases = {
        "no address": ({"email": "nobody"}, 400),
        "there already": ({"email": MINE["email"]}, 409),
        "somebody else's": ({"email": "org@example.test"}, 409),
    }
    for what, (body, status) in cases.items():
        refused = await mine.post("/emails", **body)
        assert (what, mine.status, bool(refused["detail"])) == (what, status, True)
    refused = await mine.post("/emails", email="nobody")
    assert refused["errors"] == {"email": "Must be in the form of an email address."}
    await mine.put(f"/emails/{primary['id']}/primary")
    assert mine.status == 409
    await mine.delete(f"/emails/{primary['id']}")
    assert mine.status == 400
    assert (await mine.get("/emails"))["emails"] == [primary]


async def test_a_number_is_added_proved_and_removed(mine):
    made = (await mine.post("/phones", number="+1 (555) 010-0077", method="SMS"))["phone"]
    assert (mine.status, made["number"], made["isVerified"]) == (200, "+15550100077", False)
    await mine.post(f"/phones/{made['id']}/verify", code="nope")
    assert (mine.status, mine.said["errors"]) == (422, {"code": "Authentication failed"})
    found = await mine.post(f"/phones/{made['id']}/verify", code=await mine.code("+15550100077"))
    assert found == {"phones": [{**made, "isVerified": True}]} == await mine.get("/phones")
    await mine.post(f"/phones/{made['id']}/verify", code="123456")
    assert mine.status == 409
    assert await mine.delete(f"/phones/{made['id']}") == {}
    assert await mine.get("/phones") == {"phones": []}


async def test_another_code_to_a_number_wants_a_pause(world, mine):
    made = (await mine.post("/phones", number="+15550100077", method="CALL"))["phone"]
    await mine.post(f"/phones/{made['id']}/challenge", method="SMS")
    assert (mine.status, mine.headers["Retry-After"]) == (429, "60")
    world.standin.clock.pass_by(31)
    assert await mine.post(f"/phones/{made['id']}/challenge", method="SMS") == {}
    assert [one["channel"] for one in await mine.sent("+15550100077")] == ["sms", "call"]


async def test_a_number_that_is_none_is_refused_at_its_field(mine):
    refused = await mine.post("/phones", number="12", method="SMS")
    assert (mine.status, refused["errors"]) == (400, {"number": "Must be a number in the form +15550100001."})
    await mine.post("/phones", number="+15550100077", method="FAX")
    assert mine.status == 422
    assert await mine.get("/phones") == {"phones": []}


async def test_a_password_is_changed_with_the_current_one(mine):
    before = await mine.get("/password")
    assert (before["status"], before["lastUpdated"] is None) == ("ACTIVE", False)
    await mine.put("/password", password=NEW, currentPassword="wrong")
    assert (mine.status, mine.said["errors"]) == (403, {"currentPassword": "Is not correct."})
    await mine.put("/password", password="short", currentPassword="Correct-Horse-1")
    assert (mine.status, bool(mine.said["detail"])) == (400, True)
    changed = await mine.put("/password", password=NEW, currentPassword="Correct-Horse-1")
    assert (mine.status, changed["status"]) == (200, "ACTIVE")
    assert (await mine.browser.login("ada"))[0] == 401
    assert (await mine.browser.login("ada", NEW))[0] == 200


async def test_each_status_of_a_password_offers_its_own(mine):
    await mine.post("/password", password=NEW)
    assert (mine.status, mine.said["detail"][:37]) == (409, "This account has a password already. ")
    assert await mine.delete("/password") == {"status": "NOT_ENROLLED", "lastUpdated": None}
    assert await mine.get("/password") == {"status": "NOT_ENROLLED", "lastUpdated": None}
    await mine.put("/password", password=NEW, currentPassword="Correct-Horse-1")
    assert (mine.status, mine.said["detail"][:33]) == (409, "This account has no password yet.")
    await mine.delete("/password")
    assert mine.status == 409
    first = await mine.post("/password", password=NEW)
    assert (mine.status, first["status"]) == (200, "ACTIVE")
    assert (await mine.browser.login("ada", NEW))[0] == 200
