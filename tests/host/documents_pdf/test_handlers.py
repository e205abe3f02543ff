"""Who may fetch a document: the owner of its order, and nobody can tell from the answer whether it exists."""

from datetime import UTC, datetime

from domain.documents import invoices
from domain.documents.issuer import Issuer
from tests.host.signing import learner
from tests.support import order_rows

CODE = "BADECUFIGOHAKELIMONU"
ISSUER = Issuer("Meridian Learning Ltd", prefix="ML-")


def issue(site, learner_id: int) -> str:
    """The path of a new invoice."""
    with site.db.write_session() as session:
        order = order_rows.order(session, learner_id, CODE, total_minor=10_000)
        order_rows.order_line(session, order.id)
        return f"/documents/{CODE}/{invoices.issue(session, order, datetime.now(UTC), ISSUER).number}.pdf"


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
    (file,) = (own_site.settings.var_dir / "documents").rglob("*.pdf")
    assert file.read_bytes() == content
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


async def test_a_document_that_cannot_be_stored_is_sent_all_the_same(own_site):
    ada = learner(own_site)
    path = issue(own_site, ada.id)
    (own_site.settings.var_dir / "documents").write_text("no folder")
    assert (await own_site.get(path, **ada.headers)).status == 200
