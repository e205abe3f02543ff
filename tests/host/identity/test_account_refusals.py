"""Account calls that are refused: of strangers, by old sign-ins, without the provider's token."""

import pytest
from sqlalchemy import select

from domain.tables import LearnerSession
from host import keys
from tests.host.identity.account import Account, signed_in
from tests.host.signing import learner

NEW = "Better-Horse-22"


@pytest.fixture
async def mine(ada) -> Account:
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


@pytest.mark.parametrize(("method", "path", "body"), FOREIGN)
async def test_foreign_and_unknown_ids_answer_alike(world, mine, method, path, body):
    other = await signed_in(world.browser(), "org")
    kind = "phones" if "phones" in path else "emails"
    theirs = (await other.post("/phones", number="+15550100078"))["phone"] if kind == "phones" else None
    theirs = theirs or (await other.get("/emails"))["emails"][0]
    before = await other.get(f"/{kind}")
    answers = []
    for one in (theirs["id"], "nobody"):
        await mine.ask(method, path.format(one, one), body)
        answers.append((mine.status, mine.said))
    assert answers[0] == answers[1]
    assert answers[0][0] == 404
    assert await other.get(f"/{kind}") == before


@pytest.mark.parametrize("one", ["..", "%2e%2e", "a.b", "a%2fb", "x" * 129, "%0a", "é"])
async def test_an_id_that_could_lead_elsewhere_is_no_call(mine, one):
    answer = await mine.browser.ask("DELETE", f"/api/account/emails/{one}", {})
    assert answer.status in (404, 405)
    assert (await mine.get("/emails"))["emails"][0]["email"] == "ada@example.test"


WRITING = [
    ("PUT", "/profile", {"profile": {"title": "Dr"}}),
    ("POST", "/emails", {"email": "more@example.test"}),
    ("POST", "/phones", {"number": "+15550100077"}),
    ("PUT", "/password", {"password": NEW, "currentPassword": "Correct-Horse-1"}),
    ("DELETE", "/password", {}),
]


@pytest.mark.parametrize(("method", "path", "body"), WRITING)
async def test_an_old_sign_in_reads_and_is_told_to_come_again_for_changes(world, mine, method, path, body):
    world.standin.clock.pass_by(901)
    refused = await mine.ask(method, path, body)
    assert (mine.status, refused["detail"]) == (403, "insufficient_authentication_context")
    assert (refused["maxAge"], refused["acrValues"]) == (900, None)
    await mine.get(path)
    assert mine.status == 200
    assert await mine.sent("more@example.test") == []


async def test_a_token_that_the_provider_took_back_ends_the_sign_in(mine):
    site = mine.browser.at
    with site.db.session() as session:
        row = session.scalars(select(LearnerSession)).one()
        row.access_token = site.app[keys.SECRET].sealed("eyJ.invented.token")
    refused = await mine.get("/profile")
    assert (mine.status, refused["detail"]) == (401, "Your sign-in is over. Please sign in again.")
    assert mine.headers["WWW-Authenticate"] == "Bearer"
    assert set(mine.browser.cookies) == {"lts"}
    with site.db.reading() as session:
        assert session.scalars(select(LearnerSession)).one().revoked_at is not None


READING = ["/profile", "/emails", "/phones", "/password"]


@pytest.mark.parametrize("path", READING)
async def test_a_sign_in_without_a_token_of_the_provider_asks_nothing(world, path):
    ada = learner(world.site)
    status, answer = await ada.get(f"account{path}")
    assert (status, answer["detail"]) == (401, "AccessToken is required to request MyAccount API endpoints.")
    assert (await ada.get("auth/session"))[0] == 200


async def test_a_token_goes_to_the_provider_that_gave_it_and_to_no_other(world, ada):
    await ada.sign_in()
    ada.at = await world.open("/oauth2/default")
    status, answer = await ada.call("account/profile", "GET")
    assert (status, answer["detail"]) == (401, "AccessToken is required to request MyAccount API endpoints.")
