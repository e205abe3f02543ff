"""The pages that people see: sign-in, sign-out, outbox; and the hooks beside them."""

import re
from html import unescape

import pytest

from standins.development import StartupError
from standins.identity.provider import ProviderConfig, open_provider
from tests.standins.driver import PASSWORD, SITE, VERIFIER, claims, pairs

NEW = "Better-Horse-22"


class Page:
    """The sign-in page, step by step."""

    def __init__(self, browser):
        self.browser, self.text = browser, ""

    async def open(self, **more):
        back = await self.browser.authorize(**more)
        self.text = await self.browser.get(f"/signin?to={back['to']}")

    async def send(self, form=0, **fields):
        form_html = re.findall(r"<form.*?</form>", self.text, re.DOTALL)[form]
        hidden = re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form_html)
        self.text = await self.browser.form(
            "/signin", **{**{name: unescape(value) for name, value in hidden}, **fields}
        )
        return pairs(self.browser.headers.get("Location", ""))

    @property
    def error(self):
        match = re.search(r'role="alert">([^<]*)<', self.text)
        return unescape(match[1]) if match else None


@pytest.fixture
async def page(browser):
    new_page = Page(browser)
    await new_page.open()
    return new_page


async def test_a_name_and_a_password_return_with_a_code(page):
    assert "Sign in to Storefront" in page.text
    assert "script-src 'none'" in page.browser.headers["Content-Security-Policy"]
    back = await page.send(username="ada", password=PASSWORD)
    assert back["state"] == "s1"
    assert "id_token" in await page.browser.token(code=back["code"], code_verifier=VERIFIER)
    assert "code" in await page.browser.authorize(prompt="none")


@pytest.mark.parametrize(
    ("name", "password", "error"),
    [
        ("ada", "wrong", "Authentication failed"),
        ("nobody", "wrong", "Authentication failed"),
        ("locked", PASSWORD, "This account is locked. Unlock it at the site you came from."),
    ],
)
async def test_a_failed_sign_in_stays_on_the_page(page, name, password, error):
    assert await page.send(username=name, password=password) == {}
    assert (page.browser.status, page.error) == (401, error)


async def test_the_code_of_a_mail_is_asked_for(page):
    await page.send(username="email-mfa", password=PASSWORD)
    factor = re.search(r'<option value="(\w+)">Code by email', page.text)[1]
    await page.send(factor=factor)
    await page.send(answer="wrong")
    assert page.error == "Your passcode doesn't match our records. Please try again."
    back = await page.send(answer=(await page.browser.message("email-mfa"))["code"])
    assert "code" in back


async def test_two_factors_are_asked_for_when_the_application_wants_them(browser):
    page, strong = Page(browser), "urn:okta:loa:2fa:any"
    await page.open()
    await page.send(username="admin", password=PASSWORD)
    assert "code" in await browser.authorize(acr_values="urn:example:unknown")
    await page.open(acr_values=strong)
    await page.send(username="admin", password=PASSWORD)
    await page.send(factor=re.search(r'<option value="(\w+)">Code by email', page.text)[1])
    back = await page.send(answer=(await browser.message("admin"))["code"])
    assert claims((await browser.token(code=back["code"], code_verifier=VERIFIER))["id_token"])["amr"] == [
        *("pwd", "otp", "mfa")
    ]
    assert "code" in await browser.authorize(acr_values=strong)


async def test_an_expired_password_is_changed_on_the_page(page):
    await page.send(username="expired", password=PASSWORD)
    assert "has expired" in page.text
    await page.send(old="wrong", new=NEW)
    assert page.error == "Old password is not correct"
    assert "code" in await page.send(old=PASSWORD, new=NEW)


async def test_an_optional_enrolment_can_be_skipped_on_the_page(page):
    await page.send(username="enroller", password=PASSWORD)
    assert "code" in await page.send()


async def test_a_form_from_another_site_or_an_expired_form_is_refused(page, clock):
    word = re.search(r'name="to" value="([^"]*)"', page.text)[1]
    fields = {"to": word, "step": "password", "username": "ada", "password": PASSWORD}
    await page.browser.call("POST", "/signin", data=fields, headers={"Origin": "http://evil.test"})
    assert page.browser.status == 403
    clock.pass_by(3601)
    await page.send(username="ada", password=PASSWORD)
    assert page.browser.status == 401


async def test_a_login_hint_prefills_the_name(browser):
    page = Page(browser)
    await page.open(login_hint='"><script>')
    assert 'value="&#34;&gt;&lt;script&gt;"' in page.text


async def test_the_outbox_shows_people_what_was_sent(browser):
    await browser.post("/api/v1/authn/recovery/password", {"username": "ada", "factorType": "EMAIL"})
    text = await browser.get("/outbox?to=ada")
    assert "Reset your password" in text
    assert f'href="{SITE}/forget-password/' in text
    assert "Nothing was sent to nobody" in await browser.get("/outbox?to=nobody")


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"to": "nobody", "action": "approve"}, 400),
        ({"to": "ada", "action": "dance"}, 400),
        ({"to": "ada", "action": "approve"}, 404),
    ],
)
async def test_a_push_that_is_not_waiting_cannot_be_decided(browser, body, status):
    await browser.post("/dev/push", body)
    assert browser.status == status


@pytest.mark.parametrize(
    ("origin", "environment"),
    [
        ("http://127.0.0.1:1", "production"),
        ("http://0.0.0.0:1", "development"),
        ("http://id.example.org", "development"),
    ],
)
def test_it_does_not_start_in_production_or_on_a_public_address(tmp_path, origin, environment):
    with pytest.raises(StartupError):
        open_provider(ProviderConfig(origin, SITE, tmp_path, environment))
    assert list(tmp_path.iterdir()) == []


async def test_only_the_owner_can_read_the_database_file(browser, tmp_path):
    assert (tmp_path / "identity.db").stat().st_mode & 0o777 == 0o600
