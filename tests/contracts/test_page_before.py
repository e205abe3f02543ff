"""What the scripts of a page of the build before send is accepted, until its next navigation loads this build's page.

`recorded/browser_requests.json` holds the requests of a real browser on that build, one of each form. Ids of learners
and products are replaced by those of the test's site.
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from host.rendering.assets import ASSETS
from tests.host.signing import Learner, learner
from tests.host.site import Site
from tests.support import factories

REQUESTS: list[dict[str, Any]] = json.loads((Path(__file__).parent / "recorded" / "browser_requests.json").read_bytes())
# Where the recorded requests name a product.
PRODUCT = re.compile(r'("(?:CourseID|id)":|/lines/|/wishlist/|/shop-details/)(\d+)')


def name_of(request: dict[str, Any]) -> str:
    visitor = "signed in" if request["signedIn"] else "guest"
    return f"{request['method']} {request['path']}, {visitor}"


@pytest.fixture
async def site(open_site) -> Site:
    opened: Site = await open_site(LIMITS="off")
    with opened.db.write_session() as session:
        factories.coupon(session, "SPRING15", is_special=True)
        factories.coupon(session, "TAX25")
    return opened


@pytest.fixture
async def ada(site) -> Learner:
    """With one product in the cart and on the wishlist."""
    signed_in = learner(site)
    product = await signed_in.add("vat-basics")
    assert (await signed_in.call(f"wishlist/{product}", "PUT", wished=True))[0] == 200
    return signed_in


def adapted(text: str, ada: Learner, products: list[int]) -> str:
    """The recorded text with this site's ids: different ids stay different."""
    ids: dict[str, int] = {}

    def replaced(match: re.Match[str]) -> str:
        return match[1] + str(ids.setdefault(match[2], products[len(ids)]))

    return re.sub(r'"AAUserID":[1-9]\d*', f'"AAUserID":{ada.id}', PRODUCT.sub(replaced, text))


@pytest.mark.parametrize("recorded", REQUESTS, ids=name_of)
async def test_a_request_of_a_page_before_is_accepted(site, ada, recorded):
    products = [site.id_of(slug) for slug in ("vat-basics", "contracts", "privacy")]
    path, body = adapted(recorded["path"], ada, products), adapted(recorded["body"] or "", ada, products)
    headers = {"Accept": "application/json", **(ada.headers if recorded["signedIn"] else {})}
    if path.startswith("/data/"):
        answer = await site.get(path, **headers)
        # The page compares it with its own build, and loads its next address whole.
        assert answer.headers["X-Build"] == site.app[ASSETS].build
        # A newer page may have more: /cart has the session of whoever asks.
        assert set(await answer.json()) >= {"page", "status", "head", "props"}
        return
    name, method = path.removeprefix("/api/"), recorded["method"]
    answer = await site.answer(name, body.encode() if body else None, headers, method)
    assert answer.status == (202 if name == "SetAAUserTraceLog" else 200), await answer.text()
    assert (await answer.json()).get("Status", "success") == "success"


async def test_a_visit_of_a_page_before_is_stored_with_its_values(site):
    (recorded,) = [item for item in REQUESTS if item["path"].endswith("TraceLog") and not item["signedIn"]]
    body = json.loads(recorded["body"])
    assert (await site.call("SetAAUserTraceLog", recorded["body"].encode()))[0] == 202
    (visit,) = site.visits()
    assert (visit.event_id, visit.session_id, visit.url, visit.special_coupon) == (
        body["EventID"],
        body["SessionID"],
        body["Url"],
        body["SpecialCouponID"],
    )


def test_the_recording_holds_every_call_that_changes_something():
    changing = {(one["method"], re.sub(r"\d+", "{id}", one["path"])) for one in REQUESTS if one["method"] != "GET"}
    assert changing >= {
        ("POST", "/api/SetAAUserTraceLog"),
        ("POST", "/api/SetAAUserCourse"),
        ("POST", "/api/DelAAUserCourse"),
        ("POST", "/api/SetCourseCoupon"),
        ("PUT", "/api/cart/lines/{id}"),
        ("PUT", "/api/cart/coupon"),
        ("POST", "/api/cart/merge"),
        ("PUT", "/api/wishlist/{id}"),
        ("POST", "/api/wishlist/merge"),
        ("POST", "/api/wishlist/move"),
    }
