"""Pages for signed-in people alone: whose data they show, and that nothing personal leaves document and page data."""

import json
from urllib.parse import quote

import orjson
import pytest
from yarl import URL

from domain.errors import ServiceUnavailable
from domain.tables import CatalogueVersion
from host.page_cache.memory import PAGE_CACHE
from host.site_state import SITE
from tests.host.signing import Learner, learner
from tests.host.site import Site
from tests.support.waiting import until

APART = ("private, no-store", "Accept-Encoding, Cookie")
TO_SIGN_IN = "/login?returnTo=%2Fprofile"


def token_cookie(token: object) -> str:
    return f"userInfo={quote(json.dumps({'accessToken': token, 'user': {}}))}"


def both_cookies(ada: Learner) -> dict[str, str]:
    """What a browser sends with a document."""
    return {"Cookie": f"{token_cookie(ada.token)}; {ada.cookie['Cookie']}"}


def credentials(ada: Learner, grace: Learner) -> dict[str, tuple[dict[str, str], str]]:
    """What is sent, and the name that the page then shows."""
    return {
        "nothing": ({}, ""),
        "both cookies": (both_cookies(ada), "Ada Lovelace"),
        "bearer and cookie": (ada.headers, "Ada Lovelace"),
        "the bearer token counts before the cookie": (
            {**grace.bearer, "Cookie": f"{token_cookie(ada.token)}; {grace.cookie['Cookie']}"},
            "Grace Hopper",
        ),
        "the session cookie alone": (ada.cookie, ""),
        "the token alone": ({"Cookie": token_cookie(ada.token)}, ""),
        "the bearer alone": (ada.bearer, ""),
        "halves of two": ({"Cookie": f"{token_cookie(grace.token)}; {ada.cookie['Cookie']}"}, ""),
        "no JSON": ({"Cookie": f"userInfo=%7B; {ada.cookie['Cookie']}"}, ""),
        "no text": ({"Cookie": f"{token_cookie([ada.token])}; {ada.cookie['Cookie']}"}, ""),
        "far too long": ({"Cookie": f"{token_cookie('x' * 300)}; {ada.cookie['Cookie']}"}, ""),
    }


async def state_of(site: Site, path: str, headers: dict[str, str]):
    document = await site.document(path, **headers)
    return document, document.state


def name_in(session) -> str:
    return session["learner"]["name"] if session else ""


async def test_only_both_halves_of_one_session_show_anything_personal(own_site):
    ada, grace = learner(own_site), learner(own_site, "Grace Hopper")
    for what, (headers, name) in credentials(ada, grace).items():
        own_site.client.session.cookie_jar.clear()
        data = await own_site.get("/data/profile", **headers)
        body = await data.json()
        if not name:
            document = await own_site.get("/profile", **headers)
            assert (what, document.status, document.headers["Location"]) == (what, 303, str(URL(TO_SIGN_IN)))
            assert (what, data.status, body) == (what, 200, {"location": TO_SIGN_IN})
            continue
        document, state = await state_of(own_site, "/profile", headers)
        assert (what, document.status, name_in(state["session"])) == (what, 200, name)
        assert (what, data.status, name_in(body["session"])) == (what, 200, name)
        for response in (document, data):
            assert (response.headers["Cache-Control"], response.headers["Vary"]) == APART
        assert ("sessions" in state["props"], "sessions" in body["props"]) == (True, True)


async def test_the_state_and_the_data_hold_the_same_page_and_session(own_site):
    ada = learner(own_site)
    document, state = await state_of(own_site, "/profile", both_cookies(ada))
    data = await (await own_site.get("/data/profile", **ada.headers)).json()
    assert (state["page"], state["props"]) == (data["page"], data["props"])
    assert {**state["session"], "now": ""} == {**data["session"], "now": ""}
    (current,) = state["props"]["sessions"]
    assert (current["isThis"], current["area"]) == (True, "learner")
    assert document.html.count("</script>") == 2


async def test_node_renders_the_loading_view_once_for_everyone_and_gets_nothing_personal(open_site, start_renderer):
    renderer = await start_renderer()
    site = await open_site(renderer.address, PAGE_CACHE="on", DEV_DELAY="")
    people = [learner(site), learner(site, "Grace Hopper")]
    for person in people:
        await site.document("/profile?tab=1", **both_cookies(person))
    (job,) = renderer.jobs
    assert (job.asked["url"], job.asked["props"]) == ("/profile", {"title": "Profile", "html": ""})
    sent = json.dumps(job.asked)
    assert not [
        word for person in people for word in (person.token, person.cookie_secret, "Ada", "Grace") if word in sent
    ]
    with site.db.write_session() as session:
        session.get_one(CatalogueVersion, 1).number += 1
    generation = site.app[SITE].generation
    await until(lambda: site.app[SITE].generation != generation)
    await site.document("/profile", **both_cookies(people[0]))
    assert len(renderer.jobs) == 2


async def test_root_says_whether_somebody_is_signed_in_beside_markup_that_is_the_same_for_everyone(
    open_site, start_renderer
):
    site = await open_site((await start_renderer()).address)
    ada = learner(site)
    halves = {"both": both_cookies(ada), "the session cookie alone": ada.cookie, "nothing": {}}
    roots = {}
    for what, headers in halves.items():
        site.client.session.cookie_jar.clear()
        html = (await site.document("/cart", **headers)).html
        roots[what] = html[html.index('<div id="root"') : html.index('<section class="no-script"')]
    assert roots["both"].startswith('<div id="root" data-signed-in>')
    assert roots["nothing"] == roots["the session cookie alone"] == roots["both"].replace(" data-signed-in", "")


async def test_a_private_page_is_in_no_cache(open_site, start_renderer, tmp_path):
    site = await open_site((await start_renderer()).address, PAGE_CACHE="on", DEV_DELAY="")
    ada = learner(site)
    for path in ("/profile", "/data/profile"):
        await site.get(path, **both_cookies(ada))
    cache = site.app[PAGE_CACHE]
    assert (await cache.get_or_load("/profile"), cache.get_any("/profile")) == (None, None)
    stored = [path for path in tmp_path.rglob("*") if path.is_file() and path.suffix != ".db"]
    assert not [path for path in stored if ada.token.encode() in path.read_bytes()]


async def test_without_a_render_worker_the_browser_renders_the_page(bare_site):
    ada = learner(bare_site)
    document, state = await state_of(bare_site, "/profile", both_cookies(ada))
    assert 'data-rendered="no"' in document.html
    assert name_in(state["session"]) == "Ada Lovelace"


async def test_without_scripts_the_page_shows_its_content_and_the_sign_in_both_ways_in(own_site):
    ada = learner(own_site)
    own = (await own_site.document("/profile", **both_cookies(ada))).html.partition('id="no-script">')[2]
    assert "Ada Lovelace" in own.partition("</section>")[0]
    redirect = await own_site.get("/profile?a=1&b=2")
    assert redirect.headers["Location"] == "/login?returnTo=/profile?a%3D1%26b%3D2"
    guests = (await own_site.document(redirect.headers["Location"])).html.partition('id="no-script">')[2]
    assert 'href="/api/auth/start?returnTo=%2Fprofile%3Fa%3D1%26b%3D2&amp;area=learner"' in guests
    assert '<a href="/register?returnTo=%2Fprofile%3Fa%3D1%26b%3D2">Create an account</a>' in guests
    register = (await own_site.document("/register?returnTo=%2Fcheckout")).html.partition('id="no-script">')[2]
    assert ("needs JavaScript" in register, 'href="/login?returnTo=/checkout"' in register) == (True, True)


@pytest.mark.parametrize("path", ["/checkout", "/profile", "/user-dashboard?giftToken=x"])
async def test_guests_are_led_to_the_sign_in_by_documents_and_by_data(bare_site, path):
    expected = f"/login?returnTo={quote(path, safe='')}"
    for method in ("GET", "HEAD"):
        response = await bare_site.get(path, method)
        assert (response.status, response.headers["Location"], response.headers["Cache-Control"]) == (
            303,
            str(URL(expected)),
            "private, no-store",
        )
    assert await (await bare_site.get(f"/data{path}")).json() == {"location": expected}


async def test_without_the_database_nobody_is_told_to_sign_in(own_site, monkeypatch):
    ada = learner(own_site)

    async def unavailable(*_: object) -> None:
        raise ServiceUnavailable("away")

    monkeypatch.setattr(own_site.db, "read", unavailable)
    document = await own_site.document("/profile", **both_cookies(ada))
    data = await own_site.get("/data/profile", **ada.headers)
    assert (document.status, data.status, document.headers["Cache-Control"]) == (503, 503, "private, no-store")
    assert ("Sign in to" in document.html, "X-Cache" in data.headers) == (False, False)


@pytest.mark.parametrize("path", ["/shop", "/about"])
async def test_public_pages_say_nothing_of_a_session(own_site, path):
    ada = learner(own_site)
    document, state = await state_of(own_site, path, both_cookies(ada))
    data = await (await own_site.get(f"/data{path}", **ada.headers)).json()
    assert ("session" in state, "session" in data, "Ada" in document.html) == (False, False, False)
    assert orjson.dumps(state["props"]) == orjson.dumps(data["props"])


async def test_the_profile_shows_the_claims_of_a_provider_without_an_account_api(open_site):
    url = "https://id.example/account"
    site = await open_site(OIDC_EXTENSIONS="off", OIDC_ACCOUNT_URL=url)
    ada = learner(site)
    expected = {"name": "Ada Lovelace", "email": "", "url": url}
    _, state = await state_of(site, "/profile", both_cookies(ada))
    data = await (await site.get("/data/profile", **ada.headers)).json()
    assert [{**page["props"]["account"], "email": ""} for page in (state, data)] == [expected, expected]
