"""The specification's texts: each is in the table once, word for word, and is raised by an error class."""

import inspect
import json
import re

import pytest
from aiohttp import web

from config.settings import ROOT
from host.identity import errors
from host.identity.errors import TEXTS, SignInError, UnhandledStatus
from tests.host.identity.browser import pairs
from tests.host.identity.flow import Flow
from tests.host.site import ORIGIN

SPECIFIED = {
    "loginFailed": "Login failed",
    "unhandledStatus": "We cannot handle the {status} status",
    "noResume": "No transaction to resume",
    "noEvaluate": "No transaction to evaluate",
    "pollStopped": "The poll was stopped by the sdk",
    "noLink": "No link found for that name",
    "autoPush": "AutoPush resulted in an error.",
    "rememberDevice": "RememberDevice resulted in an error.",
    "unknown": "Unknown error",
    "noSaved": "Unable to proceed: saved transaction could not be loaded",
    "noTransaction": "No transaction data was found in storage",
    "state": "OAuth flow response state doesn't match request state",
    "interactionState": "State in redirect uri does not match with transaction state",
    "noInteractionCode": "Unable to parse interaction_code from the url",
    "noRegistration": "Registration is not supported based on your current org configuration.",
    "noUnlock": "Self Service Account Unlock is not supported based on your current org configuration.",
    "otherClient": "Enter the OTP code in the originating client: {otp}",
}
# Used only by the browser's own code, or shown by the browser for a key in an address.
OF_THE_BROWSER = {"otherClient", "noRole"}


def classes():
    classes = [member for _, member in inspect.getmembers(errors, inspect.isclass) if issubclass(member, SignInError)]
    return {member.key for member in classes} | set(errors._OAUTH_KEYS.values())


@pytest.mark.parametrize("key", SPECIFIED)
def test_a_specified_text_is_word_for_word(key):
    assert TEXTS[key] == SPECIFIED[key]


def test_every_text_is_raised_and_every_error_has_a_text():
    assert set(TEXTS) - classes() == OF_THE_BROWSER, "a text needs an error class, or a place in OF_THE_BROWSER"
    assert classes() - set(TEXTS) == set(), "an error class needs its text in contracts/sign_in_errors.json"


def test_no_text_is_written_twice():
    files = [path for path in (ROOT / "host").rglob("*.py") if "__pycache__" not in path.parts]
    source = {str(path.relative_to(ROOT)): path.read_text("utf-8") for path in files}
    twice = {
        (key, name)
        for key, text in SPECIFIED.items()
        for name, code in source.items()
        if re.search(rf'"{re.escape(text)}"', code)
    }
    assert twice == set()


def test_an_unhandled_status_is_named():
    assert str(UnhandledStatus("MFA_ENROLL")) == "We cannot handle the MFA_ENROLL status"
    assert json.loads((ROOT / "contracts/sign_in_errors.json").read_text("utf-8")) == TEXTS


async def test_a_code_that_requires_more_interaction_is_recognised(world, ada):
    async def wanted():
        return web.json_response({"error": "interaction_required", "error_description": "more"}, status=400)

    path = await ada.begin(returnTo="/cart")
    world.standin.before["/oauth2/v1/token"] = wanted
    answer = await ada.ask("GET", path)
    assert answer.headers["Location"] == "/login?error=loginRequired&returnTo=%2Fcart"


async def test_interaction_required_in_the_query_continues_the_transaction(world, ada):
    flow = Flow(ada, world.standin)
    await flow.start("authenticate")
    form = {"stateToken": pairs(flow.step("redirect-idp")["href"])["stateToken"], "login": "", "action": "refuse"}
    link = flow.step("redirect-idp")["href"].partition("?")[0]
    async with ada._elsewhere.post(link, data=form, allow_redirects=False) as answer:
        back = answer.headers["Location"]
    assert pairs(back)["error"] == "interaction_required"
    assert (await ada.ask("GET", back.removeprefix(ORIGIN))).headers["Location"] == "/verify"


async def test_interaction_required_without_a_transaction_is_an_error(ada):
    answer = await ada.ask("GET", "/logincallback?error=interaction_required&state=x")
    assert answer.headers["Location"] == "/login?error=noTransaction"
