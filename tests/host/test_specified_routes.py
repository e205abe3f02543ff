"""Each of the 33 routes of the specification answers, and none as a path that does not exist."""

from domain.routes import table
from tests.domain.test_routes import SPECIFICATION
from tests.host.site import SHARED

pytestmark = SHARED

# Where a path says nothing without a product.
ADDRESSES = {"/course-details": "/course-details?course=vat-basics", "/shop-details/{id}": "/shop-details/{item}"}
# What others than a page answer: handlers that redirect.
REDIRECTS = {
    "/completed_old": (302, "/user-dashboard"),
    "/d": (303, "/"),
    "/logincallback": (303, "/login?error=state"),
    "/s": (303, "/"),
}
# Pages of signed-in people alone.
SIGNED_IN = {path: (303, f"/login?returnTo={path}") for path in ("/checkout", "/profile", "/user-dashboard")}
NOWHERE = "/no-row-of-the-table"


async def test_every_specified_route_answers_and_another_path_does_not(plain_site):
    found = {}
    for path in (*SPECIFICATION, NOWHERE):
        address = ADDRESSES.get(path, path).replace("{item}", str(plain_site.id_of("tax-tables")))
        answer = await plain_site.get(address)
        found[path] = (answer.status, answer.headers.get("Location", ""))
    assert found == {**dict.fromkeys(SPECIFICATION, (200, "")), **REDIRECTS, **SIGNED_IN, NOWHERE: (404, "")}


async def test_rows_that_are_not_served_are_those_that_redirect():
    assert {page.path for page in table() if not page.served} == set(REDIRECTS)
