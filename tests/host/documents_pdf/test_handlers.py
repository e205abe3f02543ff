"""Who may fetch a document: the owner of its order, and nobody can tell from the answer whether it exists."""

from datetime import UTC, datetime, timedelta

from sqlalchemy import select

from domain.documents import erasure, invoices
from domain.documents.issuer import Issuer
from domain.tables import Document
from host.documents.files import DocumentFiles
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


def test_files_that_hosts_of_the_build_before_stored_are_deleted(tmp_path):
    folder = tmp_path / "documents"
    (folder / "ab").mkdir(parents=True)
    (folder / "ab" / "ab12-1.pdf").write_bytes(b"%PDF-")
    DocumentFiles(folder, "")
    assert not folder.exists()


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
