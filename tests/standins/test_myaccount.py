"""MyAccount: profile, emails, phones, password, and who may ask."""

import pytest

from standins.identity.myaccount.routes import ROUTES
from tests.standins.driver import ACCOUNT_SCOPE, PASSWORD, SCOPE, Browser, claims

NEW = "Better-Horse-22"
VERSION = {"Accept": "*/*;okta-version=1.0.0"}
AT = "/idp/myaccount"


class Account:
    """The calls of one signed-in person."""

    def __init__(self, browser: Browser, token: str):
        self.browser = browser
        self.headers = {**VERSION, "Authorization": f"Bearer {token}"}

    async def ask(self, method: str, path: str, body=None):
        path = path.removeprefix("http://127.0.0.1:1").removeprefix(AT)
        return await self.browser.call(method, AT + path, body, headers=self.headers)

    @property
    def status(self) -> int:
        return self.browser.status


@pytest.fixture
async def account(browser):
    return Account(browser, (await browser.signed_in("ada", scope=ACCOUNT_SCOPE))["access_token"])


@pytest.mark.parametrize(("method", "path"), [(method, path) for method, path, _ in ROUTES])
async def test_every_call_requires_a_token_and_a_version(browser, method, path):
    path = path.replace("{id}", "x").replace("{challenge}", "y")
    await browser.call(method, path, headers=VERSION)
    assert browser.status == 401
    assert "invalid_token" in browser.headers["WWW-Authenticate"]
    await browser.call(method, path, headers={"Accept": "application/json"})
    assert browser.status == 406


async def test_a_token_without_the_scope_is_refused(browser):
    account = Account(
        browser, (await browser.signed_in("ada", scope="email okta.myAccount.email.read"))["access_token"]
    )
    await account.ask("GET", "/emails")
    assert account.status == 200
    for method, path in (("POST", "/emails"), ("GET", "/profile")):
        await account.ask(method, path, {} if method == "POST" else None)
        assert account.status == 403
        assert "insufficient_scope" in browser.headers["WWW-Authenticate"]


@pytest.mark.parametrize(("method", "path"), [(method, path) for method, path, _ in ROUTES])
async def test_the_scopes_of_openid_connect_are_not_enough(browser, method, path):
    account = Account(browser, (await browser.signed_in("ada", scope=SCOPE))["access_token"])
    await account.ask(method, path.replace("{id}", "x").replace("{challenge}", "y"))
    assert account.status == 403
    assert 'error="insufficient_scope"' in browser.headers["WWW-Authenticate"]


async def test_a_challenge_is_polled_with_the_right_to_read(browser):
    scope = "email okta.myAccount.email.read"
    account = Account(browser, (await browser.signed_in("ada", scope=scope))["access_token"])
    for method in ("GET", "POST"):
        await account.ask(method, "/emails/x/challenge/y")
        assert account.status == 404


async def test_writing_requires_a_sign_in_within_the_last_15_minutes(account, clock):
    clock.pass_by(901)
    await account.ask("GET", "/profile")
    assert account.status == 200
    await account.ask("DELETE", "/password")
    assert account.status == 403
    header = account.browser.headers["WWW-Authenticate"]
    assert 'error="insufficient_authentication_context"' in header
    assert 'max_age="900"' in header


async def test_the_profile_is_replaced_as_a_whole(account):
    before = (await account.ask("GET", "/profile"))["profile"]
    finished = await account.ask("PUT", "/profile", {"profile": {**before, "firstName": "Adele", "title": "Dr"}})
    assert (finished["profile"]["firstName"], finished["profile"]["title"]) == ("Adele", "Dr")
    finished = await account.ask("PUT", "/profile", {"profile": {**before, "title": None}})
    assert (finished["profile"]["firstName"], finished["profile"]["title"]) == ("Ada", None)


@pytest.mark.parametrize(
    ("change", "status", "code"),
    [
        ({"login": "eve"}, 403, "E0000006"),
        ({"email": "eve@example.test"}, 403, "E0000006"),
        ({"firstName": ""}, 400, "E0000001"),
        ({"lastName": None}, 400, "E0000001"),
        ({"title": "x" * 101}, 400, "E0000001"),
        ({"shoeSize": "44"}, 400, "E0000001"),
    ],
)
async def test_an_invalid_profile_changes_nothing(account, change, status, code):
    before = (await account.ask("GET", "/profile"))["profile"]
    refused = await account.ask("PUT", "/profile", {"profile": {**before, **change}})
    assert (account.status, refused["errorCode"]) == (status, code)
    assert (await account.ask("GET", "/profile"))["profile"] == before


async def test_the_schema_lists_the_fields_that_may_be_changed(account):
    response = (await account.ask("GET", "/profile/schema"))["properties"]
    assert response["firstName"] == {
        "title": "First name",
        "type": "string",
        "required": True,
        "minLength": 1,
        "maxLength": 50,
        "permissions": {"SELF": "READ_WRITE"},
    }
    assert response["login"]["permissions"] == {"SELF": "READ_ONLY"}


async def test_a_new_primary_address_replaces_the_old_one_when_it_is_verified(account):
    address = await account.ask("POST", "/emails", {"profile": {"email": "new@example.test"}, "role": "PRIMARY"})
    assert (account.status, address["status"]) == (201, "UNVERIFIED")
    assert [email["profile"]["email"] for email in await account.ask("GET", "/emails")] == [
        "ada@example.test",
        "new@example.test",
    ]
    challenge = await account.ask("POST", address["_links"]["challenge"]["href"])
    assert challenge["id"] != address["id"]
    refused = await account.ask("POST", challenge["_links"]["verify"]["href"], {"verificationCode": "x"})
    assert (account.status, refused["errorCode"]) == (401, "E0000004")
    code = (await account.browser.message("new@example.test"))["code"]
    assert await account.ask("POST", challenge["_links"]["verify"]["href"], {"verificationCode": code}) == ""
    assert account.status == 200
    left = await account.ask("GET", "/emails")
    assert [(entry["status"], entry["roles"], entry["profile"]["email"]) for entry in left] == [
        ("VERIFIED", ["PRIMARY"], "new@example.test")
    ]
    renewed = await account.browser.signed_in("new@example.test")
    assert claims(renewed["id_token"])["email"] == "new@example.test"


async def test_a_secondary_address_becomes_primary_with_a_new_code(account):
    body = {"profile": {"email": "new@example.test"}, "sendEmail": False}
    address = await account.ask("POST", "/emails", body)
    again = await account.ask("POST", "/emails", {**body, "role": "PRIMARY"})
    assert (account.status, again["id"], again["roles"]) == (201, address["id"], ["SECONDARY"])
    challenge = await account.ask("POST", address["_links"]["challenge"]["href"])
    code = (await account.browser.message("new@example.test"))["code"]
    await account.ask("POST", challenge["_links"]["verify"]["href"], {"verificationCode": code})
    assert [email["roles"] for email in await account.ask("GET", "/emails")] == [["PRIMARY"]]
    await account.ask("POST", "/emails", {**body, "role": "PRIMARY"})
    assert account.status == 409


async def test_a_challenge_can_be_polled_by_get_and_post_and_expires(account, clock):
    address = await account.ask("POST", "/emails", {"profile": {"email": "new@example.test"}, "sendEmail": False})
    assert await account.browser.sent("new@example.test") == 0
    challenge = await account.ask("POST", f"/emails/{address['id']}/challenge", {"state": "s9"})
    assert "state=s9" in (await account.browser.message("new@example.test"))["link"]
    assert await account.ask("GET", challenge["_links"]["poll"]["href"]) == challenge
    assert await account.ask("POST", challenge["_links"]["poll"]["href"]) == challenge
    clock.pass_by(301)
    await account.ask("GET", challenge["_links"]["poll"]["href"])
    assert account.status == 404


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"profile": {"email": "nobody"}}, 400, "E0000001"),
        ({}, 400, "E0000001"),
        ({"profile": {"email": "x@example.test"}, "role": "THIRD"}, 400, "E0000001"),
        ({"profile": {"email": "warn@example.test"}}, 409, "E0000157"),
        ({"profile": {"email": "ADA@example.test"}}, 409, "E0000157"),
    ],
)
async def test_an_address_that_cannot_be_added_is_refused(account, body, status, code):
    refused = await account.ask("POST", "/emails", body)
    assert (account.status, refused["errorCode"]) == (status, code)
    assert len(await account.ask("GET", "/emails")) == 1


async def test_the_verified_primary_address_cannot_be_removed_but_others_can(account):
    primary = (await account.ask("GET", "/emails"))[0]
    await account.ask("DELETE", primary["_links"]["self"]["href"])
    assert account.status == 400
    address = await account.ask("POST", "/emails", {"profile": {"email": "new@example.test"}})
    await account.ask("DELETE", address["_links"]["self"]["href"])
    assert account.status == 204
    await account.ask("GET", address["_links"]["self"]["href"])
    assert account.status == 404


async def test_other_users_addresses_are_not_found(account):
    address = await account.ask("POST", "/emails", {"profile": {"email": "new@example.test"}})
    phone = await account.ask("POST", "/phones", {"profile": {"phoneNumber": "+15550100333"}})
    other = Account(account.browser, (await account.browser.signed_in("member", scope=ACCOUNT_SCOPE))["access_token"])
    for method, path in (
        ("GET", f"/emails/{address['id']}"),
        ("DELETE", f"/emails/{address['id']}"),
        ("POST", f"/emails/{address['id']}/challenge"),
        ("DELETE", f"/phones/{phone['id']}"),
        ("POST", f"/phones/{phone['id']}/challenge"),
    ):
        await other.ask(method, path)
        assert other.status == 404


async def test_a_phone_is_added_verified_once_and_removed(account, clock):
    created = await account.ask("POST", "/phones", {"profile": {"phoneNumber": "+15550100333"}, "method": "SMS"})
    assert (account.status, created["status"]) == (201, "UNVERIFIED")
    refused = await account.ask("POST", created["_links"]["challenge"]["href"], {"method": "CALL"})
    assert (account.status, refused["errorCode"]) == (429, "E0000047")
    clock.pass_by(30)
    await account.ask("POST", created["_links"]["challenge"]["href"], {"method": "CALL", "retry": True})
    assert account.status == 200
    sent = await account.browser.message("+15550100333")
    assert sent["channel"] == "call"
    refused = await account.ask("POST", created["_links"]["verify"]["href"], {"verificationCode": "x"})
    assert (account.status, refused["errorCode"]) == (401, "E0000004")
    await account.ask("POST", created["_links"]["verify"]["href"], {"verificationCode": sent["code"]})
    assert account.status == 204
    again = await account.ask("POST", f"/phones/{created['id']}/verify", {"verificationCode": sent["code"]})
    assert (account.status, again["errorCode"]) == (409, "E0000157")
    assert [phone["status"] for phone in await account.ask("GET", "/phones")] == ["VERIFIED"]
    await account.ask("DELETE", f"/phones/{created['id']}")
    assert await account.ask("GET", "/phones") == []


@pytest.mark.parametrize(
    "body", [{}, {"profile": {"phoneNumber": "555"}}, {"profile": {"phoneNumber": "+15550100333"}, "method": "FAX"}]
)
async def test_an_invalid_phone_is_refused(account, body):
    await account.ask("POST", "/phones", body)
    assert account.status == 400
    assert await account.ask("GET", "/phones") == []


async def test_a_password_is_changed_deleted_and_enrolled_again(account):
    response = await account.ask("GET", "/password")
    assert (response["status"], response["_links"]["self"]["hints"]["allow"]) == ("ACTIVE", ["GET", "PUT", "DELETE"])
    await account.ask("POST", "/password", {"profile": {"password": NEW}})
    assert account.status == 409
    refused = await account.ask("PUT", "/password", {"profile": {"password": NEW, "currentPassword": "wrong"}})
    assert (account.status, refused["errorCode"]) == (403, "E0000014")
    await account.ask("PUT", "/password", {"profile": {"password": "short", "currentPassword": PASSWORD}})
    assert account.status == 400
    await account.ask("PUT", "/password", {"profile": {"password": NEW, "currentPassword": PASSWORD}})
    assert account.status == 201
    assert (await account.browser.authn("ada", NEW))["status"] == "SUCCESS"
    await account.ask("DELETE", "/password")
    response = await account.ask("GET", "/password")
    assert (response["status"], list(response["_links"])) == ("NOT_ENROLLED", ["enroll"])
    for method in ("PUT", "DELETE"):
        await account.ask(method, "/password", {"profile": {"password": NEW}})
        assert account.status == 404
    await account.ask("POST", "/password", {"profile": {"password": "Third-Horse-333"}})
    assert account.status == 201


async def test_verified_changes_survive_a_restart(account, provider):
    await account.ask("POST", "/phones", {"profile": {"phoneNumber": "+15550100333"}, "sendCode": False})
    await account.browser.close()
    account.browser = await provider()
    assert [phone["profile"] for phone in await account.ask("GET", "/phones")] == [{"phoneNumber": "+15550100333"}]
