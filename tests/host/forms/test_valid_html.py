"""The HTML of private pages, with the forms that need no script."""

import asyncio

from tests.host.checkout import orders
from tests.host.rendering.test_html import html_findings
from tests.host.signing import learner
from tests.host.test_private_pages import both_cookies


async def test_private_pages_are_valid_html_with_their_parts_without_script(own_site, tmp_path):
    ada = learner(own_site)
    for slug in ("vat-basics", "tax-tables"):
        await ada.add(slug)
    await ada.call("checkout", "PUT", values={"buyer": "business", "billing.vat_id": "DE1"})
    code = orders.place(ada)
    for state, paths in (("waiting", ("cart", "checkout", "profile")), ("paid", ())):
        for path in (*paths, f"order/{code}", f"completed/{code}"):
            document = await own_site.document(f"/{path}", **both_cookies(ada))
            assert document.status == 200
            (tmp_path / f"{state}-{path.partition('/')[0]}.html").write_text(document.html, "utf-8")
        if state == "waiting":
            orders.pay(own_site, code)
    assert await asyncio.to_thread(html_findings, tmp_path) == []
