"""Who may fetch a document: the owner of its order, and nobody can tell from the answer whether it exists."""

import asyncio
from datetime import UTC, datetime, timedelta
from threading import Event

from sqlalchemy import select

from domain.documents import erasure, invoices
from domain.documents.issuer import Issuer
from domain.tables import Document
from host.documents.printing import PRINTER
from tests.host.admin.test_staff import page
from tests.host.signing import learner
from tests.support import factories, order_rows

CODE = "BADECUFIGOHAKELIMONU"
ISSUER = Issuer("Meridian Learning Ltd", prefix="ML-")


def issue(site, learner_id: int, code: str = CODE, **about: int) -> str:
    """The path of a new invoice."""
    with site.db.write_session() as session:
        order = order_rows.order(session, learner_id, code, total_minor=10_000, **about)
        order_rows.order_line(session, order.id)
        return f"/documents/{code}/{invoices.issue(session, order, datetime.now(UTC), ISSUER).number}.pdf"


async def test_the_owner_gets_the_invoice_as_an_attachment_and_the_same_bytes_again(own_site):
    ada = learner(own_site)
    path = issue(own_site, ada.id)
    first = await own_site.get(path, **ada.headers)
    assert (first.status, first.content_type) == (200, "application/pdf")
    assert first.headers["Content-Disposition"] == f'attachment; filename="{path.rsplit("/", 1)[1]}"'
    assert first.headers["Cache-Control"] == "private, no-store"
    content = await first.read()
    assert content.startswith(b"%PDF-")
    assert len(content) < 60_000
    assert not [*own_site.settings.var_dir.rglob("*.pdf")]
    again = await own_site.get(path.replace(CODE, CODE.lower()), **ada.headers)
    assert (again.status, await again.read()) == (200, content)
    head = await own_site.get(path, "HEAD", **ada.headers)
    assert (head.status, head.content_length) == (200, len(content))


async def test_everybody_else_gets_the_answer_of_an_unknown_document(own_site):
    ada, eve = learner(own_site), learner(own_site, "Eve")
    path = issue(own_site, ada.id)
    unknown = "/documents/BADECUFIGOHAKELIMONA/ML-2026-000099.pdf"
    expected = await own_site.get(unknown, **ada.headers)
    halves = [ada.bearer, ada.cookie, {**eve.bearer, **ada.cookie}]
    for headers in ({}, eve.headers, *halves):
        own_site.client.session.cookie_jar.clear()
        answer = await own_site.get(path, **headers)
        assert answer.status == expected.status == 404
        assert (await answer.text()).replace(path, unknown) == await expected.text()
        names = set(answer.headers) ^ set(expected.headers)
        assert names == set()


async def test_the_document_of_an_erased_order_names_nobody_and_no_file_of_before_is_left(own_site):
    ada = learner(own_site)
    path = issue(own_site, ada.id)
    await (await own_site.get(path, **ada.headers)).read()
    with own_site.db.write_session() as session:
        assert erasure.erase_old(session, datetime.now(UTC) + timedelta(days=1)) == 1
        buyer = session.scalars(select(Document)).one().body["buyer"]
    assert buyer == {"number": "", "address": [], "email": "", "vat_id": ""}
    assert (await own_site.get(path, **ada.headers)).status == 200
    assert not [*own_site.settings.var_dir.rglob("*.pdf")]


async def test_documents_and_certificates_have_one_limit_of_their_own_and_a_page_says_when_to_come_back(open_site):
    site = await open_site(DOCUMENTS_PER_LEARNER_MINUTE="2")
    ada, eve = learner(site), learner(site, "Eve")
    path, other = issue(site, ada.id), issue(site, eve.id, code="BADECUFIGOHAKELIMONA")
    # Unknown ones count too: nobody tries numbers.
    paths = (path, "/learning/certificates/unknown.pdf", path)
    answers = [await site.get(address, **ada.headers) for address in paths]
    assert [answer.status for answer in answers] == [200, 404, 429]
    late = answers[-1]
    assert (late.content_type, late.headers["Cache-Control"]) == ("text/html", "private, no-store")
    assert 0 < int(late.headers["Retry-After"]) <= 60
    assert "You asked for many documents. Please wait a minute, then try again." in await late.text()
    assert (await site.get("/learning/certificates/unknown.pdf", **ada.headers)).status == 429
    assert (await site.get(other, **eve.headers)).status == 200


async def test_a_document_that_was_not_begun_in_time_is_503_with_words_and_the_next_one_comes(own_site, monkeypatch):
    ada = learner(own_site)
    path = issue(own_site, ada.id)
    printer = own_site.app[PRINTER]
    monkeypatch.setattr(printer, "_queue_s", 0.05)
    held = Event()
    busy = asyncio.ensure_future(printer.render(lambda: bytes(held.wait())))
    await asyncio.sleep(0)
    late = await own_site.get(path, **ada.headers)
    assert (late.status, late.content_type, late.headers["Retry-After"]) == (503, "text/html", "30")
    assert "Many documents are being made right now. Please try again in half a minute." in await late.text()
    held.set()
    await busy
    assert (await own_site.get(path, **ada.headers)).status == 200


async def test_an_invoice_of_an_organisation_is_for_those_who_read_its_purchases_too(own_site):
    buyer = learner(own_site, "Bo Buyer")
    with own_site.db.write_session() as session:
        acme, other = (factories.organisation(session, name).id for name in ("acme", "other"))
    path = issue(own_site, buyer.id, organisation_id=acme)
    private = issue(own_site, buyer.id, code="BADECUFIGOHAKELIMONA")
    cases = {"manager": (acme, 200), "owner": (acme, 200), "member": (acme, 404), "other": (other, 404)}
    answers = {}
    for name, (organisation, _) in cases.items():
        person = learner(own_site, f"Documents {name}", area="organisation")
        with own_site.db.write_session() as session:
            factories.member(session, person.id, organisation, role="owner" if name == "other" else name)
        person.choose(organisation)
        answers[name] = (await own_site.get(path, **person.headers)).status
        assert (await own_site.get(private, **person.headers)).status == 404, "of nobody's organisation"
        if name == "manager":
            _, props = await page(person, "/organization/orders")
            (row,) = props["table"]["rows"]
            assert [cell["href"] for cell in row["cells"] if cell and cell["kind"] == "link"] == [path]
    assert answers == {name: status for name, (_, status) in cases.items()}


async def test_staff_who_read_orders_open_the_documents_that_the_page_of_an_order_links(own_site):
    path = issue(own_site, learner(own_site, "Bo Buyer").id)
    support = learner(own_site, "Su", area="admin", roles=["support"])
    _, props = await page(support, f"/admin/orders/{CODE}")
    (link,) = [fact["cell"] for group in props["groups"] if group["id"] == "documents" for fact in group["facts"]]
    assert link["href"] == path
    assert (await own_site.get(link["href"], **support.headers)).status == 200
    for name, area, roles in (
        ("Mia", "admin", ["marketer"]),
        ("Ed", "admin", ["editor"]),
        # Whoever has a role and signed in to the shop is a buyer there.
        ("Sue", "learner", ["support"]),
    ):
        other = learner(own_site, name, area=area, roles=roles)
        assert (await own_site.get(path, **other.headers)).status == 404, name
