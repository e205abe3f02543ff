"""The control of all other journeys: what goes wrong in the browser is noticed."""

import pytest

from tests.journeys.conftest import Visitor
from tests.support.waiting import until

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]

# What goes wrong, and how the complaint about it begins.
TROUBLE = {
    "console.warn('careful')": "console warning: careful",
    "console.error('broken')": "console error: broken",
    "setTimeout(() => { throw new Error('thrown'); })": "page error: thrown",
    "void Promise.reject(new Error('lost'))": "page error: lost",
    "new Image().src = 'http://127.0.0.2:9/x.png'": "console error: CSP img-src",
    "void fetch('/static/nowhere.js')": "status 404: ",
    "void fetch('/healthz')": "request failed: GET",
}


async def test_every_kind_of_browser_complaint_fails_a_journey(visitor: Visitor) -> None:
    visitor.expect("")
    await visitor.page.route("**/healthz", lambda route: route.abort("connectionrefused"))
    await visitor.open("/about")
    await visitor.settled()
    assert visitor.complaints == []
    for script, complaint in TROUBLE.items():
        visitor.complaints.clear()
        await visitor.page.evaluate(f"() => {{ {script}; }}")
        await until(lambda complaint=complaint: any(text.startswith(complaint) for text in visitor.complaints))
