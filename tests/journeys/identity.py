"""What journeys about signing in and the account do and look at again and again."""

import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

from playwright.async_api import APIRequestContext, CDPSession, Locator, Page, expect
from sqlalchemy import create_engine
from sqlalchemy.orm import Session

from standins.identity import seed_data
from standins.identity.authenticators import totp
from tests.journeys.conftest import Visitor
from tests.support.site import Site
from tests.support.waiting import LIMIT_S

PASSWORD = "Correct-Horse-1"
NEW_PASSWORD = "Brand-New-Pass-9"
# A password alone gets a 409 where a second proof is required; the browser logs it on its console.
MORE_IS_WANTED = "409"


async def messages(visitor: Visitor, to: str) -> list[dict[str, Any]]:
    """To an address, a number or a login, as the stand-in would have sent them; the newest first."""
    answer = await visitor.context.request.get(f"http://127.0.0.1:{visitor.site.port + 1}/dev/outbox?to={to}")
    sent: list[dict[str, Any]] = (await answer.json())["messages"]
    return sent


async def outbox(visitor: Visitor, to: str) -> dict[str, Any]:
    """The newest message to an address, a number or a login."""
    return (await messages(visitor, to))[0]


@contextmanager
def password_restored(visitor: Visitor, login: str) -> Iterator[None]:
    """The password that a test changes is the old one after it: journeys of other files sign in to the same site."""
    names = ("password_hash", "password_at", "password_history", "password_state")
    file = visitor.site.var_dir / "standins" / "identity.db"
    with closing(sqlite3.connect(file, timeout=LIMIT_S)) as database:
        old = database.execute(f"SELECT {', '.join(names)} FROM users WHERE login = ?", (login,)).fetchone()
        yield
        changes = ", ".join(f"{name} = ?" for name in names)
        with database:
            database.execute(f"UPDATE users SET {changes} WHERE login = ?", (*old, login))


def add_account(site: Site, login: str) -> str:
    """Add an account of one test alone at the provider, with PASSWORD; returns its login. What a test leaves in the
    cart of a seeded account, other tests would find there."""
    engine = create_engine(f"sqlite:///{site.var_dir / 'standins' / 'identity.db'}", connect_args={"timeout": LIMIT_S})
    with Session(engine) as session, session.begin():
        seed_data.add_user(session, {"login": login, "firstName": "Noa", "lastName": "Neu"}, time.time())
    engine.dispose()
    return login


async def fill_in(page: Page, name: str, password: str) -> None:
    """The form of /login, as it stands on the page."""
    await page.locator("#sign-in-name").fill(name)
    await page.locator("#sign-in-password").fill(password)
    await page.get_by_role("button", name="Sign in").click()


async def sign_in_by_requests(
    requests: APIRequestContext, site: Site, name: str, *, password: str, return_to: str, area: str
) -> None:
    """By the requests of the form and the provider's redirects: the cookies of `requests` are then signed in to
    `area`. The form is used in test_identity_sign_in.py."""
    origin = f"http://localhost:{site.port}"
    form = {"username": name, "password": password, "returnTo": return_to, "area": area}
    answer = await requests.post("/api/auth/login", data=form, headers={"Origin": origin})
    assert answer.status == 200, await answer.text()
    arrival = await requests.get((await answer.json())["redirect"])
    assert arrival.url == f"{origin}{return_to}"


async def sign_in(
    visitor: Visitor, name: str, password: str = PASSWORD, return_to: str = "/about", area: str = "learner"
) -> None:
    """Sign in the browser's profile without its pages, then open `return_to`."""
    where = {"return_to": return_to, "area": area}
    await sign_in_by_requests(visitor.context.request, visitor.site, name, password=password, **where)
    await visitor.open(return_to)
    if area == "learner":
        await expect_signed_in(visitor.page)
    else:
        await expect(visitor.page.get_by_role("link", name="Sign out")).to_be_visible()


async def prove_password(visitor: Visitor, name: str, password: str) -> None:
    """For accounts that want a second proof: over the refusal into the transaction, to its second step."""
    page = visitor.page
    visitor.expect(MORE_IS_WANTED)
    await visitor.open("/login?returnTo=/about")
    await fill_in(page, name, password)
    await expect(page.get_by_text("We cannot handle the MFA_REQUIRED status")).to_be_visible()
    await page.get_by_role("button", name="Continue").click()
    await expect(page.get_by_label("Username")).to_have_value(name)
    await page.locator("main input[type=password]").fill(password)
    await page.get_by_role("button", name="Continue").click()


def account_link(page: Page) -> Locator:
    """In the header: signed in it opens the account's menu, signed out it leads to the sign-in."""
    return page.locator("header").get_by_role("link", name=re.compile("^(Account|Sign in)$|, your account$"))


def account_menu(page: Page) -> Locator:
    return page.get_by_role("navigation", name="Account")


async def expect_signed_in(page: Page, name: str = "") -> None:
    """The header shows the account; with `name`, its menu names the learner too."""
    await expect(account_link(page)).to_have_text(re.compile("^(Account|Hi, .+)$"))
    if name:
        await account_link(page).click()
        await expect(account_menu(page)).to_contain_text(name)


async def expect_signed_out(page: Page) -> None:
    await expect(account_link(page)).to_have_text("Sign in")


async def forget_session(visitor: Visitor) -> None:
    """The browser is signed out, here and at the provider; test_identity_sign_in.py uses the button.

    The page is left first: it may still be fetching its learner's cart and wishlist, which would be refused.
    """
    await visitor.page.goto("about:blank")
    await visitor.context.clear_cookies()


async def step(page: Page, title: str) -> None:
    """The transaction is at this step: its title is the heading of the page."""
    await expect(page.get_by_role("heading", level=1)).to_have_text(title)


def option(page: Page, label: str) -> Locator:
    return page.get_by_role("button", name=re.compile(f"^{label}"))


async def enter_code(page: Page, code: str) -> None:
    """The page sends it by itself."""
    await page.get_by_label("Enter code").fill(code)


async def begin_account(visitor: Visitor, address: str) -> None:
    """The form of /register, filled in and sent."""
    await visitor.open("/register?returnTo=/about")
    await send_account(visitor.page, address)


async def send_account(page: Page, address: str) -> None:
    """The form of /register, as it stands on the page, filled in and sent."""
    await page.get_by_label("First name").fill("Nora")
    await page.get_by_label("Last name").fill("Neu")
    await page.get_by_label("Email").fill(address)
    await expect(page.get_by_text("Step 1 of 3")).to_be_visible()
    await page.get_by_role("button", name="Create account").click()
    await step(page, "Choose a password")
    await expect(page.get_by_text("Step 2 of 3. Next: Email")).to_be_visible()


async def register(visitor: Visitor, address: str) -> None:
    """A new account with what every account must have; returns where more may be added."""
    await begin_account(visitor, address)
    await prove_account(visitor, address)
    await expect(visitor.page.get_by_role("button", name="Skip for now")).to_be_visible()


async def prove_account(visitor: Visitor, address: str) -> None:
    """The password and the address of a new account."""
    page = visitor.page
    await page.locator("main input[type=password]").fill(NEW_PASSWORD)
    await page.get_by_role("button", name="Save password").click()
    await confirm_address(visitor, address)


async def confirm_address(visitor: Visitor, address: str) -> None:
    """A new account's address, by the code that was sent to it."""
    await step(visitor.page, "Confirm your email")
    await expect(visitor.page.get_by_text("Step 3 of 3")).to_be_visible()
    await enter_code(visitor.page, (await outbox(visitor, address))["code"])


async def finish(visitor: Visitor) -> None:
    """Enough was added: the account is ready, and its owner signed in."""
    await visitor.page.get_by_role("button", name="Skip for now").click()
    await visitor.page.wait_for_url("**/about")
    await expect_signed_in(visitor.page)


async def app_secret(page: Page) -> str:
    return "".join((await page.locator(".authenticator-secret__key").inner_text()).split())


def app_code(secret: str, later: int = 0) -> str:
    """What the app shows, now or `later` steps of 30 s after; each code is good once."""
    return totp.code_at(secret, int(time.time() // totp.STEP_S) + later)


async def plug_in_key(visitor: Visitor) -> CDPSession:
    """A platform authenticator that approves everything, as long as the page is open."""
    devtools = await visitor.context.new_cdp_session(visitor.page)
    await devtools.send("WebAuthn.enable")
    options = {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True}
    behaves = {"isUserVerified": True, "automaticPresenceSimulation": True}
    await devtools.send("WebAuthn.addVirtualAuthenticator", {"options": {**options, **behaves}})
    return devtools


def let_expire(site: Site) -> None:
    """Every transaction of the site was begun more than half an hour ago."""
    with sqlite3.connect(site.var_dir / "coursefront.db", timeout=LIMIT_S) as records:
        records.execute("UPDATE sign_in_flows SET expires_at = '2020-01-01 00:00:00.000000'")
