"""Account calls that are refused: for other learners' ids, with old sign-ins, without the provider's token."""

import pytest
from sqlalchemy import select

from domain.tables import LearnerSession
from host.auth.token_cipher import TOKEN_CIPHER
from tests.host.identity.account import Account, signed_in
from tests.host.signing import learner

NEW = "Better-Horse-22"


@pytest.fixture
async def account(ada) -> Account:
    return await signed_in(ada)


FOREIGN = [
    ("DELETE", "/emails/{}", {}),
    ("POST", "/emails/{}/challenge", {}),
    ("PUT", "/emails/{}/primary", {}),
    ("POST", "/emails/{}/challenge/{}/verify", {"code": "123456"}),
    ("DELETE", "/phones/{}", {}),
    ("POST", "/phones/{}/challenge", {"method": "SMS"}),
    ("POST", "/phones/{}/verify", {"code": "123456"}),
]


async def test_other_learners_ids_and_unknown_ids_get_the_same_reply(world, account):
    other = await signed_in(world.browser(), "org")
    theirs = {
        "phones": (await other.post("/phones", number="+15550100078"))["phone"]["id"],
        "emails": (await other.get("/emails"))["emails"][0]["id"],
    }
    before = [await other.get(f"/{kind}") for kind in theirs]
    for method, path, body in FOREIGN:
        answers = []
        for one in (theirs["phones" if "phones" in path else "emails"], "nobody"):
            await account.ask(method, path.format(one, one), body)
            answers.append((account.status, account.reply))
        assert answers[0] == answers[1], (method, path)
        assert answers[0][0] == 404, (method, path)
        assert [await other.get(f"/{kind}") for kind in theirs] == before, (method, path)


async def test_an_id_that_could_change_the_path_is_refused(account):
    for one in ("..", "%2e%2e", "a.b", "a%2fb", "x" * 129, "%0a", "é"):
        answer = await account.browser.ask("DELETE", f"/api/account/emails/{one}", {})
        assert answer.status in (404, 405), one
        assert (await account.get("/emails"))["emails"][0]["email"] == "ada@example.test"


WRITING = [
    ("PUT", "/profile", {"profile": {"title": "Dr"}}),
    ("POST", "/emails", {"email": "more@example.test"}),
    ("POST", "/phones", {"number": "+15550100077"}),
    ("PUT", "/password", {"password": NEW, "currentPassword": "Correct-Horse-1"}),
    ("DELETE", "/password", {}),
]


async def test_an_old_sign_in_can_read_but_must_be_renewed_for_changes(world, account):
    world.standin.clock.pass_by(901)
    for method, path, body in WRITING:
        refused = await account.ask(method, path, body)
        assert (account.status, refused["detail"]) == (403, "insufficient_authentication_context"), (method, path)
        assert (refused["maxAge"], refused["acrValues"]) == (900, None)
        await account.get(path)
        assert account.status == 200
    assert await account.sent("more@example.test") == []


async def test_a_token_revoked_by_the_provider_ends_the_session(account):
    site = account.browser.at
    with site.db.write_session() as session:
        row = session.scalars(select(LearnerSession).where(LearnerSession.revoked_at.is_(None))).one()
        row.access_token = site.app[TOKEN_CIPHER].encrypt("eyJ.invented.token")
    refused = await account.get("/profile")
    assert (account.status, refused["detail"]) == (401, "Your session has expired. Please sign in again.")
    assert account.headers["WWW-Authenticate"] == "Bearer"
    assert set(account.browser.cookies) == {"lts"}
    with site.db.read_session() as session:
        assert all(row.revoked_at is not None for row in session.scalars(select(LearnerSession)))


async def test_a_sign_in_without_the_accounts_scopes_gets_a_clear_sentence(world, caplog):
    account = Account(world.browser())
    await account.browser.sign_in()
    refused = await account.get("/emails")
    assert (account.status, refused["detail"]) == (
        403,
        "This sign-in does not allow to see or change this part of your account. "
        "Please sign in again, or write to us if that does not help.",
    )
    messages = [record.message for record in caplog.records if record.name == "coursefront.identity"]
    assert messages == ["emails needs a scope that the provider did not grant: see OIDC_ACCOUNT_SCOPES"]
    assert (await account.browser.call("auth/session", "GET"))[0] == 200


READING = ["/profile", "/emails", "/phones", "/password"]


async def test_without_a_sign_in_or_a_token_of_the_provider_a_call_asks_nothing_there(bare_site):
    ada, said = learner(bare_site), "AccessToken is required to request MyAccount API endpoints."
    for path in READING:
        for headers in (ada.headers, None):
            status, answer = await bare_site.call(f"account{path}", None, headers, method="GET")
            assert (status, answer["detail"]) == (401, said), (path, headers)
    assert (await ada.get("auth/session"))[0] == 200


async def test_a_token_is_sent_only_to_the_provider_that_issued_it(world, ada):
    await ada.sign_in()
    ada.at = await world.open("/oauth2/default")
    status, answer = await ada.call("account/profile", "GET")
    assert (status, answer["detail"]) == (401, "AccessToken is required to request MyAccount API endpoints.")
