"""The control of all other journeys: what goes wrong in the browser is noticed."""

import pytest

from tests.journeys.conftest import Visitor
from tests.waiting import until

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]

TROUBLE = {
    "a warning": ("console.warn('careful')", "console warning: careful"),
    "an error": ("console.error('broken')", "console error: broken"),
    "an exception": ("setTimeout(() => { throw new Error('thrown'); })", "page error: thrown"),
    "a lost promise": ("void Promise.reject(new Error('lost'))", "page error: lost"),
    "a foreign picture": ("new Image().src = 'http://127.0.0.2:9/x.png'", "console error: CSP img-src"),
    "a missing file": ("void fetch('/static/nowhere.js')", "status 404: "),
    "a refused connection": ("void fetch('/healthz')", "request failed: GET"),
}


@pytest.mark.parametrize("kind", TROUBLE)
async def test_it_is_noticed(visitor: Visitor, kind: str) -> None:
    script, said = TROUBLE[kind]
    visitor.expect("")
    await visitor.page.route("**/healthz", lambda route: route.abort("connectionrefused"))
    await visitor.open("/about")
    assert visitor.complaints == []
    await visitor.page.evaluate(f"() => {{ {script}; }}")

    async def is_noticed() -> bool:
        return any(one.startswith(said) for one in visitor.complaints)

    await until(is_noticed)
